using Jackdaw.Documents.Answers;

namespace Jackdaw.Server.Http.Limits;

/// <summary>Limits of one connection and one request. Those of documents are in DocumentLimits.</summary>
internal static class HttpLimits
{
    /// <summary>Bytes of an administrative body (a database record with its index definitions, a
    /// configuration).</summary>
    public const int AdministrationBytesMax = 16 * 1024 * 1024;

    /// <summary>A body with more bytes than this counts as large. A thousand smaller ones at once need no more than a gigabyte.</summary>
    public const int LargeBodyBytes = 1024 * 1024;

    /// <summary>The memory that is counted for each large body, as if it were one of the largest. As many are admitted at once as fit into half of the memory.
    /// Others are not read until then, which slows their senders down.</summary>
    public const int LargeBodyMemoryBytes = 512 * 1024 * 1024;

    /// <summary>Time a large body waits for a place before it is refused with Retry-After.</summary>
    public static readonly TimeSpan LargeBodyWaitTime = TimeSpan.FromSeconds(10);

    /// <summary>The time in which more bytes of a bulk insert's command must arrive when it is larger than a batch, because it holds a place among the large
    /// bodies for which others wait. The same time holds for the content of an attachment, because its buffers stay in memory until it is complete.
    /// Between commands, and within smaller ones, a client may pause.</summary>
    public static readonly TimeSpan LargeCommandStepTime = TimeSpan.FromSeconds(30);

    /// <summary>The longest time for which a complete command of a bulk insert waits to be stored while its sender has sent nothing more: the sender pauses or
    /// trickles, so an extra batch costs nothing.</summary>
    public static readonly TimeSpan BulkInsertPauseTime = TimeSpan.FromSeconds(0.5);

    /// <summary>Open connections: more than a large group of clients pools, and few enough for the descriptors of a
    /// default process.</summary>
    public const int ConnectionsMax = 10_000;

    /// <summary>Headers of one request: clients send about 15.</summary>
    public const int HeaderCountMax = 100;

    /// <summary>Bytes of all headers of one request.</summary>
    public const int HeaderBytesMax = 32 * 1024;

    /// <summary>Bytes of method, URL and version. Clients turn to POST at 1,024 characters of ids, but includes and
    /// prefixes add to that, with three bytes for each encoded one.</summary>
    public const int RequestLineBytesMax = 32 * 1024;

    /// <summary>Time in which the headers of a request must be complete, so that slow senders do not hold
    /// connections.</summary>
    public static readonly TimeSpan RequestHeadersTime = TimeSpan.FromSeconds(15);

    /// <summary>Idle time after which a connection is closed. Clients keep theirs for two minutes: the server must not
    /// close first, or a request could arrive at a closing socket.</summary>
    public static readonly TimeSpan KeepAliveTime = TimeSpan.FromSeconds(150);

    /// <summary>The time in which a client must have taken the next part of a large answer. The system's buffers hold up to some megabytes, and report progress
    /// only in steps of a third of that: within 5 seconds, Kestrel's own bound, a client that reads 500 KB a second may seem to read nothing. Kestrel's rate in
    /// bytes per second adds nothing to this time for parts of <see cref="StepBytes"/>.</summary>
    public static readonly TimeSpan AnswerStepTime = TimeSpan.FromSeconds(60);

    /// <summary>The time that running requests get when the server is asked to stop. Requests that still run then are cut off.</summary>
    public static readonly TimeSpan StopTime = TimeSpan.FromSeconds(8);

    /// <summary>Longest pause of a body while the server stops: a sender that pauses longer is refused, so that it does
    /// not delay the stop.</summary>
    public static readonly TimeSpan StopBodyTime = TimeSpan.FromSeconds(2);

    /// <summary>Time without any running request after which a stopping server cuts open connections: incomplete
    /// headers, and bodies whose request was refused. Finished answers have been passed to the system long
    /// before.</summary>
    public static readonly TimeSpan StopIdleTime = TimeSpan.FromSeconds(1);

    /// <summary>The time without a message after which a websocket gets an empty one, so that both sides see that the other one is still connected.</summary>
    public static readonly TimeSpan HeartbeatTime = TimeSpan.FromSeconds(5);

    /// <summary>The time that the other side of a websocket gets to answer the close frame.</summary>
    public static readonly TimeSpan SocketCloseTime = TimeSpan.FromSeconds(1);

    /// <summary>Seconds a refused client should wait: as long as a short recovery or a full queue needs.</summary>
    public const string RetryAfterSeconds = "2";

    /// <summary>Bytes that are received or sent in one step.</summary>
    public const int StepBytes = AnswerLimits.StepBytes;
}
