namespace Jackdaw.Client.Changes.Feed;

/// <summary>Receives what a feed reports. The reader of the socket makes the calls one after the other: they must neither wait nor run code of
/// users.</summary>
internal interface INoticeSink
{
    /// <summary>The server has confirmed all watches that existed when the connection was opened.</summary>
    void Connected();

    /// <summary>Called after <see cref="Connected"/>: the connection is lost, and notices may be missing until it is restored.</summary>
    void Lost();

    /// <summary>An attempt failed or a connection was lost, and why.</summary>
    void Failed(Exception failure);

    /// <summary>A change, a gap or a notice for caches.</summary>
    void Told(in Notice notice);
}
