using Jackdaw.Server.Documents.Store;

namespace Jackdaw.Server.Documents.Databases;

/// <summary>Answer to "which database is this?".</summary>
/// <param name="Database">Not null exactly when the status is Open.</param>
/// <param name="Reason">Loading: progress; Faulted: what failed and what to do; Idle: why the last opening failed, if it did. Null otherwise.</param>
public readonly record struct DatabaseLookup(DatabaseLookupStatus Status, DocumentDatabase? Database, string? Reason)
{
    /// <summary>Whether an opening failed, or it stopped: <see cref="Reason"/> says why.</summary>
    public bool IsUnusable => Status == DatabaseLookupStatus.Faulted || (Status == DatabaseLookupStatus.Idle && Reason is not null);
}
