namespace Jackdaw.Simulation.Harness;

/// <summary>A clock whose time stamps are minutes apart: journals keep their size, since none fills quickly.</summary>
internal sealed class SteadyTime : TimeProvider
{
    private long _timestamp;

    public override long GetTimestamp() => Interlocked.Add(ref _timestamp, 10 * TimestampFrequency * 60);

    public override DateTimeOffset GetUtcNow() => DateTimeOffset.UnixEpoch.AddTicks(Interlocked.Increment(ref _timestamp));
}
