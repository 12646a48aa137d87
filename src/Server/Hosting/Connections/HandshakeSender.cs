namespace Jackdaw.Server.Hosting.Connections;

/// <summary>What one sender uses now. The lock of <see cref="HandshakeAdmission"/> guards it.</summary>
internal sealed class HandshakeSender(HandshakeLimits limits, long now, TimeProvider time)
{
    public TokenBucket Bucket = new(limits.PerSecondOfSender, limits.BurstOfSender, now, time);

    public int Pending { get; set; }

    public int Unknown { get; set; }

    /// <summary>Places for handshakes that run. It has no handle of the system, so that nobody needs to dispose it.</summary>
    public SemaphoreSlim Running { get; } = new(limits.RunningOfSenderMax, limits.RunningOfSenderMax);

    /// <summary>Whether a new sender would be the same.</summary>
    public bool IsIdle(long at) => Pending == 0 && Unknown == 0 && Bucket.IsFull(at);
}
