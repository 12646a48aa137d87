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

/// <summary>A value with which a query compares: a literal or a parameter. Immutable.</summary>
internal sealed record QueryValue
{
    private QueryValue(QueryValueKind kind) => Kind = kind;

    public static QueryValue Null { get; } = new(QueryValueKind.Null);

    public QueryValueKind Kind { get; }

    public bool Boolean { get; private init; }

    public long Long { get; private init; }

    /// <summary>The value of both kinds of numbers.</summary>
    public double Double { get; private init; }

    /// <summary>The text that stands for the value in an index: a string itself, the digits of a number, the JSON of an object. Empty for
    /// null and lists.</summary>
    public string Text { get; private init; } = "";

    public IReadOnlyList<QueryValue> Items { get; private init; } = [];

    /// <summary>The UTC ticks of a string that is an ISO date; null for all other values.</summary>
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

    /// <summary>The digits of a number that is not whole or too large for 64 bits: the fewest that give the same number again.</summary>
    public static string NumberText(double value) => value.ToString("R", CultureInfo.InvariantCulture);
}
