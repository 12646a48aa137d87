using System.Runtime.InteropServices;
using Jackdaw.Search.Vectors.Walks;

namespace Jackdaw.Search.Vectors.Graphs;

/// <summary>Chooses the neighbours of a node among candidates: those that are nearer to the node than to any one chosen before, so that they lie in different
/// directions.</summary>
/// <remarks>Algorithm 4 of Malkov and Yashunin, 2016. One thread.</remarks>
internal sealed unsafe class NeighbourChoice
{
    /// <summary>A node has at least this share of the neighbours that it may have. On a line each node would have one on each side, and a single link that is
    /// missing would end all walks.</summary>
    private const int LeastShare = 4;

    private readonly ulong[] _chosen = new ulong[2 * GraphLimits.EdgesMax];
    private readonly List<ulong> _fine = [];
    private readonly ulong[] _refused = new ulong[2 * GraphLimits.EdgesMax];

    /// <summary>Chooses.</summary>
    /// <param name="node">The node.</param>
    /// <param name="candidates">Keys with their distances from the node, nearest first.</param>
    /// <param name="max">The most neighbours.</param>
    /// <param name="fills">Whether all places that are left over go to the nearest of the others, not only the first ones.</param>
    /// <returns>Valid until the next choice.</returns>
    public ReadOnlySpan<ulong> Choose(GraphView graph, uint node, ReadOnlySpan<ulong> candidates, int max, bool fills = false)
    {
        if (candidates.Length < max || (fills && candidates.Length == max))
        {
            candidates.CopyTo(_chosen);
            return _chosen.AsSpan(0, candidates.Length);
        }

        int chosen = 0;
        int refused = 0;
        int fine = CountFine(graph, node, candidates);
        ReadOnlySpan<ulong> refined = fine > 0 ? Refine(graph, node, candidates, fine) : candidates;
        for (int i = 0; i < refined.Length && chosen < max; i++)
        {
            ulong candidate = refined[i];
            if (IsApart(graph, candidate, chosen, isFine: i < fine))
            {
                _chosen[chosen++] = candidate;
            }
            else if (refused < max)
            {
                _refused[refused++] = candidate;
            }
        }

        int least = fills ? max : Math.Max(1, max / LeastShare);
        for (int i = 0; i < refused && chosen < least; i++)
        {
            _chosen[chosen++] = _refused[i];
        }

        return _chosen.AsSpan(0, chosen);
    }

    // How many of the nearest candidates codes do not tell apart, so that their vectors are compared: those that hardly differ from the node, or all of them.
    private static int CountFine(GraphView graph, uint node, ReadOnlySpan<ulong> candidates)
    {
        float uncertainty = graph.Layout.Code.Uncertainty(graph.Code(node));
        if (NodeKey.Distance(candidates[^1]) - NodeKey.Distance(candidates[0]) < uncertainty)
        {
            return candidates.Length;
        }

        int count = 0;
        while (count < candidates.Length && NodeKey.Distance(candidates[count]) < uncertainty)
        {
            count++;
        }

        return count;
    }

    private ReadOnlySpan<ulong> Refine(GraphView graph, uint node, ReadOnlySpan<ulong> candidates, int count)
    {
        _fine.Clear();
        foreach (ulong candidate in candidates[..count])
        {
            _fine.Add(NodeKey.Of(graph.VectorDistance(node, NodeKey.Node(candidate)), NodeKey.Node(candidate)));
        }

        _fine.Sort();
        _fine.AddRange(candidates[count..]);
        return CollectionsMarshal.AsSpan(_fine);
    }

    private bool IsApart(GraphView graph, ulong candidate, int chosen, bool isFine)
    {
        float distance = NodeKey.Distance(candidate);
        uint node = NodeKey.Node(candidate);
        byte* code = graph.Code(node);
        for (int i = 0; i < chosen; i++)
        {
            uint other = NodeKey.Node(_chosen[i]);
            if ((isFine ? graph.VectorDistance(node, other) : graph.DistanceBetween(code, other)) < distance)
            {
                return false;
            }
        }

        return true;
    }
}
