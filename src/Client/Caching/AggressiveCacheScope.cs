using Jackdaw.Client.Conventions;

namespace Jackdaw.Client.Caching;

/// <summary>A scope in which reads of one flow of control may be answered from memory without a request.</summary>
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

    /// <summary>How long an answer is used without a request after it was verified; zero for never.</summary>
    public TimeSpan Duration { get; }

    public AggressiveCacheMode Mode { get; }

    /// <summary>How long an answer that may be old is still used while it is being renewed.</summary>
    public TimeSpan MaxStaleness { get; }

    public bool IsOver => _isOver;

    internal AggressiveCacheScope? Outer { get; }

    /// <summary>Ends the scope, no matter where this is called. It also ends for tasks that were started in it and are still running.</summary>
    public void Dispose() => _isOver = true;
}
