using System.Runtime.InteropServices;
using Jackdaw.Storage;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Search.Vectors.Graphs;

/// <summary>Checks everything that is stored of a graph, besides its pages, which the storage checks.</summary>
internal sealed class GraphVerifier
{
    private const int ProblemsMax = 20;

    private readonly GraphView _view;
    private readonly List<string> _problems = [];
    private readonly string _field;

    private GraphVerifier(GraphView view)
    {
        _view = view;
        _field = view.Graph.Field;
    }

    /// <summary>Checks the graph of a field.</summary>
    /// <param name="ids">The nodes of each id; null when no entry has a vector.</param>
    /// <returns>The problems, for people; the first twenty.</returns>
    public static IReadOnlyList<string> Verify(ReadTransaction read, string field, BTree? ids)
    {
        try
        {
            if (!VectorGraph.TryReadHeader(read.Trees, field, out GraphHeader header))
            {
                return [];
            }

            var view = new GraphView(new VectorGraph(field, header));
            view.Begin(read.Trees, read, header);
            var verifier = new GraphVerifier(view);
            verifier.CheckNodes();
            verifier.CheckFree();
            verifier.CheckUsers(ids);
            return verifier._problems;
        }
        catch (CorruptionException damage)
        {
            return [damage.Message];
        }
    }

    /// <summary>The live nodes that walks do not reach.</summary>
    public static long CountUnreached(GraphView view) => GraphReconnection.CountUnreached(view);

    private void CheckNodes()
    {
        GraphHeader header = _view.Header;
        (long dead, long free) = (0, 0);
        for (uint node = 0; node < header.Nodes; node++)
        {
            NodeFlags flags = _view.Flags(node);
            dead += flags == NodeFlags.Dead ? 1 : 0;
            free += flags == NodeFlags.Free ? 1 : 0;
            if (flags > NodeFlags.Free || _view.Level(node) > GraphLimits.LevelMax)
            {
                Report(node, "has flags or a level that do not exist");
                continue;
            }

            for (int level = 0; level <= _view.Level(node); level++)
            {
                CheckNeighbours(node, level);
            }
        }

        if (dead != header.Dead || free != header.Free)
        {
            _problems.Add($"Field '{_field}': {dead} nodes are dead and {free} are free; the header says {header.Dead} and {header.Free}.");
        }

        if (header.TopLevel >= 0 && _view.Level(header.Entry) < header.TopLevel)
        {
            Report(header.Entry, $"is where walks begin on level {header.TopLevel}, which it does not have");
        }
    }

    // While a repair frees its nodes, those that are still to be freed may have free ones as neighbours.
    private void CheckNeighbours(uint node, int level)
    {
        bool isDead = _view.Flags(node) == NodeFlags.Dead;
        var seen = new HashSet<uint>();
        foreach (uint neighbour in _view.Neighbours(node, level))
        {
            if (neighbour == node || !seen.Add(neighbour))
            {
                Report(node, $"has itself or node {neighbour} twice as a neighbour on level {level}");
            }
            else if ((_view.Flags(neighbour) == NodeFlags.Free && !isDead) || _view.Level(neighbour) < level)
            {
                Report(node, $"has node {neighbour} as a neighbour on level {level}, which is free or does not have that level");
            }
        }
    }

    private void CheckFree()
    {
        long count = 0;
        for (uint next = _view.Header.FirstFree; next != 0; next = _view.Users(next - 1))
        {
            if (next > _view.Header.Nodes || _view.Flags(next - 1) != NodeFlags.Free || ++count > _view.Header.Free)
            {
                _problems.Add($"Field '{_field}': the list of free nodes goes to {next - 1L}, which is not free or is there twice.");
                return;
            }
        }

        if (count != _view.Header.Free)
        {
            _problems.Add($"Field '{_field}': {count} nodes are in the list of free nodes; the header says {_view.Header.Free}.");
        }
    }

    private void CheckUsers(BTree? ids)
    {
        uint[] users = new uint[_view.Header.Nodes];
        using BTreeCursor? cursor = ids?.OpenCursor();
        for (bool on = cursor?.SeekFirst() == true; on; on = cursor!.MoveNext())
        {
            foreach (uint node in MemoryMarshal.Cast<byte, uint>(cursor!.Value))
            {
                if (node >= users.Length)
                {
                    Report(node, "is the node of an entry and does not exist");
                    return;
                }

                users[node]++;
            }
        }

        for (uint node = 0; node < users.Length; node++)
        {
            bool isLive = _view.Flags(node) == NodeFlags.None;
            if (isLive ? _view.Users(node) != users[node] || users[node] == 0 : users[node] > 0)
            {
                Report(node, $"is {_view.Flags(node)} with {_view.Users(node)} users; entries have it {users[node]} times");
            }
        }
    }

    private void Report(uint node, string problem)
    {
        if (_problems.Count < ProblemsMax)
        {
            _problems.Add($"Field '{_field}': node {node} {problem}.");
        }
    }
}
