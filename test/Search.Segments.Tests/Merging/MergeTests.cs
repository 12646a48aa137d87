using System.Text;
using Jackdaw.Pal.InMemory;
using Jackdaw.Pal.Simulation;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Search.Segments.Merging;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Verification;
using Jackdaw.TestKit;

namespace Jackdaw.Search.Segments.Tests.Merging;

public sealed class MergeTests : IDisposable
{
    private const int Entries = 300;

    private static readonly IndexField s_name = new("Name");
    private static readonly IndexField s_text = new("Text") { Indexing = IndexingMode.Text };
    private static readonly IndexFields s_fields = new([s_name, s_text]);
    private static readonly StorageOptions s_options = new() { BackgroundFlush = false };

    private readonly SimulatedPlatform _platform = new(7);
    private readonly StorageEnvironment _root;
    private readonly StorageEnvironment _branch;

    public MergeTests()
    {
        _root = StorageEnvironment.Open(_platform, "/db", s_options);
        _branch = StorageEnvironment.OpenBranch(_root, "/db/Indexes/a", s_options);
    }

    public void Dispose()
    {
        _branch.Dispose();
        _root.Dispose();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Merge_InterruptedAfterAnySlice_LeavesNothingWhenTheIndexIsOpenedAgain(bool isDirect)
    {
        SliceSizes sizes = SmallSizes.Make(isDirect);
        long expected = 0;
        for (int slices = 0; ; slices++)
        {
            string path = $"/db/Indexes/{isDirect}{slices}";
            using StorageEnvironment branch = StorageEnvironment.OpenBranch(_root, path, s_options);
            bool hasEnded;
            using (var index = new SegmentSearchIndex(branch, s_fields, sizes))
            {
                WriteSegments(index);
                hasEnded = !Maintain(index, slices);
            }

            using (var index = new SegmentSearchIndex(branch, s_fields, sizes))
            {
                Maintain(index, int.MaxValue);
                Maintain(index, int.MaxValue); // what the last readers of the replaced segments held
                Check(index, branch);
                expected = expected == 0 ? LeftRuns.CountPages(branch) : expected;
                Assert.Equal(expected, LeftRuns.CountPages(branch));
            }

            if (hasEnded)
            {
                Assert.True(slices > 10, $"{slices} slices");
                return;
            }
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Merge_OnAFullDisk_IsGivenUpAndDoneWhenThereIsRoom(bool isOneSlice)
    {
        SliceSizes sizes = SmallSizes.Make(isDirect: true);
        sizes = isOneSlice ? sizes with { SliceTimeMax = TimeSpan.FromHours(1) } : sizes;
        int refused = 0;
        for (int room = 0; room < 26; room++)
        {
            using StorageEnvironment branch = StorageEnvironment.OpenBranch(_root, $"/db/Indexes/full{room}", s_options);
            using var index = new SegmentSearchIndex(branch, s_fields, sizes);
            WriteSegments(index);
            Maintain(index, isOneSlice ? 0 : room / 2);
            PalOperationKind refusedKind = room % 2 == 0 ? PalOperationKind.WritePages : PalOperationKind.Allocate;
            SimulatedFault fault = _platform.Inject(new SimulatedFault { Effect = FaultEffect.NoSpace, Kind = refusedKind, Repeats = true });
            Maintain(index, isOneSlice ? 1 : int.MaxValue);
            refused += fault.Fired > 0 ? 1 : 0;
            _platform.ClearFaults();
            Assert.Null(branch.Failure);
            Assert.Equal(Entries, Count(index, new AllNode()));

            // Batches take the next ids, also that of a merge of which nothing was committed.
            Write(index, Entries, Entries + 1);
            Write(index, Entries + 1, Entries + 2);
            Maintain(index, 1);
            Assert.Empty(SegmentEngine.Instance.Verify(branch));
            Maintain(index, int.MaxValue);
            Maintain(index, int.MaxValue);
            Assert.Equal(Entries + 2, Count(index, new AllNode()));
            Check(index, branch);
        }

        Assert.True(refused > 5, $"{refused} merges were refused");
    }

    [Fact]
    public void Merge_OnAFullDisk_IsNotTriedAgainAtOnce()
    {
        using var index = new SegmentSearchIndex(_branch, s_fields, SmallSizes.Make(isDirect: true) with { FullDiskPause = TimeSpan.FromDays(1) });
        WriteSegments(index);
        SimulatedFault fault = _platform.Inject(new SimulatedFault { Effect = FaultEffect.NoSpace, Kind = PalOperationKind.WritePages, Repeats = true });
        Assert.False(Maintain(index, int.MaxValue));
        int fired = fault.Fired;
        Assert.True(fired > 0);
        Write(index, Entries, Entries + 1, isCommitted: false);
        Assert.False(index.Maintain(() => false));
        Assert.Equal(fired, fault.Fired);
        Assert.Equal(Entries, Count(index, new AllNode()));
    }

    // What a document's commit waits for beside a merge is the entry of a slice in the shared journal, and one sync of 8 MB.
    [Fact]
    public void Merge_OfALargeIndex_WritesAlmostNothingToTheJournal()
    {
        using var index = new SegmentSearchIndex(_branch, s_fields, new SliceSizes { BehindBatchTimeMax = TimeSpan.Zero, WithoutBatchTime = TimeSpan.Zero });
        for (int batch = 0; batch < MergePolicy.Factor; batch++)
        {
            Write(index, batch * 4096, (batch + 1) * 4096, words: 60);
        }

        long merged = index.State.Records.Sum(record => record.Bytes);
        Assert.True(merged > 8 << 20, $"{merged} bytes");
        long before = _branch.Statistics.Sum.StoredBytes, longest = 0, last = before;
        for (bool isMore = true; isMore;)
        {
            isMore = index.Maintain(() => false);
            long now = _branch.Statistics.Sum.StoredBytes;
            longest = Math.Max(longest, now - last);
            last = now;
        }

        Assert.Single(index.State.Records);
        Assert.InRange(_branch.Statistics.Sum.DirectBytes, merged / 2, 2 * merged);
        Assert.InRange(last - before, 1, merged / 10);
        Assert.InRange(longest, 1, 1 << 20);
    }

    [Fact]
    public void Merge_OfAPart_BeginsToReadTheNextPart()
    {
        var platform = new HookedPlatform(new MemoryPlatform());
        using (StorageEnvironment storage = StorageEnvironment.Open(platform, "/db", s_options))
        {
            using var index = new SegmentSearchIndex(storage, s_fields, SmallSizes.Make(isDirect: true));
            for (int batch = 0; batch < MergePolicy.Factor; batch++)
            {
                Write(index, batch * 1000, (batch + 1) * 1000);
            }

            storage.Flush();
            storage.Sync();
        }

        using StorageEnvironment again = StorageEnvironment.Open(platform, "/db", s_options);
        using var merging = new SegmentSearchIndex(again, s_fields, SmallSizes.Make(isDirect: true));
        HashSet<long> next = PagesOf(again, merging.State, PartKind.Ids), last = PagesOf(again, merging.State, PartKind.Positions);
        HashSet<long> advised = [];
        platform.BeforeAdvice = ranges => advised.UnionWith(ranges.Select(range => range.Offset / Page.Size));
        Assert.True(merging.Maintain(() => false));
        Assert.NotEmpty(next);
        Assert.Subset(advised, next); // the first part is that of the ids' terms, the second one that of the ids
        Assert.False(advised.Overlaps(last));
        platform.BeforeAdvice = null;
        Maintain(merging, int.MaxValue);
        Check(merging, again);
    }

    private static unsafe HashSet<long> PagesOf(StorageEnvironment storage, SegmentState state, PartKind kind)
    {
        using ReadTransaction read = storage.BeginRead();
        HashSet<long> pages = [];
        foreach (Segment segment in state.Segments)
        {
            byte* directory = segment.OpenDirectory(read);
            var records = (PartRecord*)(directory + SegmentDirectory.SizeOf);
            for (int i = 0; i < ((SegmentDirectory*)directory)->Parts; i++)
            {
                var runs = (PartRun*)(directory + records[i].Place + sizeof(long));
                for (long run = 0; records[i].Kind == kind && records[i].Form == PartForm.Runs && run < *(long*)(directory + records[i].Place); run++)
                {
                    pages.Add(runs[run].Page);
                }

                if (records[i].Kind == kind && records[i].Form == PartForm.Run)
                {
                    pages.Add(records[i].Place);
                }
            }
        }

        return pages;
    }

    private static void WriteSegments(SegmentSearchIndex index)
    {
        for (int batch = 0; batch < 10; batch++)
        {
            Write(index, batch * Entries / 10, (batch + 1) * Entries / 10);
        }
    }

    private static void Write(SegmentSearchIndex index, int first, int end, bool isCommitted = true, int words = 8)
    {
        var entry = new IndexEntry();
        var random = new Random(first);
        using IndexBatch batch = index.BeginBatch();
        for (int number = first; number < end; number++)
        {
            entry.Reset(Encoding.UTF8.GetBytes("entries/" + number));
            entry.AddText(s_name, $"name {random.Next()} {random.Next()} {random.Next()}");
            entry.AddText(s_text, string.Join(' ', Enumerable.Range(0, words).Select(_ => "word" + random.Next(500))));
            batch.Add(entry);
        }

        if (isCommitted)
        {
            batch.Commit();
        }
    }

    // Returns whether there is more to do.
    private static bool Maintain(SegmentSearchIndex index, int slices)
    {
        for (int slice = 0; slice < slices; slice++)
        {
            if (!index.Maintain(() => false))
            {
                return false;
            }
        }

        return true;
    }

    private static void Check(SegmentSearchIndex index, StorageEnvironment branch)
    {
        Assert.Equal(index.State.Live, Count(index, new AllNode()));
        Assert.Empty(EnvironmentVerifier.Verify(branch));
        Assert.Empty(SegmentEngine.Instance.Verify(branch));
        LeftRuns.AssertNone(branch);
    }

    private static long Count(SegmentSearchIndex index, SearchNode query)
    {
        using Searcher searcher = index.BeginSearch();
        SearchResults results = searcher.Search(new SearchRequest(query, [], 0, int.MaxValue), CancellationToken.None);
        Assert.Equal(results.Total, results.Hits.Count);
        return results.Total;
    }
}
