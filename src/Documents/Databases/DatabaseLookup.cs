using Jackdaw.Documents.Database;

namespace Jackdaw.Documents.Databases;

/// <summary>Answer to "which database is this?".</summary>
/// <param name="Database">Not null exactly when the status is Open.</param>
/// <param name="Reason">Loading: progress; Faulted: what failed and what to do; Idle: why the last opening failed, if
/// it did. Null otherwise.</param>
public readonly record struct DatabaseLookup(DatabaseLookupStatus Status, DocumentDatabase? Database, string? Reason)
{
    /// <summary>Whether an opening failed, or it stopped: <see cref="Reason"/> says why.</summary>
    public bool IsUnusable => Status == DatabaseLookupStatus.Faulted || (Status == DatabaseLookupStatus.Idle && Reason is not null);
}

/// <summary>What the server knows about a database name.</summary>
public enum DatabaseLookupStatus
{
    /// <summary>Open and ready.</summary>
    Open,

    /// <summary>No record of that name.</summary>
    Missing,

    /// <summary>Switched off by an administrator.</summary>
    Disabled,

    /// <summary>Closed cleanly and not used since the start; or, with a reason, not opened because of a temporary
    /// failure. A request opens it.</summary>
    Idle,

    /// <summary>Being opened or recovered; try again soon.</summary>
    Loading,

    /// <summary>Could not be opened, or stopped itself after a failed write or a damaged page.</summary>
    Faulted,
}
