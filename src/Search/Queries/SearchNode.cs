using Jackdaw.Search.Entries;

namespace Jackdaw.Search.Queries;

/// <summary>A condition on entries, or several. Immutable.</summary>
/// <remarks>Values are given as the user wrote them: the engine brings them into the form in which the field's terms were indexed.</remarks>
public abstract record SearchNode;

/// <summary>All entries.</summary>
public sealed record AllNode : SearchNode;

/// <summary>No entry.</summary>
public sealed record NoneNode : SearchNode;

/// <summary>A value to compare with.</summary>
public abstract record SearchValue;

public sealed record TextValue(string Text) : SearchValue;

/// <param name="Text">As it would be indexed, for comparing with texts.</param>
public sealed record LongValue(long Value, string Text) : SearchValue;

/// <param name="Text">As it would be indexed, for comparing with texts.</param>
public sealed record DoubleValue(double Value, string Text) : SearchValue;

public sealed record BooleanValue(bool Value) : SearchValue;

public sealed record NullValue : SearchValue;

/// <param name="Text">As written.</param>
/// <param name="Ticks">UTC ticks.</param>
public sealed record DateValue(string Text, long Ticks) : SearchValue;

/// <summary>Entries whose field has a value.</summary>
public sealed record TermNode(string Field, SearchValue Value) : SearchNode;

/// <summary>Entries whose field has one of the values.</summary>
public sealed record InNode(string Field, IReadOnlyList<SearchValue> Values) : SearchNode;

/// <summary>Entries whose field has each of the values; of no values, all entries.</summary>
public sealed record AllInNode(string Field, IReadOnlyList<SearchValue> Values) : SearchNode;

/// <summary>How values of a range are compared.</summary>
public enum RangeKind
{
    /// <summary>By text, ordinally, in the form of the field's terms.</summary>
    Text,

    /// <summary>Whole numbers and dates, exactly.</summary>
    Long,

    Double,
}

/// <summary>Entries whose field has a value between two.</summary>
/// <param name="Low">Null: open.</param>
/// <param name="High">Null: open.</param>
public sealed record RangeNode(string Field, RangeKind Kind, SearchValue? Low, bool IncludesLow, SearchValue? High, bool IncludesHigh) : SearchNode;

public sealed record PrefixNode(string Field, string Text) : SearchNode;

public sealed record SuffixNode(string Field, string Text) : SearchNode;

/// <summary>Terms that have a text within them.</summary>
public sealed record ContainsNode(string Field, string Text) : SearchNode;

/// <summary>Terms that match a pattern: <c>*</c> stands for any text, <c>?</c> for one character.</summary>
public sealed record WildcardNode(string Field, string Pattern) : SearchNode;

/// <summary>Terms in which a .NET regular expression finds something; its time is limited.</summary>
public sealed record RegexNode(string Field, string Pattern) : SearchNode;

/// <summary>Terms at most so far from a text that their similarity (1 - distance / length) is at least the given one.</summary>
/// <param name="Similarity">Above 0, up to 1.</param>
public sealed record FuzzyNode(string Field, string Text, float Similarity) : SearchNode;

/// <summary>How the words of a full-text search are combined.</summary>
public enum WordOperator
{
    Or,
    And,
}

/// <summary>Full text: words, "phrases in quotes", and words with a star before or behind.</summary>
/// <param name="Slop">Null: words are searched one by one. Otherwise all of them, at most so many positions apart.</param>
public sealed record FullTextNode(string Field, string Text, WordOperator Operator, int? Slop = null) : SearchNode;

/// <summary>Text in the classic query syntax, as the user wrote it: <c>+must -not "a phrase" field:word wild* [a TO b] near~</c>. The engine
/// reads it.</summary>
/// <param name="Field">Where words without a field are searched.</param>
public sealed record ClassicQueryNode(string Field, string Text) : SearchNode;

/// <summary>How a shape of an entry lies to the shape that is searched with. A boundary belongs to its shape.</summary>
public enum SpatialRelation
{
    /// <summary>The entry's shape lies within the other.</summary>
    Within,

    /// <summary>The entry's shape contains the other.</summary>
    Contains,
    Intersects,

    /// <summary>The entry has shapes, and none of them meets the other.</summary>
    Disjoint,
}

/// <summary>A shape to search with.</summary>
public abstract record SearchShape;

/// <param name="Radius">0 or more.</param>
/// <param name="Y">Of the centre: the latitude.</param>
/// <param name="X">Of the centre: the longitude.</param>
/// <param name="Unit">Null: that of the field.</param>
public sealed record CircleShape(double Radius, double Y, double X, DistanceUnit? Unit = null) : SearchShape;

/// <param name="Unit">Of radii in the text; null: that of the field.</param>
public sealed record TextShape(string WellKnownText, DistanceUnit? Unit = null) : SearchShape;

/// <summary>Entries one of whose shapes lies so to another. Exact.</summary>
/// <param name="ErrorPercentage">What a caller would bear, 0 to 0.5; of no effect here.</param>
public sealed record SpatialNode(string Field, SpatialRelation Relation, SearchShape Shape, double ErrorPercentage = 0.025) : SearchNode;

/// <summary>Entries that have the field, with null or without a value too.</summary>
public sealed record ExistsNode(string Field) : SearchNode;

public sealed record AndNode(IReadOnlyList<SearchNode> Nodes) : SearchNode;

public sealed record OrNode(IReadOnlyList<SearchNode> Nodes) : SearchNode;

public sealed record NotNode(SearchNode Node) : SearchNode;

/// <summary>Multiplies the score of what a node finds.</summary>
/// <param name="Factor">Above 0.</param>
public sealed record BoostNode(SearchNode Node, float Factor) : SearchNode;

/// <summary>Entries whose id has, among all entries with it, one for each of the nodes.</summary>
/// <param name="Nodes">Two or more.</param>
public sealed record IntersectNode(IReadOnlyList<SearchNode> Nodes) : SearchNode;
