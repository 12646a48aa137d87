using System.Globalization;
using System.Text;

namespace Jackdaw.Client.Tests.Classes;

/// <summary>One way to write a class: how its members are set, how it is constructed, which collections, base class and id it has. It gives the source.</summary>
internal sealed record ClassForm(string Setter, string Constructor, string Kind, string Collection, string Base, string Id, bool IsRequired)
{
    public static readonly string[] Setters = ["set", "private set", "protected set", "internal set", "init", "private init", "get", "field", "block"];

    public static readonly string[] Constructors =
    [
        "public", "private", "protected", "parameters", "private parameters", "private and parameters", "two", "other names", "converted",
    ];

    public static readonly string[] Kinds = ["class", "record"];

    public static readonly string[] Collections =
    [
        "List<string> {get;}", "HashSet<string> {get;}", "ISet<string> {get;}", "IList<string> {get;}", "ICollection<string> {get;}", "SortedSet<string> {get;}",
        "LinkedList<string> {get;}", "Collection<string> {get;}", "ObservableCollection<string> {get;}", "IReadOnlyList<string> {get;}",
        "IReadOnlyList<string> =>", "IReadOnlyCollection<string> =>", "IEnumerable<string> =>", "IReadOnlyList<string> AsReadOnly", "IReadOnlyList<string> lazy",
        "IReadOnlyCollection<string> of set", "ImmutableArray<string> private set", "ImmutableList<string> {get;}", "string[] private set", "string[] {get;}",
        "List<string> private set", "List<string> set",
    ];

    public static readonly string[] Bases = ["none", "plain", "declared", "abstract", "generic"];

    public static readonly string[] Ids =
    [
        "none", "string set", "string private set", "string init", "string get", "string constructor", "Guid set", "Guid private set", "int set", "long private set",
        "GuidId set", "NumberId private set", "TextId set", "DocumentId", "ID", "Guid get", "required string",
    ];

    private bool IsOfConstructor => Setter is "get";

    private bool HasParameters => Constructor is not ("public" or "private" or "protected");

    /// <summary>Whether the compiler accepts it.</summary>
    public bool IsPossible => (!IsOfConstructor || HasParameters) && (!IsRequired || (Setter is "set" or "init" && Constructor == "public"))
        && (Setter is not ("init" or "private init") || !IsRequired || Constructor == "public") && (Id != "string constructor" || HasParameters)
        && (Id != "required string" || Constructor is "public" or "private" or "protected");

    /// <summary>Source of the class, with a number in its name.</summary>
    public string Source(int number)
    {
        string name = $"C{number}";
        var text = new StringBuilder();
        string inherited = Base switch
        {
            "plain" => "PlainBase, ",
            "generic" => "GenericBase<int>, ",
            "declared" or "abstract" => $"B{number}, ",
            _ => "",
        };
        if (Base is "declared" or "abstract")
        {
            text.AppendLine(CultureInfo.InvariantCulture, $"[JsonDerivedType(typeof({name}), \"c\")]");
            text.AppendLine(CultureInfo.InvariantCulture, $"public {(Base == "abstract" ? "abstract " : "")}{Kind} B{number} {{ {BaseMembers} }}");
        }

        text.AppendLine(CultureInfo.InvariantCulture, $"public {Kind} {name} : {inherited}ITested");
        text.AppendLine("{");
        text.AppendLine(IdMember()).AppendLine(ValueMembers()).AppendLine(CollectionMember()).AppendLine(Construction(name)).AppendLine(Common(name, number));
        return text.AppendLine("}").ToString();
    }

    public const string BaseMembers = """
        public string BaseName { get; private set; } = ""; public List<string> BaseItems { get; } = []; private readonly List<int> _numbers = [];
        public IReadOnlyList<int> Numbers => _numbers;
        protected void FillBase() { BaseName = "base"; BaseItems.Add("first"); _numbers.Add(7); }
        protected string DumpBase() => BaseName + string.Join(",", BaseItems) + string.Join(",", Numbers);
        """;

    private string IdMember() => Id switch
    {
        "none" => "",
        "string set" => "public string? Id { get; set; }",
        "string private set" => "public string? Id { get; private set; }",
        "string init" => "public string? Id { get; init; }",
        "string get" => "public string? Id { get; }",
        "string constructor" => "public string Id { get; }",
        "required string" => "public required string Id { get; set; }",
        "Guid set" => "public Guid Id { get; set; }",
        "Guid private set" => "public Guid Id { get; private set; }",
        "Guid get" => "public Guid Id { get; } = Guid.NewGuid();",
        "int set" => "public int Id { get; set; }",
        "long private set" => "public long Id { get; private set; }",
        "GuidId set" => "public GuidId Id { get; set; }",
        "NumberId private set" => "public NumberId Id { get; private set; }",
        "TextId set" => "public TextId? Id { get; set; } = new(Guid.NewGuid().ToString());",
        "DocumentId" => "[DocumentId] public string? Key { get; private set; }",
        "ID" => "public string? ID { get; set; }",
        _ => throw new InvalidOperationException(Id),
    };

    private string Member(string type, string name, string empty) => Setter switch
    {
        "get" => $"public {type} {name} {{ get; }}",
        "field" => $"private {type} _{name} = {empty}; public {type} {name} => _{name};",
        "block" => $"private {type} m_{name} = {empty}; public {type} {name} {{ get {{ return m_{name}; }} }}",
        _ => $"public {(IsRequired ? "required " : "")}{type} {name} {{ get; {Setter}; }}{(IsRequired ? "" : $" = {empty};")}",
    };

    private string ValueMembers() =>
        $"{Member("string", "Name", "\"\"")} {Member("decimal", "Amount", "0")} {Member("Place?", "Where", "null")} {Member("Size", "Size", "Size.Small")} {Member("Part", "Part", "new Part()")}";

    private static string Target(string setter, string name) => setter switch { "field" => "_" + name, "block" => "m_" + name, _ => name };

    private string CollectionMember()
    {
        string type = Collection[..(Collection.IndexOf('>', StringComparison.Ordinal) is >= 0 and int end ? end + 1 : "string[]".Length)];
        string form = Collection[type.Length..].Trim();
        string made = type switch
        {
            "ISet<string>" => "new HashSet<string>()", "IReadOnlyList<string>" or "IList<string>" or "ICollection<string>" => "new List<string>()",
            "string[]" or "ImmutableArray<string>" or "ImmutableList<string>" => "[]",
            _ => $"new {type}()",
        };
        string add = type switch
        {
            "LinkedList<string>" => "Items.AddLast(one);",
            "IReadOnlyList<string>" => "((List<string>)Items).Add(one);",
            _ => "Items.Add(one);",
        };
        return form switch
        {
            "{get;}" when type is "string[]" => "public string[] Items { get; } = new string[2]; private void Fill(string one) => Items[Items[0] is null ? 0 : 1] = one;",
            "{get;}" when type is "ImmutableList<string>" => "private readonly ImmutableList<string>[] _box = [[]]; [JsonIgnore] public int Nothing => 0; public ImmutableList<string> Items { get; private set; } = []; private void Fill(string one) => Items = Items.Add(one);",
            "{get;}" => $"public {type} Items {{ get; }} = {made}; private void Fill(string one) {{ {add} }}",
            "=>" => $"private readonly List<string> _i = []; public {type} Items => _i; private void Fill(string one) => _i.Add(one);",
            "AsReadOnly" => $"private readonly List<string> _list = []; public {type} Items => _list.AsReadOnly(); private void Fill(string one) => _list.Add(one);",
            "lazy" => $"private List<string>? _list; public {type} Items => _list ??= []; private void Fill(string one) {{ _list ??= []; _list.Add(one); }}",
            "of set" => $"private readonly HashSet<string> _set = new(StringComparer.OrdinalIgnoreCase); public {type} Items => _set; private void Fill(string one) => _set.Add(one);",
            _ when type is "string[]" or "ImmutableArray<string>" => $"public {type} Items {{ get; {form}; }} = []; private void Fill(string one) => Items = [.. Items, one];",
            _ => $"public {type} Items {{ get; {form}; }} = []; private void Fill(string one) => Items.Add(one);",
        };
    }

    private string Construction(string name)
    {
        string set(string member, string value) => $"{Target(Setter, member)} = {value};";
        string body = set("Name", "name") + set("Amount", "amount") + set("Where", "where") + set("Size", "size") + set("Part", "part");
        bool hasId = Id == "string constructor";
        string id = hasId ? "string id, " : "";
        body += hasId ? "ArgumentException.ThrowIfNullOrEmpty(id); Id = id;" : "";
        string parameters = $"{id}string name, decimal amount, Place? where, Size size, Part part";
        string others = $"{(hasId ? "string id, " : "")}string n, decimal a, Place? w, Size s, Part p";
        string nothing = hasId ? "Id = \"\";" : "";
        string empty = IsOfConstructor ? "Name = \"\"; Part = new();" + nothing : nothing;
        string chained = $"({(hasId ? "id, " : "")}n, a, w, s, p)";
        return Constructor switch
        {
            "parameters" => $"public {name}({parameters}) {{ {body} }}",
            "private parameters" => $"private {name}({parameters}) {{ {body} }}",
            "private and parameters" => $"private {name}() {{ {empty} }} public {name}({parameters}) {{ {body} }}",
            "two" => $"public {name}({id}string name) {{ {(hasId ? "Id = id;" : "")} {set("Name", "name")} {set("Part", "new Part()")} }} public {name}({parameters}) {{ {body} }}",
            "other names" => $"private {name}() {{ {empty} }} public {name}({others}) {{ {body.Replace("= name;", "= n;", StringComparison.Ordinal).Replace("= amount;", "= a;", StringComparison.Ordinal).Replace("= where;", "= w;", StringComparison.Ordinal).Replace("= size;", "= s;", StringComparison.Ordinal).Replace("= part;", "= p;", StringComparison.Ordinal)} }}",
            "converted" => $"internal {name}({parameters}, IEnumerable<string>? items = null) {{ {body} foreach (string one in items ?? []) Fill(one); }}",
            _ => $"{Constructor} {name}() {{ }}",
        };
    }

    private string Common(string name, int number)
    {
        string values = $"Name = \"{number}\", Amount = 12345678901234567.89m, Where = new Place(1.5, 2), Size = Size.Large, Part = Part.Of(\"bolt\")";
        string given = $"\"{number}\", 12345678901234567.89m, new Place(1.5, 2), Size.Large, Part.Of(\"bolt\")";
        string own = Id == "string constructor" ? $"\"own/{number}\", " : "";
        string required = Id == "required string" ? $"Id = \"own/{number}\", " : "";
        string made = HasParameters ? $"new {name}({own}{given})" : Setter is "field" or "block"
            ? $"new {name}() {{ {required} {values.Replace("Name =", Target(Setter, "Name") + " =", StringComparison.Ordinal).Replace("Amount =", Target(Setter, "Amount") + " =", StringComparison.Ordinal).Replace("Where =", Target(Setter, "Where") + " =", StringComparison.Ordinal).Replace("Size = Size", Target(Setter, "Size") + " = Size", StringComparison.Ordinal).Replace("Part = Part", Target(Setter, "Part") + " = Part", StringComparison.Ordinal)} }}"
            : $"new {name}() {{ {required} {values} }}";
        string id = Id switch { "none" => "\"\"", "DocumentId" => "Key", "ID" => "ID", _ => "Id" };
        bool isBased = Base != "none";
        string based = Base is "declared" or "abstract" ? $"B{number}" : Base == "plain" ? "PlainBase" : Base == "generic" ? "GenericBase<int>" : name;
        return $$"""
            public string Other { get; set; } = "";
            public Dictionary<string, Part> Map { get; } = new(StringComparer.OrdinalIgnoreCase);
            public int Computed => Name.Length + Items.Count();
            public static {{name}} Make() { var made = {{made}}; made.Fill("b"); made.Fill("a"); made.Map["k"] = Part.Of("nut"); {{(isBased ? "made.FillBase();" : "")}} return made; }
            public string Dump() => $"{Name}|{Amount}|{Where}|{Size}|{Part.Dump()}|{string.Join(",", Items)}|{string.Join(",", Map.Select(one => one.Key + one.Value.Dump()))}|{Map.ContainsKey("K")}|{ {{(isBased ? "DumpBase()" : "0")}} }";
            public string DumpId() => $"{ {{id}} }";
            public static async Task<ITested?> Load(IAsyncDocumentSession session, string id) => await session.LoadAsync<{{name}}>(id);
            public static async Task<object?> LoadBase(IAsyncDocumentSession session, string id) => await session.LoadAsync<{{based}}>(id);
            """;
    }
}
