namespace Jackdaw.Server.Hosting.Connections;

/// <summary>What senders may cost before the server knows who they are. A sender is an address, or a network of 64 bits for IPv6.</summary>
internal sealed record HandshakeLimits
{
    /// <summary>Bytes that a connection may send before its handshake ends: 16 KB of certificates, which is a chain of five, and what the reader of TLS takes
    /// beyond the handshake.</summary>
    public const int BytesMax = 48 * 1024;

    /// <summary>The time of a handshake with its waits: slow links need a second or two.</summary>
    public static readonly TimeSpan Time = TimeSpan.FromSeconds(10);

    /// <summary>The least value of <see cref="PendingMax"/>: as many as one sender may have.</summary>
    public const int PendingLeast = 1_000;

    /// <summary>The greatest value of <see cref="PendingMax"/>: the rest of all connections stays for requests.</summary>
    public const int PendingMost = 4_000;

    /// <summary>The memory that is counted for a handshake: what the libraries of TLS hold for it.</summary>
    private const long BytesOfHandshake = 64 << 10;

    /// <summary>Connections of all senders without a finished handshake: a sixteenth of the memory. More end the oldest one.</summary>
    public int PendingMax { get; init; } =
        (int)Math.Clamp(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 16 / BytesOfHandshake, PendingLeast, PendingMost);

    /// <summary>Connections of one sender without a finished handshake: as many as a large pool of a client opens at once. More end its oldest one.</summary>
    public int PendingOfSenderMax { get; init; } = 1_000;

    /// <summary>Handshakes of one sender in a second, without those of known clients: one costs about a millisecond of a processor.</summary>
    public double PerSecondOfSender { get; init; } = 50;

    /// <summary>Handshakes of one sender that need not wait, after a pause: as many as a large pool of connections.</summary>
    public double BurstOfSender { get; init; } = 1_000;

    /// <summary>Handshakes of all senders in a second: a third of all processors.</summary>
    public double PerSecond { get; init; } = 300.0 * Environment.ProcessorCount;

    public double Burst { get; init; } = 4_000;

    /// <summary>Open connections of all senders that showed no known certificate: browsers with a session, monitoring, strangers. More end the oldest one.
    /// The rest of the connections stays for clients that are known.</summary>
    public int UnknownMax { get; init; } = 4_000;

    public int UnknownOfSenderMax { get; init; } = 1_000;

    /// <summary>Senders that are counted each for itself. Further ones share the limits of one.</summary>
    public int SendersMax { get; init; } = 16_384;
}
