using Jackdaw.Json.Refusals;

namespace Jackdaw.Queries.Language;

/// <summary>A query that cannot be run as it is written: the client's mistake.</summary>
/// <param name="message">What is wrong, where (line:column), and what to do; ends with the query.</param>
internal sealed class InvalidQueryException(string message) : RefusedException(RefusalKind.InvalidQuery, message)
{
    /// <summary>Characters of a query that a message repeats: enough to recognise it, not enough to fill a log.</summary>
    public const int ShownCharactersMax = 2000;

    /// <summary>Offset in the text, and what is wrong there, for those who name the place in another way; null when it has none.</summary>
    public (int TextPosition, string Message)? Fault { get; private init; }

    /// <summary>A mistake at a place of a query's text.</summary>
    public static InvalidQueryException At(string query, int position, string message)
    {
        (int line, int column) = PlaceOf(query, position);
        return new InvalidQueryException($"{line}:{column}: {message}\nQuery: {Shorten(query)}") { Fault = (position, message) };
    }

    // Both are counted from 1, as editors do.
    private static (int Line, int Column) PlaceOf(string query, int position)
    {
        ReadOnlySpan<char> before = query.AsSpan(0, Math.Min(position, query.Length));
        int lineStart = before.LastIndexOf('\n') + 1;
        return (before.Count('\n') + 1, before.Length - lineStart + 1);
    }

    private static string Shorten(string query) =>
        query.Length <= ShownCharactersMax ? query : $"{query.AsSpan(0, ShownCharactersMax)}...";
}

/// <summary>A query that is well formed and asks for what this version cannot do.</summary>
/// <param name="feature">Subject and verb of the sentence, such as "Facets are".</param>
internal sealed class QueryNotSupportedException(string feature)
    : RefusedException(RefusalKind.NotSupported, $"{feature} not supported yet by this version of Jackdaw.");
