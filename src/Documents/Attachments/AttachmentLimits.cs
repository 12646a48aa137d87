using Jackdaw.Storage.Paging;

namespace Jackdaw.Documents.Attachments;

/// <summary>Bounds of attachments. Each has the reason for its size.</summary>
public static class AttachmentLimits
{
    /// <summary>The largest attachment, in bytes: the limit of official servers, and a size that a client can still send again after a broken
    /// connection.</summary>
    public const long AttachmentBytesMax = 2L * 1024 * 1024 * 1024;

    /// <summary>The bytes of one chunk of a content; the last one has fewer. With its header, a chunk is a run of exactly 128 pages. A transaction with one is
    /// a journal write of a few milliseconds, after which other writers get their turn. The number is part of the format, because the chunks of a content are
    /// found by it.</summary>
    public const int ChunkBytes = (1024 * 1024) - PageHeader.SizeOf;

    /// <summary>The bytes of contents that one batch may hold in memory: as many as the merger puts into one transaction. Larger contents are written as chunks
    /// before the batch.</summary>
    public const int BatchContentBytesMax = 4 * 1024 * 1024;

    /// <summary>The longest content type, in bytes. It is sent as a header, and types with parameters have tens of bytes.</summary>
    public const int ContentTypeBytesMax = 512;

    /// <summary>A document gets no more attachments when their entries in its metadata have more than these bytes, which are some 40,000 attachments. The
    /// document is written with all entries whenever one changes.</summary>
    public const int ShownBytesMax = 8 * 1024 * 1024;
}
