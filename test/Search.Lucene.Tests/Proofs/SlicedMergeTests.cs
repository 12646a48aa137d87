using Jackdaw.Pal.InMemory;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Lucene.Merging;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Tests;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Verification;

namespace Jackdaw.Search.Lucene.Tests.Proofs;

/// <summary>What happens between two slices of a merge.</summary>
public sealed class SlicedMergeTests : IDisposable
{
    private const string Branch = "/db/Indexes/a";
    private const int Entries = 2000;

    private static readonly IndexField s_name = new("Name") { IsStored = true };
    private static readonly IndexFields s_fields = new([s_name]);
    private static readonly StorageOptions s_options = new() { BackgroundFlush = false };

    // Each slice is one chunk.
    private static readonly MergeSizes s_sizes = new()
    {
        WholeBytesMax = 0,
        SliceBytesMax = 1,
        SliceTimeMax = TimeSpan.Zero,
        BehindBatchTimeMax = TimeSpan.Zero,
    };

    private readonly MemoryPlatform _platform = new();
    private StorageEnvironment _root;
    private StorageEnvironment _branch;
    private LuceneSearchIndex _index;

    public SlicedMergeTests()
    {
        _root = StorageEnvironment.Open(_platform, "/db", s_options);
        _branch = StorageEnvironment.OpenBranch(_root, Branch, s_options);
        _index = LuceneSearchIndex.Open(_branch, s_fields, s_sizes);
        for (int batch = 0; batch < 10; batch++)
        {
            Write("first", Enumerable.Range(batch * Entries / 10, Entries / 10));
        }
    }

    public void Dispose()
    {
        _index.Dispose();
        _branch.Dispose();
        _root.Dispose();
    }

    [Fact]
    public void Batches_BetweenSlicesOfAMerge_AreSeenAtOnceAndSurviveIt()
    {
        int[] changed = [.. Enumerable.Range(0, Entries).Where(number => number % 3 == 0)];
        Pause();
        Write("second", changed);
        Assert.Equal(1, _index.Merges.OpenCount);
        Check(changed);
        int slices = Finish();
        Assert.True(slices > 3, $"{slices} slices");
        Check(changed);
    }

    [Fact]
    public void Search_BetweenSlicesOfAMerge_ReadsTheSegmentsThatAreMerged()
    {
        using (Searcher searcher = _index.BeginSearch())
        {
            using SearchSnapshot kept = searcher.Keep();
            searcher.Dispose();
            Pause();
            Finish();
            using Searcher later = kept.BeginSearch();
            Assert.Equal(Entries, Count(later, "first"));
            Assert.True(_index.Directory.FilesToFree > 0, "the files that the snapshot reads");
        }

        Finish();
        Check([]);
    }

    [Fact]
    public void Dispose_BetweenSlicesOfAMerge_LeavesNothingOfIt()
    {
        Pause();
        Reopen();
        Check([]);
        Finish();
        Check([]);
    }

    [Fact]
    public void Batch_GivenUpBetweenSlicesOfAMerge_GivesTheMergeUpAndLosesNothing()
    {
        Pause();
        using (IndexBatch batch = _index.BeginBatch())
        {
            batch.Delete("e/1");
        }

        Assert.Equal(0, _index.Merges.OpenCount);
        Check([]);
        Finish();
        Check([]);
    }

    [Fact]
    public void Merge_WhileALargerOneIsOpen_DoesNotWaitForIt()
    {
        Pause();
        for (int batch = 0; batch < 10; batch++)
        {
            Write("second", [batch]);
        }

        int before = _index.SegmentCount;
        while (_index.Merges.OpenCount != 1 || _index.SegmentCount == before)
        {
            Assert.True(_index.Maintain(() => false), "the larger merge is still to be done");
        }

        Assert.Equal(before - 9, _index.SegmentCount);
        Finish();
        Check([.. Enumerable.Range(0, 10)]);
    }

    [Fact]
    public void Slice_WhenSomebodyWaits_EndsAtTheNextChunk()
    {
        Reopen(s_sizes with { SliceBytesMax = long.MaxValue, SliceTimeMax = TimeSpan.FromHours(1) });
        int asked = 0;
        for (int slice = 0; slice < 3; slice++)
        {
            Write("second", [slice]); // a batch: no time is due to merges with these sizes
            asked = 0;
            Assert.True(_index.Maintain(() => asked++ > 0), "there is more to merge");
            Assert.Equal(1, _index.Merges.OpenCount);
        }

        Assert.True(_index.Maintain(() => true), "nothing is begun while somebody waits");
        Finish();
        Check([0, 1, 2]);
    }

    private void Pause()
    {
        while (_index.Merges.OpenCount == 0 || _index.Directory.ListAll().All(name => name.StartsWith("segments", StringComparison.Ordinal)))
        {
            Assert.True(_index.Maintain(() => false), "there is something to merge");
        }

        Assert.True(_index.Maintain(() => false), "it is not done yet");
    }

    private int Finish()
    {
        int slices = 0;
        while (_index.Maintain(() => false))
        {
            slices++;
        }

        Assert.Equal(0, _index.Merges.OpenCount);
        return slices;
    }

    private void Reopen(MergeSizes? sizes = null)
    {
        _index.Dispose();
        _branch.Dispose();
        _root.Dispose();
        _root = StorageEnvironment.Open(_platform, "/db", s_options);
        _branch = StorageEnvironment.OpenBranch(_root, Branch, s_options);
        _index = LuceneSearchIndex.Open(_branch, s_fields, sizes ?? s_sizes);
    }

    private void Write(string name, IEnumerable<int> numbers)
    {
        var entry = new IndexEntry();
        using IndexBatch batch = _index.BeginBatch();
        foreach (int number in numbers)
        {
            batch.Delete("e/" + number);
            entry.Reset("e/" + number);
            entry.AddText(s_name, name);
            entry.AddText(s_name, "n" + number);
            batch.Add(entry);
        }

        batch.Commit();
    }

    private void Check(int[] changed)
    {
        using (Searcher searcher = _index.BeginSearch())
        {
            Assert.Equal(Entries, searcher.EntryCount);
            Assert.Equal(changed.Length, Count(searcher, "second"));
            Assert.Equal(Entries - changed.Length, Count(searcher, "first"));
        }

        Assert.Empty(EnvironmentVerifier.Verify(_branch));
        IndexFiles.CheckClean(_branch, _index.Directory);
        if (_index.Merges.OpenCount == 0 && _index.Directory.FilesToFree == 0)
        {
            IndexFiles.CheckEachChunkHasAFile(_branch);
        }
    }

    private static long Count(Searcher searcher, string name) =>
        searcher.Search(new SearchRequest(new TermNode("Name", new TextValue(name)), [], 0, 0), default).Total;
}
