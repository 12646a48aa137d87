namespace Jackdaw.Client.Changes.Feed;

/// <summary>A cache that is told what it holds may be old. Calls come one after the other, in the order of the notices, from the reader of the socket:
/// they are short and do not wait.</summary>
internal interface ICacheNoticeConsumer
{
    /// <summary>The server has confirmed: what is written from now on is told.</summary>
    void Connected();

    /// <summary>After <see cref="Connected"/>: notices may be missing until the next one. Also at the end of the feed.</summary>
    void Lost();

    /// <summary>Anything may have changed; notices go on.</summary>
    void Gap();

    /// <summary>Only what is named has changed.</summary>
    void Changed(CacheChange change);
}

/// <summary>What has changed, as far as caches are concerned. Names as the server has them: compare without case.</summary>
/// <param name="IsUnknown">Anything may have changed, whatever the names say.</param>
/// <param name="Ids">Of documents that were written or deleted, or what belongs to them.</param>
/// <param name="Collections">Of these documents, also those that they left.</param>
/// <param name="Indexes">That have read something, were removed or replaced.</param>
/// <param name="CompareExchange">Keys of compare exchange values.</param>
internal sealed record CacheChange(bool IsUnknown, string[] Ids, string[] Collections, string[] Indexes, string[] CompareExchange)
{
    public static readonly CacheChange Unknown = new(true, [], [], [], []);
}
