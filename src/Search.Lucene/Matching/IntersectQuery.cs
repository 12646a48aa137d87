using Jackdaw.Search.Lucene.Fields;
using Jackdaw.Search.Queries;
using Lucene.Net.Index;
using Lucene.Net.Search;
using Lucene.Net.Util;

namespace Jackdaw.Search.Lucene.Matching;

/// <summary>Finds all entries of the ids for which each of several queries finds at least one entry. One search, one thread.</summary>
/// <param name="idsMax">Replaces <see cref="IdsMax"/>.</param>
/// <remarks>The queries run when this one is first rewritten. At that time ids are in memory, at most those of one of the queries.</remarks>
internal sealed class IntersectQuery(IReadOnlyList<Query> parts, CancellationToken cancellation, int idsMax = IntersectQuery.IdsMax) : Query
{
    /// <summary>The most ids in memory: some 100 MB.</summary>
    public const int IdsMax = 1_000_000;

    /// <summary>The number of entries, or ids, between two checks of the token: well below a millisecond. A power of two.</summary>
    private const int LookInterval = 1024;

    // A search that counts first is rewritten twice.
    private (IndexReader Reader, Filter Ids)? _known;

    public override Query Rewrite(IndexReader reader)
    {
        if (_known is not { } known || !ReferenceEquals(known.Reader, reader))
        {
            _known = known = (reader, new CachingWrapperFilter(new IdFilter(FindCommon(reader), cancellation)));
        }

        return new ConstantScoreQuery(known.Ids) { Boost = Boost };
    }

    // A query that finds too many ids waits until another one has found fewer.
    private HashSet<string> FindCommon(IndexReader reader)
    {
        var searcher = new IndexSearcher(reader);
        HashSet<string>? common = null;
        List<Query> waiting = [];
        foreach (Query part in parts)
        {
            if (Collect(searcher, part, common) is { } found)
            {
                common = found;
            }
            else
            {
                waiting.Add(part);
            }
        }

        if (common is null)
        {
            throw new InvalidSearchException(
                $"Each condition of 'intersect' holds for entries of more than {idsMax} documents; narrow one of them down, by an 'and' within it.");
        }

        foreach (Query part in waiting)
        {
            common = Collect(searcher, part, common)!;
        }

        return common;
    }

    // Null: too many.
    private HashSet<string>? Collect(IndexSearcher searcher, Query part, HashSet<string>? known)
    {
        var ids = new IdCollector(known, idsMax, cancellation);
        searcher.Search(part, ids);
        return ids.Found.Count > idsMax ? null : ids.Found;
    }

    public override string ToString(string field) => $"intersect({string.Join(", ", parts)})";

    /// <summary>Collects the ids of the entries that a query finds.</summary>
    /// <param name="known">Only these ids are collected; null for all.</param>
    private sealed class IdCollector(HashSet<string>? known, int idsMax, CancellationToken cancellation) : ICollector
    {
        private int _seen;
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
            EndIfTooMany();
            _ids = context.AtomicReader.GetSortedDocValues(IndexTerms.Id);
        }

        public void Collect(int doc)
        {
            if ((++_seen & (LookInterval - 1)) == 0)
            {
                cancellation.ThrowIfCancellationRequested();
            }

            _ids!.Get(doc, _id);
            string id = _id.Utf8ToString();
            if (known is null || known.Contains(id))
            {
                Found.Add(id);
                EndIfTooMany();
            }
        }

        // Ends the search of this segment.
        private void EndIfTooMany()
        {
            if (Found.Count > idsMax)
            {
                throw new CollectionTerminatedException();
            }
        }
    }

    /// <summary>Finds the entries with one of several ids.</summary>
    private sealed class IdFilter(HashSet<string> ids, CancellationToken cancellation) : Filter
    {
        public override DocIdSet GetDocIdSet(AtomicReaderContext context, IBits acceptDocs)
        {
            AtomicReader reader = context.AtomicReader;
            var found = new FixedBitSet(reader.MaxDoc);
            TermsEnum? terms = reader.GetTerms(IndexTerms.Id)?.GetEnumerator();
            DocsEnum? entries = null;
            int seen = 0;
            foreach (string id in ids)
            {
                if ((seen++ & (LookInterval - 1)) == 0)
                {
                    cancellation.ThrowIfCancellationRequested();
                }

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
