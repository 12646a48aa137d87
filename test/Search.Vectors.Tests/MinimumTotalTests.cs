using System.Globalization;
using System.Text;
using Jackdaw.Pal.InMemory;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;

namespace Jackdaw.Search.Vectors.Tests;

/// <summary>The totals of searches with a minimum: exact where all vectors are compared, otherwise what the walk has found.</summary>
public sealed class MinimumTotalTests : IDisposable
{
    private const int Seed = 8;
    private const int Dimensions = 16;
    private const double Boundary = 1e-4; // Cosines that are nearer to a minimum may be rounded to either side of it.

    private static readonly IndexField s_vector = new("v") { Vector = new VectorSettings() };

    private readonly StorageEnvironment _storage;
    private readonly VectorSearchIndex _index;

    public MinimumTotalTests()
    {
        _storage = StorageEnvironment.Open(new MemoryPlatform(), "/db", new StorageOptions { BackgroundFlush = false });
        _index = new VectorSearchIndex(_storage, new PlainIndex(_storage));
    }

    public void Dispose()
    {
        _index.Dispose();
        _storage.Dispose();
    }

    [Theory]
    [InlineData(1500, true)]
    [InlineData(6000, false)]
    public void Total_WithAMinimum_IsExactWhereAllAreCompared(int count, bool comparesAll)
    {
        float[][] vectors = RandomVectors.Clustered(new Random(Seed), count, Dimensions);
        Add(vectors);
        var random = new Random(Seed + 1);
        double told = 0, there = 0;
        for (int i = 0; i < 40; i++)
        {
            float[] query = [.. vectors[random.Next(count)].Select(number => number + (0.3f * random.NextSingle()))];
            double[] cosines = [.. vectors.Select(vector => RandomVectors.Cosine(vector, query))];
            float minimum = 0.4f + (0.5f * random.NextSingle());
            if (cosines.Any(cosine => Math.Abs(cosine - minimum) < Boundary))
            {
                continue;
            }

            int exact = cosines.Count(cosine => cosine >= minimum);
            string where = $"seed {Seed}, search {i}, minimum {minimum}";
            SearchResults page = Search(query, minimum, wanted: 10, take: 10);
            Assert.True(page.Total <= exact && page.Total >= page.Hits.Count, $"{where}: {page.Total} of {exact}");
            Assert.True(!comparesAll || page.Total == exact, $"{where}: {page.Total} of {exact}");
            Assert.True(exact == Search(query, minimum, wanted: 10, take: 10, isExact: true).Total, where);
            Assert.True(exact == Search(query, minimum, wanted: 0, take: 0).Total, where);
            Assert.True(exact == Search(query, minimum, wanted: 5000, take: 5000).Total, where);
            Assert.True(exact == Search(query, minimum, wanted: 10, take: 10, sort: new Queries.SortKey(SortBy.Id)).Total, where);
            (told, there) = (told + page.Total, there + exact);
        }

        Assert.True(told > 0.9 * there, $"{told} of {there}");
    }

    private void Add(float[][] vectors)
    {
        using IndexBatch batch = _index.BeginBatch();
        var entry = new IndexEntry();
        for (int i = 0; i < vectors.Length; i++)
        {
            entry.Reset(Encoding.UTF8.GetBytes(i.ToString(CultureInfo.InvariantCulture)));
            entry.AddVector(s_vector, vectors[i]);
            batch.Add(entry);
        }

        batch.Commit();
    }

    private SearchResults Search(float[] query, float minimum, int wanted, int take, bool isExact = false, Queries.SortKey? sort = null)
    {
        SearchNode condition = new VectorNode("v", [query], minimum, null, isExact);
        using Searcher searcher = _index.BeginSearch();
        return new VectorSearch(_index, condition, wanted)
            .Search(searcher, new SearchRequest(condition, [sort ?? new Queries.SortKey(SortBy.Score)], 0, take), default);
    }
}
