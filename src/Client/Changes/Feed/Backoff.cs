namespace Jackdaw.Client.Changes.Feed;

/// <summary>Pauses between attempts: they double up to a bound, and half of each is random, so that the clients of a server do not all come back at
/// the same moment.</summary>
internal sealed class Backoff(Random jitter)
{
    /// <summary>The pause before the first attempt, so that a short interruption is hardly noticed.</summary>
    private const int FirstMs = 500;

    /// <summary>The longest pause: a server that is back is found within this time. Ten thousand clients then make 500 attempts a second.</summary>
    private const int LastMs = 30_000;

    private int _failures;

    public TimeSpan Next()
    {
        double full = Math.Min(LastMs, FirstMs * Math.Pow(2, Math.Min(_failures++, 16)));
        return TimeSpan.FromMilliseconds((full / 2) + (full / 2 * jitter.NextDouble()));
    }

    public void Reset() => _failures = 0;
}
