using System.Diagnostics;
using System.Text;
using Jackdaw.Search.Analysis.Highlighting;
using Jackdaw.Search.Analysis.Suggesting;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Lucene.Answers;
using Jackdaw.Search.Lucene.Fields;
using Jackdaw.Search.Lucene.Files;
using Jackdaw.Search.Lucene.Matching;
using Jackdaw.Search.Lucene.Translation;
using Jackdaw.Search.Plans;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Storage.Transactions;
using Lucene.Net.Index;
using Lucene.Net.Search;
using Lucene.Net.Util;

namespace Jackdaw.Search.Lucene;

/// <summary>Searches one state of an index.</summary>
internal sealed class LuceneSearcher : Searcher
{
    private readonly LuceneSearchIndex _index;
    private readonly SharedReader _reader;
    private readonly ReadTransaction _transaction;
    private readonly PageLease _lease;
    private readonly SharedSearcher? _searcher;
    private ReadMeter? _meter;
    private (SearchNode? Query, Weight? Weight) _explained;
    private bool _isEnded;

    public LuceneSearcher(LuceneSearchIndex index, SharedReader reader, ReadTransaction transaction)
    {
        _index = index;
        _reader = reader;
        _transaction = transaction;
        _lease = PageLease.Begin(transaction);
        _searcher = reader.Searcher;
    }

    public override ReadTransaction Transaction => _transaction;

    public override long EntryCount => _reader.Reader?.NumDocs ?? 0;

    public override bool HasBoosts => _searcher?.Boosts.Count > 0;

    /// <summary>Lucene's searcher; null for an index that has no commit yet.</summary>
    internal SharedSearcher? Inner => _searcher;

    private IList<AtomicReaderContext> Segments => _reader.Reader?.Leaves ?? [];

    public override ReadCount Reads => _meter?.Count ?? ReadCount.Unknown;

    public override void CountReads()
    {
        ObjectDisposedException.ThrowIf(_isEnded, this);
        _meter ??= ReadMeter.Begin();
    }

    public override SearchSnapshot Keep()
    {
        bool isOpen = _reader.TryAcquire();
        Debug.Assert(isOpen, "a searcher holds its reader");
        return new LuceneSnapshot(_index, _reader);
    }

    public override SearchResults Search(SearchRequest request, CancellationToken cancellationToken)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(request.Skip);
        ArgumentOutOfRangeException.ThrowIfNegative(request.Take);
        long started = Stopwatch.GetTimestamp();
        if (request.WithPlan)
        {
            CountReads();
        }

        ReadCount before = Reads;
        var translator = new QueryTranslator(_index.Fields, _searcher?.Boosts, request.WithPlan ? _meter : null, cancellationToken);
        Query query = translator.TranslateAll(request.Query);
        TopDocs found = _searcher is null
            ? new TopDocs(0, [], float.NaN)
            : HitFinder.Find(_searcher, query, request, _index.Fields, cancellationToken);
        ReadCount toFind = Reads.Since(before);
        SearchHit[] hits = HitsOf(found.ScoreDocs.AsSpan(Math.Min(request.Skip, found.ScoreDocs.Length)));
        var steps = new SearchSteps(started, EntryCount, found.TotalHits, hits.Length) { ReadsToFind = toFind, Reads = Reads.Since(before) };
        PlanNode plan = steps.ToPlan(request, translator.Meters);
        return new SearchResults(hits, found.TotalHits, plan)
        {
            Last = request.WithPosition && found.ScoreDocs is [.., var last] ? new LucenePosition(last) : null,
        };
    }

    public override long CollectNodes(SearchNode query, string field, NodeSet nodes, CancellationToken cancellationToken)
    {
        var collector = new NodeCollector(field, nodes, cancellationToken);
        _searcher?.Search(new QueryTranslator(_index.Fields, null, null, cancellationToken).Translate(query), collector);
        return collector.Entries;
    }

    public override string Explain(SearchNode query, int ordinal, CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(_isEnded, this);
        cancellationToken.ThrowIfCancellationRequested();
        if (_searcher is null)
        {
            return "";
        }

        if (!ReferenceEquals(_explained.Query, query))
        {
            // This is where patterns, for example, are compared with all terms.
            Query translated = new QueryTranslator(_index.Fields, _searcher.Boosts, null, cancellationToken).TranslateAll(query);
            _explained = (query, _searcher.CreateNormalizedWeight(translated));
        }

        return _searcher.ExplainWeight(_explained.Weight!, ordinal).ToString().Replace("\u0001", "/", StringComparison.Ordinal);
    }

    public override PlacedDistance? DistanceOf(int ordinal, Queries.SortKey key)
    {
        ObjectDisposedException.ThrowIf(_isEnded, this);
        AtomicReaderContext segment = Segments[ReaderUtil.SubIndex(ordinal, Segments)];
        SpatialSettings settings = _index.Fields.Find(key.Field).Spatial ?? SpatialSettings.OfEarth;
        return new ShapeDistance(segment.AtomicReader, key, settings).Read(ordinal - segment.DocBase);
    }

    public override IReadOnlyList<StoredValue> ReadStored(int ordinal)
    {
        ObjectDisposedException.ThrowIf(_isEnded, this);
        var stored = new StoredValueReader();
        _searcher?.Doc(ordinal, stored);
        return stored.Values;
    }

    public override bool HasField(string field) =>
        Segments.Any(segment => segment.AtomicReader.GetTerms(IndexTerms.Present)?.GetEnumerator().SeekExact(new BytesRef(field)) == true);

    public override IReadOnlyList<IReadOnlyList<EntryTerm>> ReadTerms(IReadOnlyList<int> ordinals, CancellationToken cancellationToken) =>
        _reader.Reader is { } reader ? EntryTermReader.Read(reader, ordinals, cancellationToken) : [];

    public override IReadOnlyList<string> ListFields() =>
        [.. ListTerms(IndexTerms.Present, null, int.MaxValue).Select(term => term.Term).Where(name => !IndexTerms.IsInternal(name))];

    public override IReadOnlyList<string> ListIndexedFields() => _reader.Reader is null ? [] :
    [
        .. MultiFields.GetMergedFieldInfos(_reader.Reader).Where(field => field.IsIndexed && !IndexTerms.IsInternal(field.Name)).Select(field => field.Name),
    ];

    public override IReadOnlyList<TermCount> ListTerms(string field, string? after, int count, bool withFirst = false) =>
        [.. EnumerateTerms(field, after, withFirst).Take(count)];

    private IEnumerable<TermCount> EnumerateTerms(string field, string? after, bool withFirst)
    {
        Terms? terms = _reader.Reader is null ? null : MultiFields.GetTerms(_reader.Reader, field);
        if (terms is null)
        {
            yield break;
        }

        IBits? live = MultiFields.GetLiveDocs(_reader.Reader);
        TermsEnum cursor = terms.GetEnumerator();
        bool on = after is null ? cursor.MoveNext() : cursor.SeekCeil(new BytesRef(after)) switch
        {
            TermsEnum.SeekStatus.END => false,
            TermsEnum.SeekStatus.FOUND => withFirst || cursor.MoveNext(),
            _ => true,
        };
        for (; on; on = cursor.MoveNext())
        {
            long entries = live is null ? cursor.DocFreq : CountLive(cursor, live);
            if (entries > 0)
            {
                yield return new TermCount(cursor.Term.Utf8ToString(), entries);
            }
        }
    }

    public override IReadOnlyList<FacetBucket> CountFacets(
        SearchNode query, FacetRequest request, out long total, CancellationToken cancellationToken)
    {
        var translator = new QueryTranslator(_index.Fields, null, null, cancellationToken);
        Query translated = translator.Translate(query);
        IReadOnlyList<Query> ranges = [.. request.Ranges.Select(range => translator.Translate(range))];
        if (_searcher is null)
        {
            total = 0;
            int count = request.Field is not null ? 0 : Math.Max(1, ranges.Count);
            return [.. Enumerable.Range(0, count).Select(_ => new FacetBucket(null, 0, new double?[request.Aggregations.Count]))];
        }

        var counter = new FacetCounter(_searcher, request, cancellationToken);
        IReadOnlyList<FacetBucket> buckets = counter.Count(translated, ranges);
        total = counter.Total;
        return buckets;
    }

    public override IReadOnlyList<string> Suggest(SuggestionRequest request, CancellationToken cancellationToken) =>
        TermSuggester.Find(request, _index.Fields, EnumerateTerms(request.Field, null, withFirst: false), cancellationToken);

    public override IEnumerable<IReadOnlyList<string>> Highlight(
        IEnumerable<int> ordinals, SearchNode query, HighlightRequest request, CancellationToken cancellationToken)
    {
        SearchedWords words = SearchedWords.Of(query, request.Field, _index.Fields, cancellationToken);
        var highlighter = new Highlighter(_index.Fields.Find(request.Field), words, request, cancellationToken);
        return ordinals.Select(ordinal => highlighter.Fragments(
            ReadStored(ordinal).Where(value => value.Field == request.Field).Select(value => Encoding.UTF8.GetString(value.Utf8.Span))));
    }

    protected override void Dispose(bool isDisposing)
    {
        if (!_isEnded)
        {
            _isEnded = true;
            _meter?.Dispose();
            _lease.Dispose();
            _transaction.Dispose();
            _reader.Release();
        }
    }

    private static long CountLive(TermsEnum cursor, IBits live)
    {
        DocsEnum entries = cursor.Docs(live, null, DocsFlags.NONE);
        long count = 0;
        while (entries.NextDoc() != DocIdSetIterator.NO_MORE_DOCS)
        {
            count++;
        }

        return count;
    }

    private SearchHit[] HitsOf(ReadOnlySpan<ScoreDoc> found)
    {
        var hits = new SearchHit[found.Length];
        for (int i = 0; i < hits.Length; i++)
        {
            ScoreDoc hit = found[i];
            hits[i] = new SearchHit(IdOf(hit.Doc), hit.Doc, float.IsNaN(hit.Score) ? 0 : hit.Score);
        }

        return hits;
    }

    private byte[] IdOf(int ordinal)
    {
        if (_reader.KnownIds.Find(ordinal) is { } known)
        {
            return known;
        }

        int index = Segments.Count == 1 ? 0 : ReaderUtil.SubIndex(ordinal, Segments);
        byte[] id = _reader.IdsOf(index).Read(ordinal - Segments[index].DocBase);
        _reader.KnownIds.Put(ordinal, id);
        return id;
    }
}
