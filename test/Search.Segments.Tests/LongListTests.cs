using System.Globalization;
using System.Text;
using Jackdaw.Pal.InMemory;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using SortKey = Jackdaw.Search.Queries.SortKey;

namespace Jackdaw.Search.Segments.Tests;

/// <summary>Terms with many entries, whose lists have blocks or are bitmaps, against a loop: filters of columns, intersections, scores, first pages.</summary>
public sealed class LongListTests : IDisposable
{
    private const int Count = 30_000;
    private const int Searches = 150;

    private static readonly IndexField s_word = new("W") { Indexing = IndexingMode.Text };
    private static readonly IndexField s_key = new("K");
    private static readonly IndexField s_tags = new("T");
    private static readonly IndexField s_number = new("N");
    private static readonly int[] s_shares = [2, 5, 20, 60, 200, 1500];

    private readonly StorageEnvironment _storage =
        StorageEnvironment.Open(new MemoryPlatform(), "/db", new StorageOptions { BackgroundFlush = false });

    private readonly Entry[] _entries = new Entry[Count];
    private readonly List<int> _live = []; // the entries in their order

    public void Dispose() => _storage.Dispose();

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Search_LongLists_FindsWhatALoopFinds(int seed)
    {
        var random = new Random(seed);
        using SearchIndex index = SegmentEngine.Instance.Open(_storage, new IndexFields([s_word, s_key, s_tags, s_number]));
        Fill(index, random);
        using Searcher searcher = index.BeginSearch();
        for (int i = 0; i < Searches; i++)
        {
            (SearchNode node, Func<Entry, bool> holds) = Condition(random, 2);
            int[] expected = [.. _live.Where(entry => holds(_entries[entry]))];
            string where = $"seed {seed}, search {i}: {node}";
            SearchResults all = searcher.Search(new SearchRequest(node, [], 0, Count) { WithScores = true }, CancellationToken.None);
            Assert.True(expected.Length == all.Total, $"{where}: {all.Total} instead of {expected.Length}");
            Assert.True(expected.SequenceEqual(all.Hits.Select(NumberOf)), where);
            CheckOrders(searcher, node, all, where, random);
        }
    }

    private void CheckOrders(Searcher searcher, SearchNode node, SearchResults all, string where, Random random)
    {
        int take = random.Next(1, 60);
        Compare(new SortKey(SortBy.Score), all.Hits.OrderByDescending(hit => hit.Score));
        Compare(new SortKey(SortBy.Double, "N"), all.Hits.OrderBy(hit => _entries[NumberOf(hit)].Number));
        Compare(new SortKey(SortBy.Double, "N") { IsDescending = true }, all.Hits.OrderByDescending(hit => _entries[NumberOf(hit)].Number));
        Compare(new SortKey(SortBy.Text, "K"), all.Hits.OrderBy(hit => _entries[NumberOf(hit)].Key, StringComparer.Ordinal));
        SearchResults page = searcher.Search(new SearchRequest(node, [], 0, take), CancellationToken.None);
        Assert.True(page.Hits.Select(NumberOf).SequenceEqual(all.Hits.Take(take).Select(NumberOf)), where);

        void Compare(SortKey key, IOrderedEnumerable<SearchHit> expected)
        {
            SearchResults found = searcher.Search(new SearchRequest(node, [key], 0, take) { WithScores = true }, CancellationToken.None);
            Assert.True(found.Total == all.Total, $"{where} by {key}: {found.Total} instead of {all.Total}");
            SearchHit[] wanted = [.. expected.Take(take)]; // the order of adding, where they are equal
            Assert.True(found.Hits.Select(NumberOf).SequenceEqual(wanted.Select(NumberOf)), $"{where} by {key}");
            Assert.All(found.Hits.Zip(wanted), pair => Assert.Equal(pair.Second.Score, pair.First.Score, 1e-4f));
        }
    }

    // Segments of different sizes, some entries deleted.
    private void Fill(SearchIndex index, Random random)
    {
        var entry = new IndexEntry();
        int next = 0;
        foreach (int size in (int[])[20_000, 9_000, 900, 100])
        {
            using IndexBatch batch = index.BeginBatch();
            for (int end = next + size; next < end; next++)
            {
                _entries[next] = new Entry(random);
                entry.Reset(Encoding.UTF8.GetBytes($"e/{next}"));
                _entries[next].CopyTo(entry);
                batch.Add(entry);
                _live.Add(next);
            }

            batch.Commit();
        }

        using IndexBatch deletes = index.BeginBatch();
        for (int i = 0; i < Count / 8; i++)
        {
            int deleted = random.Next(Count);
            deletes.Delete(Encoding.UTF8.GetBytes($"e/{deleted}"));
            _live.Remove(deleted);
        }

        deletes.Commit();
    }

    private static int NumberOf(SearchHit hit) => int.Parse(Encoding.UTF8.GetString(hit.Id.Span)[2..], CultureInfo.InvariantCulture);

    private static (SearchNode Node, Func<Entry, bool> Holds) Condition(Random random, int depth)
    {
        int share = random.Next(s_shares.Length);
        string name = "w" + share;
        switch (random.Next(depth > 0 ? 8 : 5))
        {
            case 0:
                return (new FullTextNode("W", name, WordOperator.Or), entry => entry.Words.Contains(name));
            case 1:
                return (new TermNode("K", new TextValue(name)), entry => entry.Key == name);
            case 2:
                return (new TermNode("T", new TextValue(name)), entry => entry.Tags.Contains(name));
            case 3 or 4:
                double low = random.Next(-20, 220) / 2.0, high = low + random.Next(0, 120);
                return (new RangeNode("N", RangeKind.Double, new DoubleValue(low, ""), true, new DoubleValue(high, ""), false),
                    entry => entry.Number >= low && entry.Number < high);
            case 5:
                (SearchNode not, Func<Entry, bool> holds) = Condition(random, depth - 1);
                return (new NotNode(not), entry => !holds(entry));
            default:
                var parts = Enumerable.Range(0, random.Next(2, 4)).Select(_ => Condition(random, depth - 1)).ToArray();
                return random.Next(3) > 0
                    ? (new AndNode([.. parts.Select(part => part.Node)]), entry => parts.All(part => part.Holds(entry)))
                    : (new OrNode([.. parts.Select(part => part.Node)]), entry => parts.Any(part => part.Holds(entry)));
        }
    }

    private sealed class Entry
    {
        public Entry(Random random)
        {
            for (int i = 0; i < s_shares.Length; i++)
            {
                for (int times = random.Next(s_shares[i]) == 0 ? random.Next(1, 4) : 0; times > 0; times--)
                {
                    Words.Add("w" + i);
                }

                if (random.Next(s_shares[i]) == 0)
                {
                    Tags.Add("w" + i);
                }
            }

            Key = "w" + Array.FindLastIndex(s_shares, share => random.Next(share) == 0 || share == s_shares[0]);
            Number = random.Next(4) == 0 ? random.Next(100) : random.Next(1000) / 10.0 + 0.01;
        }

        public List<string> Words { get; } = ["always"];

        public List<string> Tags { get; } = [];

        public string Key { get; }

        public double Number { get; }

        public void CopyTo(IndexEntry entry)
        {
            entry.AddText(s_word, string.Join(' ', Words));
            entry.AddText(s_key, Key);
            foreach (string tag in Tags)
            {
                entry.AddText(s_tags, tag);
            }

            string text = Number.ToString(CultureInfo.InvariantCulture);
            if (Number == Math.Floor(Number))
            {
                entry.AddLong(s_number, (long)Number, text);
            }
            else
            {
                entry.AddDouble(s_number, Number, text);
            }
        }
    }
}
