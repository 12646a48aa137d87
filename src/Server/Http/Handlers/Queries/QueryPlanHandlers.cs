using System.Text;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Reading;
using Jackdaw.Indexing.Auto;
using Jackdaw.Queries.Planning;
using Jackdaw.Queries.Rows;
using Jackdaw.Queries.Searching;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Server.Http.Handlers.Queries;

/// <summary>queries/plan: runs a query and answers what it did and how long that took, instead of its rows.</summary>
internal static class QueryPlanHandlers
{
    private static readonly Input s_format = Input.OneOf("format", "How the answer is written; without it as the header Accept says.", "json", "html");

    public static void Map(RouteTable routes)
    {
        routes.Database("GET", "/queries/plan", Access.Read, RouteTraits.InMultiGet, GetAsync)
            .Says("Runs a query that stands in the address, and tells what it did and how long that took.")
            .Takes(QueryRequestReader.UrlInputs)
            .Takes(s_format)
            .Answers(200, "The steps.", MediaTypes.Json, MediaTypes.Html);
        routes.Database("POST", "/queries/plan", Access.Read, RouteTraits.InMultiGet, PostAsync)
            .Says("Runs a query, and tells what it did and how long that took.")
            .Takes(QueryRequestReader.Inputs)
            .Takes(s_format)
            .Sends(QueryRequestReader.Body)
            .Answers(200, "The steps.", MediaTypes.Json, MediaTypes.Html);
    }

    // For queries and parameters that are too long for an address.
    private static async ValueTask PostAsync(RequestContext context)
    {
        using RequestBody sent = await QueryHandlers.ReadBodyAsync(context).ConfigureAwait(false);
        await QueryHandlers.Find(context, QueryRequestReader.Read(sent.Memory, context.Query, isTraced: true), RunAsync).ConfigureAwait(false);
    }

    private static ValueTask GetAsync(RequestContext context) =>
        QueryHandlers.Find(context, QueryRequestReader.Read(context.Query, isTraced: true), RunAsync);

    private static async ValueTask RunAsync(RequestContext context, QueryRequest request)
    {
        using QueryRun run = await QueryRuns
            .PrepareAndSearchAsync(context, request, SearchRun.FirstPatience).ConfigureAwait(false);
        QueryTrace trace = run.Trace!;
        WriteRows(context, run);
        var summary = new TraceSummary(run.Plan.Syntax.Text, trace.IndexName, run.IndexAnswer is { IsStale: true }, trace.Results);
        var root = new TraceStep("query", trace.IndexName, trace.Total, trace.Steps) { RowsOut = trace.Results };
        if (!WantsHtml(context))
        {
            await context.Json(200, json => TraceAnswers.WriteJson(json, summary, root)).ConfigureAwait(false);
            return;
        }

        // The page may use no script and no other file, so that the text of a query can bring nothing in.
        context.Response.Headers.ContentSecurityPolicy = "default-src 'none'; style-src 'unsafe-inline'";
        using var page = new ResponseBuffer(context.Server.Answers);
        page.Append(Encoding.UTF8.GetBytes(TraceAnswers.ToHtml(summary, root)));
        await context.Send(200, page, "text/html; charset=utf-8").ConfigureAwait(false);
    }

    /// <summary>Answers which index a query would ask, and why none of the others. Makes no index.</summary>
    public static ValueTask ExplainAsync(RequestContext context, QueryRequest request)
    {
        IndexChoice choice = SearchRun.Explain(context.Database, request);
        return context.Json(200, json =>
        {
            json.WriteStartObject();
            json.WriteString("IndexName", choice.IndexName);
            json.WriteStartArray("Results");
            foreach ((string index, string reason) in choice.Others)
            {
                json.WriteStartObject();
                json.WriteString("Index", index);
                json.WriteString("Reason", reason);
                json.WriteEndObject();
            }

            json.WriteEndArray();
            json.WriteEndObject();
        });
    }

    // The rows are made and dropped, because their cost belongs to the plan.
    private static void WriteRows(RequestContext context, QueryRun run)
    {
        using var rows = new ResponseBuffer(context.Server.Answers);
        using RenewedRead read = context.OpenRead(ReaderKind.List);
        QueryAnswers.Answer(
            context.Database, read, run, ifNoneMatch: null, rows, context.Server.Answers, context.Server.Options.NodeTag,
            context.StartTimestamp);
    }

    private static bool WantsHtml(RequestContext context) => context.Query.GetText("format") is { } format
        ? format.Equals("html", StringComparison.OrdinalIgnoreCase)
        : context.Request.Headers.Accept.ToString().Contains("text/html", StringComparison.OrdinalIgnoreCase);
}
