using System.Globalization;
using System.Text;
using Jackdaw.Pal;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Search.Vectors.Graphs;
using Jackdaw.Search.Vectors.Walks;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Verification;

namespace Jackdaw.Search.Vectors.Tests;

/// <summary>Random life of an index with vectors: batches, rollbacks, steps of its maintenance, flushes and reopens. It notes what each transaction leaves, so
/// that whatever is opened later can be compared with it.</summary>
internal sealed class VectorLife : IDisposable
{
    private const string Path = "/db";
    private const int Ids = 700;

    private static readonly StorageOptions s_options = new() { BackgroundFlush = false, JournalFileBytes = 256 * 1024 };

    private readonly IPlatform _platform;
    private readonly Random _random;
    private readonly int _dimensions;
    private readonly IndexField _field = new("v") { Vector = new VectorSettings() };
    private readonly Dictionary<long, Left> _left;
    private StorageEnvironment _storage;
    private VectorSearchIndex _index;
    private long _acknowledged;

    public VectorLife(IPlatform platform, int seed, int dimensions)
        : this(platform, seed, dimensions, [])
    {
        (_storage, _index) = Open();
        Note([]);
    }

    private VectorLife(IPlatform platform, int seed, int dimensions, Dictionary<long, Left> left)
    {
        (_platform, _random, _dimensions, _left) = (platform, new Random(seed), dimensions, left);
        (_storage, _index) = (null!, null!);
    }

    /// <summary>What was done, with how often.</summary>
    public SortedDictionary<string, int> Done { get; } = new(StringComparer.Ordinal);

    /// <summary>The last transaction that was acknowledged. Any thread.</summary>
    public long Acknowledged => Volatile.Read(ref _acknowledged);

    private Dictionary<string, int> Model => _left[Acknowledged].Model;

    /// <summary>Opens what a cut left. It must be what one transaction left, and not an older one than was acknowledged.</summary>
    public VectorLife Reopen(IPlatform platform, long acknowledged, int seed)
    {
        var life = new VectorLife(platform, seed, _dimensions, new Dictionary<long, Left>(_left));
        (life._storage, life._index) = life.Open();
        long found = life._storage.Current.TransactionId;
        Assert.True(found >= acknowledged && _left.ContainsKey(found), $"{found} is there, {acknowledged} was acknowledged");
        life._acknowledged = found;
        life.Check();
        return life;
    }

    /// <summary>One random step.</summary>
    public void Step()
    {
        switch (_random.Next(100))
        {
            case < 45:
                Change(commits: true);
                break;
            case < 55:
                Change(commits: false);
                break;
            case < 85:
                Maintain(1 + _random.Next(6));
                break;
            case < 92:
                _storage.Flush();
                break;
            case < 97:
                _storage.Flush();
                _storage.Sync();
                break;
            default:
                Close();
                (_storage, _index) = Open();
                break;
        }
    }

    /// <summary>Does all work between batches, and proves that each vector is found.</summary>
    public void Settle()
    {
        Maintain(int.MaxValue);
        Check();
        Dictionary<string, int> model = Model;
        if (!_index.Graphs.Any())
        {
            return;
        }

        using Searcher searcher = _index.BeginSearch();
        FieldGraph graph = _index.Graphs.Single().Value;
        VectorGraph.TryReadHeader(searcher.Transaction.Trees, "v", out GraphHeader header);
        using GraphLease lease = graph.Rent(searcher.Transaction, header);
        Assert.Equal(_dimensions < 256 || header.Nodes == 0 ? VectorCodeKind.Bytes : VectorCodeKind.Signs, header.CodeKind);
        Assert.Equal(0, model.Count == 0 ? 0 : GraphVerifier.CountUnreached(lease.Searcher.View));
        foreach (int vector in model.Values.Distinct())
        {
            float[] query = VectorOf(vector);
            uint node = NodeKey.Nodes(lease.Searcher.FindByWalk(query, 1, 400))[0];
            float[] found = new float[_dimensions];
            lease.Searcher.View.CopyVector(node, found);
            Assert.True(RandomVectors.Cosine(query, found) > 1 - 1e-6, $"vector {vector} is not found");
        }
    }

    /// <summary>The entries, the graph and the pages are what the last transaction left.</summary>
    public void Check()
    {
        Left expected = _left[Acknowledged];
        Assert.Empty(EnvironmentVerifier.Verify(_storage));
        Assert.Empty(VectorSearchIndex.Verify(_storage));
        Assert.Equal(expected.Graph, Fingerprint());
        using Searcher searcher = _index.BeginSearch();
        SearchResults all = searcher.Search(new SearchRequest(new AllNode(), [], 0, int.MaxValue), default);
        IEnumerable<string> ids = all.Hits.Select(hit => Encoding.UTF8.GetString(hit.Id.Span));
        Assert.Equal(expected.Model.Keys.Order(StringComparer.Ordinal), ids.Order(StringComparer.Ordinal));
        foreach (int vector in expected.Model.Values.Distinct().Take(5))
        {
            SearchNode condition = new VectorNode("v", [VectorOf(vector)], null, null, false);
            var search = new VectorSearch(_index, condition, 1);
            SearchHit hit = search.Search(searcher, new SearchRequest(condition, [new Queries.SortKey(SortBy.Score)], 0, 1), default).Hits[0];
            Assert.Equal(vector, expected.Model[Encoding.UTF8.GetString(hit.Id.Span)]);
        }
    }

    public void Dispose() => Close();

    private (StorageEnvironment Storage, VectorSearchIndex Index) Open()
    {
        var storage = StorageEnvironment.Open(_platform, Path, s_options);
        return (storage, new VectorSearchIndex(storage, new PlainIndex(storage)) { Memory = 1 });
    }

    private void Close()
    {
        _index.Dispose();
        _storage.Dispose();
    }

    // Every fourth change is a wave: half of all ids lose their vectors, so that repairs are due, or many get new ones, so that rounds are full.
    private void Change(bool commits)
    {
        var model = new Dictionary<string, int>(Model, StringComparer.Ordinal);
        int wave = _random.Next(8);
        using (IndexBatch batch = _index.BeginBatch())
        {
            for (int i = 0; i < (wave == 0 ? Ids / 2 : wave == 1 ? Ids : 1 + _random.Next(30)); i++)
            {
                string id = "d/" + _random.Next(Ids).ToString(CultureInfo.InvariantCulture);
                Change(batch, id, model, isDeleted: wave == 0 || _random.Next(4) == 0);
            }

            if (!commits)
            {
                Count("rollbacks");
                return;
            }

            batch.Commit();
        }

        Count("batches");
        Note(model);
    }

    private void Change(IndexBatch batch, string id, Dictionary<string, int> model, bool isDeleted)
    {
        byte[] key = Encoding.UTF8.GetBytes(id);
        batch.Delete(key);
        model.Remove(id);
        if (!isDeleted)
        {
            int vector = _random.Next(3000);
            var entry = new IndexEntry();
            entry.Reset(key);
            entry.AddVector(_field, VectorOf(vector));
            batch.Add(entry);
            model.Add(id, vector);
        }
    }

    private void Maintain(int steps)
    {
        for (bool isMore = true; isMore && steps > 0; steps--)
        {
            isMore = _index.Maintain(() => true);
            Count(isMore ? "steps" : "steps without work");
            Note(Model);
        }
    }

    // Around forty centres.
    private float[] VectorOf(int number)
    {
        float[] centre = RandomVectors.Normal(new Random(number % 40), _dimensions);
        return [.. RandomVectors.Normal(new Random(number + 1000), _dimensions).Zip(centre, (a, b) => (0.5f * a) + b)];
    }

    private void Note(Dictionary<string, int> model)
    {
        long transaction = _storage.Current.TransactionId;
        _left[transaction] = new Left(model, Fingerprint());
        Volatile.Write(ref _acknowledged, transaction);
    }

    private ulong Fingerprint()
    {
        using ReadTransaction read = _storage.BeginRead();
        return GraphFingerprint.Of(read, "v");
    }

    private void Count(string what) => Done[what] = Done.GetValueOrDefault(what) + 1;

    /// <summary>What a transaction left: the vector of each id, and all that is stored of the graph.</summary>
    private sealed record Left(Dictionary<string, int> Model, ulong Graph);
}
