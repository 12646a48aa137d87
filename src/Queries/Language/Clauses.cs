using Jackdaw.Json.Paths;

namespace Jackdaw.Queries.Language;

/// <summary>JavaScript within a query, as it was written.</summary>
/// <param name="Text">An object or a function's body, with its braces.</param>
/// <param name="TextPosition">The offset in the query: errors of the script name their place there.</param>
internal sealed record QueryScript(string Text, int TextPosition);

/// <summary><c>declare function name(a, b) { ... }</c>, or the same with <c>timeseries</c>.</summary>
internal sealed record DeclaredFunction(
    int TextPosition, string Name, bool IsTimeSeries, IReadOnlyList<string> Parameters, QueryScript Body);

/// <param name="Source">The collection or index, as written.</param>
/// <param name="IsIndex"><c>from index</c>.</param>
/// <param name="Alias">Null when there is no alias.</param>
/// <param name="IsArrayAlias">The alias is followed by brackets.</param>
internal sealed record FromClause(int TextPosition, string Source, bool IsIndex, string? Alias, bool IsArrayAlias)
{
    /// <summary>Whether the query is for all collections.</summary>
    public bool IsAllDocuments => !IsIndex && Source.Equals("@all_docs", StringComparison.OrdinalIgnoreCase);
}

/// <summary>One key of <c>group by</c>.</summary>
/// <param name="Key">A field, a literal, or <c>id()</c>.</param>
/// <param name="IsArray"><c>array(...)</c>: the content of a whole array is one key.</param>
internal sealed record GroupByKey(Expression Key, bool IsArray);

internal enum OrderType
{
    /// <summary>No type was given, so that values are ordered by text.</summary>
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
/// <param name="HasDirection">A direction was written. Without one, <c>score()</c> puts the highest first.</param>
internal sealed record OrderKey(
    Expression Key, OrderType Type, bool IsDescending, bool HasDirection, NullPlacement Nulls);

/// <summary><c>load o.Company as c</c>, <c>load $lang as l</c>, <c>load 'config/1' as x</c>.</summary>
/// <param name="Id">The field of an id, or of several ids; a parameter; or a text, which is an id unless the document has a member of that
/// name.</param>
/// <param name="IsArray">The alias is followed by brackets: it stands for several documents.</param>
internal sealed record LoadedDocument(Expression Id, string Alias, bool IsArray)
{
    /// <summary>The place of the id in the document; null for a parameter.</summary>
    public FieldPath? Path => Id switch
    {
        FieldExpression named => named.Path,
        LiteralExpression { Kind: LiteralKind.String } text => new FieldPath([new FieldSegment(text.Text, null, IsQuoted: true)], text.TextPosition),
        _ => null,
    };
}

/// <param name="Value">A field, a call, a literal, a parameter or a time-series query.</param>
/// <param name="Alias">Null when there is no alias.</param>
internal sealed record SelectItem(Expression Value, string? Alias);

/// <summary>The select clause: items, or a script, or neither for whole documents.</summary>
/// <param name="Items">Empty for a star and for a script.</param>
/// <param name="Script">An object literal; null when there is no script.</param>
internal sealed record SelectClause(
    int TextPosition, bool IsDistinct, IReadOnlyList<SelectItem> Items, QueryScript? Script)
{
    /// <summary><c>select *</c>.</summary>
    public bool IsStar => Items.Count == 0 && Script is null;
}

/// <summary>Which part of the results is wanted. Each value is a number or a parameter, which may be null.</summary>
/// <param name="Skip">Null: nothing is skipped.</param>
/// <param name="Take">Null: all are taken.</param>
/// <param name="FilterLimit">The most candidates that a filter looks at; null for all.</param>
internal sealed record PagingClause(Expression? Skip, Expression? Take, Expression? FilterLimit);

/// <summary>A query as it was written; only its form is checked. Immutable.</summary>
internal sealed record QuerySyntax
{
    public required string Text { get; init; }

    public required IReadOnlyList<DeclaredFunction> Functions { get; init; }

    public required FromClause From { get; init; }

    /// <summary>Empty for a query without <c>group by</c>.</summary>
    public required IReadOnlyList<GroupByKey> GroupBy { get; init; }

    public required Expression? Where { get; init; }

    public required IReadOnlyList<OrderKey> OrderBy { get; init; }

    public required IReadOnlyList<LoadedDocument> Loads { get; init; }

    public required Expression? Filter { get; init; }

    public required SelectClause? Select { get; init; }

    /// <summary>The body of <c>update { ... }</c> with its braces; null for a query that only reads.</summary>
    public required QueryScript? Update { get; init; }

    /// <summary>Fields, strings that hold paths, and calls such as <c>counters('Likes')</c>.</summary>
    public required IReadOnlyList<Expression> Includes { get; init; }

    public required PagingClause Paging { get; init; }

    /// <summary>Whether the conditions hold the time at which the query was asked in place of the calls that were written.</summary>
    public bool IsOfTheMoment { get; init; }

    /// <summary>The compare exchange values that the conditions hold in place of the calls that were written, as one text; empty if there are none.</summary>
    public string BoundValues { get; init; } = "";

    /// <summary>The text with three dots in place of each script, for records that must not repeat what a script holds.</summary>
    public string WithoutScripts()
    {
        QueryScript?[] scripts = [.. Functions.Select(function => function.Body), Update, Select?.Script];
        string text = Text;
        foreach (QueryScript script in scripts.OfType<QueryScript>().OrderByDescending(script => script.TextPosition))
        {
            text = $"{text.AsSpan(0, script.TextPosition)}{{...}}{text.AsSpan(script.TextPosition + script.Text.Length)}";
        }

        return text;
    }

    /// <summary>A path without the alias of the documents. What is written in quotes is a field, and not an alias.</summary>
    public FieldPath WithoutAlias(FieldPath path) =>
        From.Alias is { } alias && !path.IsQuoted && path.FirstName == alias && path.WithoutFirst is { } rest ? rest : path;

    /// <summary>The place in the documents that an expression names: a path, a text in quotes, which is the name of one member. Null for anything
    /// else.</summary>
    public DocumentPath? PathOf(Expression expression) => expression switch
    {
        FieldExpression field => WithoutAlias(field.Path).ToDocument(),
        LiteralExpression { Kind: LiteralKind.String } quoted => new DocumentPath([PathPart.Member(quoted.Text)]),
        _ => null,
    };

    public DeclaredFunction? FindFunction(string name) =>
        Functions.FirstOrDefault(function => function.Name.Equals(name, StringComparison.OrdinalIgnoreCase));
}
