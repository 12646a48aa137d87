using System.Linq.Expressions;
using Jackdaw.Client.ExpressionTrees;
using Jackdaw.Client.Linq.Conditions;
using Jackdaw.Client.Linq.Rql;
using Jackdaw.Client.Vectors;

namespace Jackdaw.Client.Linq.Translation;

/// <summary>The collection or index that a query begins with.</summary>
/// <param name="Source">Name of the collection or of the index.</param>
/// <param name="IsIndex">An index of its own definition: fields have its names.</param>
/// <param name="DocumentType">Of the documents.</param>
internal sealed record QuerySource(string Source, bool IsIndex, Type DocumentType);

/// <summary>The beginning of each query's tree.</summary>
internal sealed class SourceExpression(QuerySource source, Type type) : Expression
{
    public QuerySource Source => source;

    public override ExpressionType NodeType => ExpressionType.Extension;

    public override Type Type => type;

    public override string ToString() => $"Query<{source.DocumentType.Name}>()";

    protected override Expression VisitChildren(ExpressionVisitor visitor) => this;
}

/// <summary>An operator that LINQ does not have, applied to the query before it.</summary>
internal sealed class StepExpression(Expression source, QueryStep step, Type type) : Expression
{
    public Expression Source => source;

    public QueryStep Step => step;

    public override ExpressionType NodeType => ExpressionType.Extension;

    public override Type Type => type;

    public override string ToString() => $"{source}.{step.GetType().Name.Replace("Step", "", StringComparison.Ordinal)}(...)";

    protected override Expression VisitChildren(ExpressionVisitor visitor) => this;
}

/// <summary>What an operator of this client adds to a query.</summary>
internal abstract record QueryStep;

/// <param name="IsExact">Texts are compared with casing.</param>
internal sealed record WhereStep(LambdaExpression Predicate, bool IsExact) : QueryStep;

/// <summary>How a search is combined with the conditions before it.</summary>
internal enum SearchJoin
{
    Guess,
    And,
    Or,
}

/// <summary>A step with one value, which is a parameter of the query.</summary>
internal abstract record ValueStep : QueryStep
{
    public abstract object Value { get; }
}

/// <param name="Word">Between words: <c>and</c>; null: or.</param>
internal sealed record SearchStep(QueryField Field, string Terms, decimal Boost, SearchJoin Join, bool IsNegated, string? Word) : ValueStep
{
    public override object Value => Terms;
}

/// <summary>The value of a step.</summary>
internal sealed record StepOrigin(ValueStep Step) : ValueOrigin;

internal sealed record FilterStep(LambdaExpression Predicate, int Limit) : QueryStep;

/// <summary>Where a shape is in a document: a point, a text, or a field of an index by its name.</summary>
internal sealed record SpatialPlace(LambdaExpression? Latitude, LambdaExpression? Longitude, LambdaExpression? Text, LambdaExpression? Field, string? Name);

/// <summary>A shape: a circle or a point of numbers, or a text.</summary>
/// <param name="Radius">Null: a point.</param>
/// <param name="Text">Null: numbers.</param>
internal sealed record SpatialShape(double? Radius, double Latitude, double Longitude, string? Text, string? Units);

/// <param name="Relation">As the language names it: <c>within</c>.</param>
internal sealed record SpatialStep(SpatialPlace Place, string Relation, SpatialShape Shape, double? ErrorPercent) : QueryStep;

internal sealed record DistanceStep(SpatialPlace Place, SpatialShape From, double Round, bool IsDescending, bool IsThen = false) : QueryStep;

/// <summary>Where vectors are.</summary>
/// <param name="Source">What they are in the documents; null: a field of an index, which knows it.</param>
/// <param name="Target">What the index keeps of them.</param>
internal sealed record VectorPlace(QueryField Field, EmbeddingType? Source, EmbeddingType? Target);

/// <summary>How near a vector must be, and how it is searched.</summary>
/// <param name="Function">The function that the language calls with the value; null: none.</param>
/// <param name="Minimum">Null: every vector is near enough.</param>
/// <param name="Candidates">Null: as many as the server thinks best.</param>
internal sealed record VectorChoice(string? Function, float? Minimum, int? Candidates, bool IsExact);

/// <param name="Embedding">A vector, several, or a text.</param>
internal sealed record VectorStep(VectorPlace Place, VectorChoice Choice, object Embedding) : ValueStep
{
    public override object Value => Embedding;
}

/// <param name="Type">As the language names it; null: by the type of the key.</param>
/// <param name="Sorter">Name of a sorter that users have defined; null: none.</param>
internal sealed record OrderStep(QueryField Key, string? Type, string? Nulls, bool IsDescending, bool IsThen, string? Sorter = null) : QueryStep;

internal sealed record ScoreStep(bool IsDescending, bool IsThen) : QueryStep;

/// <param name="Seed">Null: another order each time.</param>
internal sealed record RandomStep(string? Seed, bool IsThen = false) : QueryStep;

/// <summary>One thing that an answer includes.</summary>
/// <param name="Path">Of an id in the document; null: none.</param>
/// <param name="Call">Name of the method that includes; null: documents.</param>
/// <param name="Arguments">Arguments of the call after the path.</param>
internal sealed record IncludeClause(LambdaExpression? Path, string? PathText, string? Call, IReadOnlyList<string> Arguments);

internal sealed record IncludeStep(IReadOnlyList<IncludeClause> Parts) : QueryStep;

internal sealed record HighlightStep(LambdaExpression? Field, string? Name, int Length, int Count, object? Options) : QueryStep;

/// <summary>The members of another type are selected.</summary>
internal sealed record ProjectStep(IReadOnlyList<System.Reflection.MemberInfo> Members) : QueryStep;

/// <param name="IsWhole">The content of the array is one key; otherwise each element is one.</param>
internal sealed record GroupArrayStep(LambdaExpression Array, Type ElementType, bool IsWhole) : QueryStep;

/// <param name="Ranges">Empty: a facet of terms.</param>
/// <param name="Field">Null and no ranges: all entries are one.</param>
/// <param name="Numbers">Functions and their fields.</param>
internal sealed record FacetClause(
    LambdaExpression? Field, string? Name, IReadOnlyList<LambdaExpression> Ranges,
    IReadOnlyList<(string Function, LambdaExpression Field, string? Alias)> Numbers, string? Alias, object? Options);

/// <param name="SetupId">Of a document that defines the facets; null: they are given here.</param>
internal sealed record FacetStep(IReadOnlyList<FacetClause> Facets, string? SetupId) : QueryStep;

internal sealed record SuggestClause(LambdaExpression? Field, string? Name, object Terms, object? Options, string? Alias);

internal sealed record SuggestStep(IReadOnlyList<SuggestClause> Suggestions) : QueryStep;

/// <param name="Document">The condition that finds the document; null if it is <paramref name="Json"/>.</param>
internal sealed record SimilarStep(LambdaExpression? Document, string? Json, object? Options) : QueryStep;

/// <summary>The conditions of a document query.</summary>
internal sealed record ConditionsStep(ConditionChain Chain) : QueryStep;

/// <summary>A condition that is a separate step in LINQ: shapes, similar documents.</summary>
internal sealed record StepCondition(QueryStep Step) : DocumentCondition;

/// <summary>Fields are selected by their names.</summary>
/// <param name="IsValue">There is one, and its value is the row.</param>
internal sealed record SelectFieldsStep(IReadOnlyList<RqlPath> Fields, bool IsValue) : QueryStep;

/// <param name="IsWhole">The content of arrays is one key; otherwise each element is one.</param>
internal sealed record GroupKeysStep(IReadOnlyList<QueryField> Keys, bool IsWhole) : QueryStep;

/// <summary>One item that is selected from groups.</summary>
/// <param name="Function"><c>key</c>, <c>count</c>, <c>sum</c>; null: the field itself.</param>
internal sealed record GroupItemStep(string? Function, QueryField? Field, string? Alias) : QueryStep;

/// <summary>Null: as it was.</summary>
internal sealed record PageStep(long? Skip, long? Take) : QueryStep;
