using Jackdaw.Search.Entries;

namespace Jackdaw.Search.Queries;

/// <summary>A condition on entries, or several. Immutable.</summary>
/// <remarks>Values are given as the user wrote them. The engine brings them into the form in which the terms of the field were indexed.</remarks>
public abstract record SearchNode;

/// <summary>All entries.</summary>
public sealed record AllNode : SearchNode;

/// <summary>No entry.</summary>
public sealed record NoneNode : SearchNode;

/// <summary>A value to compare with.</summary>
public abstract record SearchValue;

public sealed record TextValue(string Text) : SearchValue;

/// <param name="Text">The number in the form in which it would be indexed, for comparisons with texts.</param>
public sealed record LongValue(long Value, string Text) : SearchValue;

/// <param name="Text">The number in the form in which it would be indexed, for comparisons with texts.</param>
public sealed record DoubleValue(double Value, string Text) : SearchValue;

public sealed record BooleanValue(bool Value) : SearchValue;

public sealed record NullValue : SearchValue;

/// <param name="Text">As written.</param>
/// <param name="Ticks">UTC ticks.</param>
public sealed record DateValue(string Text, long Ticks) : SearchValue;

/// <summary>Finds entries whose field has a value.</summary>
public sealed record TermNode(string Field, SearchValue Value) : SearchNode;

/// <summary>Finds entries whose field has one of the values.</summary>
public sealed record InNode(string Field, IReadOnlyList<SearchValue> Values) : SearchNode;

/// <summary>Finds entries whose field has each of the values; without values, all entries.</summary>
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

/// <summary>Finds entries whose field has a value between two others.</summary>
/// <param name="Low">Null: open.</param>
/// <param name="High">Null: open.</param>
public sealed record RangeNode(string Field, RangeKind Kind, SearchValue? Low, bool IncludesLow, SearchValue? High, bool IncludesHigh) : SearchNode;

public sealed record PrefixNode(string Field, string Text) : SearchNode;

public sealed record SuffixNode(string Field, string Text) : SearchNode;

/// <summary>Finds entries with a term that contains a text.</summary>
public sealed record ContainsNode(string Field, string Text) : SearchNode;

/// <summary>Finds entries with a term that matches a pattern, in which <c>*</c> means any text and <c>?</c> one character.</summary>
/// <param name="HasSingle">Whether a question mark means one character; false: it means itself.</param>
public sealed record WildcardNode(string Field, string Pattern, bool HasSingle = true) : SearchNode;

/// <summary>Finds entries with a term in which a .NET regular expression finds something. Its time is limited.</summary>
public sealed record RegexNode(string Field, string Pattern) : SearchNode;

/// <summary>Finds entries with a term that is similar to a text. The similarity is 1 - distance / length.</summary>
/// <param name="Similarity">The least similarity, above 0, up to 1.</param>
public sealed record FuzzyNode(string Field, string Text, float Similarity) : SearchNode;

/// <summary>Finds entries with a term that becomes a text by a number of edits: characters that are changed, added or removed.</summary>
/// <param name="Edits">The most edits; 0 or more.</param>
public sealed record NearNode(string Field, string Text, int Edits) : SearchNode;

/// <summary>How the words of a full-text search are combined.</summary>
public enum WordOperator
{
    Or,
    And,
}

/// <summary>Searches in full text for words, "phrases in quotes", and words with a star before or after them.</summary>
/// <param name="Slop">Null: words are searched one by one. Otherwise all words must be there, and this is the most positions between them.</param>
public sealed record FullTextNode(string Field, string Text, WordOperator Operator, int? Slop = null) : SearchNode;

/// <summary>A word of a phrase.</summary>
/// <param name="Term">The word in the form in which it was indexed: an analyzer made it.</param>
/// <param name="Position">The place of the word, from 0 for the first word, in ascending order. Several words may have the same place.</param>
public readonly record struct PhraseWord(string Term, int Position);

/// <summary>Finds entries that have analysed words in a field, in the order of their positions.</summary>
/// <param name="Words">One or more. With a single word it finds the entries that have this term.</param>
/// <param name="Slop">0 or more: how many places all words together may be moved from their positions.</param>
public sealed record PhraseNode(string Field, IReadOnlyList<PhraseWord> Words, int Slop) : SearchNode;

/// <summary>A text in the classic query syntax, as the user wrote it: <c>+must -not "a phrase" field:word wild* [a TO b] near~</c>. The engine
/// reads it.</summary>
/// <param name="Field">The field of words that name no field.</param>
public sealed record ClassicQueryNode(string Field, string Text) : SearchNode;

/// <summary>How a shape of an entry has to lie to the searched shape. A boundary belongs to its shape.</summary>
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
/// <param name="Y">The latitude of the centre.</param>
/// <param name="X">The longitude of the centre.</param>
/// <param name="Unit">Null: the unit of the field.</param>
public sealed record CircleShape(double Radius, double Y, double X, DistanceUnit? Unit = null) : SearchShape;

/// <param name="Unit">The unit of radii in the text; null: the unit of the field.</param>
public sealed record TextShape(string WellKnownText, DistanceUnit? Unit = null) : SearchShape;

/// <summary>Finds entries with a shape that has the relation to another shape. The test is exact.</summary>
/// <param name="ErrorPercentage">The error that the caller would accept, 0 to 0.5. It has no effect, because the test is exact.</param>
public sealed record SpatialNode(string Field, SpatialRelation Relation, SearchShape Shape, double ErrorPercentage = 0.025) : SearchNode;

/// <summary>Finds entries that have the field, even if it is null or has no value.</summary>
public sealed record ExistsNode(string Field) : SearchNode;

public sealed record AndNode(IReadOnlyList<SearchNode> Nodes) : SearchNode;

public sealed record OrNode(IReadOnlyList<SearchNode> Nodes) : SearchNode;

/// <summary>Finds all entries. The score of an entry is the sum of the scores that the nodes give it, and 0 when none of them finds it. Below an
/// <see cref="AndNode"/> it changes nothing but scores.</summary>
public sealed record OptionalNode(IReadOnlyList<SearchNode> Nodes) : SearchNode;

public sealed record NotNode(SearchNode Node) : SearchNode;

/// <summary>Multiplies the scores of the entries that a node finds.</summary>
/// <param name="Factor">Above 0.</param>
public sealed record BoostNode(SearchNode Node, float Factor) : SearchNode;

/// <summary>Finds the entries of ids for which each node finds at least one entry with that id.</summary>
/// <param name="Nodes">Two or more.</param>
public sealed record IntersectNode(IReadOnlyList<SearchNode> Nodes) : SearchNode;

/// <summary>Finds entries with a vector that is near to one of the given vectors. The score of an entry is the greatest cosine of its vectors with them, from
/// -1 to 1. Engines never see this node: a search replaces it by a <see cref="ScoredNode"/>.</summary>
/// <param name="Vectors">One or more, each with the dimensions of the field.</param>
/// <param name="MinimumSimilarity">The least cosine; null: every entry with a vector matches.</param>
/// <param name="Candidates">The candidates that a walk over the graph keeps, 1 or more; null: as many as the recall of the graph asks for.</param>
/// <param name="IsExact">Whether all vectors are compared.</param>
public sealed record VectorNode(
    string Field, IReadOnlyList<float[]> Vectors, float? MinimumSimilarity = null, int? Candidates = null, bool IsExact = false) : SearchNode
{
    /// <summary>The most candidates.</summary>
    public const int CandidatesMax = 65_536;
}

/// <summary>Finds entries that have a vector in a field.</summary>
public sealed record HasVectorNode(string Field) : SearchNode;

/// <summary>Finds entries with a node that has a score. The score of an entry is the greatest of its nodes.</summary>
public sealed record ScoredNode(string Field, NodeScores Scores) : SearchNode;
