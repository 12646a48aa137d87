using System.Text.Json;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing;
using Jackdaw.Indexing.Building;
using Jackdaw.Indexing.Catalog;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Indexes;

/// <summary>Reports on indexes: statistics, staleness, progress, errors.</summary>
internal static class IndexReportHandlers
{
    private static readonly Input s_names = Input.Text("name", "The name of an index; without it all of them are meant.", "Orders/ByCompany").Repeated();

    public static void Map(RouteTable routes)
    {
        routes.Database("GET", "/indexes/stats", Access.Read, RouteTraits.InMultiGet, IndexRequests.With(Stats))
            .Says("Gives the statistics of indexes.")
            .Takes(s_names)
            .Answers(200, "Results has an object for each index.");
        routes.Database("GET", "/indexes/status", Access.Read, RouteTraits.InMultiGet, IndexRequests.With(Status))
            .Says("Tells whether the indexes run.")
            .Answers(200, "Status of all together, and Indexes with that of each.");
        routes.Database("GET", "/indexes/staleness", Access.Read, RouteTraits.InMultiGet,
            IndexRequests.With(Staleness))
            .Says("Tells whether an index has read all documents, and what it has not.")
            .Takes(IndexRequests.Name)
            .Answers(200, "IsStale, and the reasons.");
        routes.Database("GET", "/indexes/progress", Access.Read, RouteTraits.InMultiGet, IndexRequests.With(Progress))
            .Says("Tells how far indexes have come.")
            .Takes(s_names)
            .Answers(200, "Results has an object for each index.");
        routes.Database("GET", "/indexes/performance", Access.Read, RouteTraits.InMultiGet,
            IndexRequests.With(Performance))
            .Says("Tells what the newest batches of indexes cost.")
            .Takes(s_names)
            .Answers(200, "Results has an object for each index.");
        routes.Database("GET", "/indexes/total-time", Access.Read, RouteTraits.InMultiGet,
            IndexRequests.With(TotalTime))
            .Says("Tells how long the newest batches of indexes took together.")
            .Takes(s_names)
            .Answers(200, "Results has an object for each index.");
        routes.Database("GET", "/indexes/errors", Access.Read, RouteTraits.InMultiGet, IndexRequests.With(Errors))
            .Says("Lists the errors of indexes.")
            .Takes(s_names)
            .Answers(200, "Results has the errors of each index.");
        routes.Database("DELETE", "/indexes/errors", Access.ReadWrite, RouteTraits.Audited,
            IndexRequests.With(DeleteErrors))
            .Says("Forgets the errors of indexes.")
            .Takes(s_names)
            .AnswersEmpty(204, "They are forgotten.");
        routes.Database("GET", "/indexes/errors-count", Access.Read, RouteTraits.InMultiGet,
            IndexRequests.With(ErrorsCount))
            .Says("Counts the errors of indexes by what failed.")
            .Takes(s_names)
            .Answers(200, "Results has the counts of each index.");
    }

    /// <summary>The indexes that a request names, or all of them.</summary>
    /// <exception cref="IndexException">One of them does not exist.</exception>
    private static List<DatabaseIndex> Named(RequestContext context, IndexCatalog indexes)
    {
        List<string> names = context.Query.GetAll("name");
        return names.Count == 0 ? [.. indexes.All] : [.. names.Select(indexes.Require)];
    }

    // The files of the indexes are opened if possible, because they hold the errors.
    private static async ValueTask<List<DatabaseIndex>> OpenedAsync(RequestContext context, IndexCatalog indexes)
    {
        List<DatabaseIndex> named = Named(context, indexes);
        foreach (DatabaseIndex index in named.Where(index => index.Record.State != IndexState.Idle))
        {
            await index.WaitForOpenAsync(IndexRequests.OpeningPatience, context.Aborted).ConfigureAwait(false);
        }

        return named;
    }

    private static ValueTask List(RequestContext context, IReadOnlyList<DatabaseIndex> indexes, Action<Utf8JsonWriter, DatabaseIndex> write) =>
        context.Json(200, json =>
        {
            json.WriteStartObject();
            json.WriteStartArray("Results"u8);
            foreach (DatabaseIndex index in indexes)
            {
                write(json, index);
            }

            json.WriteEndArray();
            json.WriteEndObject();
        });

    // All indexes of an answer use one snapshot of the documents.
    private static ValueTask ListWithDocuments(
        RequestContext context, IReadOnlyList<DatabaseIndex> indexes, Action<Utf8JsonWriter, DatabaseIndex, DocumentReadScope> write)
    {
        using DocumentReadScope read = (context.Database).BeginRead();
        return List(context, indexes, (json, index) => write(json, index, read));
    }

    private static ValueTask Stats(RequestContext context, IndexCatalog indexes) =>
        ListWithDocuments(context, Named(context, indexes), IndexStatsAnswers.Write);

    private static ValueTask Progress(RequestContext context, IndexCatalog indexes) =>
        ListWithDocuments(context, Named(context, indexes), IndexStatsAnswers.WriteProgress);

    private static ValueTask Performance(RequestContext context, IndexCatalog indexes) =>
        List(context, Named(context, indexes), IndexStatsAnswers.WritePerformance);

    private static ValueTask TotalTime(RequestContext context, IndexCatalog indexes) =>
        List(context, Named(context, indexes), static (json, index) =>
        {
            json.WriteStartObject();
            json.WriteString("Name"u8, index.Name);
            json.WriteString("TotalIndexingTime"u8, TimeSpan.FromTicks(index.Counters.Recent.Sum(batch => batch.Duration.Ticks)).ToString());
            json.WriteEndObject();
        });

    private static ValueTask Status(RequestContext context, IndexCatalog indexes) => context.Json(200, json =>
    {
        json.WriteStartObject();
        IndexRunningStatus status = indexes.Settings.IsDisabled ? IndexRunningStatus.Disabled
            : indexes.IsPaused ? IndexRunningStatus.Paused
            : IndexRunningStatus.Running;
        json.WriteString("Status"u8, status.ToString());
        json.WriteStartArray("Indexes"u8);
        foreach (DatabaseIndex index in indexes.All)
        {
            json.WriteStartObject();
            json.WriteString("Name"u8, index.Name);
            json.WriteString("Status"u8, index.Status.ToString());
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    });

    private static ValueTask Staleness(RequestContext context, IndexCatalog indexes)
    {
        DatabaseIndex index = indexes.Require(context.Query.GetRequiredText("name"));
        using DocumentReadScope read = (context.Database).BeginRead();
        List<string> reasons = index.DescribeStaleness(read);
        return context.Json(200, json =>
        {
            json.WriteStartObject();
            json.WriteBoolean("IsStale"u8, reasons.Count > 0);
            json.WriteStartArray("StalenessReasons"u8);
            reasons.ForEach(json.WriteStringValue);
            json.WriteEndArray();
            json.WriteEndObject();
        });
    }

    private static async ValueTask Errors(RequestContext context, IndexCatalog indexes) =>
        await List(context, await OpenedAsync(context, indexes).ConfigureAwait(false), static (json, index) =>
        {
            json.WriteStartObject();
            json.WriteString("Name"u8, index.Name);
            json.WriteStartArray("Errors"u8);
            foreach (IndexFailure failure in index.Failures.List())
            {
                json.WriteStartObject();
                json.WriteString("Timestamp"u8, JsonAnswers.Date(failure.Time.UtcTicks));
                json.WriteString("Document"u8, failure.DocumentId);
                json.WriteString("Action"u8, failure.Action);
                json.WriteString("Error"u8, failure.Message);
                json.WriteEndObject();
            }

            json.WriteEndArray();
            json.WriteEndObject();
        }).ConfigureAwait(false);

    private static async ValueTask DeleteErrors(RequestContext context, IndexCatalog indexes)
    {
        foreach (DatabaseIndex index in await OpenedAsync(context, indexes).ConfigureAwait(false))
        {
            await index.ClearFailuresAsync(IndexRequests.OpeningPatience, context.Aborted).ConfigureAwait(false);
        }

        await context.Empty(204).ConfigureAwait(false);
    }

    private static async ValueTask ErrorsCount(RequestContext context, IndexCatalog indexes) =>
        await List(context, await OpenedAsync(context, indexes).ConfigureAwait(false), static (json, index) =>
        {
            json.WriteStartObject();
            json.WriteString("Name"u8, index.Name);
            json.WriteStartArray("Errors"u8);
            foreach (IGrouping<string, IndexFailure> action in index.Failures.List().GroupBy(failure => failure.Action))
            {
                json.WriteStartObject();
                json.WriteString("Action"u8, action.Key);
                json.WriteNumber("NumberOfErrors"u8, action.Count());
                json.WriteEndObject();
            }

            json.WriteEndArray();
            json.WriteEndObject();
        }).ConfigureAwait(false);
}
