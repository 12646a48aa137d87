using System.Buffers.Text;
using System.Diagnostics;
using System.Globalization;
using System.Text;
using Jackdaw.Documents;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Includes;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Reading;
using Jackdaw.Documents.Store;
using Jackdaw.Json.Refusals;
using Jackdaw.Queries.Execution;

namespace Jackdaw.Queries.Answers;

/// <summary>Answers of queries: rows in their envelope, or 304 without running anything.</summary>
/// <remarks>Reads from a snapshot, or several for very many documents, into a buffer, knowing nothing of connections:
/// used by requests of their own and by the sub-requests of multi_get.</remarks>
internal static class QueryAnswers
{
    /// <summary>A time that stands for "never": a collection has no index that could be behind.</summary>
    private const string Never = "0001-01-01T00:00:00.0000000Z";

    /// <summary>A stream begins before its results are counted.</summary>
    private const long UnknownCount = -1;

    /// <summary>Room for the digits of a count, before it is known.</summary>
    private const int CountBytes = 19;

    private const string IndexTimeFormat = "yyyy-MM-dd'T'HH:mm:ss.fffffff'Z'";

    private static ReadOnlySpan<byte> TotalName => "{\"TotalResults\":"u8;

    /// <summary>Answers a query.</summary>
    /// <param name="ifNoneMatch">As sent, quoted or not; null: unconditional.</param>
    /// <param name="body">Empty; receives the body when the status is 200.</param>
    /// <param name="admission">Bounds the memory of answers.</param>
    /// <param name="node">Tag of the server that answers.</param>
    /// <param name="startTimestamp">When the request began.</param>
    public static QueryAnswer Answer(
        DocumentDatabase database, RenewedRead read, CollectionQuery query, string? ifNoneMatch, ResponseBuffer body,
        AnswerAdmission admission, NodeTag node, long startTimestamp)
    {
        Debug.Assert(body.Length == 0);
        long version = query.Found?.Version ?? AnswerVersion.Of(database, read.Scope, query);
        bool isKept = AnswerVersion.IsKept(query, query.Found is { IsStale: true });
        string? tag = isKept ? string.Create(CultureInfo.InvariantCulture, $"\"{version}\"") : null;
        if (query.Found is { } found ? found.IsKnown : isKept && AnswerVersion.IsKnown(ifNoneMatch, version))
        {
            return new QueryAnswer(tag, IsKnown: true);
        }

        CollectionCount? collection = CollectionNames.Find(read.Scope, query.Syntax.From.Source);
        long stored = CollectionNames.StoredCount(read.Scope, query, collection);
        using AnswerIncludes includes = query.Includes.Open(database);
        using var rows = new QueryRows(database, query, body, admission, RowFormat.Array, includes);
        string name = query.Found?.IndexName ?? CollectionNames.NameOf(query, collection);
        BeginEnvelope(body, name);
        byte[]? highlights = WalkToTheEnd(read, query, rows);

        query.Trace?.AddDocuments(
            CollectionNames.NameOf(query, collection), query.LoadPaths.Count > 0, query.Filter is not null, query.Projection is not null);
        body.Append("]"u8);
        WriteIncludes(read, query, includes, body);
        EndEnvelope(body, query, rows, highlights, version, node, startTimestamp);
        long results = query.CountsByWalking ? rows.Results : query.Found?.Total ?? stored;
        OverwriteCount(body, results);
        query.Trace?.NoteAnswer(name, results);
        return new QueryAnswer(tag, IsKnown: false);
    }

    private static void WriteIncludes(RenewedRead read, CollectionQuery query, AnswerIncludes includes, ResponseBuffer body)
    {
        VersionHash ignored = default;
        long began = Stopwatch.GetTimestamp();
        includes.Write(read, body, ref ignored);
        if (query.Includes.DocumentPaths.Count > 0)
        {
            (long documents, long bytes) = includes.Documents.Written;
            query.Trace?.Add(new PlanStep("includes", string.Join(", ", query.Includes.DocumentPaths), Stopwatch.GetElapsedTime(began), [])
            {
                RowsOut = documents,
                Bytes = bytes,
            });
        }
    }

    /// <returns>Highlighted pieces of the rows; null: none are asked for.</returns>
    private static byte[]? WalkToTheEnd(RenewedRead read, CollectionQuery query, QueryRows rows)
    {
        query.Deadline.Begin(read.Aborted);
        try
        {
            while (rows.Step(read))
            {
                read.Renew();
            }

            return query.Found?.Highlights?.Write();
        }
        catch (OperationCanceledException failure) when (query.Deadline.TryExplain(failure, out RefusedException? explained))
        {
            throw explained;
        }
    }

    /// <summary>Writes what a stream begins with.</summary>
    /// <param name="output">Receives it.</param>
    /// <param name="isLines">A line for itself; else an object whose array of results is still open.</param>
    public static void BeginStream(
        DocumentDatabase database, DocumentReadScope read, CollectionQuery query, ResponseBuffer output, bool isLines)
    {
        CollectionCount? collection = CollectionNames.Find(read, query.Syntax.From.Source);
        output.Append(isLines ? "{\"Stats\":{"u8 : "{"u8);
        Append(output, "\"ResultEtag\":"u8, query.Found?.Version ?? AnswerVersion.Of(database, read, query));
        output.Append(query.Found is { IsStale: true } ? ",\"IsStale\":true,\"IndexName\":"u8 : ",\"IsStale\":false,\"IndexName\":"u8);
        DocumentWriter.WriteString(output, Encoding.UTF8.GetBytes(query.Found?.IndexName ?? CollectionNames.NameOf(query, collection)));
        long count = query.CountsByWalking ? UnknownCount : query.Found?.Total ?? CollectionNames.StoredCount(read, query, collection);
        Append(output, ",\"TotalResults\":"u8, count);
        output.Append(Encoding.ASCII.GetBytes($",\"IndexTimestamp\":\"{ToText(query.Found?.LastIndexing)}\""));
        output.Append(isLines ? "}}\n"u8 : ",\"Results\":["u8);
    }

    // The number of results comes first, and is known last.
    private static void BeginEnvelope(ResponseBuffer body, string indexName)
    {
        body.Append(TotalName);
        Span<byte> blank = stackalloc byte[CountBytes];
        blank.Fill((byte)' ');
        body.Append(blank);
        body.Append(",\"IndexName\":"u8);
        DocumentWriter.WriteString(body, Encoding.UTF8.GetBytes(indexName));
        body.Append(",\"Results\":["u8);
    }

    private static void EndEnvelope(
        ResponseBuffer body, CollectionQuery query, QueryRows rows, byte[]? highlights, long version, NodeTag node, long startTimestamp)
    {
        body.Append(",\"IncludedPaths\":"u8);
        WritePaths(body, query.Includes.DocumentPaths);
        Append(body, ",\"SkippedResults\":"u8, rows.Skipped + (query.Found?.Skipped ?? 0));
        if (query.Filter is not null)
        {
            Append(body, ",\"ScannedResults\":"u8, rows.Scanned);
        }

        if (highlights is not null)
        {
            body.Append(",\"Highlightings\":"u8);
            body.Append(highlights);
        }

        Append(body, ",\"DurationInMs\":"u8, (long)Stopwatch.GetElapsedTime(startTimestamp).TotalMilliseconds);
        Append(body, ",\"ResultEtag\":"u8, version);
        if (query.Trace is { } trace && QueryIncludes.Has(query.Syntax, "timings"))
        {
            ExplanationMembers.WriteTimings(body, trace);
        }

        if (query.Explanations is not null)
        {
            ExplanationMembers.WriteExplanations(body, rows.Explanations);
        }

        string isStale = query.Found is { IsStale: true } ? "true" : "false";
        string indexed = ToText(query.Found?.LastIndexing);
        string asked = ToText(query.Found?.LastQuery);
        body.Append(Encoding.ASCII.GetBytes(
            $",\"IsStale\":{isStale},\"IndexTimestamp\":\"{indexed}\",\"LastQueryTime\":\"{asked}\",\"NodeTag\":\"{node.Text}\"}}"));
    }

    private static string ToText(DateTime? time) => time?.ToString(IndexTimeFormat, CultureInfo.InvariantCulture) ?? Never;

    private static void WritePaths(ResponseBuffer body, IReadOnlyList<string> paths)
    {
        if (paths.Count == 0)
        {
            body.Append("null"u8);
            return;
        }

        for (int i = 0; i < paths.Count; i++)
        {
            body.Append(i == 0 ? "["u8 : ","u8);
            DocumentWriter.WriteString(body, Encoding.UTF8.GetBytes(paths[i]));
        }

        body.Append("]"u8);
    }

    private static void Append(ResponseBuffer body, ReadOnlySpan<byte> name, long number)
    {
        body.Append(name);
        Span<byte> digits = body.GetSpan(CountBytes + 1);
        Utf8Formatter.TryFormat(number, digits, out int written);
        body.Advance(written);
    }

    private static void OverwriteCount(ResponseBuffer body, long count)
    {
        Span<byte> digits = stackalloc byte[CountBytes];
        Utf8Formatter.TryFormat(count, digits, out int written);
        body.Overwrite(TotalName.Length, digits[..written]);
    }
}
