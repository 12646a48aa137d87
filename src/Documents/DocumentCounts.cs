namespace Jackdaw.Documents;

/// <summary>Counts that a snapshot knows without a walk over its documents.</summary>
public readonly record struct DocumentCounts(long Documents, long Tombstones, long Identities)
{
    public long Revisions { get; init; }
}

/// <summary>A collection that has documents, and the bytes they take.</summary>
/// <param name="Name">As first written.</param>
/// <param name="Documents">Greater than 0: empty collections are not listed.</param>
/// <param name="DocumentBytes">Sum of the rows, or the best estimate that costs no walk.</param>
/// <param name="TombstoneBytes">Likewise for the tombstones.</param>
public readonly record struct CollectionCount(string Name, long Documents, long DocumentBytes, long TombstoneBytes);
