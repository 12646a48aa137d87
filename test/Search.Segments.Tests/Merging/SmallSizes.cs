using Jackdaw.Search.Segments.Merging;
using Jackdaw.Search.Segments.Writing;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Search.Segments.Tests.Merging;

/// <summary>Sizes with which a few hundred entries have many runs, and a merge has many slices.</summary>
internal static class SmallSizes
{
    /// <param name="isDirect">Whether runs bypass the journal, those of batches and of merges.</param>
    public static SliceSizes Make(bool isDirect) => new()
    {
        SliceTimeMax = TimeSpan.Zero, // a slice is a step
        BehindBatchTimeMax = TimeSpan.Zero,
        WithoutBatchTime = TimeSpan.Zero,
        FullDiskPause = TimeSpan.Zero,
        BatchMergeEntriesMax = 0,
        DirectMergeBytesMin = isDirect ? 0 : long.MaxValue,
        DirectBatchBytesMin = isDirect ? 0 : long.MaxValue,
        FreedBytesMax = 4000,
        Runs = new RunSizes { ChunkBytes = BTree.InlineValueBytesMax + 500, InlineBytesMax = 500, DirectBytesMin = 0, SymbolTermBytesMin = 0 },
    };
}
