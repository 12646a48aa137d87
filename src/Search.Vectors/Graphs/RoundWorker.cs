using System.Runtime.InteropServices;
using Jackdaw.Search.Vectors.Walks;

namespace Jackdaw.Search.Vectors.Graphs;

/// <summary>What one thread needs in a round.</summary>
internal sealed class RoundWorker
{
    public GraphWalk Walk { get; } = new();

    /// <summary>The query of the node that gets its neighbours.</summary>
    public WalkQuery Query { get; } = new();

    public NeighbourChoice Choice { get; } = new();

    public List<ulong> Candidates { get; } = [];

    /// <summary>Whether the last candidates have the distances of vectors, because codes did not tell them apart.</summary>
    public bool IsBlurred { get; private set; }

    public VisitedSet Visited { get; } = new();

    /// <summary>Finds candidates near a node: nodes that are not dead, and not the node itself.</summary>
    /// <param name="entry">Where the walk begins.</param>
    /// <param name="other">Where it begins as well; may be the same.</param>
    /// <returns>Where a walk over the next level begins.</returns>
    public unsafe uint FindLive(GraphView view, byte* code, int level, int width, uint entry, uint other, uint node)
    {
        Walk.WalkLive(view, code, level, width, entry == other ? [entry] : [entry, other], allowed: null, long.MaxValue);
        IsBlurred = Walk.IsBlurred(view, code, width);
        if (IsBlurred)
        {
            Walk.WalkLiveByVectors(view, Query.VectorOf(view, node), code, level, width, allowed: null, long.MaxValue);
        }

        Candidates.Clear();
        foreach (ulong key in Walk.Found.Keys)
        {
            if (NodeKey.Node(key) != node)
            {
                Candidates.Add(key & ~1UL);
            }
        }

        return Walk.Found.Count > 0 ? NodeKey.Node(Walk.Found[0]) : entry;
    }

    /// <summary>The nearest candidates, in order, each once.</summary>
    public ReadOnlySpan<ulong> Sorted(int max)
    {
        Candidates.Sort();
        Span<ulong> keys = CollectionsMarshal.AsSpan(Candidates);
        int count = 0;
        foreach (ulong key in keys)
        {
            if (count == 0 || keys[count - 1] != key)
            {
                keys[count++] = key;
            }
        }

        return keys[..Math.Min(max, count)];
    }
}
