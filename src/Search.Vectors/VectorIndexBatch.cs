using System.Runtime.InteropServices;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Vectors.Graphs;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Search.Vectors;

/// <summary>A batch of an engine, whose entries get the nodes of their vectors. Nodes and entries are committed together.</summary>
internal sealed class VectorIndexBatch(VectorSearchIndex index, IndexBatch inner) : IndexBatch
{
    private readonly Dictionary<string, FieldBatch> _fields = new(StringComparer.Ordinal);
    private bool _isEnded;

    public override WriteTransaction Transaction => inner.Transaction;

    public override void Delete(ReadOnlySpan<byte> id)
    {
        foreach ((string field, FieldGraph graph) in index.Graphs)
        {
            if (Transaction.Trees.FindTree(graph.IdsName)?.Contains(id) == true || _fields.ContainsKey(field))
            {
                Open(new IndexField(field), dimensions: null).Release(id);
            }
        }

        inner.Delete(id);
    }

    public override void Add(IndexEntry entry)
    {
        ArgumentNullException.ThrowIfNull(entry);
        for (int i = 0; i < entry.Values.Count; i++)
        {
            if (entry.Values[i] is { Kind: EntryValueKind.Vector } value)
            {
                entry.SetNode(i, Open(value.Field, value.Vector.Length).Add(entry.Id, value.Vector.Span));
            }
        }

        inner.Add(entry);
    }

    /// <summary>The dimensions of the vectors that a field has now; null while it has none.</summary>
    public int? DimensionsOf(string field) =>
        _fields.TryGetValue(field, out FieldBatch? batch) ? (batch.HasVectors ? batch.Dimensions : null)
        : VectorGraph.TryReadHeader(Transaction.Trees, field, out GraphHeader header) && header.Live > 0 ? header.Dimensions : null;

    public override void Commit()
    {
        foreach (FieldBatch field in _fields.Values)
        {
            field.Complete();
        }

        inner.Commit();
        _isEnded = true;
        EndFields();
    }

    protected override void Dispose(bool isDisposing)
    {
        inner.Dispose();
        if (!_isEnded)
        {
            _isEnded = true;
            EndFields();
            foreach ((string field, FieldBatch batch) in _fields)
            {
                index.Reset(field, batch.Before);
            }
        }
    }

    private void EndFields()
    {
        index.EndBatch();
        foreach (FieldBatch field in _fields.Values)
        {
            field.Dispose();
        }
    }

    private FieldBatch Open(IndexField field, int? dimensions)
    {
        if (_fields.TryGetValue(field.Name, out FieldBatch? batch))
        {
            if (dimensions is null || dimensions == batch.Dimensions || batch.HasVectors)
            {
                return batch;
            }

            batch.Complete();
            batch.Dispose();
        }

        GraphHeader? before = batch is not null ? batch.Before
            : VectorGraph.TryReadHeader(Transaction.Trees, field.Name, out GraphHeader stored) ? stored : null;
        FieldGraph graph = index.Open(Transaction.Trees, field, dimensions, out GraphHeader header);
        batch = new FieldBatch(graph.BeginWrite(Transaction, header), Transaction.Trees.CreateTree(graph.IdsName), before);
        _fields[field.Name] = batch;
        return batch;
    }

    /// <summary>The changes of one field: its graph, and which nodes an id has.</summary>
    /// <param name="before">The header of the graph before the batch; null for none.</param>
    private sealed class FieldBatch(GraphWriter writer, BTree ids, GraphHeader? before) : IDisposable
    {
        private readonly List<uint> _nodes = []; // of the current id
        private byte[] _id = [];

        public GraphHeader? Before => before;

        public int Dimensions => writer.View.Header.Dimensions;

        public bool HasVectors => writer.View.Header.Live > 0;

        public uint Add(ReadOnlySpan<byte> id, ReadOnlySpan<float> vector)
        {
            if (!id.SequenceEqual(_id))
            {
                Save();
                Load(id);
            }

            uint node = writer.Add(vector);
            _nodes.Add(node);
            return node;
        }

        public void Release(ReadOnlySpan<byte> id)
        {
            Save();
            Load(id);
            foreach (uint node in _nodes)
            {
                writer.Release(node);
            }

            if (_nodes.Count > 0)
            {
                ids.Delete(id);
            }

            _nodes.Clear();
            _id = [];
        }

        public void Complete()
        {
            Save();
            writer.Complete();
        }

        public void Dispose() => writer.Dispose();

        private void Load(ReadOnlySpan<byte> id)
        {
            _id = id.ToArray();
            _nodes.Clear();
            if (ids.TryGet(id, out ReadOnlySpan<byte> nodes))
            {
                _nodes.AddRange(MemoryMarshal.Cast<byte, uint>(nodes));
            }
        }

        private void Save()
        {
            if (_nodes.Count > 0)
            {
                ids.Put(_id, MemoryMarshal.AsBytes(CollectionsMarshal.AsSpan(_nodes)));
            }
        }
    }
}
