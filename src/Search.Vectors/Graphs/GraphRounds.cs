using System.Diagnostics;
using Jackdaw.Search.Vectors.Walks;

namespace Jackdaw.Search.Vectors.Graphs;

/// <summary>Links new nodes to a graph, in rounds of several.</summary>
/// <remarks>
/// A round has two steps, each on all threads that are free:
/// 1. The neighbours of each new node are found in the graph as it is, and among the other nodes of the round. Nothing changes.
/// 2. Each node that became a neighbour gets the new nodes as its neighbours. All pages were made writable before, and each list has one thread.
/// So the same graph comes out with any number of threads.
/// </remarks>
internal sealed class GraphRounds
{
    /// <summary>The most nodes of a round. Larger rounds compare more nodes with one another and gain nothing.</summary>
    private const int NodesMax = 256;

    /// <summary>A round has at most this share of the nodes of the graph, so that its nodes find others than each other.</summary>
    private const int GraphShare = 32;

    /// <summary>The last nodes of earlier rounds. A walk also begins at the nearest of them.</summary>
    private const int RecentMax = 8;

    private readonly uint[] _nodes = new uint[NodesMax];
    private readonly NodeLinks[] _links = [.. Enumerable.Range(0, NodesMax).Select(_ => new NodeLinks())];
    private readonly List<ulong> _groups = [];
    private readonly List<ulong> _edges = [];
    private readonly List<ulong> _sources = [];
    private readonly uint[] _recent = new uint[RecentMax]; // of earlier rounds; they may have died since, or be other vectors
    private readonly RoundWorker[] _workers;
    private readonly RoundWorkers _find;
    private readonly RoundWorkers _link;
    private readonly int _candidates;
    private GraphView _view = null!;
    private int _count;
    private int _recentAt;

    public GraphRounds(int candidates, int threads)
    {
        _candidates = candidates;
        _workers = [.. Enumerable.Range(0, threads).Select(_ => new RoundWorker())];
        _find = new RoundWorkers(threads, FindNeighbours);
        _link = new RoundWorkers(threads, LinkGroup);
    }

    public void Begin(GraphView view)
    {
        _view = view;
        _count = 0;
    }

    /// <summary>Forgets nodes that are not linked: their transaction ends without them.</summary>
    public void Drop() => _count = 0;

    /// <summary>Takes a new node, which has no neighbours yet.</summary>
    public void Add(uint node)
    {
        _nodes[_count++] = node;
        if (_view.Header.TopLevel < 0 || _count >= Math.Clamp(_view.Header.Live / GraphShare, 1, NodesMax))
        {
            Complete();
        }
    }

    /// <summary>Takes a node that was dead.</summary>
    public void AddAgain(uint node)
    {
        if (!_nodes.AsSpan(0, _count).Contains(node))
        {
            Add(node);
        }
    }

    /// <summary>Links all nodes that are left.</summary>
    public void Complete()
    {
        if (_count == 0)
        {
            return;
        }

        if (_view.Header.TopLevel < 0)
        {
            Debug.Assert(_count == 1, "the first round has one node");
        }
        else
        {
            _find.Run(_count);
            WriteForward();
            PrepareGroups();
            _link.Run(_groups.Count);
        }

        RaiseEntry();
        AddRecent();
        _count = 0;
    }

    private void AddRecent()
    {
        foreach (uint node in _nodes.AsSpan(0, _count)[Math.Max(0, _count - RecentMax)..])
        {
            _recent[_recentAt] = node;
            _recentAt = (_recentAt + 1) % RecentMax;
        }
    }

    // Step 1, on any thread.
    private unsafe void FindNeighbours(int worker, int item)
    {
        RoundWorker tools = _workers[worker];
        uint node = _nodes[item];
        byte* code = tools.Query.Of(_view, node);
        int top = Math.Min(_view.Level(node), (int)_view.Header.TopLevel);
        uint entry = tools.Walk.Descend(_view, code, top);
        NodeLinks links = _links[item];
        links.Begin(top, _view.Layout.Edges);
        for (int level = top; level >= 0; level--)
        {
            entry = tools.FindLive(_view, code, level, _candidates, entry, level == 0 ? NearestRecent(code, entry) : entry, node);
            AddOthers(tools, code, item, level, tools.IsBlurred);
            links.Set(level, tools.Choice.Choose(_view, node, tools.Sorted(_candidates), _view.Layout.Edges));
        }
    }

    // Vectors often come in an order, such as that of a line. Then a recent one is near, while the way from above may end beyond a gap that is about to be
    // filled.
    private unsafe uint NearestRecent(byte* code, uint entry)
    {
        uint nearest = entry;
        float distance = float.PositiveInfinity;
        foreach (uint node in _recent)
        {
            if (node < _view.Header.Nodes && _view.Flags(node) == NodeFlags.None && _view.CodeDistance(code, node) is float other && other < distance)
            {
                (nearest, distance) = (node, other);
            }
        }

        return nearest;
    }

    // A walk finds some of the round, too: nodes that came back, and those whose numbers recent ones had. They must not be candidates twice.
    private unsafe void AddOthers(RoundWorker tools, byte* code, int item, int level, bool isBlurred)
    {
        ulong farthest = tools.Walk.Found.Count < _candidates ? ulong.MaxValue : tools.Walk.Found[_candidates - 1];
        for (int other = 0; other < _count; other++)
        {
            if (other != item && _view.Level(_nodes[other]) >= level && !tools.Walk.HasSeen(_nodes[other]))
            {
                float distance = isBlurred ? _view.VectorDistance(_nodes[item], _nodes[other]) : _view.CodeDistance(code, _nodes[other]);
                ulong key = NodeKey.Of(distance, _nodes[other]);
                if (key <= farthest)
                {
                    tools.Candidates.Add(key);
                }
            }
        }
    }

    private unsafe void WriteForward()
    {
        _edges.Clear();
        _sources.Clear();
        for (int item = 0; item < _count; item++)
        {
            NodeLinks links = _links[item];
            for (int level = 0; level <= links.Top; level++)
            {
                ReadOnlySpan<ulong> chosen = links.Of(level);
                NeighbourList list = NeighbourList.Writable(_view, _nodes[item], level);
                list.Set(chosen);
                foreach (ulong key in chosen)
                {
                    _edges.Add(((ulong)level << 56) | ((ulong)NodeKey.Node(key) << 24) | (uint)_sources.Count);
                    _sources.Add(key & ~(ulong)uint.MaxValue | (_nodes[item] << 1));
                }
            }
        }
    }

    // Edges of one target on one level are a group. A group is known by its first edge.
    private void PrepareGroups()
    {
        _edges.Sort();
        _groups.Clear();
        ulong last = ulong.MaxValue;
        for (int i = 0; i < _edges.Count; i++)
        {
            ulong target = _edges[i] >> 24;
            if (target != last)
            {
                last = target;
                _groups.Add((ulong)i);
                _ = NeighbourList.Writable(_view, (uint)target, (int)(target >> 32));
            }
        }
    }

    // Step 2, on any thread.
    private void LinkGroup(int worker, int group)
    {
        int first = (int)_groups[group];
        int end = group + 1 < _groups.Count ? (int)_groups[group + 1] : _edges.Count;
        ulong target = _edges[first] >> 24;
        NeighbourList list = NeighbourList.OfCopied(_view, (uint)target, (int)(target >> 32));
        RoundWorker tools = _workers[worker];
        tools.Candidates.Clear();
        for (int i = first; i < end; i++)
        {
            ulong source = _sources[(int)(_edges[i] & 0xFFFFFF)];
            if (!list.TryAdd(NodeKey.Node(source)))
            {
                tools.Candidates.Add(source);
            }
        }

        if (tools.Candidates.Count > 0)
        {
            list.AddDistances(tools.Candidates);
            list.Set(tools.Choice.Choose(_view, (uint)target, tools.Sorted(int.MaxValue), list.Max));
        }
    }

    // Walks begin at the highest node, or at a node that found no other to go on from: then all others are dead.
    private void RaiseEntry()
    {
        ref GraphHeader header = ref _view.Header;
        for (int item = 0; item < _count; item++)
        {
            int level = _view.Level(_nodes[item]);
            bool isAlone = header.TopLevel < 0 || (_links[item].Of(0).Length == 0 && _view.Flags(header.Entry) != NodeFlags.None);
            if (isAlone || level > header.TopLevel)
            {
                (header.TopLevel, header.Entry) = ((sbyte)level, _nodes[item]);
            }
        }
    }
}
