namespace Jackdaw.Client.Changes.Feed;

/// <summary>Who takes what a feed tells. Calls come one after the other, from the reader of the socket: they neither wait nor run code of users.</summary>
internal interface INoticeSink
{
    /// <summary>The server has confirmed all watches that there were when the connection was opened.</summary>
    void Connected();

    /// <summary>After <see cref="Connected"/>: the connection is lost, notices may be missing until it is there again.</summary>
    void Lost();

    /// <summary>An attempt failed or a connection was lost, and why.</summary>
    void Failed(Exception failure);

    /// <summary>A change, a gap or a notice for caches.</summary>
    void Told(in Notice notice);
}
