namespace Jackdaw.Client.Changes.Feed;

/// <summary>Pauses between attempts: they double up to a bound, and half of each is random, so that clients of one server do not come back together.</summary>
internal sealed class Backoff(Random jitter)
{
    /// <summary>Before the first attempt: what was a short interruption shall not be seen.</summary>
    private const int FirstMs = 500;

    /// <summary>A server that is back is found within this time; ten thousand clients are then 500 attempts a second.</summary>
    private const int LastMs = 30_000;

    private int _failures;

    public TimeSpan Next()
    {
        double full = Math.Min(LastMs, FirstMs * Math.Pow(2, Math.Min(_failures++, 16)));
        return TimeSpan.FromMilliseconds((full / 2) + (full / 2 * jitter.NextDouble()));
    }

    public void Reset() => _failures = 0;
}
