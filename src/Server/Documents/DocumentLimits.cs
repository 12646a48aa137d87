namespace Jackdaw.Server.Documents;

/// <summary>Bounds of what one document and one batch may be. Each has the reason for its size.</summary>
public static class DocumentLimits
{
    /// <summary>UTF-8 bytes of an id. A key has to fit a leaf of an 8 KB page several times over.</summary>
    public const int IdBytesMax = 512;

    /// <summary>Bytes the server appends to an id that ends with <c>/</c> or <c>|</c>: 19 digits, a dash, the node tag.</summary>
    public const int IdSuffixBytesMax = 24;

    /// <summary>Bytes of one document's JSON. It is copied whole into one run of pages and into one response.</summary>
    public const int DocumentBytesMax = 64 * 1024 * 1024;

    /// <summary>Bytes of one bulk-insert batch handed to the store while the next one is parsed: a merged transaction of this size
    /// is one journal write of a few milliseconds, and two of them bound the memory of one bulk insert.</summary>
    public const int BulkInsertBatchBytesMax = 4 * 1024 * 1024;

    /// <summary>Nesting of JSON. Deeper documents are a mistake or an attack on recursive readers of clients.</summary>
    public const int JsonDepthMax = 256;
}
