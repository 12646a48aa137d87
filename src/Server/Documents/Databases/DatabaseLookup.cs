namespace Jackdaw.Server.Documents.Databases;

/// <summary>Answer to "which database is this?".</summary>
/// <param name="Database">Not null exactly when the status is Open.</param>
/// <param name="Reason">Loading: progress; Faulted: what failed and what to do. Null otherwise.</param>
public readonly record struct DatabaseLookup(DatabaseLookupStatus Status, DocumentDatabase? Database, string? Reason);
