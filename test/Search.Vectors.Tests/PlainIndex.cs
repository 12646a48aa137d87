using System.Text;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Search.Vectors.Tests;

/// <summary>An engine that looks at each of its entries. They belong to a state of the storage, and are stored in it.</summary>
internal sealed class PlainIndex(StorageEnvironment storage) : SearchIndex
{
    public override IndexFields Fields { get; set; } = new([]);

    public override IndexBatch BeginBatch()
    {
        WriteTransaction transaction = storage.BeginWrite();
        try
        {
            return new Batch(transaction, PlainEntry.List(transaction.ClientState, transaction.Trees));
        }
        catch (CorruptionException)
        {
            transaction.Dispose();
            throw;
        }
    }

    public override Searcher BeginSearch()
    {
        ReadTransaction transaction = storage.BeginRead();
        try
        {
            return new PlainSearcher(transaction, PlainEntry.List(transaction.State.ClientState, transaction.Trees));
        }
        catch (CorruptionException)
        {
            transaction.Dispose();
            throw;
        }
    }

    public override bool Maintain(Func<bool> isAwaited) => false;

    protected override void Dispose(bool isDisposing)
    {
    }

    private sealed class Batch(WriteTransaction transaction, PlainEntry[] entries) : IndexBatch
    {
        private readonly List<PlainEntry> _entries = [.. entries];
        private readonly Dictionary<string, byte[]> _changed = new(StringComparer.Ordinal);
        private int _next = entries.Select(entry => entry.Ordinal + 1).DefaultIfEmpty().Max();

        public override WriteTransaction Transaction => transaction;

        public override void Delete(ReadOnlySpan<byte> id)
        {
            byte[] key = Change(id);
            _entries.RemoveAll(entry => entry.Id.AsSpan().SequenceEqual(key));
        }

        public override void Add(IndexEntry entry) =>
            _entries.Add(new PlainEntry(Change(entry.Id), _next++, entry.Values.ToLookup(value => value.Field.Name)));

        public override void Commit()
        {
            PlainEntry.Store(transaction.Trees, _changed.Values, _entries);
            transaction.ClientState = _entries.ToArray();
            transaction.Commit();
        }

        protected override void Dispose(bool isDisposing) => transaction.Dispose();

        private byte[] Change(ReadOnlySpan<byte> id) => _changed[Encoding.UTF8.GetString(id)] = id.ToArray();
    }
}

/// <summary>Searches one state of a <see cref="PlainIndex"/>.</summary>
internal sealed class PlainSearcher(ReadTransaction transaction, PlainEntry[] entries) : Searcher
{
    public override ReadTransaction Transaction => transaction;

    public override long EntryCount => entries.Length;

    public override SearchSnapshot Keep() => throw new NotSupportedException();

    public override SearchResults Search(SearchRequest request, CancellationToken cancellationToken)
    {
        SearchHit[] found = [.. entries.Select(entry => (entry, score: Score(request.Query, entry))).Where(one => one.score is not null)
            .Select(one => new SearchHit(one.entry.Id, one.entry.Ordinal, one.score!.Value))];
        IEnumerable<SearchHit> ordered = request.Sort is [{ By: SortBy.Score }, ..] ? found.OrderByDescending(hit => hit.Score) : found;
        return new SearchResults([.. ordered.Skip(request.Skip).Take(request.Take)], found.Length, new PlanNode("plain", "", found.Length, default, []));
    }

    public override long CollectNodes(SearchNode query, string field, NodeSet nodes, CancellationToken cancellationToken)
    {
        PlainEntry[] found = [.. entries.Where(entry => Score(query, entry) is not null)];
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

    public override IReadOnlyList<TermCount> ListTerms(string field, string? after, int count, bool withFirst = false) => [];

    public override IReadOnlyList<FacetBucket> CountFacets(
        SearchNode query, FacetRequest request, out long total, CancellationToken cancellationToken) => throw new NotSupportedException();

    public override IReadOnlyList<string> Suggest(SuggestionRequest request, CancellationToken cancellationToken) => [];

    public override IEnumerable<IReadOnlyList<string>> Highlight(
        IEnumerable<int> ordinals, SearchNode query, HighlightRequest request, CancellationToken cancellationToken) => [];

    protected override void Dispose(bool isDisposing) => transaction.Dispose();

    // Null: the entry does not match.
    private static float? Score(SearchNode query, PlainEntry entry) => query switch
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

    private static float? BestOf(ScoredNode scored, PlainEntry entry)
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
