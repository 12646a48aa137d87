namespace Jackdaw.Server.Hosting.Connections;

/// <summary>Why a connection got no further than its handshake.</summary>
internal enum HandshakeEnd
{
    /// <summary>It got further.</summary>
    None,

    /// <summary>The client closed it without having sent anything, as those do that only ask whether the port is open.</summary>
    Gone,

    /// <summary>The client wrote http.</summary>
    PlainHttp,

    /// <summary>What the client wrote is neither TLS nor http.</summary>
    NoHandshake,

    /// <summary>The client began too late, or waited for its place too long.</summary>
    TooLate,

    /// <summary>Its address has begun too many handshakes.</summary>
    TooMany,

    /// <summary>The handshake began and did not end: the client gave up, does not trust the server, or sent what is not TLS; or newer connections took its
    /// place.</summary>
    Failed,
}

/// <summary>Words for the audit log.</summary>
internal static class HandshakeEnds
{
    /// <summary>What the audit log says of the connection; null where there was nothing to refuse.</summary>
    public static string? Describe(HandshakeEnd end) => end switch
    {
        HandshakeEnd.PlainHttp => "plain http on a port of https",
        HandshakeEnd.NoHandshake => "no handshake",
        HandshakeEnd.TooLate => "the handshake began too late",
        HandshakeEnd.TooMany => "too many handshakes of the address",
        HandshakeEnd.Failed => "the handshake failed",
        _ => null,
    };
}
