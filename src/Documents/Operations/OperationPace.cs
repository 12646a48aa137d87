namespace Jackdaw.Documents.Operations;

/// <summary>Slows an operation down to a number of documents per second.</summary>
/// <param name="perSecondMax">Null for no limit.</param>
internal sealed class OperationPace(long? perSecondMax, TimeProvider time)
{
    private readonly long _began = time.GetTimestamp();

    /// <summary>Waits until the documents so far are within the limit.</summary>
    public async ValueTask WaitAsync(long documents, CancellationToken ended)
    {
        if (perSecondMax is { } perSecond)
        {
            TimeSpan wait = TimeSpan.FromSeconds((double)documents / perSecond) - time.GetElapsedTime(_began);
            if (wait > TimeSpan.Zero)
            {
                await Task.Delay(wait, time, ended).ConfigureAwait(false);
            }
        }
    }
}
