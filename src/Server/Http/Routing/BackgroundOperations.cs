using Jackdaw.Documents.Operations;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;

namespace Jackdaw.Server.Http.Routing;

/// <summary>Operations that outlive the requests that begin them.</summary>
internal static class BackgroundOperations
{
    /// <summary>The number that a client chose for the operation that its request begins.</summary>
    public static Input Number { get; } =
        Input.Count("operationId", "The number of the operation, from operations/next-operation-id; without it the server takes one.", "4711");

    /// <summary>Begins an operation of the request's database, under the number that the client sent or the next free one.</summary>
    /// <param name="query">The query whose results it changes; null for other operations.</param>
    /// <param name="figures">The figures that it shows; null for changes of the results of a query.</param>
    /// <exception cref="RequestRefusedException">The number is taken.</exception>
    public static Operation Begin(RequestContext context, string? query = null, OperationFigures? figures = null)
    {
        long id = context.Query.GetCount("operationId", 0);
        id = id > 0 ? id : context.Database.Operations.NextId();
        return context.Database.Operations.TryBegin(id, out Operation operation, query, figures)
            ? operation
            : throw new RequestRefusedException(Problem.Argument(
                $"There is an operation {id} already; take a number from operations/next-operation-id."));
    }

    /// <summary>Answers with the number of an operation.</summary>
    public static ValueTask AnswerAsync(RequestContext context, int status, Operation operation) =>
        context.Json(status, operation.Id, (json, id) =>
        {
            json.WriteStartObject();
            json.WriteNumber("OperationId"u8, id);
            json.WriteString("OperationNodeTag"u8, context.Server.NodeTag);
            json.WriteEndObject();
        });

    /// <summary>Runs an operation, and notes how it ended. It ends early when it is killed, when its caller loses the access, when the server stops, or when
    /// what it works on closes.</summary>
    /// <param name="context">The request that begins it, which may end before.</param>
    /// <param name="run">Throws when the outcome is a failure.</param>
    public static void Run(RequestContext context, Operation operation, Func<CancellationToken, Task> run)
    {
        context.Server.Running?.Add(operation, new OperationSender(
            context.Caller.OfBackgroundWork, context.Access, context.DatabaseName ?? "", context.Title));
        AuditedAction? audited = context.Audited;
        audited?.EndLater();
        _ = RunAsync(context.Server, operation, run, audited);
    }

    private static async Task RunAsync(ServerState server, Operation operation, Func<CancellationToken, Task> run, AuditedAction? audited)
    {
        await Task.Yield();
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(operation.Killed, server.Stopping.Token);
        try
        {
            await run(ended.Token).ConfigureAwait(false);
            operation.TryComplete();
        }
        catch (Exception failure)
        {
            operation.Fail(failure);
        }

        server.Running?.Remove(operation);
        (OperationStatus status, Exception? reason, _) = operation.State;
        audited?.EndOperation(operation.Id, status, reason);
    }
}
