using System.Globalization;
using System.Text;

namespace Jackdaw.Indexing.Tests.Definitions.Running;

/// <summary>Values for the parameters of the base library: as objects of C#, as members of a document, and as C# of a definition.</summary>
internal static class BaseLibrarySamples
{
    /// <summary>The members of the document of all tests.</summary>
    public const string Document = """
        {"Text":"Jackdaw","Digit":"1","Day":"2024-02-14","Time":"10:20:30","At":"2024-02-14T10:20:30",
         "Guid":"0f8fad5b-d9cb-469f-a165-70867728950e",
         "Truth":"True","Letter":"a","Two":2,"Half":2.5,"Yes":true,"Stamp":"MjA=","Hex":"AB01",
         "Texts":["a","b","a"],"One":["a"],"Numbers":[3,1,2],"Halves":[2.5,1.5],"Map":{"k":"v","l":"w"},
         "DayFormat":"yyyy","SpanFormat":"c","Key":"k","GuidFormat":"N"}
        """;

    private static readonly DateTime s_at = new(2024, 2, 14, 10, 20, 30);

    /// <summary>Samples of a type, the most usual first.</summary>
    public static IReadOnlyList<BaseSample> Of(Type type)
    {
        if (Nullable.GetUnderlyingType(type) is { } inner)
        {
            return [.. Of(inner).Select(sample => sample with { Type = Name(type) })];
        }

        if (type.IsEnum)
        {
            return [.. Enum.GetNames(type).Take(3).Select(name => new BaseSample(Enum.Parse(type, name), null, $"{type.FullName}.{name}"))];
        }

        return Plain(type) ?? Sequence(type) ?? BaseLibraryFunctions.Of(type) ?? [];
    }

    /// <summary>The type as C# of a definition names it.</summary>
    public static string Name(Type type) => Nullable.GetUnderlyingType(type) is { } inner ? Name(inner) + "?"
        : type.IsSZArray ? Name(type.GetElementType()!) + "[]"
        : type.IsGenericType ? $"{type.Name[..type.Name.IndexOf('`', StringComparison.Ordinal)]}<{string.Join(", ", type.GenericTypeArguments.Select(Name))}>"
        : type == typeof(string) ? "string" : type == typeof(object) ? "object"
        : type.Name;

    private static BaseSample[]? Plain(Type type) => type.Name switch
    {
        "String" => [Make("Jackdaw", "Text"), Make("1", "Digit"), Make("2024-02-14", "Day"), Make("10:20:30", "Time"), Make("2024-02-14T10:20:30", "At"),
            Make("0f8fad5b-d9cb-469f-a165-70867728950e", "Guid"), Make("True", "Truth"), Make("a", "Letter"), Make("MjA=", "Stamp"), Make("AB01", "Hex"),
            Make("yyyy", "DayFormat"), Make("c", "SpanFormat"), Make("N", "GuidFormat"), Make("k", "Key")],
        "Object" => [new BaseSample("Jackdaw", "Text", null), new BaseSample("1", "Digit", null), new BaseSample("True", "Truth", null),
            new BaseSample("2024-02-14", "Day", null)],
        "Char" => [Make('a', "Letter"), Make('1', "Digit"), new BaseSample('d', null, "'d'")],
        "Boolean" => [Make(true, "Yes")],
        "Double" => [Make(2.5, "Half"), Make(2d, "Two")],
        "Single" => [Make(2.5f, "Half")],
        "Decimal" => [Make(2.5m, "Half"), Make(2m, "Two")],
        "Int32" => [new BaseSample(2, "Two", null, "int"), new BaseSample(0, null, "0"), new BaseSample(4, null, "4"), new BaseSample(1, null, "1")],
        "SByte" or "Byte" or "Int16" or "UInt16" or "UInt32" or "Int64" or "UInt64" =>
            [new BaseSample(Convert.ChangeType(2, type, CultureInfo.InvariantCulture), "Two", null, Name(type))],
        "IntPtr" => [new BaseSample((nint)2, "Two", null, "nint")],
        "UIntPtr" => [new BaseSample((nuint)2, "Two", null, "nuint")],
        "DateTime" => [Make(s_at, "At"), Make(s_at.Date, "Day")],
        "DateTimeOffset" => [Make(new DateTimeOffset(s_at, TimeSpan.Zero), "At")],
        "DateOnly" => [Make(DateOnly.FromDateTime(s_at), "Day")],
        "TimeOnly" => [Make(TimeOnly.FromDateTime(s_at), "Time")],
        "TimeSpan" => [Make(s_at.TimeOfDay, "Time"), new BaseSample(TimeSpan.Zero, null, "TimeSpan.Zero")],
        "Guid" => [Make(Guid.Parse("0f8fad5b-d9cb-469f-a165-70867728950e"), "Guid")],
        "IFormatProvider" or "CultureInfo" => [new BaseSample(CultureInfo.InvariantCulture, null, "CultureInfo.InvariantCulture")],
        "Rune" => [new BaseSample(new Rune('a'), null, "new Rune('a')")],
        "Index" => [new BaseSample(new Index(1), null, "new Index(1)")],
        "Range" => [new BaseSample(0..1, null, "new Range(0, 1)")],
        _ => null,
    };

    private static BaseSample[]? Sequence(Type type) =>
        type == typeof(char[]) ? [new BaseSample("MjA=".ToCharArray(), null, "new[] { 'M', 'j', 'A', '=' }"),
            new BaseSample(new char[64], null, "new char[64]")]
        : type == typeof(byte[]) ? [new BaseSample(Enumerable.Range(1, 16).Select(i => (byte)i).ToArray(), null,
            "new byte[] { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 }"),
            new BaseSample(new byte[8], null, "new byte[8]")]
        : type == typeof(object[]) ? [new BaseSample(new object[] { "Jackdaw", 2L }, null, "new object[] { \"Jackdaw\", 2L }")]
        : type == typeof(Dictionary<string, string>) || type == typeof(IDictionary<string, string>) || type == typeof(IEnumerable<KeyValuePair<string, string>>)
            ? [new BaseSample(new Dictionary<string, string> { ["k"] = "v", ["l"] = "w" }, "Map", null, Name(type))]
        : type.IsSZArray || (type.IsGenericType && type.GenericTypeArguments.Length == 1 && type.Name is "IEnumerable`1" or "List`1")
            ? OfElements(type, type.IsSZArray ? type.GetElementType()! : type.GenericTypeArguments[0])
        : type == typeof(System.Collections.IEnumerable) ? [new BaseSample(new List<string> { "a", "b", "a" }, "Texts", null, "IEnumerable<string>")]
        : null;

    private static BaseSample[]? OfElements(Type type, Type element)
    {
        Type plain = Nullable.GetUnderlyingType(element) ?? element;
        string? member = plain == typeof(string) ? "Texts"
            : plain == typeof(int) || plain == typeof(long) ? "Numbers"
            : plain == typeof(double) || plain == typeof(decimal) || plain == typeof(float) ? "Halves"
            : null;
        object[] elements = member == "Texts" ? ["a", "b", "a"] : member == "Numbers" ? [3, 1, 2] : [2.5, 1.5];
        if (member is null)
        {
            return null;
        }

        var array = Array.CreateInstance(element, elements.Length);
        for (int i = 0; i < elements.Length; i++)
        {
            array.SetValue(Convert.ChangeType(elements[i], plain, CultureInfo.InvariantCulture), i);
        }

        var sample = new BaseSample(type.Name == "List`1" ? Activator.CreateInstance(type, array)! : array, member, null, Name(type));
        return type == typeof(IEnumerable<string>) ? [sample, new BaseSample(new[] { "a" }, "One", null, Name(type))] : [sample];
    }

    private static BaseSample Make<T>(T value, string member)
        where T : notnull => new(value, member, null, Name(typeof(T)));
}

/// <summary>A value of the tests.</summary>
/// <param name="Value">The object of C#.</param>
/// <param name="Member">The member of the document; null when definitions write it as C#.</param>
/// <param name="Literal">What definitions write; null for a member.</param>
/// <param name="Type">The type of the cast; null without one.</param>
internal sealed record BaseSample(object Value, string? Member, string? Literal, string? Type = null)
{
    public string Uncast => Literal ?? "o." + Member;

    public string Cast => Literal ?? (Type is null ? "o." + Member : $"(({Type})o.{Member})");
}
