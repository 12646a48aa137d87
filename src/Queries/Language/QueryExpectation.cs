namespace Jackdaw.Queries.Language;

/// <summary>The kinds of words that may stand at a place of a query.</summary>
internal enum ExpectedKind
{
    Collection,
    Index,
    Field,

    /// <summary>A value of a field.</summary>
    Value,

    Parameter,
    Constant,
    Method,
    Operator,
    Keyword,
}

/// <summary>What may stand at a place of a query.</summary>
/// <param name="Kind">The kind of word.</param>
/// <param name="Text">The word itself for keywords, operators, methods and constants; the path before the last dot for fields, empty at its beginning; the
/// path that is compared for values; else empty.</param>
internal readonly record struct QueryExpectation(ExpectedKind Kind, string Text);
