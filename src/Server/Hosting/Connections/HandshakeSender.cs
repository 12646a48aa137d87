namespace Jackdaw.Server.Hosting.Connections;

/// <summary>What one sender uses now. The lock of <see cref="HandshakeAdmission"/> guards it.</summary>
internal sealed class HandshakeSender(HandshakeLimits limits, long now, TimeProvider time)
{
    public TokenBucket Bucket = new(limits.PerSecondOfSender, limits.BurstOfSender, now, time);

    /// <summary>Its connections without a finished handshake, the oldest first.</summary>
    public LinkedList<HandshakeLease> Pending { get; } = [];

    /// <summary>Its connections that showed no known certificate, the oldest first.</summary>
    public LinkedList<HandshakeLease> Unknown { get; } = [];

    /// <summary>Whether a known client has connected from there: then it does not wait for the rate of all senders, which strangers use up.</summary>
    public bool HasKnown { get; set; }

    /// <summary>Whether a new sender would be the same.</summary>
    public bool IsIdle(long at) => Pending.Count == 0 && Unknown.Count == 0 && Bucket.IsFull(at);
}
