using Jackdaw.Search.Lucene.Fields;
using Lucene.Net.Index;
using Lucene.Net.Search;
using Lucene.Net.Util;

namespace Jackdaw.Search.Lucene.Matching;

/// <summary>All entries of the ids that have, among their entries, one for each of some queries.</summary>
/// <remarks>Runs them when it is rewritten: ids are in memory then, those of the first query at most.</remarks>
internal sealed class IntersectQuery(IReadOnlyList<Query> parts, CancellationToken cancellation) : Query
{
    public override Query Rewrite(IndexReader reader)
    {
        HashSet<string>? common = null;
        var searcher = new IndexSearcher(reader);
        foreach (Query part in parts)
        {
            var ids = new IdCollector(common, cancellation);
            searcher.Search(part, ids);
            common = ids.Found;
        }

        return new ConstantScoreQuery(new IdFilter(common!)) { Boost = Boost };
    }

    public override string ToString(string field) => $"intersect({string.Join(", ", parts)})";

    /// <summary>Collects the ids of what a query finds.</summary>
    /// <param name="known">Only these; null = all.</param>
    private sealed class IdCollector(HashSet<string>? known, CancellationToken cancellation) : ICollector
    {
        private readonly BytesRef _id = new();
        private SortedDocValues? _ids;

        public HashSet<string> Found { get; } = new(StringComparer.Ordinal);

        public bool AcceptsDocsOutOfOrder => true;

        public void SetScorer(Scorer scorer)
        {
        }

        public void SetNextReader(AtomicReaderContext context)
        {
            cancellation.ThrowIfCancellationRequested();
            _ids = context.AtomicReader.GetSortedDocValues(IndexTerms.Id);
        }

        public void Collect(int doc)
        {
            _ids!.Get(doc, _id);
            string id = _id.Utf8ToString();
            if (known is null || known.Contains(id))
            {
                Found.Add(id);
            }
        }
    }

    /// <summary>Entries with one of some ids.</summary>
    private sealed class IdFilter(HashSet<string> ids) : Filter
    {
        public override DocIdSet GetDocIdSet(AtomicReaderContext context, IBits acceptDocs)
        {
            AtomicReader reader = context.AtomicReader;
            var found = new FixedBitSet(reader.MaxDoc);
            TermsEnum? terms = reader.GetTerms(IndexTerms.Id)?.GetEnumerator();
            DocsEnum? entries = null;
            foreach (string id in ids)
            {
                if (terms?.SeekExact(new BytesRef(id)) == true)
                {
                    entries = terms.Docs(acceptDocs, entries, DocsFlags.NONE);
                    for (int doc = entries.NextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = entries.NextDoc())
                    {
                        found.Set(doc);
                    }
                }
            }

            return found;
        }
    }
}
