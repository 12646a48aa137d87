
namespace Jackdaw.Queries.Language;

/// <summary>JavaScript within a query: kept as it was written.</summary>
/// <param name="Text">Of an object or a body with its braces.</param>
/// <param name="TextPosition">Offset in the query: a script's error is told at its place there.</param>
internal sealed record QueryScript(string Text, int TextPosition);

/// <summary><c>declare function name(a, b) { ... }</c>, or the same with <c>timeseries</c>.</summary>
internal sealed record DeclaredFunction(
    int TextPosition, string Name, bool IsTimeSeries, IReadOnlyList<string> Parameters, QueryScript Body);

/// <param name="Source">Collection or index, as written.</param>
/// <param name="IsIndex"><c>from index</c>.</param>
/// <param name="Alias">Null: none.</param>
/// <param name="IsArrayAlias">The alias has brackets behind it.</param>
internal sealed record FromClause(int TextPosition, string Source, bool IsIndex, string? Alias, bool IsArrayAlias)
{
    /// <summary>All collections.</summary>
    public bool IsAllDocuments => !IsIndex && Source.Equals("@all_docs", StringComparison.OrdinalIgnoreCase);
}

/// <summary>One key of <c>group by</c>.</summary>
/// <param name="Key">A field, a literal, or <c>id()</c>.</param>
/// <param name="IsArray"><c>array(...)</c>: the content of a whole array is one key.</param>
internal sealed record GroupByKey(Expression Key, bool IsArray);

internal enum OrderType
{
    /// <summary>None was given: by text.</summary>
    Implicit,
    String,
    Long,
    Double,
    AlphaNumeric,
}

internal enum NullPlacement
{
    Implicit,
    First,
    Last,
}

/// <summary>One key of <c>order by</c>.</summary>
/// <param name="Key">A field or a call.</param>
/// <param name="HasDirection">A direction was written: <c>score()</c> without one is highest first.</param>
internal sealed record OrderKey(
    Expression Key, OrderType Type, bool IsDescending, bool HasDirection, NullPlacement Nulls);

/// <summary><c>load o.Company as c</c>.</summary>
/// <param name="Path">Of an id, or of several.</param>
/// <param name="IsArray">The alias has brackets behind it: it stands for several documents.</param>
internal sealed record LoadedDocument(FieldPath Path, string Alias, bool IsArray);

/// <param name="Value">A field, a call, a literal, a parameter or a time-series query.</param>
/// <param name="Alias">Null: none.</param>
internal sealed record SelectItem(Expression Value, string? Alias);

/// <summary>Items, or a script, or neither: whole documents.</summary>
/// <param name="Items">Empty for a star and for a script.</param>
/// <param name="Script">An object literal; null: none.</param>
internal sealed record SelectClause(
    int TextPosition, bool IsDistinct, IReadOnlyList<SelectItem> Items, QueryScript? Script)
{
    /// <summary><c>select *</c>.</summary>
    public bool IsStar => Items.Count == 0 && Script is null;
}

/// <summary>Which part of the results is wanted. Each is a number or a parameter, which may be null.</summary>
/// <param name="Skip">Null: from the first on.</param>
/// <param name="Take">Null: all.</param>
/// <param name="FilterLimit">Candidates that a filter looks at; null: all.</param>
internal sealed record PagingClause(Expression? Skip, Expression? Take, Expression? FilterLimit);

/// <summary>A query as it was written, checked for its form only. Immutable.</summary>
internal sealed record QuerySyntax
{
    public required string Text { get; init; }

    public required IReadOnlyList<DeclaredFunction> Functions { get; init; }

    public required FromClause From { get; init; }

    /// <summary>Empty: no <c>group by</c>.</summary>
    public required IReadOnlyList<GroupByKey> GroupBy { get; init; }

    public required Expression? Where { get; init; }

    public required IReadOnlyList<OrderKey> OrderBy { get; init; }

    public required IReadOnlyList<LoadedDocument> Loads { get; init; }

    public required Expression? Filter { get; init; }

    public required SelectClause? Select { get; init; }

    /// <summary>Body of <c>update { ... }</c> with its braces; null: none.</summary>
    public required QueryScript? Update { get; init; }

    /// <summary>Fields, strings that hold paths, and calls such as <c>counters('Likes')</c>.</summary>
    public required IReadOnlyList<Expression> Includes { get; init; }

    public required PagingClause Paging { get; init; }

    /// <summary>Its conditions hold values of the moment in which it was asked: the time, compare exchange values. They are
    /// not as they were written.</summary>
    public bool IsOfTheMoment { get; init; }

    public DeclaredFunction? FindFunction(string name) =>
        Functions.FirstOrDefault(function => function.Name.Equals(name, StringComparison.OrdinalIgnoreCase));
}
