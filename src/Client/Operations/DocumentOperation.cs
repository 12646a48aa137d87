namespace Jackdaw.Client.Operations;

/// <summary>Something that is asked of the documents of one database.</summary>
/// <typeparam name="TResult">What comes of it; <see cref="Operation"/> for what goes on after the answer.</typeparam>
public abstract class DocumentOperation<TResult>
{
    private protected DocumentOperation()
    {
    }

    internal abstract ValueTask<TResult> RunAsync(OperationScope scope, bool isAsync, CancellationToken token);
}
