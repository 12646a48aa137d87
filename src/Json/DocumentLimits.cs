namespace Jackdaw.Json;

/// <summary>Bounds of documents, besides those of ids. Each has the reason for its size.</summary>
public static class DocumentLimits
{
    /// <summary>Largest document, both as sent and as stored. Bytes. A quarter of the largest journal entry, so that a
    /// batch with the largest document and its index entries still is one entry.</summary>
    public const int DocumentBytesMax = 64 * 1024 * 1024;

    /// <summary>Bytes of one bulk-insert batch handed to the store while the next one is parsed: a merged transaction
    /// of this size is one journal write of a few milliseconds, and two of them bound the memory of one bulk
    /// insert.</summary>
    public const int BulkInsertBatchBytesMax = 4 * 1024 * 1024;

    /// <summary>Levels of nested objects and arrays, including the outermost. Bounds our own recursion;
    /// deeper documents are a mistake or an attack on recursive readers of clients.</summary>
    public const int JsonDepthMax = 256;
}
