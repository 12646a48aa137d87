namespace Jackdaw.Documents.Attachments;

/// <summary>Removes contents without references, and revisions that are purged, in the background: when the database is opened, when a content loses its last
/// reference, and every <see cref="Pause"/>.</summary>
internal sealed class ContentCollector : IAsyncDisposable
{
    /// <summary>The longest time between two rounds. A round that finds nothing costs two snapshots and two look-ups.</summary>
    public static readonly TimeSpan Pause = TimeSpan.FromMinutes(1);

    private readonly CancellationTokenSource _stop = new();
    private readonly Func<CancellationToken, ValueTask<bool>> _step;
    private readonly ContentHolds _holds;
    private readonly TimeProvider _time;
    private readonly Task _run;

    /// <param name="step">Removes some of them in one bounded command, and returns whether to continue at once. It throws only when it is stopped, or when the
    /// database cannot be used any more.</param>
    /// <param name="holds">Wakes the collector.</param>
    public ContentCollector(Func<CancellationToken, ValueTask<bool>> step, ContentHolds holds, TimeProvider time)
    {
        _step = step;
        _holds = holds;
        _time = time;
        _run = RunAsync();
    }

    /// <summary>Stops the collector. A running step ends first.</summary>
    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        await _run.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _stop.Dispose();
    }

    private async Task RunAsync()
    {
        await Task.Yield(); // the object that calls the constructor is not complete yet
        while (true)
        {
            _holds.BeginRound();
            while (await _step(_stop.Token).ConfigureAwait(false))
            {
                _stop.Token.ThrowIfCancellationRequested();
            }

            await ((Task)_holds.Woken.WaitAsync(Pause, _time, _stop.Token)).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            _stop.Token.ThrowIfCancellationRequested();
        }
    }
}
