using System.Collections.Concurrent;
using System.Diagnostics;
using System.Text;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Vectors.Answers;
using Jackdaw.Search.Vectors.Graphs;
using Jackdaw.Search.Vectors.Recall;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Search.Vectors;

/// <summary>An index of any engine, with the vectors of its entries. The graphs of the vectors lie in the storage of the index, and change in the same
/// transactions as the entries.</summary>
public sealed class VectorSearchIndex : SearchIndex
{
    private static readonly TimeSpan s_timePerCall = TimeSpan.FromMilliseconds(200);

    private readonly StorageEnvironment _storage;
    private readonly SearchIndex _inner;
    private readonly ConcurrentDictionary<string, FieldGraph> _graphs = new(StringComparer.Ordinal);
    private VectorIndexBatch? _batch; // the running one; the writer's thread

    /// <param name="storage">The storage of the index.</param>
    /// <param name="inner">The index of the engine, which belongs to this object from now on.</param>
    public VectorSearchIndex(StorageEnvironment storage, SearchIndex inner)
    {
        ArgumentNullException.ThrowIfNull(storage);
        _storage = storage;
        _inner = inner;
        using ReadTransaction read = storage.BeginRead();
        foreach ((string field, GraphHeader header) in ListGraphs(read.Trees))
        {
            _graphs[field] = new FieldGraph(field, header);
        }
    }

    public override IndexFields Fields
    {
        get => _inner.Fields;
        set => _inner.Fields = value;
    }

    /// <summary>What searches get that do not say it themselves.</summary>
    public VectorDefaults Defaults { get; set; } = VectorDefaults.None;

    /// <summary>The bytes that the walked records of a graph may take before they get smaller codes.</summary>
    internal long Memory { get; set; } = GraphLimits.Memory;

    public override IndexBatch BeginBatch() => _batch = new VectorIndexBatch(this, _inner.BeginBatch());

    public override Searcher BeginSearch() => _inner.BeginSearch();

    public override bool Maintain(Func<bool> isAwaited)
    {
        ArgumentNullException.ThrowIfNull(isAwaited);
        return _inner.Maintain(isAwaited) | MaintainGraphs(isAwaited);
    }

    /// <summary>Checks the graphs in a storage. The storage itself checks its pages.</summary>
    /// <returns>The problems, as texts for people; empty when there are none.</returns>
    public static IReadOnlyList<string> Verify(StorageEnvironment storage)
    {
        ArgumentNullException.ThrowIfNull(storage);
        using ReadTransaction read = storage.BeginRead();
        return [.. ListFields(read.Trees).SelectMany(field => GraphVerifier.Verify(read, field, read.Trees.FindTree(FieldGraph.IdsNameOf(field))))];
    }

    /// <summary>The dimensions of the vectors that a field has in the running batch; null while it has none. The thread of the batch.</summary>
    public int? DimensionsOf(string field) => _batch?.DimensionsOf(field);

    /// <summary>Whether a field has vectors, or had some.</summary>
    public static bool HasGraph(Searcher searcher, string field)
    {
        ArgumentNullException.ThrowIfNull(searcher);
        return VectorGraph.TryReadHeader(searcher.Transaction.Trees, field, out _);
    }

    /// <summary>The graphs of a snapshot, for statistics, ordered by field.</summary>
    public IReadOnlyList<VectorFieldState> ReadStates(ReadTransaction read)
    {
        ArgumentNullException.ThrowIfNull(read);
        return
        [
            .. ListGraphs(read.Trees).Select(graph => new VectorFieldState(
                graph.Field, graph.Header.Live > 0 ? graph.Header.Dimensions : 0, graph.Header.Live, graph.Header.TopLevel + 1,
                Describe(read.Trees, graph.Field, graph.Header))),
        ];
    }

    /// <summary>The vectors that entries have in a field, each once: with length 1 if they are floats, else as they were given.</summary>
    /// <param name="query">The condition on the entries.</param>
    public IReadOnlyList<float[]> ReadVectors(Searcher searcher, string field, SearchNode query, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(searcher);
        if (Find(searcher.Transaction.Trees, field, out GraphHeader header) is not { } graph)
        {
            return [];
        }

        var nodes = new NodeSet(header.Nodes);
        searcher.CollectNodes(query, field, nodes, cancellation);
        using GraphLease lease = graph.Rent(searcher.Transaction, header);
        float[][] vectors = new float[nodes.Count][];
        int next = 0;
        for (uint node = 0; next < vectors.Length; node++)
        {
            if (nodes.Contains(node))
            {
                lease.Searcher.View.CopyVector(node, vectors[next++] = new float[graph.Dimensions]);
            }
        }

        return vectors;
    }

    protected override void Dispose(bool isDisposing) => _inner.Dispose();

    // At least a step each time: otherwise an index whose thread is always awaited would never repair its graphs.
    private bool MaintainGraphs(Func<bool> isAwaited)
    {
        bool isMore = DroppedGraphs.Step(_storage);
        foreach (FieldGraph graph in _graphs.Values)
        {
            long began = Stopwatch.GetTimestamp();
            while (graph.Maintenance.Step(_storage, Memory))
            {
                if (isAwaited() || Stopwatch.GetElapsedTime(began) >= s_timePerCall)
                {
                    isMore = true;
                    break;
                }
            }
        }

        return isMore;
    }

    private string Describe(TreeCatalog trees, string field, in GraphHeader header) =>
        header.Live < GraphSearcher.ScannedMax ? "exact: all vectors are compared"
        : RecallTable.Read(trees, field) is { } recall ? recall.Describe(recall.Choose(TargetOf(field)))
        : RecallTable.Unknown;

    /// <summary>The recall that searches of a field are to reach.</summary>
    internal double TargetOf(string field) => (Fields.Find(field).Vector ?? new VectorSettings()).TargetRecall;

    internal IEnumerable<KeyValuePair<string, FieldGraph>> Graphs => _graphs;

    /// <summary>The graph of a field in a snapshot; null when the snapshot has no vector of it.</summary>
    internal FieldGraph? Find(TreeCatalog trees, string field, out GraphHeader header) =>
        VectorGraph.TryReadHeader(trees, field, out header) && header.Live > 0 ? GraphOf(field, header) : null;

    /// <summary>The graph of a field in the running batch, which makes it with the first vector. When all vectors are gone, others may have other dimensions.
    /// </summary>
    /// <param name="dimensions">Those of a vector that comes; null when none comes.</param>
    internal FieldGraph Open(TreeCatalog trees, IndexField field, int? dimensions, out GraphHeader header)
    {
        bool isStored = VectorGraph.TryReadHeader(trees, field.Name, out header);
        if (isStored && header.Nodes > 0)
        {
            if (dimensions is null || dimensions == header.Dimensions || header.Live > 0)
            {
                return GraphOf(field.Name, header);
            }

            header = DroppedGraphs.Add(trees, field.Name, header);
        }

        header = FieldGraph.NewHeader(field.Vector ?? new VectorSettings(), dimensions!.Value, header.Generation);
        return _graphs[field.Name] = new FieldGraph(field.Name, header);
    }

    /// <summary>Forgets what a batch knew that was rolled back.</summary>
    /// <param name="before">The header of the graph before the batch; null for none.</param>
    internal void Reset(string field, GraphHeader? before)
    {
        if (before is { } header)
        {
            _graphs[field] = new FieldGraph(field, header);
        }
        else
        {
            _graphs.TryRemove(field, out _);
        }
    }

    /// <summary>Notes that the running batch has ended.</summary>
    internal void EndBatch() => _batch = null;

    // A snapshot from before the field got another graph gets an object of its own.
    private FieldGraph GraphOf(string field, in GraphHeader header) =>
        _graphs.TryGetValue(field, out FieldGraph? graph) && graph.Generation == header.Generation ? graph : new FieldGraph(field, header);

    private static IEnumerable<(string Field, GraphHeader Header)> ListGraphs(TreeCatalog trees)
    {
        foreach (string field in ListFields(trees))
        {
            if (VectorGraph.TryReadHeader(trees, field, out GraphHeader header))
            {
                yield return (field, header);
            }
        }
    }

    private static List<string> ListFields(TreeCatalog trees)
    {
        List<string> fields = [];
        if (trees.FindTree(VectorGraph.HeadersTree) is { } headers)
        {
            using BTreeCursor cursor = headers.OpenCursor();
            for (bool on = cursor.SeekFirst(); on; on = cursor.MoveNext())
            {
                fields.Add(Encoding.UTF8.GetString(cursor.Key));
            }
        }

        return fields;
    }
}
