namespace Jackdaw.Client.Operations;

/// <summary>An operation on the documents of one database.</summary>
/// <typeparam name="TResult">Its result; <see cref="Operation"/> if it continues after the answer.</typeparam>
public abstract class DocumentOperation<TResult>
{
    private protected DocumentOperation()
    {
    }

    internal abstract ValueTask<TResult> RunAsync(OperationScope scope, bool isAsync, CancellationToken token);
}
