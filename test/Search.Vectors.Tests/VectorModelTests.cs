using System.Globalization;
using System.Text;
using Jackdaw.Pal.InMemory;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Verification;

namespace Jackdaw.Search.Vectors.Tests;

/// <summary>Random batches and searches against a comparison of all vectors.</summary>
public sealed class VectorModelTests : IDisposable
{
    private static readonly IndexField s_group = new("g");

    private readonly MemoryPlatform _platform = new();
    private readonly Dictionary<string, (float[][] Vectors, string Group)> _model = new(StringComparer.Ordinal);
    private StorageEnvironment _storage;
    private VectorSearchIndex _index;
    private IndexField _vector = new("v") { Vector = new VectorSettings() };
    private int _dimensions = 12;

    public VectorModelTests() => (_storage, _index) = Open();

    [Theory]
    [InlineData(1, 6000)]
    [InlineData(2, 6000)]
    public void Searches_AfterRandomBatches_FindWhatAComparisonOfAllFinds(int seed, int operations) => Run(seed, operations);

    [Theory]
    [InlineData(EmbeddingType.Int8, 12, 2000)]
    [InlineData(EmbeddingType.Binary, 48, 2000)]
    [InlineData(EmbeddingType.Single, 256, 2000)] // with one bit for each dimension as soon as the maintenance comes to it
    public void Searches_WithCodesOfAnyKind_FindWhatAComparisonOfAllFinds(EmbeddingType type, int dimensions, int operations)
    {
        _vector = _vector with { Vector = new VectorSettings { Destination = type } };
        _dimensions = dimensions;
        _index.Memory = 1;
        Run(seed: dimensions, operations);
    }

    [Theory]
    [Trait("Tier", "Full")]
    [InlineData(EmbeddingType.Int8, 12, 20_000)]
    [InlineData(EmbeddingType.Binary, 48, 20_000)]
    [InlineData(EmbeddingType.Single, 256, 20_000)]
    public void Searches_WithCodesOfAnyKindAndMany_FindWhatAComparisonOfAllFinds(EmbeddingType type, int dimensions, int operations) =>
        Searches_WithCodesOfAnyKind_FindWhatAComparisonOfAllFinds(type, dimensions, operations);

    [Fact]
    public void Search_ByAWalk_SaysItsRecallInThePlan()
    {
        using (IndexBatch batch = _index.BeginBatch())
        {
            var entry = new IndexEntry();
            foreach ((float[] vector, int i) in RandomVectors.Clustered(new Random(3), 5000, _dimensions).Select((vector, i) => (vector, i)))
            {
                entry.Reset(Encoding.UTF8.GetBytes(i.ToString(CultureInfo.InvariantCulture)));
                entry.AddVector(_vector, vector);
                batch.Add(entry);
            }

            batch.Commit();
        }

        Assert.Contains("recall is not measured yet", PlanOf(null), StringComparison.Ordinal);
        while (_index.Maintain(() => false))
        {
        }

        Assert.Matches(@"compared at ef \d+; recall@10 0\.9\d\d \+- 0\.\d{3} at ef \d+, from 256 samples", PlanOf(null));
        Assert.Matches(@"compared at ef 77; recall@10 \d\.\d{3} \+- 0\.\d{3} at ef 77, from 256 samples", PlanOf(77));
    }

    private string PlanOf(int? candidates)
    {
        SearchNode condition = new VectorNode("v", [RandomVectors.Normal(new Random(4), _dimensions)], null, candidates, false);
        using Searcher searcher = _index.BeginSearch();
        var search = new VectorSearch(_index, condition, 5);
        return search.Search(searcher, new SearchRequest(condition, [new Queries.SortKey(SortBy.Score)], 0, 5), default).Plan.Inputs[^1].Detail;
    }

    [Theory]
    [Trait("Tier", "Full")]
    [InlineData(11, 50_000)]
    [InlineData(12, 50_000)]
    public void Searches_AfterManyRandomBatches_FindWhatAComparisonOfAllFinds(int seed, int operations) => Run(seed, operations);

    public void Dispose()
    {
        _index.Dispose();
        _storage.Dispose();
    }

    private (StorageEnvironment Storage, VectorSearchIndex Index) Open()
    {
        var storage = StorageEnvironment.Open(_platform, "/db", new StorageOptions { BackgroundFlush = false });
        return (storage, new VectorSearchIndex(storage, new PlainIndex(storage)));
    }

    private void Run(int seed, int operations)
    {
        var random = new Random(seed);
        double found = 0;
        int searches = 0;
        for (int done = 0; done < operations;)
        {
            int count = 1 + random.Next(random.Next(4) == 0 ? 400 : 20);
            Change(random, count, commits: random.Next(10) != 0);
            done += count;
            if (random.Next(4) == 0)
            {
                _index.Maintain(() => false);
            }

            for (int i = 0; i < 3; i++)
            {
                found += Search(random, $"seed {seed}, after {done}");
                searches++;
            }
        }

        Assert.Empty(VectorSearchIndex.Verify(_storage));
        Assert.Empty(EnvironmentVerifier.Verify(_storage));
        Assert.True(found / searches > 0.95, $"recall {found / searches}");
    }

    private void Change(Random random, int count, bool commits)
    {
        var changed = new Dictionary<string, (float[][] Vectors, string Group)?>(StringComparer.Ordinal);
        using IndexBatch batch = _index.BeginBatch();
        var entry = new IndexEntry();
        for (int i = 0; i < count; i++)
        {
            string id = "d/" + random.Next(5000).ToString(CultureInfo.InvariantCulture);
            byte[] key = Encoding.UTF8.GetBytes(id);
            batch.Delete(key);
            changed[id] = null;
            if (random.Next(3) != 0)
            {
                float[][] vectors = [.. Enumerable.Range(0, random.Next(5) == 0 ? random.Next(4) : 1).Select(_ => Vector(random))];
                string group = "g" + (int)Math.Pow(10, random.NextDouble() * 3);
                entry.Reset(key);
                entry.AddText(s_group, group);
                Array.ForEach(vectors, vector => entry.AddVector(_vector, vector));
                batch.Add(entry);
                changed[id] = (vectors, group);
            }
        }

        if (!commits)
        {
            return;
        }

        batch.Commit();
        foreach ((string id, (float[][] Vectors, string Group)? state) in changed)
        {
            _model.Remove(id);
            if (state is { } kept)
            {
                _model.Add(id, kept);
            }
        }
    }

    // A third of all are copies of a few, and some hardly differ from others.
    private float[] Vector(Random random)
    {
        float[] vector = RandomVectors.Normal(new Random(random.Next(3) == 0 ? random.Next(5) : random.Next(20_000)), _dimensions);
        return Kept(random.Next(10) == 0 ? [.. vector.Select(number => number + (1e-4f * random.NextSingle()))] : vector);
    }

    private float[] Kept(float[] vector) => Embedding.Of([.. vector.Select(number => (double)number)], _vector.Vector!);

    private double Search(Random random, string where)
    {
        float[] query = Kept(RandomVectors.Normal(random, _dimensions));
        float? minimum = random.Next(4) == 0 ? (random.NextSingle() * 1.2f) - 0.4f : null;
        string? group = random.Next(2) == 0 ? "g" + (int)Math.Pow(10, random.NextDouble() * 3) : null;
        int wanted = 1 + random.Next(30);
        SearchNode vector = new VectorNode("v", [query], minimum, null, random.Next(5) == 0);
        SearchNode condition = group is null ? vector : new AndNode([new TermNode("g", new TextValue(group)), vector]);
        using Searcher searcher = _index.BeginSearch();
        var search = new VectorSearch(_index, condition, wanted);
        SearchResults results = search.Search(searcher, new SearchRequest(condition, [new Queries.SortKey(SortBy.Score)], 0, wanted), default);

        (string Id, double Cosine)[] expected = [.. _model
            .Where(one => one.Value.Vectors.Length > 0 && (group is null || one.Value.Group == group))
            .Select(one => (one.Key, one.Value.Vectors.Max(stored => RandomVectors.Cosine(stored, query))))
            .Where(one => minimum is null || one.Item2 >= minimum - 1e-6).OrderByDescending(one => one.Item2)];
        int mostHits = Math.Min(wanted, expected.Length);
        bool isExact = minimum is null || ((VectorNode)vector).IsExact;
        int atTheMinimum = expected.Count(one => one.Cosine <= minimum + 1e-6); // Rounding decides about these.
        int least = isExact ? expected.Length - atTheMinimum : 0;
        Assert.True(InRange(results.Hits.Count, Math.Min(wanted, least), mostHits), $"{where}: {results.Hits.Count} hits, not {mostHits}");
        Assert.True(InRange(results.Total, least, expected.Length), $"{where}: total {results.Total}, not {expected.Length}, minimum {minimum}");
        double last = double.PositiveInfinity;
        foreach (SearchHit hit in results.Hits)
        {
            (float[][] vectors, string ownGroup) = _model[Encoding.UTF8.GetString(hit.Id.Span)];
            Assert.True(group is null || ownGroup == group, where);
            Assert.Equal(vectors.Max(stored => RandomVectors.Cosine(stored, query)), hit.Score, 1e-5);
            Assert.True(hit.Score <= last, where);
            last = hit.Score;
        }

        return mostHits == 0 ? 1 : results.Hits.Count(hit => hit.Score >= expected[mostHits - 1].Cosine - 1e-6) / (double)mostHits;
    }

    private static bool InRange(long value, long least, long most) => value >= least && value <= most;
}
