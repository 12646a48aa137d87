using Jackdaw.Client.Conventions;

namespace Jackdaw.Client.Caching;

/// <summary>From its creation to its end, reads of one flow of control may be answered from memory without a request.</summary>
internal sealed class AggressiveCacheScope : IDisposable
{
    private volatile bool _isOver;

    internal AggressiveCacheScope(AggressiveCacheScope? outer, TimeSpan duration, AggressiveCacheMode mode, TimeSpan maxStaleness)
    {
        Outer = outer;
        Duration = duration;
        Mode = mode;
        MaxStaleness = maxStaleness;
    }

    /// <summary>How long after it was verified an answer is given without a request; zero: never.</summary>
    public TimeSpan Duration { get; }

    public AggressiveCacheMode Mode { get; }

    /// <summary>How long an answer that may be old is given while it is renewed.</summary>
    public TimeSpan MaxStaleness { get; }

    public bool IsOver => _isOver;

    internal AggressiveCacheScope? Outer { get; }

    /// <summary>Ends it, wherever it is called: also for tasks that were begun within and go on.</summary>
    public void Dispose() => _isOver = true;
}
