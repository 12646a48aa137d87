namespace Jackdaw.Search.Queries;

/// <summary>Walks over trees of conditions.</summary>
public static class SearchTree
{
    /// <summary>The conditions that are not made of others, in order.</summary>
    public static IEnumerable<SearchNode> Leaves(SearchNode node) => node switch
    {
        AndNode and => and.Nodes.SelectMany(Leaves),
        OrNode or => or.Nodes.SelectMany(Leaves),
        NotNode not => Leaves(not.Node),
        BoostNode boost => Leaves(boost.Node),
        IntersectNode intersect => intersect.Nodes.SelectMany(Leaves),
        _ => [node],
    };

    /// <summary>The same tree with other leaves.</summary>
    /// <param name="leaf">What stands in place of a leaf; the leaf itself to keep it.</param>
    public static SearchNode Replace(SearchNode node, Func<SearchNode, SearchNode> leaf) => node switch
    {
        AndNode and => new AndNode([.. and.Nodes.Select(child => Replace(child, leaf))]),
        OrNode or => new OrNode([.. or.Nodes.Select(child => Replace(child, leaf))]),
        NotNode not => new NotNode(Replace(not.Node, leaf)),
        BoostNode boost => boost with { Node = Replace(boost.Node, leaf) },
        IntersectNode intersect => new IntersectNode([.. intersect.Nodes.Select(child => Replace(child, leaf))]),
        _ => leaf(node),
    };
}
