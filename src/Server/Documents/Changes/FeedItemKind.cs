namespace Jackdaw.Server.Documents.Changes;

/// <summary>Kinds of items that a consumer of a feed gets.</summary>
public enum FeedItemKind
{
    /// <summary>All changes of one transaction.</summary>
    Changes,

    /// <summary>Changes that are not reported: the consumer was too slow, or the transaction too large. They are read
    /// from the storage by etag.</summary>
    Gap,

    /// <summary>The feed has ended.</summary>
    End,
}
