using Jackdaw.Search.Queries;
using Jackdaw.Search.Vectors.Walks;

namespace Jackdaw.Search.Vectors.Graphs;

/// <summary>Finds the nodes of a graph that no walk reaches, and links each to a near node that is reached. Steps, between which batches may come.</summary>
/// <remarks>Nodes that are nearer to each other than to anything else, such as near copies of one vector, lose their last link from outside now and then. What
/// batches change between two steps may be missed; the next reconnection finds it.</remarks>
internal sealed class GraphReconnection(GraphView view)
{
    /// <summary>Nodes of a step whose neighbours are read: some 10 ms.</summary>
    private const int NodesPerStep = 20_000;

    /// <summary>The nodes whose neighbours could be read while one is linked.</summary>
    private const int NodesPerLink = 40;

    /// <summary>The candidates among which a near node that is reached is looked for.</summary>
    private const int Width = 64;

    private readonly uint _nodes = view.Header.Nodes;
    private readonly NodeSet _reached = new(view.Header.Nodes);
    private readonly byte[] _links = new byte[view.Header.Nodes];
    private readonly Stack<uint> _next = new();
    private readonly GraphWalk _walk = new();
    private readonly WalkQuery _query = new();
    private uint _counted;
    private uint _at;

    /// <summary>The changes of the graph when the reconnection began.</summary>
    public long Changes { get; } = view.Header.Changes;

    /// <summary>Whether enough has changed since the last reconnection of a graph for another one to pay.</summary>
    public static bool IsDue(in GraphHeader header) =>
        header.Live > 1 && (header.ConnectedAt == 0 || header.Changes - header.ConnectedAt >= Math.Max(64, header.Live / 10));

    /// <summary>The live nodes that walks do not reach.</summary>
    public static long CountUnreached(GraphView view)
    {
        var graph = new GraphReconnection(view);
        while (graph.TryReach(view))
        {
        }

        long count = 0;
        for (uint node = 0; node < graph._nodes; node++)
        {
            count += graph.IsUnreached(view, node) ? 1 : 0;
        }

        return count;
    }

    /// <summary>Does a step in the transaction of a writer. Returns false after the last one.</summary>
    public bool Step(GraphView view)
    {
        for (int work = 0; work < NodesPerStep; work++)
        {
            if (TryReach(view))
            {
                continue;
            }

            if (_at == _nodes)
            {
                return false;
            }

            if (IsUnreached(view, _at))
            {
                work += NodesPerLink;
                if (TryLink(view, _at))
                {
                    _next.Push(_at);
                }
            }

            _at++;
        }

        return true;
    }

    // First the links to each node are counted, then nodes are reached from where walks begin, and from each node that was linked.
    private bool TryReach(GraphView view)
    {
        if (_counted < _nodes)
        {
            foreach (uint neighbour in view.Neighbours(_counted))
            {
                AddLinks(neighbour, 1);
            }

            if (++_counted == _nodes && view.Header.TopLevel >= 0)
            {
                _next.Push(view.Header.Entry);
            }

            return true;
        }

        if (!_next.TryPop(out uint node))
        {
            return false;
        }

        if (node < _nodes && !_reached.Contains(node))
        {
            _reached.Add(node);
            foreach (uint neighbour in view.Neighbours(node))
            {
                _next.Push(neighbour);
            }
        }

        return true;
    }

    private bool IsUnreached(GraphView view, uint node) => !_reached.Contains(node) && view.Flags(node) == NodeFlags.None;

    // Upper levels may lead to a part of the lowest one that is out of reach itself. Then the walk begins where all walks do, and finds what is reached.
    private unsafe bool TryLink(GraphView view, uint node)
    {
        byte* code = _query.Of(view, node);
        return TryLink(view, node, code, _walk.Descend(view, code, 0)) || TryLink(view, node, code, view.Header.Entry);
    }

    private unsafe bool TryLink(GraphView view, uint node, byte* code, uint entry)
    {
        _walk.Walk(view, code, 0, Width, entry);
        if (_walk.IsBlurred(view, code, Width))
        {
            _walk.WalkByVectors(view, _query.VectorOf(view, node), code, 0, Width);
        }

        foreach (ulong key in _walk.Found.Keys)
        {
            uint near = NodeKey.Node(key);
            if (near != node && _reached.Contains(near) && view.Flags(near) == NodeFlags.None && TryLink(view, near, node))
            {
                return true;
            }
        }

        return false;
    }

    // A list that is not full takes the new neighbour. In a full list the new one replaces the farthest neighbour that other nodes link to as well. If each of
    // them has only this link, the node links to the new neighbour, and that one to the farthest.
    private bool TryLink(GraphView view, uint from, uint to)
    {
        int place = FindPlace(view, from);
        if (place < 0)
        {
            place = FindFarthest(view, from, needsOther: false);
            if (!TryAppend(view, to, view.Neighbours(from)[place]))
            {
                return false;
            }
        }

        Put(view, from, place, to);
        return true;
    }

    private bool TryAppend(GraphView view, uint from, uint to)
    {
        int place = view.Neighbours(from).IndexOf(to);
        place = place < 0 ? FindPlace(view, from) : place;
        if (place < 0)
        {
            return false;
        }

        Put(view, from, place, to);
        return true;
    }

    // -1: the list is full, and no other node links to any of its neighbours.
    private int FindPlace(GraphView view, uint from)
    {
        int count = view.Neighbours(from).Length;
        return count < view.Layout.LowestEdges ? count : FindFarthest(view, from, needsOther: true);
    }

    private void Put(GraphView view, uint from, int place, uint to)
    {
        ReadOnlySpan<uint> neighbours = view.Neighbours(from);
        if (place < neighbours.Length)
        {
            AddLinks(neighbours[place], -1);
        }

        NeighbourList.Writable(view, from, 0).SetAt(place, to);
        AddLinks(to, 1);
    }

    private int FindFarthest(GraphView view, uint from, bool needsOther)
    {
        ReadOnlySpan<uint> neighbours = view.Neighbours(from);
        int farthest = -1;
        float distance = float.NegativeInfinity;
        for (int i = 0; i < neighbours.Length; i++)
        {
            float other = view.VectorDistance(from, neighbours[i]);
            if (other > distance && (!needsOther || neighbours[i] >= _nodes || _links[neighbours[i]] > 1))
            {
                (farthest, distance) = (i, other);
            }
        }

        return farthest;
    }

    // A count at its top is not known any more, and stays there.
    private void AddLinks(uint node, int count)
    {
        if (node < _nodes && _links[node] < byte.MaxValue)
        {
            _links[node] = (byte)(_links[node] + count);
        }
    }
}
