using System.Diagnostics;
using System.Globalization;
using System.Text;
using Jackdaw.Search.Analysis.Highlighting;
using Jackdaw.Search.Analysis.Suggesting;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Plans;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Search.Segments.Answers;
using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Compiling;
using Jackdaw.Search.Segments.Fields;
using Jackdaw.Search.Segments.Matching;
using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Ordering;
using Jackdaw.Search.Segments.Reading;
using Jackdaw.Search.Segments.Scoring;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Search.Spatial;
using Jackdaw.Storage.Transactions;
using SortKey = Jackdaw.Search.Queries.SortKey;

namespace Jackdaw.Search.Segments;

/// <summary>Searches one state of an index.</summary>
internal sealed unsafe class SegmentSearcher : Searcher, ISimilarSearch
{
    private readonly SegmentSearchIndex _index;
    private readonly ReadTransaction _transaction;
    private readonly SegmentSnapshot? _snapshot;
    private readonly OpenSegments _segments;
    private ScoreStatistics _statistics = null!; // of the search that runs
    private bool _isEnded;
    private bool _isNested; // in a search whose transaction it uses

    /// <param name="snapshot">The snapshot to which the state belongs; null when the transaction sees the state.</param>
    public SegmentSearcher(SegmentSearchIndex index, ReadTransaction transaction, SegmentState state, SegmentSnapshot? snapshot)
    {
        _index = index;
        _transaction = transaction;
        _snapshot = snapshot;
        _segments = new OpenSegments(transaction, state, snapshot);
    }

    public SegmentState State => _segments.State;

    /// <summary>The settings of the fields.</summary>
    internal IndexFields Fields => _index.Fields;

    /// <summary>The segments of the state.</summary>
    internal OpenSegments Segments => _segments;

    public override ReadTransaction Transaction => _transaction;

    public override long EntryCount => State.Live;

    public override bool HasBoosts => State.Fields.All.Any(known => known.Has(FieldTraits.Boosts));

    public override ReadCount Reads => _segments.Meter?.Count ?? ReadCount.Unknown;

    private SearchMemory Memory => _segments.Memory;

    public override void CountReads()
    {
        ObjectDisposedException.ThrowIf(_isEnded, this);
        _segments.CountReads();
    }

    public override SearchSnapshot Keep()
    {
        ObjectDisposedException.ThrowIf(_isEnded, this);
        return _snapshot is null ? new SegmentSnapshot(_index, _transaction, State) : new SegmentSnapshot(_snapshot);
    }

    public override SearchResults Search(SearchRequest request, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(request);
        ArgumentOutOfRangeException.ThrowIfNegative(request.Skip);
        ArgumentOutOfRangeException.ThrowIfNegative(request.Take);
        ObjectDisposedException.ThrowIf(_isEnded, this);
        long started = Stopwatch.GetTimestamp();
        if (request.WithPlan)
        {
            CountReads();
        }

        ReadCount before = Reads;
        QueryCompiler compiler = NewCompiler(request.WithPlan ? _segments.Meter : null, cancellationToken);
        var finder = new SegmentHits(this, request, compiler.CompileAll(request.Query), Memory, cancellationToken);
        finder.Run(SortSources.Make(request.Sort, State.Fields, _index.Fields));
        ReadCount toFind = Reads.Since(before);
        NativeList<SegmentHit> found = Memory.Hits;
        SearchHit[] hits = HitIds.Read(_segments, request.Skip);
        long total = request.After is null ? finder.Total : -1;
        PlanNode plan = PlanOf(request, compiler.Meters, total, hits.Length, started, toFind) with { Reads = Reads.Since(before) };
        var results = new SearchResults(hits, total, plan)
        {
            Last = request.WithPosition && found.Count > 0 ? new SegmentPosition(found.Last.Ordinal, found.Last.Score) : null,
        };
        _segments.Release();
        return results;
    }

    public override long CollectNodes(SearchNode query, string field, NodeSet nodes, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(nodes);
        Matcher matcher = NewCompiler(null, cancellationToken).Compile(query);
        int number = State.Fields.Find(field)?.Number ?? -1;
        long count = 0;
        _segments.ForEach(segment =>
        {
            cancellationToken.ThrowIfCancellationRequested();
            matcher.Bind(segment);
            ulong* found = matcher.Match().ToOwnBits(segment.Scratch, segment.Entries);
            segment.RemoveDeleted(found);
            count += Bits.Count(found, Bits.WordsOf(segment.Entries));
            var numbers = NumberView.Open(segment, number, PartKind.Nodes);
            for (int place = 0; numbers.Exists && place < numbers.Count; place++)
            {
                if (Bits.Has(found, numbers.EntryAt(place)))
                {
                    nodes.Add((uint)numbers.ValueAt(place));
                }
            }
        });
        _segments.Release();
        return count;
    }

    public override string Explain(SearchNode query, int ordinal, CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(_isEnded, this);
        cancellationToken.ThrowIfCancellationRequested();
        QueryCompiler compiler = NewCompiler(null, cancellationToken);
        compiler.IsExplained = true;
        Matcher matcher = compiler.CompileAll(query);
        _segments.ForEach(segment =>
        {
            matcher.Bind(segment);
            matcher.CountForScores();
            CountLengths(segment);
        });
        string text = "";
        if (ordinal >= 0 && ordinal < State.Entries)
        {
            _segments.InSegmentOf(ordinal, (segment, entry) =>
            {
                matcher.Bind(segment);
                text = matcher.Explain(entry).ToString();
            });
        }

        _segments.Release();
        return text;
    }

    public override PlacedDistance? DistanceOf(int ordinal, SortKey key)
    {
        ArgumentNullException.ThrowIfNull(key);
        ObjectDisposedException.ThrowIf(_isEnded, this);
        PlacedDistance? distance = null;
        if (State.Fields.Find(key.Field) is { } field)
        {
            _segments.InSegmentOf(ordinal, (segment, entry) =>
            {
                var shapes = BlobReader.Open(segment, field.Number, PartKind.Shapes);
                distance = shapes.TryRead(entry, out ReadOnlySpan<byte> bytes)
                    ? new NearestShape(key, _index.Fields.Find(key.Field).Spatial ?? new SpatialSettings()).Find(bytes)
                    : null;
            });
        }

        return distance;
    }

    public override IReadOnlyList<StoredValue> ReadStored(int ordinal)
    {
        ObjectDisposedException.ThrowIf(_isEnded, this);
        IReadOnlyList<StoredValue> values = [];
        _segments.InSegmentOf(ordinal, (segment, entry) => values = EntryValues.Read(segment, entry, State.Fields));
        return values;
    }

    public override IReadOnlyList<IReadOnlyList<EntryTerm>> ReadTerms(IReadOnlyList<int> ordinals, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(ordinals);
        List<EntryTerm>[] found = [.. ordinals.Select(_ => new List<EntryTerm>())];
        FieldRecord[] fields = [.. State.Fields.All.Where(field => field.Name.Length > 0).OrderBy(field => field.Name, StringComparer.Ordinal)];
        _segments.ForEach(segment =>
        {
            (int Entry, List<EntryTerm> Terms)[] wanted =
            [
                .. ordinals.Select((ordinal, i) => (Entry: ordinal - segment.Base, Terms: found[i]))
                    .Where(entry => entry.Entry >= 0 && entry.Entry < segment.Entries).OrderBy(entry => entry.Entry),
            ];
            if (wanted.Length > 0)
            {
                TermsOfEntries.Read(
                    segment, fields, [.. wanted.Select(entry => entry.Entry)], [.. wanted.Select(entry => entry.Terms)], cancellationToken);
            }
        });
        return found;
    }

    public override bool HasField(string field) => State.Fields.Find(field) is { } known && known.Has(FieldTraits.Present);

    public override IReadOnlyList<string> ListFields() =>
        [.. State.Fields.All.Where(field => field.Has(FieldTraits.Present)).Select(field => field.Name).Order(StringComparer.Ordinal)];

    public override IReadOnlyList<string> ListIndexedFields() =>
        [.. State.Fields.All.Where(field => field.Has(FieldTraits.Terms)).Select(field => field.Name).Order(StringComparer.Ordinal)];

    public override IReadOnlyList<TermCount> ListTerms(string field, string? after, int count, bool withFirst = false) =>
        [.. EnumerateTerms(field, after, withFirst).Take(count)];

    private IEnumerable<TermCount> EnumerateTerms(string name, string? after, bool withFirst)
    {
        if (State.Fields.Find(name) is not { } field || !field.Has(FieldTraits.Terms))
        {
            yield break;
        }

        var walk = new TermWalk(_segments.OpenAll(), field, after is null ? null : Encoding.UTF8.GetBytes(after), Memory.Whole);
        while (walk.MoveNext())
        {
            string term = Encoding.UTF8.GetString(walk.Current);
            if (withFirst || term != after)
            {
                yield return new TermCount(term, walk.Entries);
            }
        }
    }

    public override IReadOnlyList<FacetBucket> CountFacets(
        SearchNode query, FacetRequest request, out long total, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(request);
        QueryCompiler compiler = NewCompiler(null, cancellationToken);
        var counter = new SegmentFacets(
            State.Fields, request, compiler.Compile(query), [.. request.Ranges.Select(range => compiler.Compile(range))], cancellationToken);
        _segments.ForEach(counter.Count);
        _segments.Release();
        total = counter.Total;
        return counter.ToResults();
    }

    public override IReadOnlyList<string> Suggest(SuggestionRequest request, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(request);
        return TermSuggester.Find(request, _index.Fields, EnumerateTerms(request.Field, null, withFirst: false), cancellationToken);
    }

    public override IEnumerable<IReadOnlyList<string>> Highlight(
        IEnumerable<int> ordinals, SearchNode query, HighlightRequest request, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(request);
        SearchedWords words = SearchedWords.Of(query, request.Field, _index.Fields, cancellationToken);
        var highlighter = new Highlighter(_index.Fields.Find(request.Field), words, request, cancellationToken);
        return ordinals.Select(ordinal => highlighter.Fragments(
            ReadStored(ordinal).Where(value => value.Field == request.Field).Select(value => Encoding.UTF8.GetString(value.Utf8.Span))));
    }

    SearchNode ISimilarSearch.Read(SimilarNode node, CancellationToken cancellation) => new SimilarSource(this, cancellation).Read(node);

    /// <summary>Begins to search the same entries with memory of its own.</summary>
    internal SegmentSearcher BeginSame() => new(_index, _transaction, State, _snapshot) { _isNested = true };

    /// <summary>Counts what scores need of the texts of a segment.</summary>
    internal void CountLengths(SegmentView segment)
    {
        foreach (FieldRecord field in State.Fields.Texts)
        {
            var lengths = ColumnReader.Open(segment, field.Number, PartKind.Norms, PartKind.NormRows);
            if (lengths.Exists)
            {
                _statistics.AddLengths(field.Number, lengths.Head.Sum, lengths.Head.Rows);
            }
        }
    }

    protected override void Dispose(bool isDisposing)
    {
        if (!_isEnded)
        {
            _isEnded = true;
            _segments.Dispose();
            if (!_isNested)
            {
                _transaction.Dispose();
            }
        }
    }

    private QueryCompiler NewCompiler(PartMeter? reads, CancellationToken cancellation)
    {
        _statistics = new ScoreStatistics(State.Entries, Memory.Whole);
        return new QueryCompiler(State.Fields, _index.Fields, _statistics, Memory.Whole, Memory.Matchers, reads, this, cancellation);
    }

    // The time of the whole search includes collecting and sorting, which its inputs do not include.
    private PlanNode PlanOf(SearchRequest request, IReadOnlyList<NodeMeter> meters, long total, int hits, long started, ReadCount reads)
    {
        IReadOnlyList<PlanNode> inputs = [];
        if (meters.Count > 0)
        {
            TimeSpan elapsed = Stopwatch.GetElapsedTime(started);
            string order = string.Join(", ", request.Sort.Select(NodeText.Of));
            PlanNode[] nodes = [.. meters.Select(meter => meter.ToPlan())];
            inputs = [new PlanNode(request.Sort.Count == 0 ? "collect" : "sort", order, hits, elapsed, nodes) { RowsIn = total, Reads = reads }];
        }

        string page = string.Create(CultureInfo.InvariantCulture, $"skip {request.Skip}, take {request.Take}");

        return new PlanNode("search", page, hits, Stopwatch.GetElapsedTime(started), inputs) { RowsIn = EntryCount };
    }
}
