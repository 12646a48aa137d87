namespace Jackdaw.Server.SelfTest;

/// <summary>A clock on which an hour passes between any two readings. Journals grow with the rate of use: with this clock they stay small and are recycled all
/// the time, so that recycling is tested.</summary>
internal sealed class LeapingClock : TimeProvider
{
    private long _looks;

    public override long TimestampFrequency => 1;

    public override long GetTimestamp() => Interlocked.Add(ref _looks, 3600);
}
