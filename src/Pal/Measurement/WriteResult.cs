namespace Jackdaw.Pal.Measurement;

/// <summary>What one cell of a measurement gave.</summary>
/// <param name="Writes">Writes completed.</param>
/// <param name="Seconds">Time they took together.</param>
/// <param name="LatencyUsP50">Median time of one write, in microseconds.</param>
/// <param name="LatencyUsP99">99th percentile, in microseconds.</param>
/// <param name="MegabytesPerSecond">Throughput of all threads, in 10^6 bytes.</param>
public readonly record struct WriteResult(
    long Writes, double Seconds, double LatencyUsP50, double LatencyUsP99, double MegabytesPerSecond)
{
    /// <summary>99.9th percentile, in microseconds.</summary>
    public double LatencyUsP999 { get; init; }

    /// <summary>The slowest write of all, in microseconds.</summary>
    public double LatencyUsMax { get; init; }
}

/// <summary>How a measured write reaches the disk.</summary>
public enum WriteMode
{
    /// <summary>As journals are written: unbuffered, durable when the call returns.</summary>
    Durable,

    /// <summary>As data files are written: into the cache, then a sync after each write.</summary>
    BufferedAndSync,

    /// <summary>Into the cache only: the control that durable writes must be slower than.</summary>
    BufferedOnly,
}
