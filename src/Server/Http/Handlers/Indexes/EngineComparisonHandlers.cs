using System.Text;
using System.Text.Json;
using Jackdaw.Documents;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing.Building;
using Jackdaw.Indexing.Catalog;
using Jackdaw.Indexing.Comparison;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Mapping;
using Jackdaw.Indexing.Sources;
using Jackdaw.Queries.Comparison;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Indexes;

/// <summary>indexes/compare-engines: builds a definition over some documents with each search engine, measures that, and stores nothing.</summary>
internal static class EngineComparisonHandlers
{
    /// <summary>The most queries of one comparison: each is asked hundreds of times.</summary>
    private const int QueriesMax = 20;

    /// <summary>The time of all queries together: somebody waits for the answer.</summary>
    private static readonly TimeSpan s_queriesMax = TimeSpan.FromSeconds(30);

    private static readonly Body s_comparison = Body.Object(
        "The definition, and queries of its index.",
        Input.Json("Definition", "An object with Name, Maps, Reduce, Fields and more.", IndexRequests.DefinitionExample).Required(),
        Input.Count("SampleSize", $"How many documents are indexed, the newest of each collection, 1 to {EngineComparisons.SampleMax}.", "100")
            .Or($"{EngineComparisons.SampleDefault}"),
        Input.Text("Queries", $"Queries of the index by its name, at most {QueriesMax}.", "from index 'Shop/Spare' where Count > 1").Repeated());

    public static void Map(RouteTable routes)
    {
        routes.Database("POST", "/admin/indexes/compare-engines", Access.Admin, RouteTraits.Audited, IndexRequests.With(PostAsync))
            .Says("Builds a definition, in C# or JavaScript, over some documents with each search engine, and compares them.")
            .Sends(s_comparison)
            .Answers(200, "What each engine cost, and how the rows of the queries differ.");
        routes.Database("POST", "/indexes/compare-engines", Access.ReadWrite, RouteTraits.Audited, IndexRequests.With(PostAsync))
            .Says("Builds a definition in JavaScript over some documents with each search engine, and compares them.")
            .Sends(s_comparison)
            .Answers(200, "What each engine cost, and how the rows of the queries differ.");
    }

    private static async ValueTask PostAsync(RequestContext context, IndexCatalog indexes)
    {
        Wanted wanted = await ReadAsync(context).ConfigureAwait(false);
        IndexDefinitionHandlers.Demand(context, indexes, wanted.Definition, "POST /admin/indexes/compare-engines");
        DatabaseIndexes part = IndexRequests.Of(context);
        List<ComparedQuery> queries = [.. wanted.Queries.Select(text =>
            ComparedQuery.Prepare(context.Database, part, text, wanted.Definition.Name, context.Server.Scripts, context.Server.Time))];
        IReadOnlyList<CollectionSource> sources;
        using (IndexMapping mapping = await indexes.CompileAsync(wanted.Definition, part.Analyzers.ListNames(), context.Aborted).ConfigureAwait(false))
        {
            sources = mapping.Sources.Documents;
        }

        Outcome? outcome = null;
        await part.Comparisons.RunAsync(
            wanted.Definition, sources, wanted.SampleSize, (sample, ended) => outcome = Outcome.Of(sample, queries, ended), context.Aborted)
            .ConfigureAwait(false);
        await context.Json(StatusCodes.Status200OK, json => Write(json, outcome!, context.Database)).ConfigureAwait(false);
    }

    private static async ValueTask<Wanted> ReadAsync(RequestContext context)
    {
        using JsonBody body = await JsonBody.ReadObjectAsync(context, "A definition to compare engines with").ConfigureAwait(false);
        if (body.Root.Member("Definition") is not { ValueKind: JsonValueKind.Object } definition)
        {
            throw Refuse("The member 'Definition' is missing: send {\"Definition\":{\"Name\":...,\"Maps\":[...]},\"Queries\":[...]}.");
        }

        int size = body.Root.Member("SampleSize") switch
        {
            null or { ValueKind: JsonValueKind.Null } => EngineComparisons.SampleDefault,
            { ValueKind: JsonValueKind.Number } number when number.TryGetInt32(out int given) && given is > 0 and <= EngineComparisons.SampleMax => given,
            { } other => throw Refuse($"'SampleSize' is {other.GetRawText()}; give 1 to {EngineComparisons.SampleMax}."),
        };
        List<string> queries = body.Root.TextsMember("Queries");
        return queries.Count > QueriesMax
            ? throw Refuse($"There are {queries.Count} queries; give at most {QueriesMax}.")
            : new Wanted(IndexDefinitionReader.Read(definition), size, queries);
    }

    private static void Write(Utf8JsonWriter json, Outcome outcome, DocumentDatabase database)
    {
        json.WriteStartObject();
        json.WriteBoolean("IsCut"u8, outcome.Cut is not null);
        json.WriteString("Cut"u8, outcome.Cut);
        json.WriteStartArray("Engines"u8);
        foreach (EngineCost cost in outcome.Costs)
        {
            Write(json, cost);
        }

        json.WriteEndArray();
        json.WriteStartArray("Queries"u8);
        using DocumentReadScope read = database.BeginRead();
        foreach (QueryComparison query in outcome.Queries)
        {
            Write(json, query, read);
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter json, EngineCost cost)
    {
        json.WriteStartObject();
        json.WriteString("Engine"u8, cost.Engine);
        json.WriteNumber("Documents"u8, cost.Documents);
        json.WriteNumber("Entries"u8, cost.Entries);
        json.WriteNumber("Errors"u8, cost.Errors);
        json.WriteNumber("Milliseconds"u8, Math.Round(cost.Wall.TotalMilliseconds, 1));
        WriteTime(json, "ProcessorMilliseconds", cost.Processor, digits: 1);
        json.WriteNumber("Bytes"u8, cost.Bytes);
        json.WriteNumber("BytesPerDocument"u8, cost.Documents == 0 ? 0 : Math.Round((double)cost.Bytes / cost.Documents, 1));
        json.WriteString("Failure"u8, cost.Failure);
        json.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter json, QueryComparison query, DocumentReadScope read)
    {
        json.WriteStartObject();
        json.WriteString("Query"u8, query.Query);
        json.WriteStartArray("Engines"u8);
        foreach (EngineAnswer answer in query.Answers)
        {
            json.WriteStartObject();
            json.WriteString("Engine"u8, answer.Engine);
            json.WriteNumber("TotalResults"u8, answer.Total);
            json.WriteNumber("Rows"u8, answer.Rows);
            json.WriteBoolean("IsCut"u8, answer.IsCut);
            json.WriteNumber("Runs"u8, answer.Runs);
            WriteTime(json, "P50Milliseconds", answer.Median, digits: 3);
            WriteTime(json, "P99Milliseconds", answer.NearlyLongest, digits: 3);
            json.WriteString("Error"u8, answer.Error);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteStartArray("Differences"u8);
        foreach (RowDifference difference in query.Differences)
        {
            json.WriteStartObject();
            Write(json, difference.First, difference.OnlyFirst);
            Write(json, difference.Second, difference.OnlySecond);
            if (difference.IsOrderEqual is { } isEqual)
            {
                json.WriteBoolean("IsOrderEqual"u8, isEqual);
            }
            else
            {
                json.WriteNull("IsOrderEqual"u8);
            }

            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();

        void Write(Utf8JsonWriter json, string engine, LostRows rows)
        {
            json.WriteStartObject("Only" + engine);
            json.WriteNumber("Count"u8, rows.Count);
            JsonAnswers.WriteTexts(json, "Rows", rows.Rows.Select(row => query.AreDocuments ? IdOf(read, row) : row));
            json.WriteEndObject();
        }
    }

    // The id as it was written. A document that was deleted since then is named by its key.
    private static string IdOf(DocumentReadScope read, string key) =>
        read.TryGet(Encoding.UTF8.GetBytes(key), out StoredDocument document) ? Encoding.UTF8.GetString(document.Id) : key;

    private static void WriteTime(Utf8JsonWriter json, string member, TimeSpan? time, int digits)
    {
        if (time is { } known)
        {
            json.WriteNumber(member, Math.Round(known.TotalMilliseconds, digits));
        }
        else
        {
            json.WriteNull(member);
        }
    }

    private static RequestRefusedException Refuse(string message) => new(Problem.Argument(message));

    /// <summary>What a request asks for.</summary>
    private sealed record Wanted(IndexDefinition Definition, int SampleSize, List<string> Queries);

    /// <summary>What one engine needed for the sample.</summary>
    private sealed record EngineCost(
        string Engine, long Documents, long Entries, long Errors, TimeSpan Wall, TimeSpan? Processor, long Bytes, string? Failure)
    {
        public static EngineCost Of(EngineBuild build)
        {
            IndexTotals totals = build.Builder?.Totals ?? IndexTotals.None;
            bool isUsable = build.Failure is null;
            return new EngineCost(
                build.Engine, totals.Mapped, isUsable ? build.Builder!.CountEntries() : 0, totals.MapErrors + totals.ReduceErrors,
                build.Wall, build.Processor, isUsable ? build.Builder!.UsedBytes : 0, build.Failure);
        }
    }

    private sealed record Outcome(string? Cut, IReadOnlyList<EngineCost> Costs, IReadOnlyList<QueryComparison> Queries)
    {
        public static Outcome Of(EngineSample sample, List<ComparedQuery> queries, CancellationToken ended) => new(
            sample.Cut,
            [.. sample.Builds.Select(EngineCost.Of)],
            [.. queries.Select(query => QueryComparison.Run(query, sample.Builds, s_queriesMax / queries.Count, ended))]);
    }
}
