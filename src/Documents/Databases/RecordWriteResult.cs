namespace Jackdaw.Documents.Databases;

/// <summary>The outcome of writing a database record.</summary>
/// <param name="CommitIndex">For Written, the index of this change. Otherwise the current commit index.</param>
/// <param name="Record">The current record; null when there is none.</param>
public readonly record struct RecordWriteResult(RecordWriteStatus Status, long CommitIndex, DatabaseRecord? Record);

/// <summary>Expected outcomes of writing a database record.</summary>
public enum RecordWriteStatus
{
    /// <summary>The change is durable; a new database is open.</summary>
    Written,

    /// <summary>The name of a new database is already taken.</summary>
    AlreadyExists,

    /// <summary>An update named an etag that is not that of the record.</summary>
    EtagMismatch,

    /// <summary>A lock of the database prevents its deletion; nothing was changed.</summary>
    Locked,

    /// <summary>The database to update, delete, enable or disable does not exist.</summary>
    Missing,
}
