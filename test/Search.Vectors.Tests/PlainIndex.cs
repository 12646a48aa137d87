using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Search.Vectors.Tests;

/// <summary>An engine that keeps its entries in a list and looks at each of them. Its entries belong to a state of the storage.</summary>
internal sealed class PlainIndex(StorageEnvironment storage) : SearchIndex
{
    public override IndexFields Fields { get; set; } = new([]);

    public override IndexBatch BeginBatch() => new Batch(storage.BeginWrite());

    public override Searcher BeginSearch() => new PlainSearcher(storage.BeginRead());

    public override bool Maintain(Func<bool> isAwaited) => false;

    protected override void Dispose(bool isDisposing)
    {
    }

    /// <summary>An entry, with its text values and nodes by field.</summary>
    internal sealed record Entry(byte[] Id, int Ordinal, ILookup<string, EntryValue> Values);

    private sealed class Batch(WriteTransaction transaction) : IndexBatch
    {
        private readonly List<Entry> _entries = [.. transaction.ClientState as Entry[] ?? []];
        private int _next = (transaction.ClientState as Entry[])?.Select(entry => entry.Ordinal + 1).DefaultIfEmpty().Max() ?? 0;

        public override WriteTransaction Transaction => transaction;

        public override void Delete(ReadOnlySpan<byte> id)
        {
            byte[] key = id.ToArray();
            _entries.RemoveAll(entry => entry.Id.AsSpan().SequenceEqual(key));
        }

        public override void Add(IndexEntry entry) =>
            _entries.Add(new Entry(entry.Id.ToArray(), _next++, entry.Values.ToLookup(value => value.Field.Name)));

        public override void Commit()
        {
            transaction.ClientState = _entries.ToArray();
            transaction.Commit();
        }

        protected override void Dispose(bool isDisposing) => transaction.Dispose();
    }
}

/// <summary>Searches one state of a <see cref="PlainIndex"/>.</summary>
internal sealed class PlainSearcher(ReadTransaction transaction) : Searcher
{
    private readonly PlainIndex.Entry[] _entries = transaction.State.ClientState as PlainIndex.Entry[] ?? [];

    public override ReadTransaction Transaction => transaction;

    public override long EntryCount => _entries.Length;

    public override SearchSnapshot Keep() => throw new NotSupportedException();

    public override SearchResults Search(SearchRequest request, CancellationToken cancellationToken)
    {
        SearchHit[] found = [.. _entries.Select(entry => (entry, score: Score(request.Query, entry))).Where(one => one.score is not null)
            .Select(one => new SearchHit(one.entry.Id, one.entry.Ordinal, one.score!.Value))];
        IEnumerable<SearchHit> ordered = request.Sort is [{ By: SortBy.Score }, ..] ? found.OrderByDescending(hit => hit.Score) : found;
        return new SearchResults([.. ordered.Skip(request.Skip).Take(request.Take)], found.Length, new PlanNode("plain", "", found.Length, default, []));
    }

    public override long CollectNodes(SearchNode query, string field, NodeSet nodes, CancellationToken cancellationToken)
    {
        PlainIndex.Entry[] found = [.. _entries.Where(entry => Score(query, entry) is not null)];
        foreach (EntryValue value in found.SelectMany(entry => entry.Values[field]))
        {
            nodes.Add((uint)value.Long);
        }

        return found.Length;
    }

    public override PlacedDistance? DistanceOf(int ordinal, SortKey key) => null;

    public override IReadOnlyList<StoredValue> ReadStored(int ordinal) => [];

    public override IReadOnlyList<IReadOnlyList<EntryTerm>> ReadTerms(IReadOnlyList<int> ordinals, CancellationToken cancellationToken) => [];

    public override bool HasField(string field) => true;

    public override IReadOnlyList<string> ListFields() => [];

    public override IReadOnlyList<string> ListIndexedFields() => [];

    public override IReadOnlyList<TermCount> ListTerms(string field, string? after, int count) => [];

    public override IReadOnlyList<FacetBucket> CountFacets(
        SearchNode query, FacetRequest request, out long total, CancellationToken cancellationToken) => throw new NotSupportedException();

    public override IReadOnlyList<string> Suggest(SuggestionRequest request, CancellationToken cancellationToken) => [];

    public override IEnumerable<IReadOnlyList<string>> Highlight(
        IEnumerable<int> ordinals, SearchNode query, HighlightRequest request, CancellationToken cancellationToken) => [];

    protected override void Dispose(bool isDisposing) => transaction.Dispose();

    // Null: the entry does not match.
    private static float? Score(SearchNode query, PlainIndex.Entry entry) => query switch
    {
        AllNode => 0,
        TermNode { Value: TextValue text } term => entry.Values[term.Field].Any(value => value.Text == text.Text) ? 0 : null,
        ExistsNode exists => entry.Values[exists.Field].Any() ? 0 : null,
        HasVectorNode vector => entry.Values[vector.Field].Any(value => value.Kind == EntryValueKind.Node) ? 0 : null,
        ScoredNode scored => BestOf(scored, entry),
        AndNode and => and.Nodes.Aggregate((float?)0, (sum, node) => sum + Score(node, entry)),
        OrNode or => or.Nodes.Select(node => Score(node, entry)).Where(score => score is not null).DefaultIfEmpty(null).Aggregate((sum, score) => sum + score),
        NotNode not => Score(not.Node, entry) is null ? 0 : null,
        BoostNode boost => Score(boost.Node, entry) * boost.Factor,
        NoneNode => null,
        _ => throw new NotSupportedException(query.GetType().Name),
    };

    private static float? BestOf(ScoredNode scored, PlainIndex.Entry entry)
    {
        float? best = null;
        foreach (EntryValue value in entry.Values[scored.Field])
        {
            if (scored.Scores.TryGet((uint)value.Long, out float score) && !(best >= score))
            {
                best = score;
            }
        }

        return best;
    }
}
