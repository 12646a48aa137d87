using System.Globalization;
using Jackdaw.Pal.InMemory;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Verification;

namespace Jackdaw.Search.Tests;

/// <summary>What any engine finds, in which order, and after which batches.</summary>
public abstract class SearchIndexTests : IDisposable
{
    private static readonly IndexField s_name = new("Name");
    private static readonly IndexField s_age = new("Age");
    private static readonly IndexField s_note = new("Note") { Indexing = IndexingMode.Text, IsStored = true };
    private static readonly IndexFields s_fields = new([s_name, s_age, s_note]);

    private readonly SearchEngine _engine;
    private readonly MemoryPlatform _platform = new();
    private readonly StorageEnvironment _root;
    private StorageEnvironment _branch;
    private SearchIndex _index;

    protected SearchIndexTests(SearchEngine engine)
    {
        _engine = engine;
        _root = StorageEnvironment.Open(_platform, "/db", new StorageOptions { BackgroundFlush = false });
        _branch = StorageEnvironment.OpenBranch(_root, "/db/Indexes/a", new StorageOptions { BackgroundFlush = false });
        _index = engine.Open(_branch, s_fields);
    }

    public void Dispose()
    {
        _index.Dispose();
        _branch.Dispose();
        _root.Dispose();
    }

    [Theory]
    [InlineData(2_600)]
    [InlineData(2_731)]
    [InlineData(8_192)]
    [InlineData(8_193)]
    [InlineData(20_000)]
    [InlineData(200_000)]
    public void Search_PartsOfLongTexts_FindWhatALoopFinds(int length)
    {
        string text = new('X', length);
        List<(string Id, string? Name, double? Age, string Note)> all =
        [
            ("a", text + "End", 1, ""), ("b", text + "enda", 2, ""), ("c", new string('y', length) + "end", 3, ""), ("d", "end", 4, ""), ("e", null, 5, ""),
            ("f", text[1..] + "é中end", 6, ""),
        ];
        Add(all);
        Func<string, SearchNode>[] nodes =
        [
            part => new SuffixNode("Name", part), part => new PrefixNode("Name", part), part => new ContainsNode("Name", part),
            part => new TermNode("Name", new TextValue(part)), part => new WildcardNode("Name", "*" + part), part => new RegexNode("Name", part + "$"),
        ];
        Func<string, string, bool>[] loops =
        [
            (name, part) => name.EndsWith(part, StringComparison.Ordinal), (name, part) => name.StartsWith(part, StringComparison.Ordinal),
            (name, part) => name.Contains(part, StringComparison.Ordinal), (name, part) => name == part,
            (name, part) => name.EndsWith(part, StringComparison.Ordinal), (name, part) => name.EndsWith(part, StringComparison.Ordinal),
        ];
        foreach (string part in (string[])["xend", "a", "0", "end", "中end", "xx", text[..(length - 10)].ToLowerInvariant(), text.ToLowerInvariant() + "end"])
        {
            for (int i = 0; i < nodes.Length - (part.Length > 4000 ? 2 : 0); i++)
            {
                Check(all, nodes[i](part), e => Lower(e.Name) is { } name && loops[i](name, part));
            }
        }
    }

    [Fact]
    public void Search_EveryOperatorOnRandomEntries_FindsWhatALoopFinds()
    {
        var random = new Random(7);
        List<(string Id, string? Name, double? Age, string Note)> all = [];
        string[] names = ["Ünïcode ÀB", "anna", "Anna", "bob", ""];
        string[] notes = ["The quick brown fox", "lazy dogs, Bob@hotmail.com", "quick dogs"];
        for (int i = 0; i < 400; i++)
        {
            string? name = random.Next(6) is var n && n < names.Length ? names[n] : null;
            double? age = random.Next(4) switch { 0 => null, 1 => random.Next(10) + 0.5, _ => random.Next(10) };
            all.Add(("users/" + i, name, age, notes[random.Next(notes.Length)]));
        }

        Add(all);
        Check(all, new TermNode("Name", new TextValue("ANNA")), e => Lower(e.Name) == "anna");
        Check(all, new TermNode("Name", new TextValue("")), e => e.Name?.Length == 0);
        Check(all, new TermNode("Name", new NullValue()), e => e.Name is null);
        Check(all, new TermNode("Age", new DoubleValue(5, "5.0")), e => e.Age == 5);
        Check(all, Range(new LongValue(3, "3"), false, new LongValue(6, "6"), false), e => e.Age is > 3 and < 6);
        Check(all, Range(new DoubleValue(3.5, "3.5"), false, null, false), e => e.Age > 3.5);
        Check(all, Range(null, false, new DoubleValue(3.5, "3.5"), true), e => e.Age <= 3.5);
        Check(all, new RangeNode("Name", RangeKind.Text, new TextValue("anna"), false, null, false),
            e => e.Name is not null && string.CompareOrdinal(Lower(e.Name), "anna") > 0);
        Check(all, new PrefixNode("Name", "ÜN"), e => Lower(e.Name)?.StartsWith("ün", StringComparison.Ordinal) == true);
        Check(all, new SuffixNode("Name", "ÀB"), e => Lower(e.Name)?.EndsWith("àb", StringComparison.Ordinal) == true);
        Check(all, new ContainsNode("Name", "nn"), e => e.Name?.Contains("nn", StringComparison.Ordinal) == true);
        Check(all, new ExistsNode("Age"), e => e.Age is not null);
        Check(all, new NotNode(new ExistsNode("Age")), e => e.Age is null);
        Check(all, new FullTextNode("Note", "the", WordOperator.Or), _ => false);
        Check(all, new FullTextNode("Note", "the QUICK", WordOperator.Or), e => e.Note.Contains("quick", StringComparison.Ordinal));
        Check(all, new FullTextNode("Note", "bob@hotmail.com", WordOperator.And), e => e.Note.Contains('@', StringComparison.Ordinal));
        Check(all, new FullTextNode("Note", "\"quick brown\"", WordOperator.And), e => e.Note.Contains("brown", StringComparison.Ordinal));
        Check(all, new AndNode([new ExistsNode("Age"), new TermNode("Name", new TextValue("bob"))]), e => e.Age is not null && e.Name == "bob");
        Check(all, new OrNode([new NoneNode(), new TermNode("Name", new TextValue("bob"))]), e => e.Name == "bob");
        Check(all, new InNode("Name", [new TextValue("bob"), new NullValue()]), e => e.Name is null or "bob");
        Check(all, new AllInNode("Name", []), _ => true);
    }

    [Fact]
    public void Range_NumbersBeyondTheDigitsOfADouble_AreExact()
    {
        const long large = (1L << 53) + 1;
        using (IndexBatch batch = _index.BeginBatch())
        {
            var entry = new IndexEntry();
            foreach (long value in new[] { large - 1, large, large + 1, long.MaxValue, long.MinValue })
            {
                entry.Reset(value.ToString(CultureInfo.InvariantCulture));
                entry.AddLong(s_age, value, value.ToString(CultureInfo.InvariantCulture));
                batch.Add(entry);
            }

            batch.Commit();
        }

        Assert.Equal([large.ToString(CultureInfo.InvariantCulture)], Ids(Range(new LongValue(large, "x"), true, new LongValue(large, "x"), true)));
        Assert.Empty(Ids(Range(new LongValue(long.MaxValue, "x"), false, null, false)));
        Assert.Equal(4, Ids(Range(new DoubleValue(-1e18, "x"), false, null, false)).Count);
    }

    [Fact]
    public void RangeAndSort_DoublesOfTwoToThe63_AreAboveAllWholeNumbers()
    {
        const double beyond = 9223372036854775808.0;
        AddEach(
            ("beyond", entry => entry.AddDouble(s_age, beyond, "x")),
            ("largest", entry => entry.AddLong(s_age, long.MaxValue, "x")));
        Assert.Equal(["beyond"], Ids(Range(new LongValue(long.MaxValue, "x"), false, null, false)));
        Assert.Equal(["largest"], Ids(Range(null, false, new LongValue(long.MaxValue, "x"), true)));
        Assert.Equal(["beyond"], Ids(Range(new DoubleValue(beyond, "x"), true, new DoubleValue(beyond, "x"), true)));
        Assert.Equal(["largest", "beyond"], Sorted(SortBy.Double));
    }

    [Fact]
    public void Sort_DatesOfSeveralPrecisionsAndZones_GoesByTheirTimes()
    {
        void AddDate(IndexEntry entry, string text, long ticks) => entry.AddDate(s_age, text, ticks);
        long day = new DateTime(2024, 3, 1).Ticks;
        AddEach(
            ("noon", entry => AddDate(entry, "2024-03-01T12:00:00Z", day + (12 * TimeSpan.TicksPerHour))),
            ("midnight", entry => AddDate(entry, "2024-03-01T23:00:00-01:00", day + TimeSpan.TicksPerDay)),
            ("day", entry => AddDate(entry, "2024-03-01", day)),
            ("same", entry => AddDate(entry, "2024-03-01T00:00:00.0000000Z", day)));
        Assert.Equal(["day", "same", "noon", "midnight"], Sorted(SortBy.Text));
        Assert.Equal(["day", "same", "noon", "midnight"], Sorted(SortBy.Long));
    }

    [Fact]
    public void Sort_EntriesWithSeveralNumbers_GoesByTheFirst()
    {
        static void Add(IndexEntry entry, double first, double second)
        {
            entry.AddDouble(s_age, first, "x");
            entry.AddDouble(s_age, second, "x");
        }

        AddEach(
            ("two", entry => Add(entry, 2.5, 0)),
            ("one", entry => Add(entry, 1, 9.5)),
            ("ticks", entry => entry.AddDate(s_age, "0001-01-01", 3)));
        Assert.Equal(["one", "two", "ticks"], Sorted(SortBy.Double));
    }

    private void AddEach(params (string Id, Action<IndexEntry> Fill)[] entries)
    {
        using IndexBatch batch = _index.BeginBatch();
        var entry = new IndexEntry();
        foreach ((string id, Action<IndexEntry> fill) in entries)
        {
            entry.Reset(id);
            fill(entry);
            batch.Add(entry);
        }

        batch.Commit();
    }

    private List<string> Sorted(SortBy by)
    {
        using Searcher searcher = _index.BeginSearch();
        var request = new SearchRequest(new AllNode(), [new Jackdaw.Search.Queries.SortKey(by, "Age")], 0, 100);
        return [.. searcher.Search(request, CancellationToken.None).Hits.Select(hit => hit.IdText())];
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Sort_NumbersWithTies_KeepsTheOrderOfAdding(bool isDescending)
    {
        List<(string Id, string? Name, double? Age, string Note)> all =
            [.. Enumerable.Range(0, 60).Select(i => ("e/" + i, (string?)"n", i % 5 == 0 ? null : (double?)(i % 7) / 2, "x"))];
        Add(all);
        var expected = isDescending
            ? all.OrderByDescending(e => e.Age ?? double.NegativeInfinity)
            : all.OrderBy(e => e.Age ?? double.NegativeInfinity);
        using Searcher searcher = _index.BeginSearch();
        SearchResults found = searcher.Search(
            new SearchRequest(new AllNode(), [new Jackdaw.Search.Queries.SortKey(SortBy.Double, "Age", isDescending)], 10, 20), CancellationToken.None);
        Assert.Equal(expected.Skip(10).Take(20).Select(e => e.Id), found.Hits.Select(hit => hit.IdText()));
        Assert.Equal(60, found.Total);
    }

    [Fact]
    public void Batches_UpdatesMergesAndReopening_GiveTheLastCommit()
    {
        for (int round = 0; round < 25; round++)
        {
            Add([.. Enumerable.Range(0, 20).Select(i => ("u/" + i, (string?)("r" + round), (double?)i, "x"))]);
            while (_index.Maintain(() => false))
            {
            }
        }

        using (IndexBatch lost = _index.BeginBatch())
        {
            lost.Delete("u/1");
        }

        Assert.Equal(20, Ids(new TermNode("Name", new TextValue("r24"))).Count);
        Assert.Empty(Ids(new TermNode("Name", new TextValue("r23"))));
        Assert.Empty(EnvironmentVerifier.Verify(_branch));

        _index.Dispose();
        _branch.Abandon();
        _branch = StorageEnvironment.OpenBranch(_root, "/db/Indexes/a", new StorageOptions { BackgroundFlush = false });
        _index = _engine.Open(_branch, s_fields);
        Assert.Equal(20, Ids(new TermNode("Name", new TextValue("r24"))).Count);
        using Searcher searcher = _index.BeginSearch();
        Assert.Equal([new TermCount("r24", 20)], searcher.ListTerms("Name", null, 10));
        Assert.Contains(new KeyValuePair<string, string>("Note", "x"), searcher.ReadTexts(Find(searcher, new AllNode()).Hits[0].Ordinal));
    }

    private static string? Lower(string? text) => text?.ToLowerInvariant();

    private static RangeNode Range(SearchValue? low, bool includesLow, SearchValue? high, bool includesHigh) =>
        new("Age", RangeKind.Double, low, includesLow, high, includesHigh);

    private static SearchResults Find(Searcher searcher, SearchNode node) =>
        searcher.Search(new SearchRequest(node, [], 0, int.MaxValue), CancellationToken.None);

    private List<string> Ids(SearchNode node)
    {
        using Searcher searcher = _index.BeginSearch();
        SearchResults found = Find(searcher, node);
        Assert.Equal(found.Hits.Count, found.Total);
        return [.. found.Hits.Select(hit => hit.IdText())];
    }

    private void Check(
        List<(string Id, string? Name, double? Age, string Note)> all,
        SearchNode node,
        Func<(string Id, string? Name, double? Age, string Note), bool> matches) =>
        Assert.Equal(all.Where(matches).Select(e => e.Id), Ids(node));

    private void Add(List<(string Id, string? Name, double? Age, string Note)> all)
    {
        var entry = new IndexEntry();
        using IndexBatch batch = _index.BeginBatch();
        foreach ((string id, string? name, double? age, string note) in all)
        {
            batch.Delete(id);
            entry.Reset(id);
            entry.AddText(s_note, note);
            if (name is null)
            {
                entry.AddNull(s_name);
            }
            else
            {
                entry.AddText(s_name, name);
            }

            if (age is { } number)
            {
                entry.AddDouble(s_age, number, number.ToString(CultureInfo.InvariantCulture));
            }

            batch.Add(entry);
        }

        batch.Commit();
    }
}
