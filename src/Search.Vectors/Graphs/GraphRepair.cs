using Jackdaw.Search.Queries;
using Jackdaw.Search.Vectors.Walks;
using Jackdaw.Storage;

namespace Jackdaw.Search.Vectors.Graphs;

/// <summary>Takes nodes that are dead out of a graph, in steps: first they are listed, then every other node gets new neighbours in place of them, then they
/// are free.</summary>
/// <remarks>Batches may come between two steps: a new node never gets a dead one as its neighbour, and a node that comes back is not on the list any more. A
/// repair that is interrupted, such as by the end of the program, begins anew.</remarks>
internal sealed class GraphRepair(GraphView view)
{
    /// <summary>Nodes of a step that lists.</summary>
    private const uint ListedPerStep = 100_000;

    /// <summary>Nodes of another step: some 20 ms when half of them are dead.</summary>
    private const uint NodesPerStep = 500;

    /// <summary>Dead nodes through which live ones are looked for.</summary>
    private const int ThroughMax = 256;

    private readonly uint _nodes = view.Header.Nodes;
    private readonly NodeSet _dead = new(view.Header.Nodes);
    private readonly RoundWorker _tools = new();
    private readonly List<uint> _through = []; // dead nodes whose neighbours are candidates
    private Phase _phase = Phase.Listing;
    private uint _next;
    private (int Level, uint Node) _highest = (-1, 0);

    private enum Phase
    {
        Listing,
        Repairing,
        Freeing,
    }

    /// <summary>Whether enough nodes of a graph are dead for a repair to pay.</summary>
    public static bool IsDue(in GraphHeader header) => header.Dead > 0 && header.Dead >= (header.Nodes - header.Free) / 10;

    /// <summary>Takes a node from the list, because a vector has it again. It may have become a neighbour of others since, and must not be free even if it dies
    /// once more.</summary>
    public void Keep(uint node) => _dead.Remove(node);

    /// <summary>Does a step in the transaction of a writer. Returns false after the last one.</summary>
    public bool Step(GraphWriter writer)
    {
        uint end = (uint)Math.Min(_nodes, _next + (long)(_phase == Phase.Listing ? ListedPerStep : NodesPerStep));
        for (; _next < end; _next++)
        {
            Do(writer, _next);
        }

        if (_next < _nodes)
        {
            return true;
        }

        switch (_phase)
        {
            case Phase.Listing:
                CheckListed(writer.View);
                break;
            case Phase.Repairing:
                ElectEntry(writer.View);
                break;
        }

        _next = 0;
        return _phase++ != Phase.Freeing;
    }

    private void Do(GraphWriter writer, uint node)
    {
        switch (_phase)
        {
            case Phase.Listing when writer.View.Flags(node) == NodeFlags.Dead:
                _dead.Add(node);
                break;
            case Phase.Repairing:
                Repair(writer.View, node);
                break;
            case Phase.Freeing when _dead.Contains(node) && writer.View.Flags(node) == NodeFlags.Dead:
                writer.Free(node);
                break;
        }
    }

    // A repair that frees nothing would be due again at once. Nodes that died while others were listed are counted here.
    private void CheckListed(GraphView view)
    {
        if (_dead.Count > 0)
        {
            return;
        }

        uint dead = 0;
        for (uint node = 0; node < view.Header.Nodes; node++)
        {
            dead += view.Flags(node) == NodeFlags.Dead ? 1u : 0;
        }

        if (dead != view.Header.Dead)
        {
            throw new CorruptionException(
                $"The graph of the vectors of field '{view.Graph.Field}' has {dead:N0} dead nodes, but its header says {view.Header.Dead:N0}.");
        }
    }

    private void Repair(GraphView view, uint node)
    {
        NodeFlags flags = view.Flags(node);
        if (flags == NodeFlags.Free || _dead.Contains(node))
        {
            return;
        }

        int top = view.Level(node);
        if (flags == NodeFlags.None && top > _highest.Level)
        {
            _highest = (top, node);
        }

        for (int level = top; level >= 0; level--)
        {
            if (HasDead(view, node, level))
            {
                Replace(view, node, level);
            }
        }
    }

    private unsafe bool HasDead(GraphView view, uint node, int level)
    {
        uint* neighbours = view.Neighbours(node, level, out int count);
        for (int i = 0; i < count; i++)
        {
            if (_dead.Contains(neighbours[i]))
            {
                return true;
            }
        }

        return false;
    }

    // Candidates are the neighbours that live, and those of the dead ones. Where these are few, as on a line when every second node is dead, the search goes on
    // through further dead ones. Choosing alone would leave too few, so the rest is filled up.
    private void Replace(GraphView view, uint node, int level)
    {
        _tools.Candidates.Clear();
        _tools.Visited.Begin(Math.Max(_nodes, view.Header.Nodes));
        _tools.Visited.Visit(node);
        _through.Clear();
        NeighbourList list = NeighbourList.Writable(view, node, level);
        LookAt(view, node, node, level);
        int own = _through.Count;
        for (int i = 0; i < _through.Count && (i < own || (_tools.Candidates.Count < list.Max && i < ThroughMax)); i++)
        {
            LookAt(view, node, _through[i], level);
        }

        list.Set(_tools.Choice.Choose(view, node, _tools.Sorted(int.MaxValue), list.Max, fills: true));
    }

    private void LookAt(GraphView view, uint node, uint from, int level)
    {
        foreach (uint neighbour in view.Neighbours(from, level))
        {
            if (view.Flags(neighbour) == NodeFlags.None)
            {
                AddCandidate(view, node, neighbour);
            }
            else if (_tools.Visited.Visit(neighbour))
            {
                _through.Add(neighbour);
            }
        }
    }

    private unsafe void AddCandidate(GraphView view, uint node, uint candidate)
    {
        if (_tools.Visited.Visit(candidate))
        {
            _tools.Candidates.Add(NodeKey.Of(view.DistanceBetween(view.Code(node), candidate), candidate));
        }
    }

    private void ElectEntry(GraphView view)
    {
        ref GraphHeader header = ref view.Header;
        if (header.TopLevel >= 0 && view.Flags(header.Entry) == NodeFlags.None)
        {
            return;
        }

        if (_highest.Level < 0 || view.Flags(_highest.Node) != NodeFlags.None)
        {
            _highest = FindHighest(view);
        }

        (header.TopLevel, header.Entry) = ((sbyte)_highest.Level, _highest.Node);
    }

    private static (int Level, uint Node) FindHighest(GraphView view)
    {
        (int Level, uint Node) highest = (-1, 0);
        for (uint node = 0; node < view.Header.Nodes; node++)
        {
            if (view.Flags(node) == NodeFlags.None && view.Level(node) > highest.Level)
            {
                highest = (view.Level(node), node);
            }
        }

        return highest;
    }
}
