using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Encodings.Web;
using Jackdaw.Documents.Reading;
using Jackdaw.Indexing.Building;
using Jackdaw.Indexing.Mapping;
using Jackdaw.Queries.Planning;
using Jackdaw.Queries.Planning.Conditions;
using Jackdaw.Queries.Planning.Projections;
using Jackdaw.Search;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Search.Vectors;

namespace Jackdaw.Queries.Searching;

/// <summary>The hits of a search, one page at a time: the documents of the entries, and what the entries store.</summary>
/// <remarks>One thread at a time. All pages belong to one state of the index, which is held after the first page. A whole document comes
/// once, even when several of its entries match: its further entries are left out and do not count as rows. Skipping counts entries, and the
/// documents of skipped entries do not come again.</remarks>
internal sealed class IndexHits : IDisposable
{
    /// <summary>The most hits of one search. With an order each search goes through all hits again, so that it takes many; some 6 MB of ids.</summary>
    private const int HitsMax = 64 * 1024;

    /// <summary>The most documents of one page: as many as are read from one snapshot.</summary>
    private const int PageMax = RenewedRead.LookedAtMax;

    /// <summary>The number of bytes of stored values after which a page ends.</summary>
    private const long StoredBytesMax = 16L << 20;

    /// <summary>The most entries whose scores are explained: each explanation costs as much as a search.</summary>
    private const int ExplanationsMax = 1024;

    /// <summary>The room that a page begins with, for pages of sessions and user interfaces.</summary>
    private const int FirstCapacityMax = 32;

    private readonly SearchRequest _request;
    private readonly VectorSearch _search;
    private readonly CancellationToken _cancellation;
    private readonly SeenDocuments? _seen;
    private readonly bool _wantsStored;
    private readonly SortKey? _distance;
    private IReadOnlyList<SearchHit> _hits = [];
    private SearchPosition? _position;
    private int _looked;
    private int _batch;
    private int _toSkip;
    private long _toTake;
    private bool _isLast;
    private List<byte[]> _keys = [];
    private List<StoredEntry> _stored = [];
    private List<HitMetadata> _metadata = [];
    private List<EntryExplanation> _explanations = [];
    private long _skipped;
    private SearchSnapshot? _snapshot;

    /// <param name="index">The index that is searched.</param>
    /// <param name="hasRows">Entries have the rows of the answer, which are not documents.</param>
    /// <param name="hasStored">Entries may have stored fields.</param>
    /// <param name="hasRepeats">A document may have several entries.</param>
    public IndexHits(
        VectorSearchIndex index, SearchRequest search, QueryPlan plan, bool hasRows, bool hasStored, bool hasRepeats, CancellationToken cancellation)
    {
        _request = search;
        _cancellation = cancellation;
        bool isProjected = plan.Syntax.Select is { IsStar: false };
        bool isEachOnce = !hasRows && hasRepeats && !isProjected && !plan.Request.SkipDuplicateChecking;

        // Without an order, the entries of one document follow one another, as they were added.
        SeenDocuments? seen = isEachOnce ? new SeenDocuments(isTogether: search.Sort.Count == 0) : null;
        (_seen, Repeating) = plan.LeavesOutRows ? ((SeenDocuments?)null, seen) : (seen, null);
        _wantsStored = hasRows || (isProjected && hasStored
            && plan.Request.ProjectionSource is not (ProjectionSource.Document or ProjectionSource.DocumentOrThrow));
        _distance = search.Sort.FirstOrDefault(key => key.By == SortBy.Distance);
        _toSkip = search.Skip;
        _toTake = search.Take;

        // A document with several entries uses up more than one hit.
        _search = new VectorSearch(index, search.Query, isEachOnce || search.Take == int.MaxValue ? long.MaxValue : (long)search.Skip + search.Take);
    }

    /// <summary>The number of all entries that match; exact after the first page.</summary>
    public long Total { get; private set; } = -1;

    /// <summary>The documents that came before, for the walk over the pages: several entries may belong to one document, and the walk takes
    /// only the first one that it does not filter out. Null when each document comes once, or when each entry is wanted.</summary>
    public SeenDocuments? Repeating { get; }

    /// <summary>Whether more pages may follow.</summary>
    public bool IsMore => _toTake > 0 && !(_isLast && _looked == _hits.Count);

    /// <summary>The plan of the first search; null before it.</summary>
    public PlanNode? Plan { get; private set; }

    /// <summary>The condition as the engine sees it; after the first page.</summary>
    public SearchNode Condition => _search.Resolved;

    /// <summary>Whether the scores of the first entries are explained.</summary>
    public bool WithExplanations { get; init; }

    /// <summary>What the explanations of all pages so far took.</summary>
    public (int Entries, TimeSpan Time, ReadCount Reads) Explained { get; private set; }

    /// <summary>Whether entries belong to groups, not to documents.</summary>
    public bool AreGroups { get; init; }

    /// <summary>Whether stored values are read even if the query does not select them.</summary>
    public bool WithStored { get; init; }

    /// <summary>The hits of the current page, in the order of its keys; empty unless <see cref="WithHits"/>.</summary>
    public List<SearchHit> PageHits { get; } = [];

    /// <summary>Whether the hits of a page are remembered, and <see cref="BeginSearch"/> can be used.</summary>
    public bool WithHits { get; init; }

    /// <summary>Reads the first page, and holds the state of the index for the next ones.</summary>
    public HitPage First(Searcher searcher)
    {
        Debug.Assert(Total < 0 && _snapshot is null);
        HitPage page = Read(searcher);
        _snapshot = IsMore || WithHits ? searcher.Keep() : null;
        return page;
    }

    public HitPage? Next()
    {
        if (!IsMore || _snapshot is null)
        {
            return null;
        }

        using Searcher searcher = _snapshot.BeginSearch();
        HitPage page = Read(searcher);
        return page.Keys.Count > 0 ? page : null;
    }

    /// <summary>Searches the state of the index to which the pages belong; only after the first page.</summary>
    public Searcher BeginSearch() => _snapshot!.BeginSearch();

    public void Dispose() => _snapshot?.Dispose();

    private HitPage Read(Searcher searcher)
    {
        int expected = (int)Math.Min(_toTake, FirstCapacityMax);
        _keys = new List<byte[]>(expected);
        _stored = [];
        _metadata = new List<HitMetadata>(expected);
        _explanations = [];
        PageHits.Clear();
        long storedBytes = 0;
        do
        {
            if (_looked == _hits.Count && !_isLast)
            {
                Search(searcher);
            }

            for (; _looked < _hits.Count && _toTake > 0 && _keys.Count < PageMax && storedBytes < StoredBytesMax; _looked++)
            {
                storedBytes += Take(searcher, _hits[_looked]);
            }
        }
        while (IsMore && _keys.Count < PageMax && storedBytes < StoredBytesMax);
        return new HitPage(_keys, _stored, _metadata, _explanations, _skipped);
    }

    private void Search(Searcher searcher)
    {
        PassOver(searcher);
        if (_isLast)
        {
            (_hits, _looked) = ([], 0); // Nothing follows the entries that were passed over.
            return;
        }

        _batch = (int)Math.Min(_batch == 0 ? _toTake : 4L * _batch, HitsMax);
        SearchResults results = Search(searcher, _toSkip, _batch);
        _toSkip = 0;
        _isLast |= results.Hits.Count < _batch || results.Last is null;
        _hits = results.Hits;
        _looked = 0;
    }

    // Skipped entries are passed over in parts, so that memory is bounded. Where the entries of one document may lie apart, all of them are
    // looked at; otherwise only the last one, which may belong to the document of the next entry.
    private void PassOver(Searcher searcher)
    {
        bool looksAtAll = _seen is not null && _request.Sort.Count > 0;
        int restMax = looksAtAll ? 0 : HitsMax;
        while (_toSkip > restMax && _toTake > 0 && !_isLast)
        {
            int passing = Math.Min(_toSkip, HitsMax);
            SearchResults passed = looksAtAll ? Search(searcher, 0, passing) : Search(searcher, passing - 1, 1);
            Note(passed.Hits);
            _isLast = passed.Last is null || (looksAtAll && passed.Hits.Count < passing);
            _toSkip -= passing;
        }

        if (_toSkip > 0 && _seen is not null && _toTake > 0 && !_isLast)
        {
            SearchResults last = Search(searcher, _toSkip - 1, 1);
            Note(last.Hits);
            _isLast = last.Last is null;
            _toSkip = 0;
        }
    }

    private void Note(IReadOnlyList<SearchHit> passed)
    {
        for (int i = 0; _seen is not null && i < passed.Count; i++)
        {
            _seen.IsFirstOf(passed[i].Id.Span);
        }
    }

    private SearchResults Search(Searcher searcher, int skip, int take)
    {
        SearchResults results = _search.Search(
            searcher, _request with { Skip = skip, Take = take, After = _position, WithPosition = take > 0, WithScores = true }, _cancellation);
        Total = Total < 0 ? results.Total : Total;
        Plan ??= results.Plan;
        _position = results.Last;
        return results;
    }

    private long Take(Searcher searcher, SearchHit hit)
    {
        byte[] id = AreGroups ? [] : ArrayOf(hit.Id);
        if (_seen is not null && !_seen.IsFirstOf(id))
        {
            _skipped++;
            return 0;
        }

        if (WithExplanations && Explained.Entries < ExplanationsMax)
        {
            Explain(searcher, hit);
        }

        if (WithHits)
        {
            PageHits.Add(hit);
        }

        _toTake--;
        _keys.Add(id);
        _metadata.Add(new HitMetadata(hit.Score, _distance is null ? null : searcher.DistanceOf(hit.Ordinal, _distance)));
        if (!_wantsStored && !WithStored)
        {
            return 0;
        }

        StoredEntry stored = Read(searcher.ReadStored(hit.Ordinal));
        _stored.Add(stored);
        return stored.SizeBytes + stored.Row.Length;
    }

    private void Explain(Searcher searcher, SearchHit hit)
    {
        _cancellation.ThrowIfCancellationRequested();
        long began = Stopwatch.GetTimestamp();
        ReadCount before = searcher.Reads;
        _explanations.Add(new EntryExplanation(Encoding.UTF8.GetString(hit.Id.Span), searcher.Explain(Condition, hit.Ordinal, _cancellation)));
        ReadCount reads = searcher.Reads.Since(before);
        Explained = (Explained.Entries + 1, Explained.Time + Stopwatch.GetElapsedTime(began), Explained.Reads.Plus(reads));
    }

    // The first value of each name counts.
    private static StoredEntry Read(IReadOnlyList<StoredValue> values)
    {
        var entry = new StoredEntry { Row = RowOf(values) };
        HashSet<string> read = new(StringComparer.Ordinal) { BatchWork.StoredRow };
        foreach (StoredValue value in values)
        {
            if (!read.Add(value.Field))
            {
                continue;
            }

            if (StoredValues.TryGetField(value.Field, out string? name))
            {
                entry.Add(name, ArrayOf(value.Utf8));
            }
            else if (!entry.TryGet(value.Field, out _))
            {
                entry.Add(value.Field, ToJson(value.Utf8.Span));
            }
        }

        return entry;
    }

    private static byte[] RowOf(IReadOnlyList<StoredValue> values)
    {
        foreach (StoredValue value in values)
        {
            if (value.Field == BatchWork.StoredRow)
            {
                return ArrayOf(value.Utf8);
            }
        }

        return [];
    }

    // An engine gives arrays that nobody changes, so that nothing is copied.
    private static byte[] ArrayOf(ReadOnlyMemory<byte> bytes) =>
        MemoryMarshal.TryGetArray(bytes, out ArraySegment<byte> whole) && whole.Array is { } array && array.Length == whole.Count
            ? array
            : bytes.ToArray();

    private static byte[] ToJson(ReadOnlySpan<byte> text)
    {
        JavaScriptEncoder encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping;
        return encoder.FindFirstCharacterToEncodeUtf8(text) < 0
            ? [(byte)'"', .. text, (byte)'"']
            : Encoding.UTF8.GetBytes($"\"{encoder.Encode(Encoding.UTF8.GetString(text))}\"");
    }
}
