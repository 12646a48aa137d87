namespace Jackdaw.Client.Operations;

/// <summary>Tells when it is worth asking for the state of a long operation again.</summary>
internal interface IOperationNotices
{
    /// <summary>Completes when the operation may have changed, and after a time in any case.</summary>
    /// <param name="most">The longest time: the state is the truth, a notice only says that it is new.</param>
    /// <param name="isAsync">False: the call blocks, and has completed when it returns.</param>
    ValueTask WaitAsync(long operationId, TimeSpan most, bool isAsync, CancellationToken token);
}

/// <summary>Nobody tells: the time passes.</summary>
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
