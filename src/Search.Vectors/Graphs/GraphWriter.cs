using System.Buffers;
using System.Diagnostics;
using System.IO.Hashing;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Search.Vectors.Graphs;

/// <summary>Changes a graph in one transaction: nodes of new vectors, and nodes that lose their entries. One thread, besides the rounds.</summary>
/// <remarks>
/// 1. Equal vectors have one node, with the number of its users.
/// 2. A new node has its record, vector and code at once; it is linked with up to 255 others in a round.
/// 3. Whoever drops the writer before <see cref="Complete"/> drops the transaction, too.
/// </remarks>
internal sealed unsafe class GraphWriter : IDisposable
{
    /// <summary>Different vectors with the same hash that are looked through. Beyond that equal vectors get several nodes, which costs room and nothing
    /// else.</summary>
    private const int ProbesMax = 16;

    private readonly GraphView _view;
    private readonly TreeCatalog _trees;
    private readonly FixedSizeTree<long, long> _hashes;
    private readonly float[] _vector;
    private readonly float[] _other;
    private readonly GraphRounds _rounds;
    private readonly WriteTransaction _transaction;
    private GraphRecoding? _recoding;

    public GraphWriter(GraphView view, GraphRounds rounds, WriteTransaction transaction, in GraphHeader header)
    {
        _view = view;
        _transaction = transaction;
        _trees = transaction.Trees;
        view.BeginWrite(_trees, transaction, header);
        byte[] name = view.Graph.HashesName;
        TreeHeader hashes = _trees.TryGetHeader(name, out TreeHeader stored)
            ? stored
            : FixedSizeTreeHeader.CreateEmpty<long, long>(TreeCatalog.OwnerTagOf(name));
        _hashes = new FixedSizeTree<long, long>(transaction, hashes);
        _vector = ArrayPool<float>.Shared.Rent(header.Dimensions);
        _other = ArrayPool<float>.Shared.Rent(header.Dimensions);
        _rounds = rounds;
        rounds.Begin(view);
    }

    public GraphView View => _view;

    /// <summary>The trees of the transaction.</summary>
    public TreeCatalog Trees => _trees;

    /// <summary>The repair that goes on after this transaction; null for none.</summary>
    public GraphRepair? Repair { get; init; }

    /// <summary>Another code for the nodes, which a step of the maintenance writes.</summary>
    public GraphRecoding Recoding => _recoding ??= new GraphRecoding(_view, _trees, _transaction);

    private ref GraphHeader Header => ref _view.Header;

    // As the graph keeps it.
    private Span<float> Vector => _vector.AsSpan(0, Header.Dimensions);

    private Span<float> Other => _other.AsSpan(0, Header.Dimensions);

    /// <summary>Adds a user of a vector.</summary>
    /// <param name="given">Finite numbers, not all 0, as many as the graph has dimensions.</param>
    /// <returns>The node of the vector.</returns>
    public uint Add(ReadOnlySpan<float> given)
    {
        Debug.Assert(given.Length == Header.Dimensions);
        _view.Layout.Write(given, Vector);
        long hash = HashOf(Vector);
        for (int probe = 0; probe < ProbesMax && _hashes.TryGet(hash, out long node); probe++, hash++)
        {
            if (HasVector((uint)node))
            {
                AddUser((uint)node);
                return (uint)node;
            }
        }

        uint added = Take();
        _hashes.TryAdd(hash, added);
        Write(added);
        Header.Changes++;
        _rounds.Add(added);
        return added;
    }

    /// <summary>Removes a user of a node. The node is dead when that was the last one.</summary>
    public void Release(uint node)
    {
        if (node >= Header.Nodes || _view.Users(node) == 0 || _view.Flags(node) != NodeFlags.None)
        {
            throw _view.Damaged(node);
        }

        byte* record = _view.Nodes.Writable(node);
        uint users = Unsafe.ReadUnaligned<uint>(record + GraphLayout.UsersOffset) - 1;
        Unsafe.WriteUnaligned(record + GraphLayout.UsersOffset, users);
        if (users == 0)
        {
            record[GraphLayout.FlagsOffset] = (byte)NodeFlags.Dead;
            Header.Dead++;
            Header.Changes++;
        }
    }

    /// <summary>Frees a dead node that no other node has as a neighbour.</summary>
    public void Free(uint node)
    {
        Debug.Assert(_view.Flags(node) == NodeFlags.Dead);
        Forget(node);
        ClearNode(node);
        byte* record = _view.Nodes.Writable(node);
        record[GraphLayout.FlagsOffset] = (byte)NodeFlags.Free;
        Unsafe.WriteUnaligned(record + GraphLayout.UsersOffset, Header.FirstFree);
        Header.FirstFree = node + 1;
        Header.Dead--;
        Header.Free++;
    }

    private bool HasVector(uint node)
    {
        if (node >= Header.Nodes || _view.Flags(node) == NodeFlags.Free)
        {
            throw _view.Damaged(node); // A node is forgotten when it becomes free.
        }

        _view.CopyVector(node, Other);
        return Other.SequenceEqual(Vector);
    }

    // Equal vectors must not find a node that is free.
    private void Forget(uint node)
    {
        _view.CopyVector(node, Vector);
        long hash = HashOf(Vector);
        for (int probe = 0; probe < ProbesMax; probe++, hash++)
        {
            if (_hashes.TryGet(hash, out long known) && known == node)
            {
                _hashes.Delete(hash);
                return;
            }
        }
    }

    /// <summary>Links the new nodes that are left, and stores what is not stored yet.</summary>
    public void Complete()
    {
        _rounds.Complete();
        _trees.SetHeader(_view.Graph.HashesName, _hashes.Header);
        VectorGraph.WriteHeader(_trees, _view.Graph.Field, Header);
    }

    public void Dispose()
    {
        _rounds.Drop();
        ArrayPool<float>.Shared.Return(_vector);
        ArrayPool<float>.Shared.Return(_other);
    }

    private long HashOf(ReadOnlySpan<float> vector) => (long)XxHash3.HashToUInt64(MemoryMarshal.AsBytes(vector), (long)Header.Seed);

    private void AddUser(uint node)
    {
        byte* record = _view.Nodes.Writable(node);
        Unsafe.WriteUnaligned(record + GraphLayout.UsersOffset, Unsafe.ReadUnaligned<uint>(record + GraphLayout.UsersOffset) + 1);
        if (record[GraphLayout.FlagsOffset] == (byte)NodeFlags.Dead)
        {
            record[GraphLayout.FlagsOffset] = 0;
            Repair?.Keep(node);
            Header.Dead--;
            Header.Changes++;
            _rounds.AddAgain(node); // Nodes that were repaired in the meantime do not have it as a neighbour any more.
        }
    }

    // A free node keeps its level and its upper records.
    private uint Take()
    {
        if (Header.FirstFree != 0)
        {
            uint free = Header.FirstFree - 1;
            if (free >= Header.Nodes || _view.Flags(free) != NodeFlags.Free || Header.Free == 0)
            {
                throw _view.Damaged(free);
            }

            Header.FirstFree = _view.Users(free);
            Header.Free--;
            ClearNode(free);
            return free;
        }

        uint node = Header.Nodes;
        if (node >= Walks.NodeKey.NodesMax)
        {
            throw new InvalidOperationException($"Field '{_view.Graph.Field}' has {node:N0} vectors, which is the most that a graph can have.");
        }

        Header.Nodes++;
        _view.Nodes.Grow(Header.Nodes);
        _view.Codes.Grow(Header.Nodes);
        if (_view.Layout.HasVectors)
        {
            _view.Vectors.Grow(Header.Nodes);
        }

        AddNode(node);
        return node;
    }

    private void AddNode(uint node)
    {
        int level = LevelOf(node);
        uint first = level > 0 ? Header.UpperRecords : 0;
        if (level > 0)
        {
            Header.UpperRecords += (uint)level;
            _view.Uppers.Grow(Header.UpperRecords);
        }

        byte* record = _view.Nodes.Writable(node);
        Unsafe.WriteUnaligned(record + GraphLayout.FirstUpperOffset, first);
        record[GraphLayout.LevelOffset] = (byte)level;
        ClearNode(node);
    }

    private void ClearNode(uint node)
    {
        byte* record = _view.Nodes.Writable(node);
        Unsafe.WriteUnaligned(record + GraphLayout.CountOffset, (ushort)0);
        record[GraphLayout.FlagsOffset] = 0;
        Unsafe.WriteUnaligned(record + GraphLayout.UsersOffset, 1u);
        uint first = Unsafe.ReadUnaligned<uint>(record + GraphLayout.FirstUpperOffset);
        if (first + (long)record[GraphLayout.LevelOffset] > Header.UpperRecords)
        {
            throw _view.Damaged(node);
        }

        for (uint i = 0; i < record[GraphLayout.LevelOffset]; i++)
        {
            Unsafe.WriteUnaligned(_view.Uppers.Writable(first + i), 0u);
        }
    }

    private void Write(uint node)
    {
        fixed (float* vector = _vector)
        {
            _view.Layout.Code.Encode(vector, _view.Codes.Writable(node));
            if (_view.Layout.HasVectors)
            {
                WriteVector(node);
            }

            if (node < Header.Recoded)
            {
                Recoding.Write(node, vector);
            }
        }
    }

    private void WriteVector(uint node)
    {
        long offset = (long)node * _view.Layout.VectorSize;
        for (ReadOnlySpan<float> rest = Vector; rest.Length > 0;)
        {
            float* stored = (float*)_view.Vectors.Writable(offset, out int left);
            int count = Math.Min(left / sizeof(float), rest.Length);
            rest[..count].CopyTo(new Span<float>(stored, count));
            rest = rest[count..];
            offset += count * sizeof(float);
        }
    }

    // Of as many nodes as a node has edges one is on the next level, by a hash of its number: no state, and the same levels in each run.
    private int LevelOf(uint node)
    {
        ulong hash = (node + 1) * 0x9E3779B97F4A7C15UL ^ Header.Seed;
        hash = (hash ^ (hash >> 32)) * 0xD6E8FEB86659FD93UL;
        hash ^= hash >> 32;
        double share = ((hash >> 11) + 1) / (double)(1UL << 53);
        return Math.Min(GraphLimits.LevelMax, (int)(-Math.Log(share) / Math.Log(Math.Max(2, (int)Header.Edges))));
    }
}
