using Jackdaw.Server.Http.Answers;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Handlers.Queries;
using Jackdaw.Server.Http.Reading;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Server.Indexing.Definitions.Model;
using Jackdaw.Server.Queries.Answers;
using Jackdaw.Server.Queries.Execution;
using Jackdaw.Server.Queries.Indexed;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Server.Http.Handlers;

/// <summary>queries: rows of a collection, or of what an index finds in one, in one answer.</summary>
internal static class QueryHandlers
{
    public static void Map(RouteTable routes)
    {
        routes.Database("POST", "/queries", PostAsync);
        routes.Database("GET", "/queries", GetAsync);
    }

    /// <summary>Reads the body of a query; the caller disposes it after the query.</summary>
    public static ValueTask<RequestBody> ReadBodyAsync(RequestContext context) =>
        RequestBodyReader.ReadAsync(context, QueryRequest.BodyBytesMax, "A query");

    private static async ValueTask PostAsync(RequestContext context)
    {
        using RequestBody sent = await ReadBodyAsync(context).ConfigureAwait(false);
        await AnswerAsync(context, QueryRequest.Read(sent.Memory, context.Query)).ConfigureAwait(false);
    }

    private static async ValueTask GetAsync(RequestContext context)
    {
        try
        {
            await AnswerAsync(context, QueryRequest.Read(context.Query)).ConfigureAwait(false);
        }
        catch (IndexException missing) when (missing.Fault == IndexFault.Missing)
        {
            await context.Empty(404).ConfigureAwait(false); // as a document that is not there
        }
    }

    private static async ValueTask AnswerAsync(RequestContext context, QueryRequest request)
    {
        if (request.Debug == QueryDebug.Explain)
        {
            await QueryPlanHandlers.ExplainAsync(context, request).ConfigureAwait(false);
            return;
        }

        request.IfNoneMatch = context.Request.Headers.IfNoneMatch;
        using CollectionQuery query = await QueryRuns
            .PlanAndSearchAsync(context.Server, context.Database, request, IndexedQuery.FirstPatience, context.Aborted).ConfigureAwait(false);
        context.IndexWait = query.Found?.Waited;
        using var body = new ResponseBuffer(context.Server.Answers);
        ReadAnswer answer = Answer(context, query, body);
        context.Response.Headers.ETag = answer.Tag;
        if (answer.Status == 200)
        {
            await context.Send(200, body).ConfigureAwait(false);
            return;
        }

        await context.Empty(answer.Status).ConfigureAwait(false);
    }

    private static ReadAnswer Answer(RequestContext context, CollectionQuery query, ResponseBuffer body)
    {
        using var read = new RenewedRead(context, ReaderKind.List);
        return QueryAnswers.Answer(
            context.Database, read, query, context.Request.Headers.IfNoneMatch, body, context.Server.Answers,
            context.Server.Options.NodeTag, context.StartTimestamp);
    }
}
