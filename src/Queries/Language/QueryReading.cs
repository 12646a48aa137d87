using Jackdaw.Json.Refusals;

namespace Jackdaw.Queries.Language;

/// <summary>A mistake in a query.</summary>
/// <param name="Start">The offset at which it begins; 0 when it has no place.</param>
/// <param name="Message">What is wrong and what to do, without the place.</param>
internal sealed record QueryFault(int Start, string Message);

/// <summary>What may stand at a place of a query.</summary>
/// <param name="Start">The offset at which the word begins that is completed.</param>
/// <param name="Expected">The kinds of words that are possible; none within scripts and comments, and where the author gives a name.</param>
/// <param name="From">The source of the query, if it was read before the place.</param>
internal sealed record QueryPlace(int Start, IReadOnlyList<QueryExpectation> Expected, FromClause? From);

/// <summary>What editors need to know about a query. It comes from the parser that runs queries, so that both agree.</summary>
internal static class QueryReading
{
    /// <summary>The parts of a text, up to its first mistake.</summary>
    /// <param name="text">The query, complete or not.</param>
    /// <param name="check">Looks at a query that the parser accepts; throws <see cref="RefusedException"/> when it cannot be run.</param>
    public static (QuerySyntax? Syntax, IReadOnlyList<QueryToken> Tokens, QueryFault? Fault) Read(string text, Action<QuerySyntax> check)
    {
        var recorder = new QueryRecorder();
        QuerySyntax? syntax = null;
        try
        {
            syntax = QueryParser.Parse(text, recorder);
            check(syntax);
            return (syntax, recorder.Tokens, null);
        }
        catch (InvalidQueryException invalid) when (invalid.Fault is { } fault)
        {
            return (syntax, recorder.Tokens, new QueryFault(Math.Min(fault.TextPosition, text.Length), fault.Message));
        }
        catch (RefusedException refused)
        {
            return (syntax, recorder.Tokens, new QueryFault(0, refused.Message));
        }
    }

    /// <summary>What may stand at a place of a text.</summary>
    /// <param name="text">The query, complete or not.</param>
    /// <param name="position">An offset in it; the word that ends there is the one that is completed.</param>
    public static QueryPlace PlaceAt(string text, int position)
    {
        QueryRecorder before = Record(text[..position]);
        if (before.OpenAt is { } open)
        {
            return before.IsTextOpen ? PlaceOf(open, Record(text[..open])) : new QueryPlace(position, [], before.From);
        }

        int start = position;
        while (start > 0 && QueryScanner.IsInName(text[start - 1]))
        {
            start--;
        }

        return PlaceOf(start, start == position ? before : Record(text[..start]));
    }

    private static QueryPlace PlaceOf(int start, QueryRecorder before) => new(start, before.Expected, before.From);

    private static QueryRecorder Record(string text)
    {
        var recorder = new QueryRecorder();
        try
        {
            QueryParser.Parse(text, recorder);
        }
        catch (InvalidQueryException)
        {
            // A text that ends at the place to complete is seldom a whole query.
        }

        return recorder;
    }
}
