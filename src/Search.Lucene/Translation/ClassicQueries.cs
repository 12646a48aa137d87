using Jackdaw.Search.Queries;
using Lucene.Net.Search;

namespace Jackdaw.Search.Lucene.Translation;

/// <summary>Makes queries of conditions that were a text in the classic syntax, with the scores that Lucene gives such a text: a word that must not be
/// there adds nothing to the score of an entry without it. Elsewhere a negation is a condition that all its entries meet with the same score.</summary>
/// <param name="single">Translates a condition that is not made of others.</param>
internal sealed class ClassicQueries(Func<SearchNode, Query> single)
{
    /// <param name="node">What <see cref="Jackdaw.Search.Analysis.Reading.ClassicQuery"/> made of a text.</param>
    public Query Translate(SearchNode node) => node switch
    {
        NotNode => AllBut([node]),
        AndNode all when all.Nodes.All(child => child is NotNode) => AllBut(all.Nodes),
        _ => Part(node),
    };

    private Query AllBut(IReadOnlyList<SearchNode> nots) =>
        Clauses.All([new MatchAllDocsQuery(), .. nots.Select(not => Clauses.Not(Part(((NotNode)not).Node)))]);

    private Query Part(SearchNode node)
    {
        switch (node)
        {
            case AndNode and:
                return Combine(and.Nodes);
            case OrNode or:
                return Combine([new OptionalNode(or.Nodes)]);
            case BoostNode { Node: BoostNode } boost:
                return Clauses.Boost(Part(boost.Node), boost.Factor);
            case BoostNode boost:
                Query boosted = Part(boost.Node);
                boosted.Boost = boost.Factor;
                return boosted;
            default:
                return single(node);
        }
    }

    private BooleanQuery Combine(IReadOnlyList<SearchNode> nodes)
    {
        var combined = new BooleanQuery();
        foreach (SearchNode node in nodes)
        {
            switch (node)
            {
                case OptionalNode optional:
                    foreach (SearchNode one in optional.Nodes)
                    {
                        combined.Add(Part(one), Occur.SHOULD);
                    }

                    break;
                case NotNode not:
                    combined.Add(Part(not.Node), Occur.MUST_NOT);
                    break;
                default:
                    combined.Add(Part(node), Occur.MUST);
                    break;
            }
        }

        return combined;
    }
}
