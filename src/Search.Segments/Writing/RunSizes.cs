using Jackdaw.Storage.Paging;

namespace Jackdaw.Search.Segments.Writing;

/// <summary>The sizes of the parts of a segment; tests make them smaller.</summary>
internal sealed record RunSizes
{
    /// <summary>The least bytes of a chunk that is not the last one of its part. With the header of the run this is 128 pages: a reader checks it at the first
    /// touch, and a slice of a merge can end with it.</summary>
    public int ChunkBytes { get; init; } = (128 * Page.Size) - PageHeader.SizeOf;

    /// <summary>The most bytes of parts in a directory; a larger directory would be read as a whole where one part is wanted.</summary>
    public int InlineBytesMax { get; init; } = 256 * 1024;

    /// <summary>The least bytes of a run that bypasses the journal: each is a write of its own.</summary>
    public int DirectBytesMin { get; init; } = 32 * 1024;

    /// <summary>The least bytes of a dictionary's terms that are worth a table of symbols.</summary>
    public int SymbolTermBytesMin { get; init; } = 32 * 1024;
}
