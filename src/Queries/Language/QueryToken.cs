namespace Jackdaw.Queries.Language;

/// <summary>What a part of a query's text is.</summary>
internal enum QueryTokenKind
{
    Keyword,

    /// <summary>An operator, a comma or a bracket.</summary>
    Symbol,

    /// <summary>The name of a collection or an index.</summary>
    Source,

    /// <summary>A name that the author gives: an alias, or the name of a function or of its parameters.</summary>
    Name,

    /// <summary>A path of members.</summary>
    Field,

    Method,
    Parameter,
    Text,
    Number,

    /// <summary>true, false and null.</summary>
    Constant,

    /// <summary>JavaScript, with its braces.</summary>
    Script,

    Comment,
}

/// <summary>A part of a query's text.</summary>
/// <param name="Start">Its offset, in UTF-16 units.</param>
/// <param name="End">The offset after it.</param>
/// <param name="Kind">What it is.</param>
internal readonly record struct QueryToken(int Start, int End, QueryTokenKind Kind);
