using Jackdaw.Search.Vectors.Walks;

namespace Jackdaw.Search.Vectors.Graphs;

/// <summary>Chooses the neighbours of a node among candidates: those that are nearer to the node than to any one chosen before, so that they lie in different
/// directions.</summary>
/// <remarks>Algorithm 4 of Malkov and Yashunin, 2016. One thread.</remarks>
internal sealed unsafe class NeighbourChoice
{
    private readonly ulong[] _chosen = new ulong[2 * VectorLimits.EdgesMax];
    private readonly ulong[] _refused = new ulong[2 * VectorLimits.EdgesMax];

    /// <summary>The distances that were computed.</summary>
    public long Distances { get; private set; }

    /// <summary>Chooses.</summary>
    /// <param name="candidates">Keys with their distances from the node, nearest first.</param>
    /// <param name="max">The most neighbours.</param>
    /// <param name="fills">Whether places that are left over go to the nearest of the others.</param>
    /// <returns>Valid until the next choice.</returns>
    public ReadOnlySpan<ulong> Choose(GraphView graph, ReadOnlySpan<ulong> candidates, int max, bool fills = false)
    {
        if (candidates.Length < max || (fills && candidates.Length == max))
        {
            candidates.CopyTo(_chosen);
            return _chosen.AsSpan(0, candidates.Length);
        }

        int chosen = 0;
        int refused = 0;
        foreach (ulong candidate in candidates)
        {
            if (chosen == max)
            {
                break;
            }

            if (IsApart(graph, candidate, chosen))
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

    private bool IsApart(GraphView graph, ulong candidate, int chosen)
    {
        float distance = NodeKey.Distance(candidate);
        sbyte* code = graph.Code(NodeKey.Node(candidate));
        for (int i = 0; i < chosen; i++)
        {
            Distances++;
            if (graph.CodeDistance(code, NodeKey.Node(_chosen[i])) < distance)
            {
                return false;
            }
        }

        return true;
    }
}
