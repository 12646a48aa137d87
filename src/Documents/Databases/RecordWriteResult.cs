namespace Jackdaw.Documents.Databases;

/// <summary>Outcome of writing a database record.</summary>
/// <param name="CommitIndex">Written: index of this change. Otherwise the current commit index.</param>
/// <param name="Record">The record now in force; null when there is none.</param>
public readonly record struct RecordWriteResult(RecordWriteStatus Status, long CommitIndex, DatabaseRecord? Record);

/// <summary>Expected outcomes of writing a database record.</summary>
public enum RecordWriteStatus
{
    /// <summary>Durable; a new database is open.</summary>
    Written,

    /// <summary>A creation found the name taken.</summary>
    AlreadyExists,

    /// <summary>An update named an etag that is not the record's.</summary>
    EtagMismatch,

    /// <summary>An update, delete or switch found no such database.</summary>
    Missing,
}
