namespace Jackdaw.Client.Changes.Feed;

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
