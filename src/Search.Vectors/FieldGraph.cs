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
    private readonly VectorGraph _graph;
    private readonly GraphHeader _first;
    private readonly Lazy<(GraphView View, GraphRounds Rounds)> _writing;

    /// <param name="threads">The most threads of an insertion; null: as many as there are processors.</param>
    public FieldGraph(string field, in GraphHeader header, int? threads = null)
    {
        _threads = threads ?? s_threads;
        _first = header;
        _graph = new VectorGraph(field, header);
        int candidates = (int)header.Candidates;
        Dimensions = header.Dimensions;
        Maintenance = new FieldMaintenance(this);
        _writing = new(() => (new GraphView(_graph), new GraphRounds(candidates, _threads)));
        IdsName = IdsNameOf(field);
    }

    public string Field => _graph.Field;

    public int Dimensions { get; }

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
        CodeKind = GraphHeader.Int8Codes,
        TopLevel = -1,
        Candidates = (uint)(settings.CandidatesForIndexing ?? GraphLimits.DefaultCandidatesForIndexing),
        Seed = FirstSeed,
    };

    /// <summary>The same graph, which has forgotten what a rolled-back transaction added.</summary>
    public FieldGraph Renew() => new(_graph.Field, _first, _threads);

    public GraphWriter BeginWrite(WriteTransaction transaction, in GraphHeader header) =>
        new(_writing.Value.View, _writing.Value.Rounds, transaction, header);

    /// <summary>Takes a searcher for a snapshot.</summary>
    public GraphLease Rent(ReadTransaction read, in GraphHeader header)
    {
        GraphSearcher searcher = _searchers.TryTake(out GraphSearcher? spare) ? spare : new GraphSearcher(_graph);
        searcher.Begin(read, header);
        return new GraphLease(this, searcher);
    }

    /// <summary>Takes a searcher back from its lease.</summary>
    public void Return(GraphSearcher searcher) => _searchers.Add(searcher);
}
