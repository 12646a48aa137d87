using Jackdaw.Search.Entries;
using Jackdaw.Search.Lucene.Matching;
using Jackdaw.Search.Lucene.Ordering;
using Jackdaw.Search.Queries;
using Lucene.Net.Index;
using Lucene.Net.Search;

namespace Jackdaw.Search.Lucene;

/// <summary>Finds the hits of one search, or those after the last hit of an earlier one.</summary>
internal static class HitFinder
{
    /// <summary>When more hits than this are wanted, a sort counts the entries first: memory for all wanted hits, which is mostly never used, costs more than
    /// a second walk over the entries.</summary>
    private const int SortedMax = 1024;

    /// <summary>The number of entries between two checks of the token: well below a millisecond. A power of two.</summary>
    private const int LookInterval = 1024;

    /// <param name="request">The search; its skip counts from the place at which it begins.</param>
    public static TopDocs Find(SharedSearcher searcher, Query query, SearchRequest request, IndexFields fields, CancellationToken cancellation)
    {
        if (request.Take == 0)
        {
            return new TopDocs(Count(searcher, query, cancellation), [], float.NaN);
        }

        int wanted = (int)Math.Clamp((long)request.Skip + request.Take, 1, Math.Max(1, searcher.IndexReader.MaxDoc));
        var after = (LucenePosition?)request.After;
        return request.Sort.Count > 0 ? FindSorted(searcher, query, request, fields, after, wanted, cancellation)
            : after is not null ? FindBehind(searcher, query, after.Hit.Doc, wanted, request.WithScores, cancellation)
            : FindFirst(searcher, query, wanted, request.WithScores, cancellation);
    }

    private static TopDocs FindFirst(SharedSearcher searcher, Query query, int wanted, bool withScores, CancellationToken cancellation)
    {
        if (KnownTotal(searcher, query) is { } total)
        {
            TopDocs found = FindBehind(searcher, query, -1, wanted, withScores, cancellation);
            found.TotalHits = total;
            return found;
        }

        var first = new FirstHits(wanted, withScores);
        searcher.Search(query, new CancellableCollector(first, cancellation));
        return new TopDocs(first.Total, [.. first.Hits], float.NaN);
    }

    // The index knows this number without looking at each entry.
    private static int? KnownTotal(SharedSearcher searcher, Query query) => query switch
    {
        MatchAllDocsQuery => searcher.IndexReader.NumDocs,
        BoostedQuery boosted => KnownTotal(searcher, boosted.Inner),
        SingleTermQuery term when !searcher.IndexReader.HasDeletions => searcher.Cursors.Find(term.Term).DocFreq,
        _ => null,
    };

    private static TopDocs FindSorted(
        SharedSearcher searcher, Query query, SearchRequest request, IndexFields fields, LucenePosition? after, int wanted,
        CancellationToken cancellation)
    {
        if (wanted > SortedMax)
        {
            wanted = Math.Clamp(Count(searcher, query, cancellation), 1, wanted);
        }

        bool withScores = request.WithScores || request.Sort.Any(key => key.By == SortBy.Score);
        TopFieldCollector top = TopFieldCollector.Create(
            SortTranslator.Translate(request.Sort, fields), wanted, (FieldDoc?)after?.Hit, request.WithPosition, withScores, trackMaxScore: false,
            docsScoredInOrder: true);
        searcher.Search(query, new CancellableCollector(top, cancellation));
        return top.GetTopDocs();
    }

    private static int Count(SharedSearcher searcher, Query query, CancellationToken cancellation)
    {
        if (KnownTotal(searcher, query) is { } total)
        {
            return total;
        }

        var count = new TotalHitCountCollector();
        searcher.Search(query, new CancellableCollector(count, cancellation));
        return count.TotalHits;
    }

    // In the order of the entries, entries before the position can be skipped.
    private static TopDocs FindBehind(
        SharedSearcher searcher, Query query, int position, int wanted, bool withScores, CancellationToken cancellation)
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
                if ((hits.Count & (LookInterval - 1)) == 0)
                {
                    cancellation.ThrowIfCancellationRequested();
                }

                hits.Add(new ScoreDoc(segment.DocBase + doc, withScores ? scorer.GetScore() : float.NaN));
                if (hits.Count == wanted)
                {
                    return new TopDocs(-1, [.. hits], float.NaN);
                }
            }
        }

        return new TopDocs(-1, [.. hits], float.NaN);
    }

    /// <summary>Collects the first entries, and counts all.</summary>
    private sealed class FirstHits(int wanted, bool withScores) : ICollector
    {
        private int _docBase;
        private Scorer? _scorer;

        public List<ScoreDoc> Hits { get; } = [];

        public int Total { get; private set; }

        public bool AcceptsDocsOutOfOrder => false;

        public void SetScorer(Scorer scorer) => _scorer = scorer;

        public void SetNextReader(AtomicReaderContext context) => _docBase = context.DocBase;

        public void Collect(int doc)
        {
            Total++;
            if (Hits.Count < wanted)
            {
                Hits.Add(new ScoreDoc(_docBase + doc, withScores ? _scorer!.GetScore() : float.NaN));
            }
        }
    }

    /// <summary>Passes entries on, in order, until it is cancelled.</summary>
    private sealed class CancellableCollector(ICollector inner, CancellationToken cancellation) : ICollector
    {
        private int _seen;

        public bool AcceptsDocsOutOfOrder => false;

        public void SetScorer(Scorer scorer) => inner.SetScorer(scorer);

        // Checked also for segments in which nothing matches.
        public void SetNextReader(AtomicReaderContext context)
        {
            cancellation.ThrowIfCancellationRequested();
            inner.SetNextReader(context);
        }

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
