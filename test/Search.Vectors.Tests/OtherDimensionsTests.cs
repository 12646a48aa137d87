using System.Globalization;
using System.Text;
using Jackdaw.Pal.InMemory;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;
using Jackdaw.Storage.Verification;

namespace Jackdaw.Search.Vectors.Tests;

/// <summary>A field whose vectors are all gone takes vectors of other dimensions, and the storage of the old ones is freed.</summary>
public sealed class OtherDimensionsTests : IDisposable
{
    private const int Seed = 3;
    private const int Count = 3000;

    private static readonly IndexField s_vector = new("v") { Vector = new VectorSettings() };

    private readonly MemoryPlatform _platform = new();
    private StorageEnvironment _storage;
    private VectorSearchIndex _index;

    public OtherDimensionsTests() => (_storage, _index) = Open();

    public void Dispose()
    {
        _index.Dispose();
        _storage.Dispose();
    }

    [Theory]
    [InlineData("in one batch", 0)]
    [InlineData("in two batches", 0)]
    [InlineData("in two batches", 1)]
    [InlineData("in two batches", 3)]
    [InlineData("in two batches", int.MaxValue)]
    public void Vectors_AfterAllWereDeleted_MayHaveOtherDimensions(string how, int maintenanceSteps)
    {
        var random = new Random(Seed);
        float[][] old = Add(random, 24);
        for (int dimensions = 12; dimensions <= 48; dimensions *= 2)
        {
            using Searcher before = _index.BeginSearch();
            float[][] added = RandomVectors.Clustered(random, Count, dimensions);
            IndexBatch batch = _index.BeginBatch();
            Delete(batch, Count);
            Assert.Null(_index.DimensionsOf("v"));
            if (how == "in two batches")
            {
                batch.Commit();
                batch.Dispose();
                Maintain(maintenanceSteps);
                AssertNothing(old[7]);
                AssertNothing(added[7]);
                batch = _index.BeginBatch();
            }

            Assert.Null(_index.DimensionsOf("v"));
            Add(batch, added);
            Assert.Equal(dimensions, _index.DimensionsOf("v"));
            batch.Commit();
            batch.Dispose();
            AssertFound(added);
            Assert.Equal(["7"], Nearest(before, old[7], 1)); // The snapshot has its graph.
            Maintain(int.MaxValue);
            Assert.Equal(["7"], Nearest(before, old[7], 1));
            AssertFound(added);
            AssertStored(dimensions);
            old = added;
        }
    }

    [Fact]
    public void Vectors_OfABatchThatIsRolledBack_ChangeNothing()
    {
        var random = new Random(Seed);
        float[][] old = Add(random, 24);
        for (int turn = 0; turn < 2; turn++)
        {
            using (IndexBatch batch = _index.BeginBatch())
            {
                Delete(batch, Count);
                Add(batch, RandomVectors.Clustered(random, 50, 12));
            }

            AssertFound(old);
            Maintain(int.MaxValue);
            AssertFound(old);
            AssertStored(24);
        }

        using (IndexBatch batch = _index.BeginBatch())
        {
            Assert.Equal(24, _index.DimensionsOf("v"));
        }
    }

    [Fact]
    public void Vectors_OfAGraphThatWasGivenUpHalfway_AreFreedAfterAReopen()
    {
        var random = new Random(Seed);
        Add(random, 24);
        using (IndexBatch batch = _index.BeginBatch())
        {
            Delete(batch, Count);
            batch.Commit();
        }

        Maintain(2);
        Dispose();
        (_storage, _index) = Open();
        AssertNothing(new float[24]);
        float[][] added = Add(random, 100);
        Maintain(int.MaxValue);
        AssertFound(added);
        AssertStored(100);
        Assert.Equal((100, (long)Count), Assert.Single(States()));
    }

    [Fact]
    public void Graph_WhoseVectorsAreAllGone_LeavesItsPagesToOthers()
    {
        var random = new Random(Seed);
        for (int turn = 0; turn < 3; turn++)
        {
            Add(random, 24);
            using IndexBatch batch = _index.BeginBatch();
            Delete(batch, Count);
            batch.Commit();
            batch.Dispose();
            Maintain(int.MaxValue);
            Assert.DoesNotContain(Names(), name => name.StartsWith("vectors/", StringComparison.Ordinal)
                && !name.StartsWith("vectors/ids/", StringComparison.Ordinal) && name != "vectors/recall");
            Assert.Equal((0, 0L), Assert.Single(States()));
        }
    }

    private IEnumerable<(int Dimensions, long Vectors)> States()
    {
        using ReadTransaction read = _storage.BeginRead();
        return [.. _index.ReadStates(read).Select(state => (state.Dimensions, state.Vectors))];
    }

    private (StorageEnvironment Storage, VectorSearchIndex Index) Open()
    {
        var storage = StorageEnvironment.Open(_platform, "/db", new StorageOptions { BackgroundFlush = false });
        return (storage, new VectorSearchIndex(storage, new PlainIndex(storage)));
    }

    private float[][] Add(Random random, int dimensions)
    {
        float[][] vectors = RandomVectors.Clustered(random, Count, dimensions);
        using IndexBatch batch = _index.BeginBatch();
        Add(batch, vectors);
        batch.Commit();
        return vectors;
    }

    private static void Add(IndexBatch batch, float[][] vectors)
    {
        var entry = new IndexEntry();
        for (int i = 0; i < vectors.Length; i++)
        {
            entry.Reset(IdOf(i));
            entry.AddVector(s_vector, vectors[i]);
            batch.Add(entry);
        }
    }

    private static void Delete(IndexBatch batch, int count)
    {
        for (int i = 0; i < count; i++)
        {
            batch.Delete(IdOf(i));
        }
    }

    private static byte[] IdOf(int i) => Encoding.UTF8.GetBytes(i.ToString(CultureInfo.InvariantCulture));

    // One call does at least one step.
    private void Maintain(int calls)
    {
        for (int i = 0; i < calls && _index.Maintain(() => true); i++)
        {
        }
    }

    private void AssertFound(float[][] vectors)
    {
        using Searcher searcher = _index.BeginSearch();
        for (int i = 0; i < Count; i += 500)
        {
            Assert.Equal([i.ToString(CultureInfo.InvariantCulture)], Nearest(searcher, vectors[i], 1));
        }
    }

    private void AssertNothing(float[] query)
    {
        using Searcher searcher = _index.BeginSearch();
        Assert.Empty(Nearest(searcher, query, 1));
    }

    private List<string> Nearest(Searcher searcher, float[] query, int count)
    {
        SearchNode condition = new VectorNode("v", [query]);
        return [.. new VectorSearch(_index, condition, count)
            .Search(searcher, new SearchRequest(condition, [new Queries.SortKey(SortBy.Score)], 0, count), default)
            .Hits.Select(hit => Encoding.UTF8.GetString(hit.Id.Span))];
    }

    private void AssertStored(int dimensions)
    {
        Assert.Empty(VectorSearchIndex.Verify(_storage));
        Assert.Empty(EnvironmentVerifier.Verify(_storage));
        Assert.Equal(4, Names().Count(name => name.StartsWith("vectors/nodes", StringComparison.Ordinal)
            || name.StartsWith("vectors/vectors", StringComparison.Ordinal) || name.StartsWith("vectors/hashes", StringComparison.Ordinal)
            || name.StartsWith("vectors/codes", StringComparison.Ordinal)));
        Assert.DoesNotContain("vectors/dropped", Names());
        Assert.Equal(dimensions, Assert.Single(States()).Dimensions);
    }

    private List<string> Names()
    {
        using ReadTransaction read = _storage.BeginRead();
        List<string> names = [];
        using BTreeCursor cursor = read.Trees.OpenNames();
        for (bool on = cursor.SeekFirst(); on; on = cursor.MoveNext())
        {
            names.Add(Encoding.UTF8.GetString(cursor.Key));
        }

        return names;
    }
}
