using System.Globalization;
using Jackdaw.Search.Queries;
using SortKey = Jackdaw.Search.Queries.SortKey;

namespace Jackdaw.Search.Plans;

/// <summary>Names and details of conditions and orders for plans.</summary>
public static class NodeText
{
    /// <summary>The most values of a list that are named; for the others only their number is given.</summary>
    private const int ValuesMax = 5;

    /// <summary>The most characters of a shape's text that are shown.</summary>
    private const int ShapeLengthMax = 100;

    /// <summary>The name and the details of a condition, without those that it is made of.</summary>
    public static (string Name, string Detail) Of(SearchNode node) => node switch
    {
        AllNode => ("all", ""),
        NoneNode => ("none", ""),
        TermNode term => ("term", $"{term.Field} = {Of(term.Value)}"),
        InNode list => ("in", $"{list.Field} in {Of(list.Values)}"),
        AllInNode list => ("all in", $"{list.Field} all in {Of(list.Values)}"),
        RangeNode range => ("range", Of(range)),
        PrefixNode prefix => ("prefix", $"{prefix.Field}: {prefix.Text}*"),
        SuffixNode suffix => ("suffix", $"{suffix.Field}: *{suffix.Text}"),
        ContainsNode part => ("contains", $"{part.Field}: *{part.Text}*"),
        WildcardNode pattern => ("wildcard", $"{pattern.Field}: {pattern.Pattern}"),
        RegexNode pattern => ("regex", $"{pattern.Field}: /{pattern.Pattern}/"),
        FuzzyNode fuzzy => ("fuzzy", string.Create(CultureInfo.InvariantCulture, $"{fuzzy.Field}: {fuzzy.Text} ~{fuzzy.Similarity}")),
        NearNode near => ("fuzzy", string.Create(CultureInfo.InvariantCulture, $"{near.Field}: {near.Text} within {near.Edits} edits")),
        FullTextNode { Slop: { } slop } text => ("phrase", $"{text.Field}: \"{text.Text}\" within {slop}"),
        FullTextNode text => ("text", $"{text.Field}: {text.Text} ({(text.Operator == WordOperator.And ? "all" : "any")} words)"),
        PhraseNode phrase => ("phrase", $"{phrase.Field}: \"{string.Join(' ', phrase.Words.Select(word => word.Term))}\" within {phrase.Slop}"),
        ClassicQueryNode text => ("lucene", $"{text.Field}: {text.Text}"),
        SpatialNode spatial => (spatial.Relation.ToString().ToLowerInvariant(), $"{spatial.Field}: {Of(spatial.Shape)}"),
        HasVectorNode vector => ("has vector", vector.Field),
        ScoredNode scored => ("vectors", $"{scored.Field}: {scored.Scores.Describe()}"),
        ExistsNode exists => ("exists", exists.Field),
        AndNode => ("and", ""),
        OrNode => ("or", ""),
        OptionalNode => ("optional", ""),
        NotNode => ("not", ""),
        BoostNode boost => ("boost", boost.Factor.ToString(CultureInfo.InvariantCulture)),
        IntersectNode => ("intersect", "by id"),
        SimilarNode => ("similar", ""),
        _ => (node.GetType().Name, ""),
    };

    /// <summary>A value as it is written.</summary>
    public static string Of(SearchValue? value) => value switch
    {
        null => "",
        TextValue text => $"'{text.Text}'",
        LongValue number => number.Text,
        DoubleValue number => number.Text,
        BooleanValue boolean => boolean.Value ? "true" : "false",
        DateValue date => $"'{date.Text}'",
        _ => "null",
    };

    /// <summary>A key of an order.</summary>
    public static string Of(SortKey key) =>
        (key.Field.Length == 0 ? key.By.ToString().ToLowerInvariant() : $"{key.Field} as {key.By.ToString().ToLowerInvariant()}")
        + (key.IsDescending ? " desc" : "");

    private static string Of(SearchShape shape) => shape switch
    {
        CircleShape circle => string.Create(CultureInfo.InvariantCulture, $"{circle.Radius} around {circle.Y}, {circle.X}"),
        TextShape { WellKnownText: { Length: > ShapeLengthMax } text } => text[..ShapeLengthMax] + "...",
        TextShape text => text.WellKnownText,
        _ => "",
    };

    private static string Of(IReadOnlyList<SearchValue> values)
    {
        string named = string.Join(", ", values.Take(ValuesMax).Select(Of));
        return values.Count > ValuesMax ? $"({named} and {values.Count - ValuesMax} more)" : $"({named})";
    }

    private static string Of(RangeNode range)
    {
        string low = range.Low is null ? "" : $"{Of(range.Low)} {(range.IncludesLow ? "<=" : "<")} ";
        string high = range.High is null ? "" : $" {(range.IncludesHigh ? "<=" : "<")} {Of(range.High)}";
        return $"{low}{range.Field}{high} (as {range.Kind.ToString().ToLowerInvariant()})";
    }
}
