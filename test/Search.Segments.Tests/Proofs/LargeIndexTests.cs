using System.Globalization;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Xunit.Abstractions;
using SortKey = Jackdaw.Search.Queries.SortKey;

namespace Jackdaw.Search.Segments.Tests.Proofs;

/// <summary>Many entries, many updates, many deleted ones, many fields, long terms and texts: answers are right, and sizes stay in bounds. Each prints its
/// figures.</summary>
public sealed class LargeIndexTests(ITestOutputHelper output)
{
    private const int Groups = 16;
    private const int Rare = 1000;

    private static readonly IndexField s_group = new("Group");
    private static readonly IndexField s_number = new("Number");
    private static readonly IndexField s_name = new("Name");
    private static readonly IndexField s_version = new("Version");
    private static readonly IndexField s_text = new("Text") { Indexing = IndexingMode.Text };
    private static readonly IndexFields s_fields = new([s_group, s_number, s_name, s_version, s_text]);

    [Theory]
    [InlineData(40_000)]
    public void Entries_Many_AreFoundAndOrdered(int entries) => Fill(entries, 5_000, isInFiles: false);

    /// <summary>SEARCH_LARGE_ENTRIES: another number of entries.</summary>
    [Fact]
    [Trait("Tier", "Full")]
    public void Entries_TenMillion_AreFoundAndOrdered() => Fill(Wanted("SEARCH_LARGE_ENTRIES", 10_000_000), 20_000, isInFiles: true);

    [Fact]
    public void Documents_UpdatedTenTimes_DoNotMakeTheIndexGrow() => Update(6_000, 500, isInFiles: false);

    /// <summary>SEARCH_LARGE_DOCUMENTS: another number of documents.</summary>
    [Fact]
    [Trait("Tier", "Full")]
    public void Documents_AMillionUpdatedTenTimes_DoNotMakeTheIndexGrow() => Update(Wanted("SEARCH_LARGE_DOCUMENTS", 1_000_000), 10_000, isInFiles: true);

    [Fact]
    public void Entries_HalfOfThemDeleted_AreCountedRightAndCheaply() => DeleteHalf(60_000, isInFiles: false);

    [Fact]
    [Trait("Tier", "Full")]
    public void Entries_HalfOfAMillionDeleted_AreCountedRightAndCheaply() => DeleteHalf(1_000_000, isInFiles: true);

    private static int Wanted(string name, int otherwise) =>
        int.TryParse(Environment.GetEnvironmentVariable(name), NumberStyles.None, CultureInfo.InvariantCulture, out int wanted) ? wanted : otherwise;

    private static void FillEntry(IndexEntry entry, int i)
    {
        string text(int value) => value.ToString(CultureInfo.InvariantCulture);
        entry.AddText(s_group, "group" + text(i % Groups));
        entry.AddLong(s_number, (i * 7919L) % 1_000_003, text((int)((i * 7919L) % 1_000_003)));
        entry.AddText(s_name, "Name " + text(i / 3));
        entry.AddText(s_text, $"order of word{i % 5003} and word{i * 31L % 20011} {(i % Rare == 0 ? "rare" : "common")} thing");
    }

    private void Fill(int entries, int batchEntries, bool isInFiles)
    {
        using var index = new LargeIndex(output, s_fields, isInFiles);
        index.Write(Enumerable.Range(0, entries), batchEntries, FillEntry);
        index.Print($"{entries} entries are written");
        index.MaintainAll();
        index.Print("merges have ended");
        Assert.Equal(entries, index.Count(new AllNode()));
        Assert.Equal((entries + Groups - 1 - 3) / Groups, index.Count(Term("Group", "group3")));
        Assert.Equal((entries + Rare - 1) / Rare, index.Count(new FullTextNode("Text", "rare", WordOperator.Or)));
        Assert.Equal(entries, index.Count(new FullTextNode("Text", "thing", WordOperator.Or)));
        var range = new RangeNode("Number", RangeKind.Long, new LongValue(5, "5"), true, new LongValue(999, "999"), true);
        Assert.Equal(Enumerable.Range(0, entries).Count(i => i * 7919L % 1_000_003 is >= 5 and <= 999), index.Count(range));
        Assert.Equal(
            Enumerable.Range(0, entries).OrderBy(i => i * 7919L % 1_000_003).Take(20).Select(i => $"orders/{i}"),
            index.Find(new AllNode(), 20, new SortKey(SortBy.Long, "Number")));
        Assert.Equal(3, index.Count(Term("Name", "Name " + (entries / 6))));
        Ask(index, ("term", Term("Group", "group3")), ("two words", new FullTextNode("Text", "rare word1000", WordOperator.And)), ("range", range));
        double sorted = LargeIndex.Time(() => index.Find(Term("Group", "group3"), 20, new SortKey(SortBy.Text, "Name", true)));
        index.Note($"20 of a sixteenth by name, descending: {sorted:F2} ms");
        Assert.Empty(index.Verify());
        index.Print("verified");
    }

    private static void Ask(LargeIndex index, params (string Name, SearchNode Node)[] questions)
    {
        foreach ((string name, SearchNode node) in questions)
        {
            double counted = LargeIndex.Time(() => index.Count(node)), found = LargeIndex.Time(() => index.Find(node, 20));
            index.Note($"{name}: {index.Count(node)} found; count {counted:F3} ms, first 20 {found:F3} ms");
        }
    }

    private void Update(int documents, int batchEntries, bool isInFiles)
    {
        using var index = new LargeIndex(output, s_fields, isInFiles);
        index.Write(Enumerable.Range(0, documents), batchEntries, (entry, i) => FillVersion(entry, i, 0));
        index.MaintainAll();
        index.Print($"{documents} documents are written");
        long first = BytesOf(index);
        var random = new Random(5);
        for (int round = 1; round <= 10; round++)
        {
            int version = round;
            int[] order = [.. Enumerable.Range(0, documents)];
            random.Shuffle(order);
            index.Write(order, batchEntries, (entry, i) => FillVersion(entry, i, version), isUpdate: true);
            Assert.Equal(documents, index.Count(new AllNode()));
            Assert.Equal(documents, index.Count(Term("Version", "v" + version)));
            Assert.Equal(0, index.Count(Term("Version", "v" + (version - 1))));
            index.Print($"updated {round} times");
        }

        index.MaintainAll();
        index.Print("merges have ended");
        long last = BytesOf(index);
        Assert.True(last < 1.4 * first, $"{first} bytes after the first time, {last} after the last");
        Assert.Empty(index.Verify());
    }

    private static void FillVersion(IndexEntry entry, int i, int version)
    {
        FillEntry(entry, i);
        entry.AddText(s_version, "v" + version.ToString(CultureInfo.InvariantCulture));
    }

    private static long BytesOf(LargeIndex index) => ((SegmentSearchIndex)index.Index).State.Records.Sum(record => record.Bytes);

    private void DeleteHalf(int entries, bool isInFiles)
    {
        using var index = new LargeIndex(output, s_fields, isInFiles);
        index.Write(Enumerable.Range(0, entries), 10_000, FillEntry);
        index.MaintainAll();
        index.Print($"{entries} entries are written");
        double whole = LargeIndex.Time(() => index.Count(Term("Group", "group3")));
        index.Delete(Enumerable.Range(0, entries).Where(i => i / Groups % 2 == 1), 10_000);
        index.Print("half of them are deleted");
        int live = Enumerable.Range(0, entries).Count(i => i / Groups % 2 == 0);
        CheckHalf(index, entries, live);

        // With bitmaps, before a merge: the list of the term is read, less what is deleted.
        double half = LargeIndex.Time(() => index.Count(Term("Group", "group3"))), all = LargeIndex.Time(() => index.Count(new AllNode()));
        long bytes = index.Ask(searcher =>
        {
            searcher.CountReads();
            searcher.Search(new SearchRequest(Term("Group", "group3"), [], 0, 0), default);
            return searcher.Reads.Bytes;
        });
        index.Note($"count of a term: {whole:F3} ms before, {half:F3} ms with the deleted ones, {bytes} bytes read; of all {all:F4} ms");
        Assert.True(bytes < BytesOf(index) / 5, $"{bytes} of {BytesOf(index)} bytes are read for a count");
        Assert.True(half < 5 + (entries * 20e-6), $"{half} ms for a count");
        index.MaintainAll();
        index.Print("merges have ended");
        Assert.Equal(0, ((SegmentSearchIndex)index.Index).State.Records.Sum(record => record.Deleted));
        CheckHalf(index, entries, live);
        Assert.Empty(index.Verify());
    }

    private static void CheckHalf(LargeIndex index, int entries, int live)
    {
        Assert.Equal(live, index.Count(new AllNode()));
        Assert.Equal(Enumerable.Range(0, entries).Count(i => i / Groups % 2 == 0 && i % Groups == 3), index.Count(Term("Group", "group3")));
        Assert.Equal(
            Enumerable.Range(0, entries).Count(i => i / Groups % 2 == 0 && i % Rare == 0), index.Count(new FullTextNode("Text", "rare", WordOperator.Or)));
        Assert.Equal(live, index.Count(new ExistsNode("Number")));
        Assert.Equal(
            Enumerable.Range(0, entries).Where(i => i / Groups % 2 == 0).OrderByDescending(i => i * 7919L % 1_000_003).Take(5).Select(i => $"orders/{i}"),
            index.Find(new AllNode(), 5, new SortKey(SortBy.Long, "Number", true)));
    }

    private static TermNode Term(string field, string text) => new(field, new TextValue(text));
}
