namespace Jackdaw.Client.Caching;

/// <summary>What a cache is told of changes in its database. Calls come one after the other, in the order of the server's notices.</summary>
internal interface IChangeNotices
{
    /// <summary>Documents were written or deleted, or what belongs to them (counters, attachments).</summary>
    /// <param name="ids">Of all of them; empty when they are not known: then everything counts as changed.</param>
    /// <param name="collections">Of all of them, in any order; empty when they are not known.</param>
    void OnDocumentsChanged(ReadOnlySpan<string> ids, ReadOnlySpan<string> collections);

    /// <summary>An index has read something, was removed, or was replaced.</summary>
    void OnIndexChanged(string name);

    /// <summary>A compare exchange value was written or deleted.</summary>
    void OnCompareExchangeChanged(string key);

    /// <summary>Something changed, and nobody says what.</summary>
    void OnAnythingChanged();

    /// <summary>The server has confirmed that it tells all changes from now on.</summary>
    void OnConnected();

    /// <summary>Changes may be missed from now on.</summary>
    void OnLost();
}
