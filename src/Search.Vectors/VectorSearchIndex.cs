using System.Collections.Concurrent;
using System.Text;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Vectors.Graphs;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Search.Vectors;

/// <summary>An index of any engine, with the vectors of its entries. The graphs of the vectors lie in the storage of the index, and change in the same
/// transactions as the entries.</summary>
public sealed class VectorSearchIndex : SearchIndex
{
    private readonly SearchIndex _inner;
    private readonly ConcurrentDictionary<string, FieldGraph> _graphs = new(StringComparer.Ordinal);

    /// <param name="storage">The storage of the index.</param>
    /// <param name="inner">The index of the engine, which belongs to this object from now on.</param>
    public VectorSearchIndex(StorageEnvironment storage, SearchIndex inner)
    {
        ArgumentNullException.ThrowIfNull(storage);
        _inner = inner;
        using ReadTransaction read = storage.BeginRead();
        foreach (string field in ListFields(read.Trees))
        {
            if (VectorGraph.TryReadHeader(read.Trees, field, out GraphHeader header))
            {
                _graphs[field] = new FieldGraph(field, header);
            }
        }
    }

    public override IndexFields Fields
    {
        get => _inner.Fields;
        set => _inner.Fields = value;
    }

    public override IndexBatch BeginBatch() => new VectorIndexBatch(this, _inner.BeginBatch());

    public override Searcher BeginSearch() => _inner.BeginSearch();

    public override bool Maintain(Func<bool> isAwaited) => _inner.Maintain(isAwaited);

    /// <summary>The dimensions of the vectors that a field has, those of the running batch included; null while it has none.</summary>
    public int? DimensionsOf(string field) => _graphs.TryGetValue(field, out FieldGraph? graph) ? graph.Dimensions : null;

    /// <summary>The graphs of a snapshot, for statistics, ordered by field.</summary>
    public IReadOnlyList<VectorFieldState> ReadStates(ReadTransaction read)
    {
        ArgumentNullException.ThrowIfNull(read);
        List<VectorFieldState> states = [];
        foreach (string field in ListFields(read.Trees))
        {
            if (VectorGraph.TryReadHeader(read.Trees, field, out GraphHeader header))
            {
                states.Add(new VectorFieldState(field, header.Dimensions, header.Live, header.TopLevel + 1, null));
            }
        }

        return states;
    }

    protected override void Dispose(bool isDisposing) => _inner.Dispose();

    internal IEnumerable<KeyValuePair<string, FieldGraph>> Graphs => _graphs;

    /// <summary>The graph of a field in a snapshot; null when the snapshot has no vector of it.</summary>
    internal FieldGraph? Find(TreeCatalog trees, string field, out GraphHeader header)
    {
        header = default;
        return _graphs.TryGetValue(field, out FieldGraph? graph) && VectorGraph.TryReadHeader(trees, field, out header) ? graph : null;
    }

    /// <summary>The graph of a field in the running batch, which makes it with its first vector.</summary>
    internal FieldGraph Open(TreeCatalog trees, IndexField field, int dimensions, out GraphHeader header)
    {
        if (Find(trees, field.Name, out header) is { } graph)
        {
            return graph;
        }

        header = FieldGraph.NewHeader(field.Vector ?? new VectorSettings(), dimensions);
        return _graphs[field.Name] = new FieldGraph(field.Name, header);
    }

    /// <summary>Forgets what a batch knew that was rolled back.</summary>
    internal void Reset(string field, bool wasNew)
    {
        if (_graphs.TryRemove(field, out FieldGraph? graph) && !wasNew)
        {
            _graphs[field] = graph.Renew();
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
