using Jackdaw.Search.Entries;
using Jackdaw.Search.Lucene.Ordering;
using Jackdaw.Search.Queries;
using Lucene.Net.Index;
using Lucene.Net.Search;

namespace Jackdaw.Search.Lucene;

/// <summary>Finds the hits of one search, or those behind the last hit of another one.</summary>
internal static class HitFinder
{
    /// <param name="request">Its skip counts from where it begins.</param>
    public static TopDocs Find(IndexSearcher searcher, Query query, SearchRequest request, IndexFields fields, CancellationToken cancellation)
    {
        if (request.Take == 0)
        {
            var count = new TotalHitCountCollector();
            searcher.Search(query, new CancellableCollector(count, cancellation));
            return new TopDocs(count.TotalHits, [], float.NaN);
        }

        int wanted = (int)Math.Clamp((long)request.Skip + request.Take, 1, Math.Max(1, searcher.IndexReader.MaxDoc));
        var after = (LucenePosition?)request.After;
        return after is not null && request.Sort.Count == 0
            ? FindBehind(searcher, query, after.Hit.Doc, wanted, request.WithScores, cancellation)
            : FindSorted(searcher, query, request, SortTranslator.Translate(request.Sort, fields), after, wanted, cancellation);
    }

    private static TopDocs FindSorted(
        IndexSearcher searcher, Query query, SearchRequest request, Sort sort, LucenePosition? after, int wanted, CancellationToken cancellation)
    {
        bool withScores = request.WithScores || request.Sort.Any(key => key.By == SortBy.Score);
        TopFieldCollector top = TopFieldCollector.Create(
            sort, wanted, (FieldDoc?)after?.Hit, request.WithPosition, withScores, trackMaxScore: false, docsScoredInOrder: true);
        searcher.Search(query, new CancellableCollector(top, cancellation));
        return top.GetTopDocs();
    }

    // In the order of the entries nothing before the position needs to be looked at.
    private static TopDocs FindBehind(
        IndexSearcher searcher, Query query, int position, int wanted, bool withScores, CancellationToken cancellation)
    {
        List<ScoreDoc> hits = [];
        Weight weight = searcher.CreateNormalizedWeight(query);
        foreach (AtomicReaderContext segment in searcher.TopReaderContext.Leaves)
        {
            int first = position + 1 - segment.DocBase;
            if (first >= segment.Reader.MaxDoc || weight.GetScorer(segment, segment.AtomicReader.LiveDocs) is not { } scorer)
            {
                continue;
            }

            cancellation.ThrowIfCancellationRequested();
            for (int doc = first > 0 ? scorer.Advance(first) : scorer.NextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = scorer.NextDoc())
            {
                hits.Add(new ScoreDoc(segment.DocBase + doc, withScores ? scorer.GetScore() : float.NaN));
                if (hits.Count == wanted)
                {
                    return new TopDocs(-1, [.. hits], float.NaN);
                }
            }
        }

        return new TopDocs(-1, [.. hits], float.NaN);
    }

    /// <summary>Passes entries on, in order, until it is cancelled.</summary>
    private sealed class CancellableCollector(ICollector inner, CancellationToken cancellation) : ICollector
    {
        /// <summary>Entries between two looks at the token: well below a millisecond. A power of two.</summary>
        private const int LookInterval = 1024;

        private int _seen;

        public bool AcceptsDocsOutOfOrder => false;

        public void SetScorer(Scorer scorer) => inner.SetScorer(scorer);

        public void SetNextReader(AtomicReaderContext context) => inner.SetNextReader(context);

        public void Collect(int doc)
        {
            if ((_seen++ & (LookInterval - 1)) == 0)
            {
                cancellation.ThrowIfCancellationRequested();
            }

            inner.Collect(doc);
        }
    }
}

/// <summary>A hit with the values of its sort keys.</summary>
internal sealed record LucenePosition(ScoreDoc Hit) : SearchPosition;

/// <summary>A reader that is kept: its files stay until it is released.</summary>
internal sealed class LuceneSnapshot(LuceneSearchIndex index, SharedReader reader) : SearchSnapshot
{
    private bool _isEnded;

    public override Searcher BeginSearch()
    {
        ObjectDisposedException.ThrowIf(_isEnded, this);
        Jackdaw.Storage.Transactions.ReadTransaction read = index.Storage.BeginRead();
        bool isOpen = reader.TryAcquire();
        System.Diagnostics.Debug.Assert(isOpen, "the snapshot holds its reader");
        return new LuceneSearcher(index, reader, read);
    }

    protected override void Dispose(bool isDisposing)
    {
        if (!_isEnded)
        {
            _isEnded = true;
            reader.Release();
        }
    }
}
