using System.Globalization;
using Jackdaw.Json;

namespace Jackdaw.Queries.Planning.Conditions;

internal enum QueryValueKind
{
    Null,
    Boolean,
    Long,
    Double,
    String,
    List,
    Object,
}

/// <summary>A value that a query compares with: a literal, or a parameter. Immutable.</summary>
internal sealed record QueryValue
{
    private QueryValue(QueryValueKind kind) => Kind = kind;

    public static QueryValue Null { get; } = new(QueryValueKind.Null);

    public QueryValueKind Kind { get; }

    public bool Boolean { get; private init; }

    public long Long { get; private init; }

    /// <summary>Of both kinds of numbers.</summary>
    public double Double { get; private init; }

    /// <summary>The text that stands for a value in an index: of a string itself, of a number its digits. For an object its
    /// JSON. Empty for null and lists.</summary>
    public string Text { get; private init; } = "";

    public IReadOnlyList<QueryValue> Items { get; private init; } = [];

    /// <summary>UTC ticks of a string that is an ISO date; null for all others.</summary>
    public long? Ticks { get; private init; }

    public bool IsNumber => Kind is QueryValueKind.Long or QueryValueKind.Double;

    public static QueryValue Of(bool value) =>
        new(QueryValueKind.Boolean) { Boolean = value, Text = value ? "true" : "false" };

    public static QueryValue Of(long value) => new(QueryValueKind.Long)
    {
        Long = value,
        Double = value,
        Text = value.ToString(CultureInfo.InvariantCulture),
    };

    public static QueryValue Of(double value) => new(QueryValueKind.Double) { Double = value, Text = NumberText(value) };

    public static QueryValue Of(string value) => new(QueryValueKind.String)
    {
        Text = value,
        Ticks = IsoDate.TryRead(value, out long ticks) ? ticks : null,
    };

    public static QueryValue Of(IReadOnlyList<QueryValue> items) => new(QueryValueKind.List) { Items = items };

    public static QueryValue OfObject(string json) => new(QueryValueKind.Object) { Text = json };

    /// <summary>Digits of a number that is not whole, or too large for 64 bits: the shortest that give it back.</summary>
    public static string NumberText(double value) => value.ToString("R", CultureInfo.InvariantCulture);
}
