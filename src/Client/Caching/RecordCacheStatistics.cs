namespace Jackdaw.Client.Caching;

/// <summary>What a cache of records contains and has done.</summary>
/// <param name="Count">Documents in the cache, including those that do not exist.</param>
/// <param name="Hits">Reads that were answered without a request.</param>
/// <param name="Misses">Reads that had to load, or to wait for a load.</param>
public readonly record struct RecordCacheStatistics(int Count, long Hits, long Misses);
