using System.Text;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Reading;
using Jackdaw.Indexing.Auto;
using Jackdaw.Queries.Answers;
using Jackdaw.Queries.Execution;
using Jackdaw.Queries.Indexed;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Server.Http.Handlers.Queries;

/// <summary>queries/plan: runs a query and answers what it did and took, instead of its rows.</summary>
internal static class QueryPlanHandlers
{
    public static void Map(RouteTable routes) =>
        routes.Database("GET", "/queries/plan", Access.Read, RouteTraits.InMultiGet, GetAsync);

    private static async ValueTask GetAsync(RequestContext context)
    {
        QueryRequest request = QueryRequestReader.Read(context.Query, isTraced: true);
        using CollectionQuery query = await QueryRuns
            .PlanAndSearchAsync(context.Server, context.Database, request, IndexedQuery.FirstPatience, context.Aborted).ConfigureAwait(false);
        QueryTrace trace = query.Trace!;
        Run(context, query);
        var summary = new QueryPlanSummary(query.Syntax.Text, trace.IndexName, query.Found is { IsStale: true }, trace.Results);
        var root = new PlanStep("query", trace.IndexName, trace.Total, trace.Steps) { RowsOut = trace.Results };
        if (!WantsHtml(context))
        {
            await context.Json(200, json => PlanAnswers.WriteJson(json, summary, root)).ConfigureAwait(false);
            return;
        }

        // No script, no other file, and nothing that a query's text could bring in.
        context.Response.Headers.ContentSecurityPolicy = "default-src 'none'; style-src 'unsafe-inline'";
        using var page = new ResponseBuffer(context.Server.Answers);
        page.Append(Encoding.UTF8.GetBytes(PlanAnswers.ToHtml(summary, root)));
        await context.Send(200, page, "text/html; charset=utf-8").ConfigureAwait(false);
    }

    /// <summary>Answers which index a query would ask, and why none of the others. Makes no index.</summary>
    public static ValueTask ExplainAsync(RequestContext context, QueryRequest request)
    {
        IndexChoice choice = IndexedQuery.Explain(context.Database, request);
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

    // Rows are made and dropped: what they cost belongs to the plan.
    private static void Run(RequestContext context, CollectionQuery query)
    {
        using var rows = new ResponseBuffer(context.Server.Answers);
        using RenewedRead read = context.OpenRead(ReaderKind.List);
        QueryAnswers.Answer(
            context.Database, read, query, ifNoneMatch: null, rows, context.Server.Answers, context.Server.Options.NodeTag,
            context.StartTimestamp);
    }

    private static bool WantsHtml(RequestContext context) => context.Query.GetText("format") is { } format
        ? format.Equals("html", StringComparison.OrdinalIgnoreCase)
        : context.Request.Headers.Accept.ToString().Contains("text/html", StringComparison.OrdinalIgnoreCase);
}
