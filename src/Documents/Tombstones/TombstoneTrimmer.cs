namespace Jackdaw.Documents.Tombstones;

/// <summary>Runs steps of trimming in the background: every <see cref="Pause"/>, and again at once when a step reports that there is more.</summary>
public sealed class TombstoneTrimmer : IAsyncDisposable
{
    /// <summary>The age at which a tombstone that nobody holds is trimmed. Readers that are not registered have this much time.</summary>
    public static readonly TimeSpan KeptWithoutHolder = TimeSpan.FromMinutes(5);

    /// <summary>The time between two checks. A check of a database without tombstones costs one snapshot.</summary>
    public static readonly TimeSpan Pause = TimeSpan.FromMinutes(1);

    private readonly CancellationTokenSource _stop = new();
    private readonly Func<CancellationToken, ValueTask<bool>> _step;
    private readonly TimeProvider _time;
    private readonly Task _run;

    /// <param name="step">Trims some tombstones in one bounded command, and returns whether to continue at once. It throws only when it is stopped, or when the
    /// database cannot be used any more.</param>
    public TombstoneTrimmer(Func<CancellationToken, ValueTask<bool>> step, TimeProvider time)
    {
        _step = step;
        _time = time;
        _run = RunAsync();
    }

    /// <summary>Stops the trimmer. A running step ends first.</summary>
    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        await _run.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _stop.Dispose();
    }

    private async Task RunAsync()
    {
        while (true)
        {
            await Task.Delay(Pause, _time, _stop.Token).ConfigureAwait(false);
            while (await _step(_stop.Token).ConfigureAwait(false))
            {
                _stop.Token.ThrowIfCancellationRequested();
            }
        }
    }
}
