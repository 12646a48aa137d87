using Jackdaw.Pal;
using Jackdaw.Pal.InMemory;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Vectors.Graphs;
using Jackdaw.Search.Vectors.Recall;
using Jackdaw.Search.Vectors.Walks;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Search.Vectors.Tests;

/// <summary>A graph in a storage, which is in memory unless a test says another place, and the vectors that it should have.</summary>
public sealed class GraphHarness : IDisposable
{
    private readonly StorageEnvironment _storage;
    private readonly int _dimensions;
    private readonly VectorSettings _settings;
    private FieldGraph? _graph;

    public GraphHarness(int dimensions, VectorSettings? settings = null, int threads = 2, IPlatform? platform = null, string path = "/db")
    {
        _dimensions = dimensions;
        _settings = settings ?? new VectorSettings();
        Threads = threads;
        _storage = StorageEnvironment.Open(platform ?? new MemoryPlatform(), path, new StorageOptions { BackgroundFlush = false });
    }

    public int Threads { get; }

    /// <summary>The bytes that nodes and codes may take.</summary>
    public long Memory { get; set; } = long.MaxValue;

    public StorageEnvironment Storage => _storage;

    /// <summary>Writes in one transaction.</summary>
    internal void Write(Action<GraphWriter> change, bool commits = true)
    {
        using WriteTransaction transaction = _storage.BeginWrite();
        bool isKnown = VectorGraph.TryReadHeader(transaction.Trees, "v", out GraphHeader header);
        if (!isKnown)
        {
            header = FieldGraph.NewHeader(_settings, _dimensions);
        }

        _graph = _graph?.Generation == header.Generation ? _graph : new FieldGraph("v", header, Threads);
        using (GraphWriter writer = _graph.BeginWrite(transaction, header))
        {
            change(writer);
            if (commits)
            {
                writer.Complete();
            }
        }

        if (commits)
        {
            transaction.Commit();
        }
        else
        {
            _graph = new FieldGraph("v", header, Threads);
        }
    }

    public uint[] Add(IReadOnlyList<float[]> vectors, int perTransaction = 1000)
    {
        uint[] nodes = new uint[vectors.Count];
        for (int first = 0; first < vectors.Count; first += perTransaction)
        {
            int from = first;
            Write(writer =>
            {
                for (int i = from; i < Math.Min(vectors.Count, from + perTransaction); i++)
                {
                    nodes[i] = writer.Add(vectors[i]);
                }
            });
        }

        return nodes;
    }

    public void Release(IEnumerable<uint> nodes) => Write(writer =>
    {
        foreach (uint node in nodes)
        {
            writer.Release(node);
        }
    });

    internal T Read<T>(Func<GraphSearcher, T> read)
    {
        using ReadTransaction transaction = _storage.BeginRead();
        Assert.True(VectorGraph.TryReadHeader(transaction.Trees, "v", out GraphHeader header));
        using GraphLease lease = (_graph ??= new FieldGraph("v", header, Threads)).Rent(transaction, header);
        return read(lease.Searcher);
    }

    /// <summary>The nodes that a search finds, nearest first.</summary>
    public uint[] Find(float[] query, int count, int width, NodeSet? allowed = null) =>
        Read(searcher => NodeKey.Nodes(searcher.Find(query, count, width, allowed, default)));

    /// <summary>The nodes that a walk finds, however few nodes there are.</summary>
    internal uint[] WalkTo(float[] query, int count, int width) => Read(searcher => NodeKey.Nodes(searcher.FindByWalk(query, count, width)));

    /// <summary>The nodes that a search of a snapshot finds.</summary>
    public uint[] FindIn(ReadTransaction snapshot, float[] query, int count, int width)
    {
        Assert.True(VectorGraph.TryReadHeader(snapshot.Trees, "v", out GraphHeader header));
        using GraphLease lease = _graph!.Rent(snapshot, header);
        return NodeKey.Nodes(lease.Searcher.FindByWalk(query, count, width));
    }

    /// <summary>Does one step of the work between batches.</summary>
    public void MaintainStep() => _graph!.Maintenance.Step(_storage, Memory);

    /// <summary>Does all work between batches.</summary>
    public void Maintain()
    {
        while (_graph!.Maintenance.Step(_storage, Memory))
        {
        }
    }

    /// <summary>Proves the graph; the users of its nodes are not known here.</summary>
    public void Verify()
    {
        using ReadTransaction transaction = _storage.BeginRead();
        Assert.DoesNotContain(GraphVerifier.Verify(transaction, "v", null), problem => !problem.Contains("users", StringComparison.Ordinal));
    }

    internal RecallTable? ReadRecall()
    {
        using ReadTransaction transaction = _storage.BeginRead();
        return RecallTable.Read(transaction.Trees, "v");
    }

    public void Dispose() => _storage.Dispose();
}
