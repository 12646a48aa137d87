using Jackdaw.Search.Lucene.Fields;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Lucene.Net.Index;
using Lucene.Net.Search;
using Lucene.Net.Util;

namespace Jackdaw.Search.Lucene.Answers;

/// <summary>Counts entries in buckets. One search.</summary>
internal sealed class FacetCounter(IndexSearcher searcher, FacetRequest request, CancellationToken cancellation)
{
    private readonly Dictionary<int, FixedBitSet> _matching = [];
    private readonly SortedDictionary<string, Bucket> _terms = new(StringComparer.Ordinal);
    private readonly Bucket _nulls = new(null, request.Aggregations.Count);

    public long Total { get; private set; }

    /// <param name="query">The query whose entries are counted.</param>
    /// <param name="ranges">The queries of the ranges.</param>
    public IReadOnlyList<FacetBucket> Count(Query query, IReadOnlyList<Query> ranges)
    {
        searcher.Search(query, new BitCollector(_matching, cancellation));
        Total = _matching.Values.Sum(bits => (long)bits.Cardinality);
        if (request.Field is not { } field)
        {
            return ranges.Count == 0 ? [CountRange(new MatchAllDocsQuery())] : [.. ranges.Select(CountRange)];
        }

        foreach (AtomicReaderContext segment in searcher.IndexReader.Leaves)
        {
            if (_matching.TryGetValue(segment.Ord, out FixedBitSet? matching))
            {
                CountTerms(segment.AtomicReader, field, matching);
            }
        }

        return [.. _terms.Values.Append(_nulls).Where(bucket => bucket.Count > 0).Select(bucket => bucket.ToResult(request.Aggregations))];
    }

    private FacetBucket CountRange(Query range)
    {
        Dictionary<int, FixedBitSet> inRange = [];
        searcher.Search(range, new BitCollector(inRange, cancellation));
        var bucket = new Bucket(null, request.Aggregations.Count);
        foreach ((int ordinal, FixedBitSet bits) in inRange)
        {
            if (_matching.TryGetValue(ordinal, out FixedBitSet? matching))
            {
                bits.And(matching);
                AtomicReader reader = searcher.IndexReader.Leaves[ordinal].AtomicReader;
                Add(bucket, bits.GetIterator(), null, ColumnsOf(reader));
            }
        }

        return bucket.ToResult(request.Aggregations);
    }

    private void CountTerms(AtomicReader reader, string field, FixedBitSet matching)
    {
        NumberColumn[] columns = ColumnsOf(reader);
        DocsEnum? entries = null;
        TermsEnum? nulls = reader.GetTerms(IndexTerms.Nulls)?.GetEnumerator();
        if (nulls?.SeekExact(new BytesRef(field)) == true)
        {
            Add(_nulls, entries = nulls.Docs(null, entries, DocsFlags.NONE), matching, columns);
        }

        for (TermsEnum? terms = reader.GetTerms(field)?.GetEnumerator(); terms?.MoveNext() == true;)
        {
            cancellation.ThrowIfCancellationRequested();
            string term = terms.Term.Utf8ToString();
            if (!_terms.TryGetValue(term, out Bucket? bucket))
            {
                bucket = new Bucket(term, request.Aggregations.Count);
            }

            Add(bucket, entries = terms.Docs(null, entries, DocsFlags.NONE), matching, columns);
            if (bucket.Count > 0)
            {
                _terms.TryAdd(term, bucket);
            }

            if (_terms.Count > request.TermsMax)
            {
                throw new InvalidSearchException(
                    $"The field '{field}' has more than {request.TermsMax} different terms here, the most that can be counted: narrow the query down, or "
                    + "count in ranges.");
            }
        }
    }

    private static void Add(Bucket bucket, DocIdSetIterator entries, FixedBitSet? matching, NumberColumn[] columns)
    {
        for (int doc = entries.NextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = entries.NextDoc())
        {
            if (matching is null || matching.Get(doc))
            {
                bucket.Add(doc, columns);
            }
        }
    }

    private NumberColumn[] ColumnsOf(AtomicReader reader) => [.. request.Aggregations.Select(one => new NumberColumn(reader, one.Field))];

    private sealed class Bucket(string? term, int aggregations)
    {
        private readonly FacetNumbers[] _numbers = new FacetNumbers[aggregations];

        public long Count { get; private set; }

        public void Add(int doc, NumberColumn[] columns)
        {
            Count++;
            for (int i = 0; i < columns.Length; i++)
            {
                if (columns[i].Read(doc) is { Exists: true } number)
                {
                    _numbers[i].Add(number.Double);
                }
            }
        }

        public FacetBucket ToResult(IReadOnlyList<FacetAggregation> aggregations) =>
            new(term, Count, [.. aggregations.Select((one, i) => _numbers[i].Get(one.Function))]);
    }

    private sealed class BitCollector(Dictionary<int, FixedBitSet> found, CancellationToken cancellation) : ICollector
    {
        private FixedBitSet? _bits;

        public bool AcceptsDocsOutOfOrder => true;

        public void SetScorer(Scorer scorer)
        {
        }

        public void SetNextReader(AtomicReaderContext context)
        {
            cancellation.ThrowIfCancellationRequested();
            found[context.Ord] = _bits = new FixedBitSet(context.AtomicReader.MaxDoc);
        }

        public void Collect(int doc) => _bits!.Set(doc);
    }
}
