using System.Collections.Concurrent;
using Jackdaw.Search.Lucene.Fields;
using Lucene.Net.Index;
using Lucene.Net.Search;
using Lucene.Net.Search.Similarities;

namespace Jackdaw.Search.Lucene.Matching;

/// <summary>Searches one reader, and remembers facts that each search would have to find out again. Any thread.</summary>
internal sealed class SharedSearcher : IndexSearcher
{
    private static readonly BM25Similarity s_similarity = new();

    private readonly ConcurrentDictionary<string, CollectionStatistics> _statistics = new(StringComparer.Ordinal);
    private readonly PerThread<TermCursors> _cursors;
    private HashSet<string>? _boosts;

    public SharedSearcher(IndexReader reader)
        : base(reader)
    {
        Similarity = s_similarity;
        _cursors = new PerThread<TermCursors>(() => new TermCursors(reader));
    }

    /// <summary>The cursors of the calling thread.</summary>
    public TermCursors Cursors => _cursors.Value;

    /// <summary>Like <see cref="IndexSearcher.Explain(Query, int)"/>, for a query that is already prepared.</summary>
    public Explanation ExplainWeight(Weight weight, int doc) => Explain(weight, doc);

    /// <summary>The columns of factors that some entries have, or had once.</summary>
    public IReadOnlySet<string> Boosts => _boosts ??=
        [.. MultiFields.GetMergedFieldInfos(IndexReader).Select(column => column.Name).Where(BoostColumn.Is)];

    public override CollectionStatistics CollectionStatistics(string field) => _statistics.GetOrAdd(field, base.CollectionStatistics);
}
