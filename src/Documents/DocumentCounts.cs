namespace Jackdaw.Documents;

/// <summary>Counts that a snapshot knows without a walk over its documents.</summary>
public readonly record struct DocumentCounts(long Documents, long Tombstones, long Identities)
{
    public long Revisions { get; init; }
}

/// <summary>A collection that has documents, and the bytes they take.</summary>
/// <param name="Name">The name as it was first written.</param>
/// <param name="Documents">The number of documents. It is greater than 0, because empty collections are not listed.</param>
/// <param name="DocumentBytes">The sum of the rows' bytes, or the best estimate without a walk.</param>
/// <param name="TombstoneBytes">The same for the tombstones.</param>
public readonly record struct CollectionCount(string Name, long Documents, long DocumentBytes, long TombstoneBytes);
