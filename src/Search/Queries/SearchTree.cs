namespace Jackdaw.Search.Queries;

/// <summary>Walks over trees of conditions.</summary>
public static class SearchTree
{
    /// <summary>The conditions that are not made of others, in order.</summary>
    public static IEnumerable<SearchNode> Leaves(SearchNode node) => node switch
    {
        AndNode and => and.Nodes.SelectMany(Leaves),
        OrNode or => or.Nodes.SelectMany(Leaves),
        OptionalNode optional => optional.Nodes.SelectMany(Leaves),
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
        OptionalNode optional => new OptionalNode([.. optional.Nodes.Select(child => Replace(child, leaf))]),
        NotNode not => new NotNode(Replace(not.Node, leaf)),
        BoostNode boost => boost with { Node = Replace(boost.Node, leaf) },
        IntersectNode intersect => new IntersectNode([.. intersect.Nodes.Select(child => Replace(child, leaf))]),
        _ => leaf(node),
    };

    /// <summary>The field whose factors of entries multiply the scores of a condition; null when it has no field, or several.</summary>
    public static string? FieldOf(SearchNode node) => node switch
    {
        TermNode term => term.Field,
        InNode list => list.Field,
        AllInNode list => list.Field,
        RangeNode range => range.Field,
        PrefixNode prefix => prefix.Field,
        SuffixNode suffix => suffix.Field,
        ContainsNode part => part.Field,
        WildcardNode wildcard => wildcard.Field,
        RegexNode regex => regex.Field,
        FuzzyNode fuzzy => fuzzy.Field,
        NearNode near => near.Field,
        FullTextNode text => text.Field,
        PhraseNode phrase => phrase.Field,
        ClassicQueryNode text => text.Field,
        SpatialNode spatial => spatial.Field,
        ExistsNode exists => exists.Field,
        ScoredNode scored => scored.Field,
        _ => null,
    };
}
