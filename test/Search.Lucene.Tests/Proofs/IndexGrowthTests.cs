using System.Globalization;
using Jackdaw.Pal.InMemory;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Lucene.Merging;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Tests;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Verification;
using Xunit.Abstractions;

namespace Jackdaw.Search.Lucene.Tests.Proofs;

/// <summary>An index whose entries are updated over and over stays small, in segments and in bytes.</summary>
public sealed class IndexGrowthTests(ITestOutputHelper output)
{
    private const int Seed = 23;
    private const int Updates = 10;

    /// <summary>Segments that any search has to ask, at any time.</summary>
    private const int SegmentsMax = 40;

    /// <summary>Size after the updates by that of an index that was only added to.</summary>
    private const double GrowthMax = 2;

    private static readonly IndexField s_text = new("Text") { Indexing = IndexingMode.Text, IsStored = true };
    private static readonly IndexField s_name = new("Name");
    private static readonly IndexField s_version = new("Version");
    private static readonly IndexFields s_fields = new([s_text, s_name, s_version]);

    // As large for thousands of entries as the real ones are for millions.
    private static readonly MergeSizes s_small = new()
    {
        LevelBytesMin = 32 << 10,
        EqualsBytesMin = 256 << 10,
        WholeBytesMax = 64 << 10,
        SliceBytesMax = 128 << 10,
        SliceTimeMax = TimeSpan.FromMilliseconds(5),
    };

    [Fact]
    [Trait("Tier", "Full")]
    public void Index_ThousandsOfEntriesUpdatedTenTimes_StaysSmall() => Update(3_000, 150, s_small);

    [Fact]
    [Trait("Tier", "Full")]
    public void Index_HundredThousandsOfEntriesUpdatedTenTimes_StaysSmall() => Update(200_000, 4_000, new MergeSizes());

    [Fact]
    [Trait("Tier", "Full")]
    public void Index_ManyMoreSegmentsThanItsSizeAsksFor_StaysSmall() => Update(60_000, 100, s_small);

    [Fact]
    public void Entries_AddedOneByOneToManySegments_DoNotHaveLargeOnesWrittenAgainAndAgain()
    {
        const int added = 300;
        const double writtenMax = 4; // 3 of them for the small files of each batch
        using StorageEnvironment root = StorageEnvironment.Open(new MemoryPlatform(), "/db", new StorageOptions { BackgroundFlush = false });
        using StorageEnvironment branch = StorageEnvironment.OpenBranch(root, "/db/Indexes/a", new StorageOptions { BackgroundFlush = false });
        using LuceneSearchIndex index = LuceneSearchIndex.Open(branch, s_fields, s_small with { LevelBytesMin = 1 << 10, EqualsBytesMin = 1 });
        int[] versions = new int[3000];
        int next = 0;
        foreach (int entries in Enumerable.Repeat(100, 15).Append(1000))
        {
            Write(index, [.. Enumerable.Range(next, entries)], versions, 0);
            next += entries;
        }

        Dictionary<string, long> seen = Files(index);
        long first = seen.Values.Sum();
        long written = 0;
        for (int i = 0; i < added; i++)
        {
            Write(index, [next++], versions, 0);
            index.Maintain(() => false);
            Dictionary<string, long> files = Files(index);
            written += files.Where(file => seen.TryAdd(file.Key, file.Value)).Sum(file => file.Value);
        }

        output.WriteLine($"{(double)written / first:F2} times the bytes of the index written, {index.SegmentCount} segments");
        Assert.True(written <= writtenMax * first, $"{written} bytes written for {added} entries beside {first}");
        Assert.InRange(index.SegmentCount, 1, SegmentsMax);
    }

    private static Dictionary<string, long> Files(LuceneSearchIndex index) =>
        index.Directory.ListAll().Where(name => name.StartsWith('_')).ToDictionary(name => name, index.Directory.FileLength);

    private void Update(int entries, int batchEntries, MergeSizes sizes)
    {
        var platform = new MemoryPlatform();
        var options = new StorageOptions { BackgroundFlush = false };
        using StorageEnvironment root = StorageEnvironment.Open(platform, "/db", options);
        using StorageEnvironment branch = StorageEnvironment.OpenBranch(root, "/db/Indexes/a", options);
        using LuceneSearchIndex index = LuceneSearchIndex.Open(branch, s_fields, sizes);
        var random = new Random(Seed);
        int[] order = [.. Enumerable.Range(0, entries)];
        int[] versions = new int[entries];
        long fresh = 0;
        int segmentsMax = 0;
        for (int update = 0; update <= Updates; update++)
        {
            foreach (int[] part in order.Chunk(batchEntries))
            {
                Write(index, part, versions, update);
                index.Maintain(() => false);
                segmentsMax = Math.Max(segmentsMax, index.SegmentCount);
                branch.Flush();
                root.Flush();
            }

            long bytes = Rest(index, branch, root);
            fresh = update == 0 ? bytes : fresh;
            output.WriteLine($"update {update}: {bytes} bytes, {(double)bytes / fresh:F2} times, {index.SegmentCount} segments, {segmentsMax} at most");
            Assert.True(bytes <= GrowthMax * fresh, $"seed {Seed}, update {update}: {bytes} bytes after {fresh}");
            random.Shuffle(order);
        }

        Assert.True(segmentsMax <= SegmentsMax, $"seed {Seed}: {segmentsMax} segments");
        Check(index, branch, versions);
    }

    private static void Write(LuceneSearchIndex index, int[] numbers, int[] versions, int version)
    {
        var entry = new IndexEntry();
        using IndexBatch batch = index.BeginBatch();
        foreach (int number in numbers)
        {
            versions[number] = version;
            string id = "e/" + number.ToString(CultureInfo.InvariantCulture);
            if (version > 0)
            {
                batch.Delete(id);
            }

            entry.Reset(id);
            entry.AddText(s_text, $"entry {number} of version {version} and {number * 7919L % 100_003} {number * 31L % 997} more words");
            entry.AddText(s_name, "name" + (number % 1000).ToString(CultureInfo.InvariantCulture));
            entry.AddLong(s_version, version, version.ToString(CultureInfo.InvariantCulture));
            batch.Add(entry);
        }

        batch.Commit();
    }

    // An index without new entries, until it has nothing to do. What it frees goes back to the file system with the flushes behind.
    private static long Rest(LuceneSearchIndex index, StorageEnvironment branch, StorageEnvironment root)
    {
        while (index.Maintain(() => false))
        {
        }

        Assert.Equal(0, index.Merges.OpenCount);
        Assert.Equal(0, index.Directory.FilesToFree);
        branch.Flush();
        branch.Sync();
        root.Flush();
        root.Sync();
        return branch.Figures.DataBytes;
    }

    private static void Check(LuceneSearchIndex index, StorageEnvironment branch, int[] versions)
    {
        Assert.Empty(EnvironmentVerifier.Verify(branch));
        using (Searcher searcher = index.BeginSearch())
        {
            Assert.Equal(versions.Length, searcher.EntryCount);
            var last = new RangeNode("Version", RangeKind.Long, new LongValue(Updates, "x"), true, null, false);
            Assert.Equal(versions.Length, searcher.Search(new SearchRequest(last, [], 0, 1), default).Total);
        }

        IndexFiles.CheckEachChunkHasAFile(branch);
        IndexFiles.CheckClean(branch, index.Directory);
    }
}
