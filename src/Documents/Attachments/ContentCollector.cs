namespace Jackdaw.Documents.Attachments;

/// <summary>Removes contents that nothing refers to, and revisions that are purged, in the background: at the opening, when somebody gives up a
/// content, and every <see cref="Pause"/>.</summary>
internal sealed class ContentCollector : IAsyncDisposable
{
    /// <summary>Longest time between two rounds. A round that finds nothing costs two snapshots and two look-ups.</summary>
    public static readonly TimeSpan Pause = TimeSpan.FromMinutes(1);

    private readonly CancellationTokenSource _stop = new();
    private readonly Func<CancellationToken, ValueTask<bool>> _step;
    private readonly ContentHolds _holds;
    private readonly TimeProvider _time;
    private readonly Task _run;

    /// <param name="step">Collects some, in one bounded command; returns whether to go on at once. Throws only when stopped, or when the
    /// database cannot be used any more.</param>
    /// <param name="holds">Wakes it.</param>
    public ContentCollector(Func<CancellationToken, ValueTask<bool>> step, ContentHolds holds, TimeProvider time)
    {
        _step = step;
        _holds = holds;
        _time = time;
        _run = RunAsync();
    }

    /// <summary>Stops; a step that runs ends first.</summary>
    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        await _run.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _stop.Dispose();
    }

    private async Task RunAsync()
    {
        await Task.Yield(); // the constructor's caller is still being made
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
