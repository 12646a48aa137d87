namespace Jackdaw.Server.Http;

/// <summary>Bounds of what one connection and one request may ask for. Those of documents are in
/// DocumentLimits.</summary>
internal static class HttpLimits
{
    /// <summary>Bytes of an administrative body (a database record with its index definitions, a
    /// configuration).</summary>
    public const int AdministrationBytesMax = 16 * 1024 * 1024;

    /// <summary>Bytes of an answer that is built in memory before it is sent. More than this is a stream's work, and
    /// the answer says so.</summary>
    public const long BufferedAnswerBytesMax = 256L * 1024 * 1024;

    /// <summary>Bytes of a body above which it counts as large: below, a thousand requests at once need no more than a
    /// gigabyte.</summary>
    public const int LargeBodyBytes = 1024 * 1024;

    /// <summary>Large bodies in memory at once, as the share of memory that one of the largest kind may take: all of
    /// them together stay under half. The others are not read meanwhile, which slows their senders down.</summary>
    public const int LargeBodyMemoryBytes = 512 * 1024 * 1024;

    /// <summary>Time a large body waits for its turn before its sender is asked to come back.</summary>
    public static readonly TimeSpan LargeBodyWaitTime = TimeSpan.FromSeconds(10);

    /// <summary>Time in which more of a command of a bulk insert must have come, when it is larger than a batch: it has a place among the
    /// large bodies, for which others wait. Between commands, and within smaller ones, a client may take its time.</summary>
    public static readonly TimeSpan LargeCommandStepTime = TimeSpan.FromSeconds(30);

    /// <summary>Time without anything new after which what came of a bulk insert is stored: its sender thinks, or has nothing more for now, and
    /// a batch of its own costs nothing then.</summary>
    public static readonly TimeSpan BulkInsertPauseTime = TimeSpan.FromSeconds(1);

    /// <summary>Open connections: more than any fleet of clients pools, and the descriptors of a default process are
    /// enough for them.</summary>
    public const int ConnectionsMax = 10_000;

    /// <summary>Headers of one request: clients send about 15.</summary>
    public const int HeaderCountMax = 100;

    /// <summary>Bytes of all headers of one request.</summary>
    public const int HeaderBytesMax = 32 * 1024;

    /// <summary>Bytes of method, URL and version. Clients turn to POST at 1,024 characters of ids, but includes and
    /// prefixes come on top, three bytes for each encoded one.</summary>
    public const int RequestLineBytesMax = 32 * 1024;

    /// <summary>Time in which the headers of a request must have come: a slow drip holds a connection no
    /// longer.</summary>
    public static readonly TimeSpan RequestHeadersTime = TimeSpan.FromSeconds(15);

    /// <summary>Idle time after which a connection is closed. Clients keep theirs for two minutes: ours must not close
    /// first, or a request meets a closing socket.</summary>
    public static readonly TimeSpan KeepAliveTime = TimeSpan.FromSeconds(150);

    /// <summary>Time in which a client must have taken the next part of a large answer. The system's buffers hold up to some megabytes, and
    /// tell of what a client reads in parts of a third of them: in 5 seconds, Kestrel's own bound, one that reads 500 KB a second may
    /// seem to read nothing. Kestrel's rate in bytes per second adds nothing to it for parts of <see cref="StepBytes"/>.</summary>
    public static readonly TimeSpan AnswerStepTime = TimeSpan.FromSeconds(60);

    /// <summary>Time that requests in work get when the server is asked to stop; what still runs then is cut
    /// off.</summary>
    public static readonly TimeSpan StopTime = TimeSpan.FromSeconds(8);

    /// <summary>Time in which a body that still comes must go on while the server stops: a sender that pauses longer is refused, so that
    /// it does not make the stop as long as it may be.</summary>
    public static readonly TimeSpan StopBodyTime = TimeSpan.FromSeconds(2);

    /// <summary>Time without any request in work after which a stopping server cuts what is still connected: halves of headers, and
    /// bodies whose request was refused. An answer that was given is with the system long before.</summary>
    public static readonly TimeSpan StopIdleTime = TimeSpan.FromSeconds(1);

    /// <summary>Seconds a refused client should wait: as long as a short recovery or a full queue needs.</summary>
    public const string RetryAfterSeconds = "2";

    /// <summary>Bytes of one step to the client: the size of a socket's default buffer, and what is copied before pages
    /// are let go.</summary>
    public const int StepBytes = 64 * 1024;
}
