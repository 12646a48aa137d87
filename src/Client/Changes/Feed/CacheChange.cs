namespace Jackdaw.Client.Changes.Feed;

/// <summary>What has changed, as far as caches are concerned. Names are spelled as on the server: compare them without regard to case.</summary>
/// <param name="IsUnknown">Anything may have changed, no matter what the names say.</param>
/// <param name="Ids">Ids of documents that were written or deleted themselves, or with something that belongs to them.</param>
/// <param name="Collections">Collections of these documents, also those that they have left.</param>
/// <param name="Indexes">Indexes that have read something, were removed or were replaced.</param>
/// <param name="CompareExchange">Keys of compare exchange values.</param>
internal sealed record CacheChange(bool IsUnknown, string[] Ids, string[] Collections, string[] Indexes, string[] CompareExchange)
{
    public static readonly CacheChange Unknown = new(true, [], [], [], []);
}
