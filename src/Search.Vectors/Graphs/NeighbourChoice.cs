using System.Runtime.InteropServices;
using Jackdaw.Search.Vectors.Walks;

namespace Jackdaw.Search.Vectors.Graphs;

/// <summary>Chooses the neighbours of a node among candidates: those that are nearer to the node than to any one chosen before, so that they lie in different
/// directions.</summary>
/// <remarks>Algorithm 4 of Malkov and Yashunin, 2016. One thread.</remarks>
internal sealed unsafe class NeighbourChoice
{
    private readonly ulong[] _chosen = new ulong[2 * GraphLimits.EdgesMax];
    private readonly List<ulong> _fine = [];
    private readonly ulong[] _refused = new ulong[2 * GraphLimits.EdgesMax];

    /// <summary>Chooses.</summary>
    /// <param name="node">The node.</param>
    /// <param name="candidates">Keys with their distances from the node, nearest first.</param>
    /// <param name="max">The most neighbours.</param>
    /// <param name="fills">Whether places that are left over go to the nearest of the others.</param>
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
        bool isFine = IsFine(graph, node, candidates);
        foreach (ulong candidate in isFine ? Refine(graph, node, candidates) : candidates)
        {
            if (chosen == max)
            {
                break;
            }

            if (IsApart(graph, candidate, chosen, isFine))
            {
                _chosen[chosen++] = candidate;
            }
            else if (refused < max)
            {
                _refused[refused++] = candidate;
            }
        }

        for (int i = 0; fills && i < refused && chosen < max; i++)
        {
            _chosen[chosen++] = _refused[i];
        }

        return _chosen.AsSpan(0, chosen);
    }

    // Codes cannot tell the candidates apart, as when all are copies with hardly a difference: then their vectors are compared.
    private static bool IsFine(GraphView graph, uint node, ReadOnlySpan<ulong> candidates) =>
        NodeKey.Distance(candidates[^1]) - NodeKey.Distance(candidates[0]) < graph.Layout.Code.Uncertainty(graph.Code(node));

    private ReadOnlySpan<ulong> Refine(GraphView graph, uint node, ReadOnlySpan<ulong> candidates)
    {
        _fine.Clear();
        foreach (ulong candidate in candidates)
        {
            _fine.Add(NodeKey.Of(graph.VectorDistance(node, NodeKey.Node(candidate)), NodeKey.Node(candidate)));
        }

        _fine.Sort();
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
