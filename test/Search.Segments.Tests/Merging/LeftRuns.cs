using Jackdaw.Search.Segments.Storing;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Search.Segments.Tests.Merging;

/// <summary>Runs that no segment needs.</summary>
internal static class LeftRuns
{
    /// <summary>Asserts that the storage has exactly the runs of the segments, and that nothing is to be freed.</summary>
    public static void AssertNone(StorageEnvironment storage)
    {
        using ReadTransaction read = storage.BeginRead();
        var state = SegmentState.Read(storage, read.Trees, null, null);
        Assert.Empty(SegmentTrees.ReadToFree(read.Trees));
        Assert.Equal(CountNamed(read, state), read.Trees.FindTree(SegmentTrees.Parts)?.EntryCount ?? 0);
        Assert.Equal(state.Segments.Count, read.Trees.FindTree(SegmentTrees.Segments)?.EntryCount ?? 0);
        long bitmaps = state.Records.Sum(record => record.Deleted > 0 ? DeletedEntries.PagesOf(record.Entries) : 0);
        Assert.InRange(read.Trees.FindTree(SegmentTrees.Deleted)?.EntryCount ?? 0, 0, bitmaps);
    }

    /// <summary>The pages of all runs, leaves and branches of the index.</summary>
    public static long CountPages(StorageEnvironment storage)
    {
        using ReadTransaction read = storage.BeginRead();
        long pages = 0;
        foreach (byte[] name in new[]
        {
            SegmentTrees.List.ToArray(), SegmentTrees.Fields.ToArray(), SegmentTrees.Segments.ToArray(), SegmentTrees.Parts.ToArray(),
            SegmentTrees.Deleted.ToArray(), SegmentTrees.ToFree.ToArray(),
        })
        {
            if (read.Trees.FindTree(name) is { } tree)
            {
                pages += tree.Header.OverflowPages + tree.Header.LeafPages + tree.Header.BranchPages;
            }
        }

        return pages;
    }

    private static unsafe long CountNamed(ReadTransaction read, SegmentState state)
    {
        long count = 0;
        foreach (Segment segment in state.Segments)
        {
            byte* directory = segment.OpenDirectory(read);
            var records = (PartRecord*)(directory + SegmentDirectory.SizeOf);
            for (int i = 0; i < ((SegmentDirectory*)directory)->Parts; i++)
            {
                count += records[i].Form switch
                {
                    PartForm.Inline => 0,
                    PartForm.Run => 1,
                    _ => *(long*)(directory + records[i].Place),
                };
            }
        }

        return count;
    }
}
