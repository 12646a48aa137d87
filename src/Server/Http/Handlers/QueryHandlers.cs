using Jackdaw.Server.Documents.Store;
using Jackdaw.Server.Http.Answers;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Handlers.Indexes;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Reading;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Server.Indexing;
using Jackdaw.Server.Queries.Execution;
using Jackdaw.Server.Queries.Indexed;
using Jackdaw.Server.Queries.Language;
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

    private static ValueTask GetAsync(RequestContext context) => AnswerAsync(context, QueryRequest.Read(context.Query));

    private static async ValueTask AnswerAsync(RequestContext context, QueryRequest request)
    {
        using var body = new ResponseBuffer(context.Server.Answers);
        IndexAnswer? found = null;
        QuerySyntax syntax = QueryParser.Parse(request.Text);
        if (IndexedQuery.IsFor(syntax)
            && context.Database is StoredDatabase database && database.FindPart<DatabaseIndexes>() is { } indexes)
        {
            found = await SearchAsync(context, indexes, database, syntax, request).ConfigureAwait(false);
        }

        ReadAnswer answer = Answer(context, request, syntax, found, body);
        context.Response.Headers.ETag = answer.Tag;
        if (answer.Status == 200)
        {
            await context.Send(200, body).ConfigureAwait(false);
            return;
        }

        await context.Empty(answer.Status).ConfigureAwait(false);
    }

    private static async ValueTask<IndexAnswer> SearchAsync(
        RequestContext context, DatabaseIndexes indexes, StoredDatabase database, QuerySyntax syntax, QueryRequest request)
    {
        try
        {
            return await IndexedQuery.SearchAsync(indexes, database, syntax, request, context.Aborted).ConfigureAwait(false);
        }
        catch (IndexException refused)
        {
            throw new RequestRefusedException(IndexRequests.ToProblem(refused));
        }
    }

    private static ReadAnswer Answer(
        RequestContext context, QueryRequest request, QuerySyntax syntax, IndexAnswer? found, ResponseBuffer body)
    {
        using CollectionQuery query = found is null
            ? CollectionQuery.Plan(request, NoProjectionScripts.Instance)
            : CollectionQuery.Plan(syntax, request, NoProjectionScripts.Instance, found);
        using var read = new RenewedRead(context, ReaderKind.List);
        return QueryAnswers.Answer(
            context.Database, read, query, context.Request.Headers.IfNoneMatch, body, context.Server.Answers, context.StartTimestamp);
    }
}
