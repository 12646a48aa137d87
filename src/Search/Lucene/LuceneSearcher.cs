using Jackdaw.Search.Lucene.Files;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Storage.Transactions;
using Lucene.Net.Documents;
using Lucene.Net.Index;
using Lucene.Net.Search;
using Lucene.Net.Search.Similarities;
using Lucene.Net.Util;

namespace Jackdaw.Search.Lucene;

/// <summary>Searches one state of an index.</summary>
internal sealed class LuceneSearcher : Searcher
{
    private static readonly BM25Similarity s_similarity = new();

    private readonly LuceneSearchIndex _index;
    private readonly SharedReader _reader;
    private readonly ReadTransaction _transaction;
    private readonly PageLease _lease;
    private readonly IndexSearcher? _searcher;
    private bool _isEnded;

    public LuceneSearcher(LuceneSearchIndex index, SharedReader reader, ReadTransaction transaction)
    {
        _index = index;
        _reader = reader;
        _transaction = transaction;
        _lease = PageLease.Begin(transaction);
        _searcher = reader.Reader is null ? null : new IndexSearcher(reader.Reader) { Similarity = s_similarity };
    }

    public override ReadTransaction Transaction => _transaction;

    public override long EntryCount => _reader.Reader?.NumDocs ?? 0;

    private IList<AtomicReaderContext> Segments => _reader.Reader?.Leaves ?? [];

    public override SearchSnapshot Keep()
    {
        bool isOpen = _reader.TryAcquire();
        System.Diagnostics.Debug.Assert(isOpen, "a searcher holds its reader");
        return new LuceneSnapshot(_index, _reader);
    }

    public override SearchResults Search(SearchRequest request, CancellationToken cancellationToken)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(request.Skip);
        ArgumentOutOfRangeException.ThrowIfNegative(request.Take);
        Query query = new QueryTranslator(_index.Fields).Translate(request.Query);
        long started = System.Diagnostics.Stopwatch.GetTimestamp();
        TopDocs found = _searcher is null ? new TopDocs(0, [], float.NaN) : HitFinder.Find(_searcher, query, request, cancellationToken);
        SearchHit[] hits = [.. found.ScoreDocs.Skip(request.Skip)
            .Select(hit => new SearchHit(IdOf(hit.Doc), hit.Doc, float.IsNaN(hit.Score) ? 0 : hit.Score))];
        var plan = new PlanNode("search", query.ToString(), found.TotalHits, System.Diagnostics.Stopwatch.GetElapsedTime(started), []);
        return new SearchResults(hits, found.TotalHits, plan)
        {
            Last = request.WithPosition && found.ScoreDocs is [.., var last] ? new LucenePosition(last) : null,
        };
    }

    public override IReadOnlyList<KeyValuePair<string, string>> ReadStored(int ordinal)
    {
        ObjectDisposedException.ThrowIf(_isEnded, this);
        Document? stored = _searcher?.Doc(ordinal);
        return stored is null ? [] : [.. stored.Select(field => new KeyValuePair<string, string>(field.Name, field.GetStringValue()))];
    }

    public override bool HasField(string field) =>
        Segments.Any(segment => segment.AtomicReader.GetTerms(IndexTerms.Present)?.GetEnumerator().SeekExact(new BytesRef(field)) == true);

    public override IReadOnlyList<string> ListFields() =>
        [.. ListTerms(IndexTerms.Present, null, int.MaxValue).Select(term => term.Term)];

    public override IReadOnlyList<TermCount> ListTerms(string field, string? after, int count)
    {
        Terms? terms = _reader.Reader is null ? null : MultiFields.GetTerms(_reader.Reader, field);
        if (terms is null)
        {
            return [];
        }

        List<TermCount> found = [];
        IBits? live = MultiFields.GetLiveDocs(_reader.Reader);
        TermsEnum cursor = terms.GetEnumerator();
        bool on = after is null ? cursor.MoveNext() : cursor.SeekCeil(new BytesRef(after)) switch
        {
            TermsEnum.SeekStatus.END => false,
            TermsEnum.SeekStatus.FOUND => cursor.MoveNext(),
            _ => true,
        };
        for (; on && found.Count < count; on = cursor.MoveNext())
        {
            long entries = live is null ? cursor.DocFreq : CountLive(cursor, live);
            if (entries > 0)
            {
                found.Add(new TermCount(cursor.Term.Utf8ToString(), entries));
            }
        }

        return found;
    }

    protected override void Dispose(bool isDisposing)
    {
        if (!_isEnded)
        {
            _isEnded = true;
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

    private string IdOf(int ordinal)
    {
        AtomicReaderContext segment = Segments[ReaderUtil.SubIndex(ordinal, Segments)];
        var id = new BytesRef();
        segment.AtomicReader.GetSortedDocValues(IndexTerms.Id).Get(ordinal - segment.DocBase, id);
        return id.Utf8ToString();
    }
}
