namespace Jackdaw.Server.Notices;

/// <summary>Wakes one waiter. A wake that comes before the wait is not lost, and several wakes count as one. Any thread may set it, even after the waiter has
/// gone; therefore it needs no disposal.</summary>
internal sealed class ReaderSignal
{
    private readonly SemaphoreSlim _signal = new(0);
    private int _isSet;

    public void Set()
    {
        if (Interlocked.Exchange(ref _isSet, 1) == 0)
        {
            _signal.Release();
        }
    }

    /// <summary>Waits for a wake. Everything that was done before the wake is visible afterwards.</summary>
    public async Task WaitAsync(CancellationToken cancellationToken)
    {
        await _signal.WaitAsync(cancellationToken).ConfigureAwait(false);
        Interlocked.Exchange(ref _isSet, 0);
    }
}
