using Jackdaw.Documents.Database;

namespace Jackdaw.Documents.Databases;

/// <summary>The result of looking a database up by its name.</summary>
/// <param name="Database">Not null exactly when the status is Open.</param>
/// <param name="Reason">For Loading and Compacting, the progress; for Faulted, what failed and what to do; for Idle, why the last opening failed, if it
/// did. Null otherwise.</param>
public readonly record struct DatabaseLookup(DatabaseLookupStatus Status, DocumentDatabase? Database, string? Reason)
{
    /// <summary>Whether an opening failed, or the database stopped. <see cref="Reason"/> says why.</summary>
    public bool IsUnusable => Status == DatabaseLookupStatus.Faulted || (Status == DatabaseLookupStatus.Idle && Reason is not null);
}

/// <summary>What the server knows about a database name.</summary>
public enum DatabaseLookupStatus
{
    /// <summary>Open and ready.</summary>
    Open,

    /// <summary>There is no record of that name.</summary>
    Missing,

    /// <summary>An administrator has disabled the database.</summary>
    Disabled,

    /// <summary>The database was closed cleanly and not used since the start; or, with a reason, it was not opened because of a temporary failure. A request
    /// opens it.</summary>
    Idle,

    /// <summary>The database is being opened or recovered; try again soon.</summary>
    Loading,

    /// <summary>The database is closed while its files are compacted; the reason says how far that is.</summary>
    Compacting,

    /// <summary>The database could not be opened, or stopped itself after a failed write or a damaged page.</summary>
    Faulted,
}
