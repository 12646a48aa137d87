using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Reading;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Queries.Planning;
using Jackdaw.Queries.Rows;
using Jackdaw.Queries.Searching;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Server.Http.Handlers.Queries;

/// <summary>queries: rows of a collection, or of what an index finds in one, in one answer.</summary>
internal static class QueryHandlers
{
    public static void Map(RouteTable routes)
    {
        routes.Database("POST", "/queries", Access.Read, RouteTraits.InMultiGet, PostAsync)
            .Says("Runs a query.")
            .Takes(QueryRequestReader.Inputs)
            .Sends(QueryRequestReader.Body)
            .Answers(200, "Results, Includes, and what the index says; with debug=explain why the index was chosen.")
            .AnswersEmpty(304, "The client has the newest answer already (If-None-Match).");
        routes.Database("GET", "/queries", Access.Read, RouteTraits.InMultiGet, GetAsync)
            .Says("Runs a query that stands in the address.")
            .Takes(QueryRequestReader.UrlInputs)
            .Answers(200, "Results, Includes, and what the index says; with debug=explain why the index was chosen.")
            .AnswersEmpty(304, "The client has the newest answer already (If-None-Match).");
    }

    /// <summary>Reads the body of a query; the caller disposes it after the query.</summary>
    public static ValueTask<RequestBody> ReadBodyAsync(RequestContext context) =>
        RequestBodyReader.ReadAsync(context, QueryRequest.BodyBytesMax, "A query");

    private static async ValueTask PostAsync(RequestContext context)
    {
        using RequestBody sent = await ReadBodyAsync(context).ConfigureAwait(false);
        await AnswerAsync(context, QueryRequestReader.Read(sent.Memory, context.Query)).ConfigureAwait(false);
    }

    private static ValueTask GetAsync(RequestContext context) => AnswerAsync(context, QueryRequestReader.Read(context.Query));

    /// <summary>Answers 404 when the query names an index that does not exist. Clients know this status of a query; of streams and of changes by query
    /// they expect an error with a type.</summary>
    public static async ValueTask Find(RequestContext context, QueryRequest request, Func<RequestContext, QueryRequest, ValueTask> answer)
    {
        try
        {
            await answer(context, request).ConfigureAwait(false);
        }
        catch (IndexException missing) when (missing.Fault == IndexFault.Missing)
        {
            await context.Send(ProblemMapping.ToProblem(missing) with { Status = 404 }).ConfigureAwait(false);
        }
    }

    private static ValueTask AnswerAsync(RequestContext context, QueryRequest request) => Find(context, request, AnswerFoundAsync);

    private static async ValueTask AnswerFoundAsync(RequestContext context, QueryRequest request)
    {
        if (request.Debug == QueryDebug.Explain)
        {
            await QueryPlanHandlers.ExplainAsync(context, request).ConfigureAwait(false);
            return;
        }

        request.IfNoneMatch = context.Request.Headers.IfNoneMatch;
        using QueryRun run = await QueryRuns
            .PrepareAndSearchAsync(context, request, SearchRun.FirstPatience).ConfigureAwait(false);
        context.IndexWait = run.IndexAnswer?.Waited;
        using var body = new ResponseBuffer(context.Server.Answers);
        QueryAnswer answer = Answer(context, run, body);
        context.Response.Headers.ETag = answer.Tag;
        if (!answer.IsKnown)
        {
            await context.Send(200, body).ConfigureAwait(false);
            return;
        }

        await context.Empty(304).ConfigureAwait(false);
    }

    private static QueryAnswer Answer(RequestContext context, QueryRun run, ResponseBuffer body)
    {
        using RenewedRead read = context.OpenRead(ReaderKind.List);
        return QueryAnswers.Answer(
            context.Database, read, run, context.Request.Headers.IfNoneMatch, body, context.Server.Answers,
            context.Server.Options.NodeTag, context.StartTimestamp);
    }
}
