namespace Jackdaw.Client.Caching;

/// <summary>Receives notices of changes for a cache. Calls come one after the other, in the order of the server's notices.</summary>
internal interface IChangeNotices
{
    /// <summary>Documents, or something that belongs to them (counters, attachments), were written or deleted.</summary>
    /// <param name="ids">The ids of all these documents. Empty when they are not known: then everything counts as changed.</param>
    /// <param name="collections">The collections of all these documents, in any order; empty when they are not known.</param>
    void OnDocumentsChanged(ReadOnlySpan<string> ids, ReadOnlySpan<string> collections);

    /// <summary>An index has read something, was removed, or was replaced.</summary>
    void OnIndexChanged(string name);

    /// <summary>A compare exchange value was written or deleted.</summary>
    void OnCompareExchangeChanged(string key);

    /// <summary>Something changed, but it is not known what.</summary>
    void OnAnythingChanged();

    /// <summary>The server has confirmed that it sends notices of all changes from now on.</summary>
    void OnConnected();

    /// <summary>From now on notices may be missing.</summary>
    void OnLost();
}
