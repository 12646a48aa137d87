namespace Jackdaw.Client.Operations;

/// <summary>Says when it is worth asking for the state of a long operation again.</summary>
internal interface IOperationNotices
{
    /// <summary>Completes when the operation may have changed, and after a time in any case.</summary>
    /// <param name="most">The longest time to wait. The state is what counts; a notice only says that there is a new one.</param>
    /// <param name="isAsync">False: the call blocks, and has completed when it returns.</param>
    ValueTask WaitAsync(long operationId, TimeSpan most, bool isAsync, CancellationToken token);
}

/// <summary>There are no notices, so it waits for the whole time.</summary>
internal sealed class OperationPause(TimeProvider time) : IOperationNotices
{
    public async ValueTask WaitAsync(long operationId, TimeSpan most, bool isAsync, CancellationToken token)
    {
        if (isAsync)
        {
            await Task.Delay(most, time, token).ConfigureAwait(false);
        }
        else
        {
            token.WaitHandle.WaitOne(most);
            token.ThrowIfCancellationRequested();
        }
    }
}
