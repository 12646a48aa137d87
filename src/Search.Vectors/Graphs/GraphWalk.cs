using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics.X86;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Vectors.Walks;

namespace Jackdaw.Search.Vectors.Graphs;

/// <summary>Walks over a graph by codes, to the nodes near a query. One thread; nothing is allocated once its arrays are as large as they must be.</summary>
/// <remarks>The algorithm is that of hierarchical navigable small worlds (Malkov and Yashunin, 2016, algorithms 2 and 5).</remarks>
internal sealed unsafe class GraphWalk
{
    private readonly uint[] _found = GC.AllocateUninitializedArray<uint>((2 * GraphLimits.EdgesMax) + 1, pinned: true);
    private readonly VisitedSet _visited = new();
    private readonly KeyHeap _frontier = new();
    private uint[] _entries = [];

    /// <summary>The nodes that the last walk has found, nearest first.</summary>
    public Beam Found { get; } = new();

    /// <summary>The distances that were computed.</summary>
    public long Distances { get; private set; }

    /// <summary>A node that walks do not see, to ask how well a stored vector is found; null for none.</summary>
    public uint? Hidden { get; set; }

    /// <summary>Whether the place of the hidden node in a list is that of another node, as if the hidden one had never been there.</summary>
    public bool IsReplaced { get; set; }

    /// <summary>Goes down level by level, each time to the nearest neighbour.</summary>
    /// <returns>The nearest node of the level above <paramref name="to"/>, where a walk over that level begins.</returns>
    public uint Descend(GraphView graph, byte* query, int to)
    {
        uint nearest = graph.Header.Entry;
        float distance = graph.CodeDistance(query, nearest);
        for (int level = graph.Header.TopLevel; level > to; level--)
        {
            for (bool hasMoved = true; hasMoved;)
            {
                hasMoved = false;
                uint* neighbours = graph.Neighbours(nearest, level, out int count);
                Distances += count;
                for (int i = 0; i < count; i++)
                {
                    uint node = Checked(graph, neighbours[i], nearest);
                    float other = graph.CodeDistance(query, node);
                    if (other < distance && node != Hidden)
                    {
                        (distance, nearest, hasMoved) = (other, node, true);
                    }
                }
            }
        }

        return nearest;
    }

    /// <summary>Finds the nearest nodes of a level, dead ones included.</summary>
    /// <param name="width">The most nodes.</param>
    public void Walk(GraphView graph, byte* query, int level, int width, uint entry) =>
        Walk(graph, new CodeMetric(query), level, width, [entry]);

    /// <summary>The same by vectors, beginning at the nodes that were found.</summary>
    public void WalkByVectors(GraphView graph, float* vector, byte* query, int level, int width) =>
        Walk(graph, new VectorMetric(vector, query), level, width, TakeFound());

    /// <summary>Finds the nearest nodes of a level that are in a set and not dead.</summary>
    /// <param name="entries">Where the walk begins: different nodes.</param>
    /// <param name="allowed">Null: all nodes that are not dead.</param>
    /// <param name="distancesMax">A walk that must leave nodes out gives up when it has computed more distances.</param>
    /// <returns>False when it gave up.</returns>
    public bool WalkLive(GraphView graph, byte* query, int level, int width, ReadOnlySpan<uint> entries, NodeSet? allowed, long distancesMax) =>
        WalkLive(graph, new CodeMetric(query), level, width, entries, allowed, distancesMax);

    /// <inheritdoc cref="WalkLive(GraphView, byte*, int, int, ReadOnlySpan{uint}, NodeSet?, long)"/>
    /// <remarks>By vectors, beginning at the nodes that were found.</remarks>
    public bool WalkLiveByVectors(GraphView graph, float* vector, byte* query, int level, int width, NodeSet? allowed, long distancesMax) =>
        WalkLive(graph, new VectorMetric(vector, query), level, width, TakeFound(), allowed, distancesMax);

    /// <summary>Whether codes do not tell the found nodes apart, so that nearer ones may have had no place among them.</summary>
    public bool IsBlurred(GraphView graph, byte* query, int width) => !graph.Layout.Code.IsExact && Found.Count == width
        && NodeKey.Distance(Found[width - 1]) - NodeKey.Distance(Found[0]) < graph.Layout.Code.Uncertainty(query);

    /// <summary>Whether the last walk compared a node: it is among the found ones, or farther than all of them.</summary>
    public bool HasSeen(uint node) => _visited.Stamps[node] == _visited.Version;

    private bool WalkLive<TMetric>(
        GraphView graph, TMetric metric, int level, int width, ReadOnlySpan<uint> entries, NodeSet? allowed, long distancesMax)
        where TMetric : struct, IWalkMetric
    {
        if (allowed is not null || graph.Header.Dead > 0)
        {
            return WalkFiltered(graph, metric, level, width, entries, allowed, distancesMax);
        }

        Walk(graph, metric, level, width, entries);
        return true;
    }

    private ReadOnlySpan<uint> TakeFound()
    {
        if (_entries.Length < Found.Count)
        {
            _entries = GC.AllocateUninitializedArray<uint>(Found.Width);
        }

        for (int i = 0; i < Found.Count; i++)
        {
            _entries[i] = NodeKey.Node(Found[i]);
        }

        return _entries.AsSpan(0, Found.Count);
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private void Walk<TMetric>(GraphView graph, TMetric metric, int level, int width, ReadOnlySpan<uint> entries)
        where TMetric : struct, IWalkMetric
    {
        Begin(graph, width);
        foreach (uint entry in entries)
        {
            ulong key = NodeKey.Of(metric.Distance(graph, entry), entry);
            _visited.Visit(entry);
            if (Found.Takes(key))
            {
                Found.Add(key);
            }
        }

        fixed (uint* found = _found)
        {
            for (int at = 0; at < Found.Count;)
            {
                ulong key = Found[at];
                if ((key & 1) != 0)
                {
                    at++;
                    continue;
                }

                Found.MarkExpanded(at++);
                int fresh = FindNew(graph, NodeKey.Node(key), level, found);
                for (int i = 0; i < fresh; i++)
                {
                    ulong near = NodeKey.Of(metric.Distance(graph, found[i]), found[i]);
                    if (Found.Takes(near))
                    {
                        at = Math.Min(at, Found.Add(near));
                    }
                }
            }
        }
    }

    private bool WalkFiltered<TMetric>(
        GraphView graph, TMetric metric, int level, int width, ReadOnlySpan<uint> entries, NodeSet? allowed, long distancesMax)
        where TMetric : struct, IWalkMetric
    {
        Begin(graph, width);
        _frontier.Clear();
        foreach (uint entry in entries)
        {
            _visited.Visit(entry);
            Take(graph, NodeKey.Of(metric.Distance(graph, entry), entry), allowed);
        }

        long computed = entries.Length;
        fixed (uint* found = _found)
        {
            while (_frontier.Count > 0 && computed <= distancesMax)
            {
                ulong key = _frontier.Pop();
                if (!Found.Takes(key))
                {
                    return true;
                }

                int fresh = FindNew(graph, NodeKey.Node(key), level, found);
                computed += fresh;
                for (int i = 0; i < fresh; i++)
                {
                    ulong near = NodeKey.Of(metric.Distance(graph, found[i]), found[i]);
                    if (Found.Takes(near))
                    {
                        Take(graph, near, allowed);
                    }
                }
            }
        }

        return _frontier.Count == 0;
    }

    /// <summary>Compares all nodes that are in a set and not dead.</summary>
    public void Scan(GraphView graph, byte* query, int width, NodeSet? allowed, CancellationToken cancellation)
    {
        Found.Begin(width);
        uint nodes = graph.Header.Nodes;
        for (uint first = 0; first < nodes; first += 64)
        {
            if ((first & 0xFFFF) == 0)
            {
                cancellation.ThrowIfCancellationRequested();
            }

            ulong bits = allowed is null ? ulong.MaxValue : allowed.Words[(int)(first / 64)];
            for (; bits != 0; bits &= bits - 1)
            {
                uint node = first + (uint)System.Numerics.BitOperations.TrailingZeroCount(bits);
                if (node >= nodes)
                {
                    break;
                }

                ScanNode(graph, query, node);
            }
        }
    }

    private void ScanNode(GraphView graph, byte* query, uint node)
    {
        if (node == Hidden || graph.Flags(node) != NodeFlags.None)
        {
            return;
        }

        Distances++;
        ulong key = NodeKey.Of(graph.CodeDistance(query, node), node);
        if (Found.Takes(key))
        {
            Found.Add(key);
        }
    }

    private void Begin(GraphView graph, int width)
    {
        _visited.Begin(graph.Header.Nodes);
        Found.Begin(width);
        Distances++;
        if (Hidden is { } hidden)
        {
            _visited.Visit(hidden);
        }
    }

    private void Take(GraphView graph, ulong key, NodeSet? allowed)
    {
        _frontier.Push(key);
        uint node = NodeKey.Node(key);
        if (allowed?.Contains(node) != false && graph.Flags(node) == NodeFlags.None && node != Hidden)
        {
            Found.Add(key);
        }
    }

    // Stamps without a branch that would wait for memory, and asks for all codes before the first is compared.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int FindNew(GraphView graph, uint node, int level, uint* found)
    {
        uint* neighbours = graph.Neighbours(node, level, out int count);
        ushort* stamps = _visited.Stamps;
        ushort version = _visited.Version;
        uint nodes = graph.Header.Nodes;
        int fresh = 0;
        for (int i = 0; i < count; i++)
        {
            uint neighbour = neighbours[i];
            if (neighbour >= nodes)
            {
                throw graph.Damaged(node);
            }

            found[fresh] = neighbour;
            fresh += stamps[neighbour] != version ? 1 : 0;
            stamps[neighbour] = version;
        }

        if (IsReplaced && Hidden is { } hidden && new ReadOnlySpan<uint>(neighbours, count).Contains(hidden)
            && Substitute(graph, node, level, hidden) is { } other && _visited.Visit(other))
        {
            found[fresh++] = other;
        }

        for (int i = 0; i < fresh; i++)
        {
            Prefetch(graph, found[i]);
        }

        Distances += fresh;
        return fresh;
    }

    // The nearest of the neighbours of the hidden node, as after a repair.
    private static uint? Substitute(GraphView graph, uint node, int level, uint hidden)
    {
        ReadOnlySpan<uint> own = graph.Neighbours(node, level);
        (uint? nearest, float distance) = (null, float.PositiveInfinity);
        foreach (uint other in level <= graph.Level(hidden) ? graph.Neighbours(hidden, level) : [])
        {
            float to = graph.DistanceBetween(graph.Code(node), other);
            if (other != node && to < distance && !own.Contains(other))
            {
                (nearest, distance) = (other, to);
            }
        }

        return nearest;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Prefetch(GraphView graph, uint node)
    {
        if (Sse.IsSupported)
        {
            byte* code = graph.Code(node);
            for (int offset = 0; offset < graph.Layout.Code.Size; offset += 64)
            {
                Sse.Prefetch0(code + offset);
            }
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static uint Checked(GraphView graph, uint neighbour, uint node) => neighbour < graph.Header.Nodes ? neighbour : throw graph.Damaged(node);
}
