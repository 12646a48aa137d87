namespace Jackdaw.TestKit;

/// <summary>A clock on which hours pass between any two looks, so that whatever grows with the rate of use stays
/// small: journals keep the size that the test chose and are recycled all the time.</summary>
public sealed class LeapingTime : TimeProvider
{
    private long _looks;

    /// <inheritdoc/>
    public override long TimestampFrequency => 1;

    /// <inheritdoc/>
    public override long GetTimestamp() => Interlocked.Add(ref _looks, 3600);
}
