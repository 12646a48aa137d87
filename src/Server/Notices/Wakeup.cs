namespace Jackdaw.Server.Notices;

/// <summary>Wakes one waiter: a wake that comes before the wait is kept, several are one. Any thread sets it, also after
/// the waiter has gone: so it is not disposed, and holds nothing that has to be.</summary>
internal sealed class Wakeup
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

    /// <summary>Waits for a wake; what was done before it is seen afterwards.</summary>
    public async Task WaitAsync(CancellationToken cancellationToken)
    {
        await _signal.WaitAsync(cancellationToken).ConfigureAwait(false);
        Interlocked.Exchange(ref _isSet, 0);
    }
}
