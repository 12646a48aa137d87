using System.Buffers.Text;
using System.Diagnostics;
using System.Globalization;
using System.Text;
using Jackdaw.Documents;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Includes;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Reading;
using Jackdaw.Documents.Rows;
using Jackdaw.Json.Paths;
using Jackdaw.Json.Refusals;
using Jackdaw.Queries.Planning;
using Jackdaw.Queries.Searching;

namespace Jackdaw.Queries.Rows;

/// <summary>Answers queries: writes the rows in their envelope, or finds that the client already has the answer.</summary>
/// <remarks>The rows are read from one snapshot, or from several for very many documents, into a buffer. Nothing here knows a connection, so
/// that parts of a multi_get are answered in the same way.</remarks>
internal static class QueryAnswers
{
    /// <summary>The time that stands for "never": a collection has no index that could be stale.</summary>
    private const string Never = "0001-01-01T00:00:00.0000000Z";

    /// <summary>The count of a stream, which begins before its results are counted.</summary>
    private const long UnknownCount = -1;

    /// <summary>The room for the digits of a count that is not known yet.</summary>
    private const int CountBytes = 19;

    private const int IndexTimeBytes = 28;

    private const string IndexTimeFormat = "yyyy-MM-dd'T'HH:mm:ss.fffffff'Z'";

    private static ReadOnlySpan<byte> TotalName => "{\"TotalResults\":"u8;

    /// <summary>Answers a query.</summary>
    /// <param name="ifNoneMatch">The version that the client sent, quoted or not; null when it sent none.</param>
    /// <param name="body">Empty; receives the answer unless the client already has it.</param>
    /// <param name="admission">Bounds the memory of answers.</param>
    /// <param name="node">The tag of the server that answers.</param>
    /// <param name="startTimestamp">The timestamp at which the request began.</param>
    public static QueryAnswer Answer(
        DocumentDatabase database, RenewedRead read, QueryRun run, string? ifNoneMatch, ResponseBuffer body,
        AnswerAdmission admission, NodeTag node, long startTimestamp)
    {
        Debug.Assert(body.Length == 0);
        long version = run.IndexAnswer?.Version ?? AnswerVersion.Of(database, read.Scope, run.Plan);
        bool mayBeCached = AnswerVersion.MayBeCached(run.Plan, run.IndexAnswer is { IsStale: true });
        string? tag = mayBeCached ? string.Create(CultureInfo.InvariantCulture, $"\"{version}\"") : null;
        if (run.IndexAnswer is { } answer ? answer.IsKnown : mayBeCached && AnswerVersion.IsKnown(ifNoneMatch, version))
        {
            return new QueryAnswer(tag, IsKnown: true);
        }

        // An index has its own name, and has counted its entries.
        CollectionCount? collection = run.IndexAnswer is null || run.Trace is not null
            ? CollectionNames.Find(read.Scope, run.Plan.Syntax.From.Source)
            : null;
        long stored = run.IndexAnswer is null ? CollectionNames.StoredCount(read.Scope, run.Plan, collection) : 0;
        using AnswerIncludes includes = run.Plan.Includes.Open(database, run.Plan.Projection?.Script is not null);
        using var rows = new QueryRows(database, run, body, admission, RowFormat.Array, includes);
        string name = run.IndexAnswer?.IndexName ?? CollectionNames.NameOf(run.Plan, collection);
        BeginEnvelope(body, name);
        byte[]? highlights = WalkToTheEnd(read, run, rows);

        run.Trace?.AddDocuments(
            CollectionNames.NameOf(run.Plan, collection), run.Plan.Loads.Count > 0, run.Plan.Filter is not null, run.Plan.Projection is not null);
        body.Append("]"u8);
        WriteIncludes(read, run, includes, body);
        EndEnvelope(body, run, rows, highlights, version, node, startTimestamp);
        long results = run.CountsByWalking ? rows.Results : run.IndexAnswer?.Total ?? stored;
        OverwriteCount(body, results);
        run.Trace?.NoteAnswer(name, results);
        return new QueryAnswer(tag, IsKnown: false);
    }

    private static void WriteIncludes(RenewedRead read, QueryRun run, AnswerIncludes includes, ResponseBuffer body)
    {
        VersionHash ignored = default;
        long began = Stopwatch.GetTimestamp();
        foreach (IGrouping<DocumentPath, string> place in (run.IndexAnswer?.Named ?? []).GroupBy(one => one.Path, one => one.Value))
        {
            includes.Documents.Collect(read, place.Key, place);
        }

        includes.Write(read, body, ref ignored);
        if (run.Plan.Includes.DocumentPaths.Count > 0)
        {
            (long documents, long bytes) = includes.Documents.Written;
            run.Trace?.Add(new TraceStep("includes", string.Join(", ", run.Plan.Includes.DocumentPaths), Stopwatch.GetElapsedTime(began), [])
            {
                RowsOut = documents,
                Bytes = bytes,
            });
        }
    }

    /// <returns>The highlighted pieces of the rows; null when the query highlights nothing.</returns>
    private static byte[]? WalkToTheEnd(RenewedRead read, QueryRun run, QueryRows rows)
    {
        run.Deadline.Follow(read.Aborted);
        run.Deadline.Begin();
        try
        {
            while (rows.Step(read))
            {
                read.Renew();
            }

            return run.IndexAnswer?.Highlights?.Write();
        }
        catch (OperationCanceledException failure) when (run.Deadline.TryExplain(failure, out RefusedException? explained))
        {
            throw explained;
        }
    }

    /// <summary>Writes the beginning of a stream.</summary>
    /// <param name="output">Receives the beginning.</param>
    /// <param name="isLines">Writes a line of its own, instead of an object whose array of results is still open.</param>
    public static void BeginStream(
        DocumentDatabase database, DocumentReadScope read, QueryRun run, ResponseBuffer output, bool isLines)
    {
        CollectionCount? collection = CollectionNames.Find(read, run.Plan.Syntax.From.Source);
        output.Append(isLines ? "{\"Stats\":{"u8 : "{"u8);
        Append(output, "\"ResultEtag\":"u8, run.IndexAnswer?.Version ?? AnswerVersion.Of(database, read, run.Plan));
        output.Append(run.IndexAnswer is { IsStale: true } ? ",\"IsStale\":true,\"IndexName\":"u8 : ",\"IsStale\":false,\"IndexName\":"u8);
        DocumentWriter.WriteString(output, Encoding.UTF8.GetBytes(run.IndexAnswer?.IndexName ?? CollectionNames.NameOf(run.Plan, collection)));
        long count = run.CountsByWalking ? UnknownCount : run.IndexAnswer?.Total ?? CollectionNames.StoredCount(read, run.Plan, collection);
        Append(output, ",\"TotalResults\":"u8, count);
        output.Append(Encoding.ASCII.GetBytes($",\"IndexTimestamp\":\"{ToText(run.IndexAnswer?.LastIndexing)}\""));
        output.Append(isLines ? "}}\n"u8 : ",\"Results\":["u8);
    }

    // The number of results stands first and is known last.
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
        ResponseBuffer body, QueryRun run, QueryRows rows, byte[]? highlights, long version, NodeTag node, long startTimestamp)
    {
        body.Append(",\"IncludedPaths\":"u8);
        WritePaths(body, run.Plan.Includes.DocumentPaths);
        Append(body, ",\"SkippedResults\":"u8, rows.Skipped + (run.Page?.Skipped ?? 0));
        if (run.Plan.Filter is not null)
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
        if (run.Trace is { } trace && QueryIncludes.Has(run.Plan.Syntax, "timings"))
        {
            ExplanationMembers.WriteTimings(body, trace);
        }

        if (run.Plan.Explanations is not null)
        {
            ExplanationMembers.WriteExplanations(body, rows.Explanations);
        }

        body.Append(run.IndexAnswer is { IsStale: true } ? ",\"IsStale\":true,\"IndexTimestamp\":\""u8 : ",\"IsStale\":false,\"IndexTimestamp\":\""u8);
        Append(body, run.IndexAnswer?.LastIndexing);
        body.Append("\",\"LastQueryTime\":\""u8);
        Append(body, run.IndexAnswer?.LastQuery);
        body.Append("\",\"NodeTag\":\""u8);
        Encoding.ASCII.GetBytes(node.Text, body);
        body.Append("\"}"u8);
    }

    private static void Append(ResponseBuffer body, DateTime? time)
    {
        DateTime shown = time ?? DateTime.MinValue; // which stands for "never"
        shown.TryFormat(body.GetSpan(IndexTimeBytes), out int written, IndexTimeFormat, CultureInfo.InvariantCulture);
        body.Advance(written);
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
