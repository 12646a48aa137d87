namespace Jackdaw.Server.Http;

/// <summary>Bounds of what one connection and one request may ask for. Those of documents are in DocumentLimits.</summary>
internal static class HttpLimits
{
    /// <summary>Bytes of a bulk_docs body after decompression: two of the largest documents, and half of the largest journal entry.</summary>
    public const int BulkDocsBytesMax = 128 * 1024 * 1024;

    /// <summary>Bytes of an administrative body (a database record with its index definitions, a configuration).</summary>
    public const int AdministrationBytesMax = 16 * 1024 * 1024;

    /// <summary>Bytes of a list of ids or of sub-requests: 16 MB are more than 30,000 ids of the largest size.</summary>
    public const int ListBytesMax = 16 * 1024 * 1024;

    /// <summary>Sub-requests of one multi_get: a session's lazy operations are tens; all share one snapshot, which must stay short.</summary>
    public const int MultiGetRequestsMax = 1024;

    /// <summary>Bytes of an answer that is built in memory before it is sent. More than this is a stream's work, and the answer says so.</summary>
    public const long BufferedAnswerBytesMax = 256L * 1024 * 1024;

    /// <summary>Headers of one request: clients send about 15.</summary>
    public const int HeaderCountMax = 100;

    /// <summary>Bytes of all headers of one request.</summary>
    public const int HeaderBytesMax = 32 * 1024;

    /// <summary>Bytes of method, URL and version. Clients turn to POST at 1,024 characters of ids, but includes and prefixes come on top,
    /// three bytes for each encoded one.</summary>
    public const int RequestLineBytesMax = 32 * 1024;

    /// <summary>Time in which the headers of a request must have come: a slow drip holds a connection no longer.</summary>
    public static readonly TimeSpan RequestHeadersTime = TimeSpan.FromSeconds(15);

    /// <summary>Idle time after which a connection is closed. Clients keep theirs for two minutes: ours must not close first,
    /// or a request meets a closing socket.</summary>
    public static readonly TimeSpan KeepAliveTime = TimeSpan.FromSeconds(150);

    /// <summary>Time that requests in work get when the server is asked to stop; what still runs then is cut off.</summary>
    public static readonly TimeSpan StopTime = TimeSpan.FromSeconds(8);

    /// <summary>Seconds a refused client should wait: as long as a short recovery or a full queue needs.</summary>
    public const string RetryAfterSeconds = "2";

    /// <summary>Bytes of one step to the client: the size of a socket's default buffer, and what is copied before pages are let go.</summary>
    public const int StepBytes = 64 * 1024;
}
