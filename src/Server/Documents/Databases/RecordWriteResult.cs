namespace Jackdaw.Server.Documents.Databases;

/// <summary>Outcome of writing a database record.</summary>
/// <param name="CommitIndex">Written: index of this change. Otherwise the current commit index.</param>
/// <param name="Record">The record now in force; null when there is none.</param>
public readonly record struct RecordWriteResult(RecordWriteStatus Status, long CommitIndex, DatabaseRecord? Record);
