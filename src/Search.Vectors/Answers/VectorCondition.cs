using Jackdaw.Search.Queries;

namespace Jackdaw.Search.Vectors.Answers;

/// <summary>Conditions on vectors in a tree of conditions.</summary>
internal static class VectorCondition
{
    /// <summary>Whether a tree has any.</summary>
    public static bool IsIn(SearchNode node) => SearchTree.Leaves(node).Any(leaf => leaf is VectorNode);

    /// <summary>The tree with what its conditions on vectors do not say.</summary>
    public static SearchNode WithDefaults(SearchNode node, VectorDefaults defaults)
    {
        VectorNode Complete(VectorNode vector) => vector with
        {
            Candidates = vector.Candidates ?? defaults.Candidates,
            MinimumSimilarity = vector.MinimumSimilarity ?? defaults.MinimumSimilarity,
        };

        return defaults == VectorDefaults.None ? node : Replace(node, Complete);
    }

    /// <summary>The one condition on vectors that each found entry fulfils, when the score orders by nothing else but it: it stands alone, or beside conditions
    /// without vectors that must hold, too.</summary>
    /// <param name="filter">The other conditions; may be empty.</param>
    public static VectorNode? Lone(SearchNode query, out IReadOnlyList<SearchNode> filter)
    {
        SearchNode[] parts = [.. Parts(query)];
        filter = [.. parts.Where(part => !IsIn(part))];
        SearchNode[] others = [.. parts.Where(part => IsIn(part))];
        return others is [var only] ? Unboosted(only) as VectorNode : null;
    }

    /// <summary>The tree with other nodes in place of its conditions on vectors. Beside a <see cref="Lone"/> one the other conditions only filter: the score of
    /// an entry is its cosine.</summary>
    public static SearchNode Resolve(SearchNode query, Func<VectorNode, SearchNode> other)
    {
        if (Lone(query, out _) is null)
        {
            return Replace(query, other);
        }

        SearchNode[] parts = [.. Parts(query).Select(part => IsIn(part) ? Replace(part, other) : new BoostNode(part, 0))];
        return parts is [var only] ? only : new AndNode(parts);
    }

    private static SearchNode Replace(SearchNode node, Func<VectorNode, SearchNode> other) =>
        SearchTree.Replace(node, leaf => leaf is VectorNode vector ? other(vector) : leaf);

    private static IEnumerable<SearchNode> Parts(SearchNode query) => query is AndNode and ? and.Nodes.SelectMany(Parts) : [query];

    private static SearchNode Unboosted(SearchNode node) => node is BoostNode boost ? Unboosted(boost.Node) : node;
}
