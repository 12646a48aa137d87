using Jackdaw.Json.Refusals;

namespace Jackdaw.Queries.Language;

/// <summary>A query cannot be run as it is written; its author has to change it.</summary>
/// <param name="message">It says what is wrong, where (line:column) and what to do, and ends with the query.</param>
internal sealed class InvalidQueryException(string message) : RefusedException(RefusalKind.InvalidQuery, message)
{
    /// <summary>Characters of a query that a message repeats: enough to recognise it, not enough to fill a log.</summary>
    public const int ShownCharactersMax = 2000;

    /// <summary>The offset in the text and what is wrong there, for callers that name the place in another way; null when there is no
    /// place.</summary>
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

/// <summary>A well-formed query asks for what this version cannot do.</summary>
/// <param name="message">A whole sentence that names the feature.</param>
internal sealed class QueryNotSupportedException(string message) : RefusedException(RefusalKind.NotSupported, message);
