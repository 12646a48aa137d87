using Jackdaw.Storage.Paging;

namespace Jackdaw.Documents.Attachments;

/// <summary>Bounds of attachments. Each has the reason for its size.</summary>
public static class AttachmentLimits
{
    /// <summary>Largest attachment. Bytes: what official servers take, and a size that a client can still send again after a cut.</summary>
    public const long AttachmentBytesMax = 2L * 1024 * 1024 * 1024;

    /// <summary>Bytes of one chunk of a content; the last one has fewer. A run of exactly 128 pages with its header: a transaction with one is a
    /// journal write of a few milliseconds, after which other writers come. Part of the format: a content's chunks are found by it.</summary>
    public const int ChunkBytes = (1024 * 1024) - PageHeader.SizeOf;

    /// <summary>Bytes of contents that one batch may hold in memory; what is larger goes into chunks before the batch. As much as the merger
    /// puts into one transaction.</summary>
    public const int BatchContentBytesMax = 4 * 1024 * 1024;

    /// <summary>Longest content type, in bytes: types with parameters have tens, and it is sent as a header.</summary>
    public const int ContentTypeBytesMax = 512;

    /// <summary>Bytes of what a document's metadata shows of its attachments above which it gets no more: some 40,000. The document is written
    /// with all of it whenever one changes.</summary>
    public const int ShownBytesMax = 8 * 1024 * 1024;
}
