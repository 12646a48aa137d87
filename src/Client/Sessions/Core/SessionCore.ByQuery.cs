using Jackdaw.Client.Operations;

namespace Jackdaw.Client.Sessions.Core;

/// <summary>Changes of all documents that a query finds. They are made at once, not with the next save.</summary>
internal sealed partial class SessionCore
{
    /// <summary>Begins the operation, and waits for its end.</summary>
    /// <returns>How many documents were found.</returns>
    public async ValueTask<long> ChangeAsync(DocumentOperation<Operation> operation, bool isAsync, CancellationToken token)
    {
        using SessionUse.Scope use = _use.Begin("a change of all documents that a query finds");
        CountRequest("A change of all documents that a query finds");
        var scope = new OperationScope(executor, converter, new OperationPause(executor.Time));
        Operation running = await operation.RunAsync(scope, isAsync, token).ConfigureAwait(false);
        OperationResult result = await running.WaitAsync(null, isAsync, token).ConfigureAwait(false);
        return result.Total;
    }
}
