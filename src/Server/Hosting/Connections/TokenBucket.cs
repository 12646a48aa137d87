namespace Jackdaw.Server.Hosting.Connections;

/// <summary>A limit per second with a burst: https://en.wikipedia.org/wiki/Token_bucket. Who takes a token that is not there yet waits for it.</summary>
/// <remarks>The caller guards it.</remarks>
internal struct TokenBucket(double perSecond, double burst, long now, TimeProvider time)
{
    private readonly double _burst = burst;
    private double _tokens = burst; // below 0: tokens that others wait for
    private long _filled = now;

    /// <summary>Whether nobody has taken a token for so long that it is as new.</summary>
    public bool IsFull(long at)
    {
        Fill(at);
        return _tokens >= _burst;
    }

    /// <summary>Tells how long a taker would wait.</summary>
    public TimeSpan WaitAt(long at)
    {
        Fill(at);
        return _tokens >= 1 ? TimeSpan.Zero : TimeSpan.FromSeconds((1 - _tokens) / perSecond);
    }

    public void Take() => _tokens--;

    public void GiveBack() => _tokens = Math.Min(_burst, _tokens + 1);

    private void Fill(long at)
    {
        _tokens = Math.Min(_burst, _tokens + (Math.Max(0, time.GetElapsedTime(_filled, at).TotalSeconds) * perSecond));
        _filled = at;
    }
}
