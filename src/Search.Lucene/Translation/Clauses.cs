using Lucene.Net.Search;

namespace Jackdaw.Search.Lucene.Translation;

/// <summary>Combines queries.</summary>
internal static class Clauses
{
    /// <summary>Finds the entries that at least one query finds; without queries, nothing.</summary>
    public static Query Any(IEnumerable<Query> queries) => Combine(queries, Occur.SHOULD, new BooleanQuery());

    /// <summary>Finds the entries that each query finds; without queries, all entries.</summary>
    public static Query All(IEnumerable<Query> queries) => Combine(queries, Occur.MUST, new MatchAllDocsQuery());

    /// <summary>Finds the entries that a query does not find.</summary>
    public static Query Not(Query query) => new BooleanQuery { { new MatchAllDocsQuery(), Occur.MUST }, { query, Occur.MUST_NOT } };

    // Another query is put around it, because the inner one may have a factor too.
    public static Query Boost(Query query, float factor) => new BooleanQuery(disableCoord: true) { { query, Occur.MUST } }.With(factor);

    private static Query Combine(IEnumerable<Query> queries, Occur occur, Query whenEmpty)
    {
        Query[] all = [.. queries];
        while (all.Length > BooleanQuery.MaxClauseCount)
        {
            all = [.. all.Chunk(BooleanQuery.MaxClauseCount).Select(chunk => Combine(chunk, occur, whenEmpty))];
        }

        var combined = new BooleanQuery(disableCoord: true);
        foreach (Query query in all)
        {
            combined.Add(query, occur);
        }

        return all.Length switch
        {
            0 => whenEmpty,
            1 => all[0],
            _ => combined,
        };
    }

    private static Query With(this Query query, float factor)
    {
        query.Boost = factor;
        return query;
    }
}
