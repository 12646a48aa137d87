using System.Collections.Concurrent;
using System.Text;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Vectors.Graphs;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Search.Vectors;

/// <summary>The graph of one field of an open index, with the objects that searches and batches use again.</summary>
internal sealed class FieldGraph
{
    /// <summary>Any number: it is stored with each graph, so that another one can be taken for new graphs.</summary>
    private const ulong FirstSeed = 0x9E3779B97F4A7C15;

    private static readonly int s_threads = Math.Clamp(Environment.ProcessorCount, 1, 16);

    private readonly int _threads;
    private readonly ConcurrentBag<GraphSearcher> _searchers = [];
    private readonly GraphHeader _first;
    private readonly Lazy<GraphRounds> _rounds;
    private volatile VectorGraph _graph;
    private GraphView? _writing;

    /// <param name="threads">The most threads of an insertion; null: as many as there are processors.</param>
    public FieldGraph(string field, in GraphHeader header, int? threads = null)
    {
        _threads = threads ?? s_threads;
        _first = header;
        _graph = new VectorGraph(field, header);
        Dimensions = header.Dimensions;
        Maintenance = new FieldMaintenance(this);
        int candidates = (int)header.Candidates;
        _rounds = new(() => new GraphRounds(candidates, _threads));
        IdsName = IdsNameOf(field);
    }

    public string Field => _graph.Field;

    public int Dimensions { get; }

    public GraphLayout Layout => _graph.Layout;

    /// <summary>What is done between batches.</summary>
    public FieldMaintenance Maintenance { get; }

    /// <summary>The tree of the nodes of each id.</summary>
    public byte[] IdsName { get; }

    public static byte[] IdsNameOf(string field) => Encoding.UTF8.GetBytes($"vectors/ids/{field}");

    public static GraphHeader NewHeader(VectorSettings settings, int dimensions) => new()
    {
        Version = GraphHeader.CurrentVersion,
        Edges = (ushort)(settings.Edges ?? GraphLimits.DefaultEdges),
        Dimensions = (ushort)dimensions,
        CodeKind = settings.Destination switch
        {
            EmbeddingType.Int8 => VectorCodeKind.Int8,
            EmbeddingType.Binary => VectorCodeKind.Binary,
            _ => VectorCodeKind.Bytes,
        },
        TopLevel = -1,
        Candidates = (uint)(settings.CandidatesForIndexing ?? GraphLimits.DefaultCandidatesForIndexing),
        Seed = FirstSeed,
    };

    /// <summary>The same graph, which has forgotten what a rolled-back transaction added.</summary>
    public FieldGraph Renew() => new(_graph.Field, _first, _threads);

    public GraphWriter BeginWrite(WriteTransaction transaction, in GraphHeader header)
    {
        VectorGraph graph = GraphOf(header);
        _writing = _writing?.Graph == graph ? _writing : new GraphView(graph);
        return new GraphWriter(_writing, _rounds.Value, transaction, header) { Repair = Maintenance.Repair };
    }

    /// <summary>Takes a searcher for a snapshot.</summary>
    public GraphLease Rent(ReadTransaction read, in GraphHeader header)
    {
        VectorGraph graph = GraphOf(header);
        GraphSearcher searcher = _searchers.TryTake(out GraphSearcher? spare) && spare.View.Graph == graph ? spare : new GraphSearcher(graph);
        searcher.Begin(read, header);
        return new GraphLease(this, searcher);
    }

    /// <summary>Takes a searcher back from its lease.</summary>
    public void Return(GraphSearcher searcher) => _searchers.Add(searcher);

    // The codes of a graph become others once. A snapshot from before gets an object of its own from then on.
    private VectorGraph GraphOf(in GraphHeader header)
    {
        VectorGraph graph = _graph;
        if (graph.CodeKind == header.CodeKind)
        {
            return graph;
        }

        var other = new VectorGraph(Field, header);
        return header.CodeKind > graph.CodeKind ? _graph = other : other;
    }
}
