using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Lucene.Net.QueryParsers.Classic;
using Lucene.Net.Search;

namespace Jackdaw.Search.Analysis.Reading;

/// <summary>Reads texts in the classic query syntax.</summary>
/// <remarks>
/// What such a text means is a rule of Lucene: among words beside each other, those with <c>+</c> must be there and those with <c>-</c> must not. The
/// others decide only when no word has a <c>+</c>; beside such words they raise scores. A text that consists of words with <c>-</c> finds all other
/// entries, but in parentheses such a text finds nothing.
/// </remarks>
public static class ClassicQuery
{
    /// <summary>The longest text in characters.</summary>
    private const int LengthMax = 64 * 1024;

    /// <summary>The most open parentheses: the parser calls itself for each, and more would end the process by a stack overflow.</summary>
    private const int DepthMax = 64;

    /// <summary>The condition that a text stands for. Words that must not be there are a <see cref="NotNode"/> below an <see cref="AndNode"/>, or stand
    /// alone at the top; words that raise scores are an <see cref="OptionalNode"/> below an <see cref="AndNode"/>.</summary>
    /// <exception cref="InvalidSearchException">The text cannot be read, or the analyzer, which a user wrote, fails on a part of it.</exception>
    public static SearchNode Parse(ClassicQueryNode node, IndexFields fields)
    {
        if (node.Text.Length > LengthMax || DepthOf(node.Text) > DepthMax)
        {
            throw new InvalidSearchException(
                $"A Lucene text has at most {LengthMax} characters and {DepthMax} nested parentheses: simplify it.");
        }

        if (node.Text.AsSpan().Trim().IsEmpty)
        {
            return new NoneNode();
        }

        try
        {
            Query query = new ClassicParser(node.Field, fields).Parse(node.Text);
            return query is BooleanQuery { Clauses.Count: > 0 } all && all.Clauses.All(clause => clause.IsProhibited)
                ? All([.. all.Clauses.Select(clause => new NotNode(ToNode(clause.Query)))])
                : ToNode(query);
        }
        catch (Exception e) when (e is ParseException or BooleanQuery.TooManyClausesException)
        {
            throw new InvalidSearchException($"The Lucene text '{node.Text}' cannot be read: {e.Message}", e);
        }
    }

    // The recursion is as deep as the parentheses.
    private static SearchNode ToNode(Query query)
    {
        SearchNode node = query is BooleanQuery combined ? Combine(combined.Clauses) : ((ClassicPart)query).Node;
        return query.Boost == 1 ? node : new BoostNode(node, query.Boost);
    }

    private static SearchNode Combine(IList<BooleanClause> clauses)
    {
        SearchNode[] Of(Occur occur) => [.. clauses.Where(clause => clause.Occur == occur).Select(clause => ToNode(clause.Query))];
        (SearchNode[] must, SearchNode[] should, SearchNode[] mustNot) = (Of(Occur.MUST), Of(Occur.SHOULD), Of(Occur.MUST_NOT));
        List<SearchNode> nodes = [.. must];
        if (should.Length > 0)
        {
            nodes.Add(must.Length > 0 ? new OptionalNode(should) : should.Length == 1 ? should[0] : new OrNode(should));
        }
        else if (must.Length == 0)
        {
            nodes.Add(new NoneNode()); // the rest stays, so that a part that cannot be run is refused here too
        }

        return All([.. nodes, .. mustNot.Select(node => new NotNode(node))]);
    }

    private static SearchNode All(SearchNode[] nodes) => nodes.Length == 1 ? nodes[0] : new AndNode(nodes);

    private static int DepthOf(string text)
    {
        int depth = 0, most = 0;
        foreach (char c in text)
        {
            depth += c == '(' ? 1 : c == ')' && depth > 0 ? -1 : 0;
            most = Math.Max(most, depth);
        }

        return most;
    }
}
