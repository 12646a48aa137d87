namespace Jackdaw.Server.Documents;

/// <summary>What a snapshot knows without walking.</summary>
public readonly record struct DocumentCounts(long Documents, long Tombstones, long Identities);

/// <summary>A collection that has documents, and what they cost.</summary>
/// <param name="Name">As first written.</param>
/// <param name="Documents">Greater than 0: empty collections are not listed.</param>
/// <param name="DocumentBytes">Sum of the rows, or the best estimate that costs no walk.</param>
/// <param name="TombstoneBytes">Likewise for the tombstones.</param>
public readonly record struct CollectionCount(string Name, long Documents, long DocumentBytes, long TombstoneBytes);
