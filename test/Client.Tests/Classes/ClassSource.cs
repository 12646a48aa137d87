namespace Jackdaw.Client.Tests.Classes;

/// <summary>The source of a class of a form.</summary>
internal sealed class ClassSource(ClassForm form, int number)
{
    public const string BaseMembers = """
        public string BaseName { get; private set; } = ""; public List<string> BaseItems { get; } = []; private readonly List<int> _numbers = [];
        public IReadOnlyList<int> Numbers => _numbers;
        protected void FillBase() { BaseName = "base"; BaseItems.Add("first"); _numbers.Add(7); }
        protected string DumpBase() => BaseName + string.Join(",", BaseItems) + string.Join(",", Numbers);
        """;

    /// <summary>What the classes use.</summary>
    public const string Shared = $$"""
        using System.Collections.Immutable; using System.Collections.ObjectModel; using System.Text.Json.Serialization;
        using Jackdaw.Client.Conventions; using Jackdaw.Client.Sessions; using Jackdaw.Client.Tests.Classes;
        namespace Generated;
        public enum Size { Small, Large }
        public readonly record struct GuidId(Guid Value);
        public readonly record struct NumberId(int Value);
        public sealed record TextId(string Value);
        public readonly struct Place
        {
            public Place(double x, double y) => (X, Y) = (x, y);
            public double X { get; }
            public double Y { get; }
            public override string ToString() => $"{X};{Y}";
        }
        public class Part
        {
            private readonly List<string> _marks = [];
            public string Label { get; private set; } = "";
            public IReadOnlyList<string> Marks => _marks;
            public static Part Of(string label) { var part = new Part { Label = label }; part._marks.Add("m"); return part; }
            public virtual string Dump() => Label + string.Join(",", Marks);
        }
        public sealed class SpecialPart : Part
        {
            private SpecialPart(int extra) => Extra = extra;
            public int Extra { get; }
            public static SpecialPart Of(int extra) => new(extra);
            public override string Dump() => base.Dump() + Extra;
        }
        public class PlainBase { {{BaseMembers}} }
        public class GenericBase<T> { public T? Extra { get; protected set; } {{BaseMembers}} }

        """;

    // A value's type, name, empty value and given value.
    private static readonly (string Type, string Name, string Empty, string Given)[] s_values =
    [
        ("string", "Name", "\"\"", "\"name\""), ("decimal", "Amount", "0", "12345678901234567.89m"), ("Place?", "Where", "null", "new Place(1.5, 2)"),
        ("Size", "Size", "Size.Small", "Size.Large"), ("Part", "Part", "new Part()", "Part.Of(\"bolt\")"),
    ];

    private string Name => $"C{number}";

    private string? BaseName => form.Base switch
    {
        "plain" => "PlainBase",
        "generic" => "GenericBase<int>",
        "none" => null,
        _ => $"B{number}",
    };

    public override string ToString() => $$"""
        {{BaseDeclaration()}}
        public {{form.Kind}} {{Name}} : {{(BaseName is null ? "" : BaseName + ", ")}}ITested
        {
            {{ClassForm.Ids[form.Id]}}
            {{string.Join("\n    ", s_values.Select(Member))}}
            {{ClassForm.Collections[form.Collection]}}
            {{Construction()}}
            {{Common()}}
        }

        """;

    private string BaseDeclaration() => form.Base is "declared" or "abstract"
        ? $$"""
            [JsonDerivedType(typeof({{Name}}), "c")]
            public {{(form.Base == "abstract" ? "abstract " : "")}}{{form.Kind}} B{{number}} { {{BaseMembers}} }
            """
        : "";

    private string Member((string Type, string Name, string Empty, string Given) value) => form.Setter switch
    {
        "get" => $"public {value.Type} {value.Name} {{ get; }}",
        "field" => $"private {value.Type} _{value.Name} = {value.Empty}; public {value.Type} {value.Name} => _{value.Name};",
        "block" => $"private {value.Type} m_{value.Name} = {value.Empty}; public {value.Type} {value.Name} {{ get {{ return m_{value.Name}; }} }}",
        _ when form.IsRequired => $"public required {value.Type} {value.Name} {{ get; {form.Setter}; }}",
        _ => $"public {value.Type} {value.Name} {{ get; {form.Setter}; }} = {value.Empty};",
    };

    private string Target(string member) => form.Setter switch { "field" => "_" + member, "block" => "m_" + member, _ => member };

    private string Construction()
    {
        string idParameter = form.IsIdOfConstructor ? "string id, " : "";
        string setId = form.IsIdOfConstructor ? "ArgumentException.ThrowIfNullOrEmpty(id); Id = id;" : "";
        string Taking(string prefix) => idParameter + string.Join(", ", s_values.Select(value => $"{value.Type} {prefix}{value.Name.ToLowerInvariant()}"));
        string Setting(string prefix) =>
            setId + string.Concat(s_values.Select(value => $"{Target(value.Name)} = {prefix}{value.Name.ToLowerInvariant()};"));
        string nothing = (form.IsIdOfConstructor ? "Id = \"\";" : "") + (form.Setter == "get" ? "Name = \"\"; Part = new();" : "");
        return form.Constructor switch
        {
            "parameters" => $"public {Name}({Taking("")}) {{ {Setting("")} }}",
            "private parameters" => $"private {Name}({Taking("")}) {{ {Setting("")} }}",
            "private and parameters" => $"private {Name}() {{ {nothing} }} public {Name}({Taking("")}) {{ {Setting("")} }}",
            "two" => $"public {Name}({idParameter}string name) {{ {setId} {Target("Name")} = name; {Target("Part")} = new Part(); }}"
                + $"public {Name}({Taking("")}) {{ {Setting("")} }}",
            "other names" => $"private {Name}() {{ {nothing} }} public {Name}({Taking("other_")}) {{ {Setting("other_")} }}",
            "converted" => $"internal {Name}({Taking("")}, IEnumerable<string>? items = null) "
                + $"{{ {Setting("")} foreach (string one in items ?? []) Fill(one); }}",
            _ => $"{form.Constructor} {Name}() {{ }}",
        };
    }

    private string Making()
    {
        string own = form.IsIdOfConstructor ? $"\"own/{number}\", " : "";
        string required = form.Id == "required string" ? $"Id = \"own/{number}\", " : "";
        return form.HasParameters
            ? $"new {Name}({own}{string.Join(", ", s_values.Select(value => value.Given))})"
            : $"new {Name}() {{ {required}{string.Join(", ", s_values.Select(value => $"{Target(value.Name)} = {value.Given}"))} }}";
    }

    private string Common()
    {
        string id = form.Id switch { "none" => "\"\"", "DocumentId" => "Key", "ID" => "ID", _ => "Id" };
        return $$"""
            public string Other { get; set; } = "";
                public Dictionary<string, Part> Map { get; } = new(StringComparer.OrdinalIgnoreCase);
                public int Computed => Name.Length + Items.Count();
                public static {{Name}} Make()
                {
                    var made = {{Making()}};
                    made.Fill("b");
                    made.Fill("a");
                    made.Map["k"] = Part.Of("nut");
                    made.Map["s"] = SpecialPart.Of(5);
                    {{(BaseName is null ? "" : "made.FillBase();")}}
                    return made;
                }

                public string Dump() => string.Join("|", [$"{Name}|{Amount}|{Where}|{Size}|{Part.Dump()}", .. Items,
                    .. Map.Select(one => one.Key + one.Value.Dump()), $"{Map.ContainsKey("K")}", {{(BaseName is null ? "\"\"" : "DumpBase()")}}]);
                public string DumpId() => $"{ {{id}} }";
                public static async Task<ITested?> Load(IAsyncDocumentSession session, string id) => await session.LoadAsync<{{Name}}>(id);
                public static async Task<object?> LoadBase(IAsyncDocumentSession session, string id) =>
                    await session.LoadAsync<{{BaseName ?? Name}}>(id);
            """;
    }
}
