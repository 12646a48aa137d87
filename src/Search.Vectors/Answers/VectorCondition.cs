using Jackdaw.Search.Queries;

namespace Jackdaw.Search.Vectors.Answers;

/// <summary>Conditions on vectors in a tree of conditions.</summary>
internal static class VectorCondition
{
    /// <summary>All of them, in order.</summary>
    public static IEnumerable<VectorNode> In(SearchNode node) => node switch
    {
        VectorNode vector => [vector],
        AndNode and => and.Nodes.SelectMany(In),
        OrNode or => or.Nodes.SelectMany(In),
        NotNode not => In(not.Node),
        BoostNode boost => In(boost.Node),
        IntersectNode intersect => intersect.Nodes.SelectMany(In),
        _ => [],
    };

    /// <summary>The tree with other nodes in place of its conditions on vectors.</summary>
    private static SearchNode Replace(SearchNode node, Func<VectorNode, SearchNode> other) => node switch
    {
        VectorNode vector => other(vector),
        AndNode and => new AndNode([.. and.Nodes.Select(child => Replace(child, other))]),
        OrNode or => new OrNode([.. or.Nodes.Select(child => Replace(child, other))]),
        NotNode not => new NotNode(Replace(not.Node, other)),
        BoostNode boost => boost with { Node = Replace(boost.Node, other) },
        IntersectNode intersect => new IntersectNode([.. intersect.Nodes.Select(child => Replace(child, other))]),
        _ => node,
    };

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
    /// <param name="filter">The other conditions; empty when there are none.</param>
    public static VectorNode? Lone(SearchNode query, out IReadOnlyList<SearchNode> filter)
    {
        SearchNode[] parts = [.. Parts(query)];
        filter = [.. parts.Where(part => !In(part).Any())];
        SearchNode[] others = [.. parts.Where(part => In(part).Any())];
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

        SearchNode[] parts = [.. Parts(query).Select(part => In(part).Any() ? Replace(part, other) : new BoostNode(part, 0))];
        return parts is [var only] ? only : new AndNode(parts);
    }

    private static IEnumerable<SearchNode> Parts(SearchNode query) => query is AndNode and ? and.Nodes.SelectMany(Parts) : [query];

    private static SearchNode Unboosted(SearchNode node) => node is BoostNode boost ? Unboosted(boost.Node) : node;
}
