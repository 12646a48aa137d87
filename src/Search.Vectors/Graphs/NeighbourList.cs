using System.Runtime.CompilerServices;
using Jackdaw.Search.Vectors.Walks;

namespace Jackdaw.Search.Vectors.Graphs;

/// <summary>The neighbours of one node on one level, for writing.</summary>
internal readonly unsafe ref struct NeighbourList
{
    private readonly GraphView _view;
    private readonly byte* _count;
    private readonly uint* _nodes;
    private readonly uint _node;
    private readonly bool _isLowest;

    private NeighbourList(GraphView view, uint node, int level)
    {
        _view = view;
        _node = node;
        _isLowest = level == 0;
        _nodes = view.Neighbours(node, level, out _);
        _count = (byte*)_nodes - (_isLowest ? GraphLayout.NeighboursOffset - GraphLayout.CountOffset : GraphLayout.UpperNeighboursOffset);
        Max = view.Layout.EdgesOf(level);
    }

    /// <summary>The most neighbours.</summary>
    public int Max { get; }

    public int Count
    {
        get => _isLowest ? Unsafe.ReadUnaligned<ushort>(_count) : (int)Unsafe.ReadUnaligned<uint>(_count);
    }

    /// <summary>Makes the page of a list writable. Only the writer's thread, while nobody reads.</summary>
    public static NeighbourList Writable(GraphView view, uint node, int level)
    {
        _ = view.Neighbours(node, level, out _); // checks where the list is
        if (level == 0)
        {
            view.Nodes.Writable(node);
        }
        else
        {
            view.Uppers.Writable(Unsafe.ReadUnaligned<uint>(view.Nodes.At(node) + GraphLayout.FirstUpperOffset) + (uint)level - 1);
        }

        return new NeighbourList(view, node, level);
    }

    /// <summary>A list whose page is writable already.</summary>
    public static NeighbourList OfCopied(GraphView view, uint node, int level) => new(view, node, level);

    /// <summary>Adds a neighbour that may be there already.</summary>
    /// <returns>False when the list is full.</returns>
    public bool TryAdd(uint neighbour)
    {
        int count = Count;
        if (new ReadOnlySpan<uint>(_nodes, count).Contains(neighbour))
        {
            return true;
        }

        if (count == Max)
        {
            return false;
        }

        _nodes[count] = neighbour;
        SetCount(count + 1);
        return true;
    }

    /// <summary>Replaces the neighbours.</summary>
    /// <param name="keys">No more than <see cref="Max"/>.</param>
    public void Set(ReadOnlySpan<ulong> keys)
    {
        for (int i = 0; i < keys.Length; i++)
        {
            _nodes[i] = NodeKey.Node(keys[i]);
        }

        SetCount(keys.Length);
    }

    /// <summary>Replaces one neighbour, or adds one at the end of a list that is not full.</summary>
    public void SetAt(int index, uint neighbour)
    {
        _nodes[index] = neighbour;
        SetCount(Math.Max(Count, index + 1));
    }

    /// <summary>Adds the neighbours with their distances from the node to candidates.</summary>
    public void AddDistances(List<ulong> candidates)
    {
        byte* code = _view.Code(_node);
        foreach (uint neighbour in new ReadOnlySpan<uint>(_nodes, Count))
        {
            candidates.Add(NodeKey.Of(neighbour < _view.Header.Nodes ? _view.DistanceBetween(code, neighbour) : throw _view.Damaged(_node), neighbour));
        }
    }

    private void SetCount(int count)
    {
        if (_isLowest)
        {
            Unsafe.WriteUnaligned(_count, (ushort)count);
        }
        else
        {
            Unsafe.WriteUnaligned(_count, (uint)count);
        }
    }
}
