namespace Jackdaw.Server.Documents.Json;

/// <summary>Which request a command is part of: they share a shape and know different types.</summary>
internal enum CommandSource
{
    /// <summary>A command of bulk_docs.</summary>
    Batch,

    /// <summary>An element of bulk_insert.</summary>
    BulkInsert,
}
