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
    /// without vectors that must hold, too, and do not count.</summary>
    /// <param name="filter">The other conditions; may be empty.</param>
    public static VectorNode? Lone(SearchNode query, out IReadOnlyList<SearchNode> filter)
    {
        SearchNode[] parts = [.. Parts(query)];
        filter = [.. parts.Where(part => !IsIn(part))];
        SearchNode[] others = [.. parts.Where(part => IsIn(part))];
        return others is [var only] && !filter.Any(Counts) ? Unboosted(only) as VectorNode : null;
    }

    /// <summary>The tree with other nodes in place of its conditions on vectors. Their scores are cosines, which other conditions would drown. So these only
    /// filter, unless the query says by a factor how much they count.</summary>
    public static SearchNode Resolve(SearchNode query, Func<VectorNode, SearchNode> other) => query switch
    {
        VectorNode vector => other(vector),
        AndNode and => new AndNode([.. and.Nodes.Select(node => Resolve(node, other))]),
        OrNode or => new OrNode([.. or.Nodes.Select(node => Resolve(node, other))]),
        _ when Counts(query) => Replace(query, other),
        _ => new BoostNode(Replace(query, other), 0),
    };

    // Similar entries have an order of their own, as near vectors have.
    private static bool Counts(SearchNode node) => node switch
    {
        AndNode and => and.Nodes.Any(Counts),
        OrNode or => or.Nodes.Any(Counts),
        _ => node is BoostNode or SimilarNode,
    };

    private static SearchNode Replace(SearchNode node, Func<VectorNode, SearchNode> other) =>
        SearchTree.Replace(node, leaf => leaf is VectorNode vector ? other(vector) : leaf);

    private static IEnumerable<SearchNode> Parts(SearchNode query) => query is AndNode and ? and.Nodes.SelectMany(Parts) : [query];

    private static SearchNode Unboosted(SearchNode node) => node is BoostNode boost ? Unboosted(boost.Node) : node;
}
