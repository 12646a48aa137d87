namespace Jackdaw.Server.Documents;

/// <summary>What a snapshot knows without walking.</summary>
public readonly record struct DocumentCounts(long Documents, long Tombstones, long Identities);
