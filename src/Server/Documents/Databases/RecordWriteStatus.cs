namespace Jackdaw.Server.Documents.Databases;

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
