using Jackdaw.Server.Documents.Operations;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Handlers.Queries;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Server.Queries.Execution;
using Jackdaw.Server.Queries.Indexed;

namespace Jackdaw.Server.Http.Handlers;

/// <summary>DELETE of queries: an operation in the background that deletes what the query finds.</summary>
internal static class DeleteByQueryHandlers
{
    public static void Map(RouteTable routes) => routes.Database("DELETE", "/queries", DeleteAsync);

    private static async ValueTask DeleteAsync(RequestContext context)
    {
        QueryRequest request;
        using (RequestBody sent = await QueryHandlers.ReadBodyAsync(context).ConfigureAwait(false))
        {
            request = QueryRequest.Read(sent.Memory, context.Query).Detach(QueryRequest.ToPatience(context.Query.GetText("staleTimeout")));
        }

        long perSecond = context.Query.GetCount("maxOpsPerSec", 0);
        CollectionQuery query = QueryRuns.Plan(context.Server, context.Database, request, CancellationToken.None);
        Operation operation = Begin(context, request, query);
        var deletion = new DeleteByQuery(
            context.Database, query, operation, perSecond > 0 ? perSecond : null, context.Server.Time)
        {
            WithDetails = IsSet(context, "details"),
        };
        bool allowStale = IsSet(context, "allowStale");
        _ = RunAsync(context.Server, context.Database, query, deletion, operation, allowStale);
        await AnswerAsync(context, operation).ConfigureAwait(false);
    }

    // Clients send flags without a value for false.
    private static bool IsSet(RequestContext context, string flag) =>
        string.Equals(context.Query.GetText(flag), "true", StringComparison.OrdinalIgnoreCase);

    private static Operation Begin(RequestContext context, QueryRequest request, CollectionQuery query)
    {
        try
        {
            DeleteByQuery.Check(query.Syntax);
            return Begin(context, request);
        }
        catch
        {
            query.Dispose();
            throw;
        }
    }

    private static Operation Begin(RequestContext context, QueryRequest request)
    {
        long id = context.Query.GetCount("operationId", 0);
        id = id > 0 ? id : context.Database.Operations.NextId();
        return context.Database.Operations.TryBegin(id, out Operation operation, request.Text)
            ? operation
            : throw new RequestRefusedException(Problem.Argument(
                $"There is an operation {id} already; take a number from operations/next-operation-id."));
    }

    private static ValueTask AnswerAsync(RequestContext context, Operation operation) =>
        context.Json(202, operation.Id, (json, id) =>
        {
            json.WriteStartObject();
            json.WriteNumber("OperationId"u8, id);
            json.WriteString("OperationNodeTag"u8, context.Server.NodeTag);
            json.WriteEndObject();
        });

    // Outlives the request. It ends with the server's stop, with the database's closing (its next read or write fails),
    // or when it is killed.
    private static async Task RunAsync(
        ServerState server, Documents.Store.DocumentDatabase database, CollectionQuery query, DeleteByQuery deletion, Operation operation,
        bool allowStale)
    {
        await Task.Yield();
        using CancellationTokenSource ended = CancellationTokenSource.CreateLinkedTokenSource(
            operation.Killed, server.Stopping.Token);
        try
        {
            await query.SearchAsync(IndexedQuery.FirstPatience, ended.Token).ConfigureAwait(false);
            DeleteByQuery.Check(query, allowStale);
            await deletion.RunAsync((outcome, batch) => WriteProblems.Check(outcome, batch, database), ended.Token)
                .ConfigureAwait(false);
            operation.TryComplete();
        }
        catch (Exception failure)
        {
            Problem problem = ProblemMapping.ToProblem(failure);
            operation.Fail(new OperationFault(problem.Type, problem.Message, problem.Status));
        }
        finally
        {
            query.Dispose();
        }
    }
}
