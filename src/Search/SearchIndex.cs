using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Search;

/// <summary>The entries of one index, in a storage of its own.</summary>
/// <remarks>One thread at a time writes; any number search meanwhile, each in what was last committed when it began. Closed before its storage.</remarks>
public abstract class SearchIndex : IDisposable
{
    /// <summary>How its fields are indexed and searched. The thread that writes may set it, when an entry brings a field with settings: entries
    /// that are added, and searches that begin, follow it from then on. A field that has values must not get another indexing mode.</summary>
    public abstract IndexFields Fields { get; set; }

    /// <summary>Begins a batch; the same thread ends it, before another begins.</summary>
    public abstract IndexBatch BeginBatch();

    /// <summary>Begins to search; the caller disposes it soon, on the same thread: it holds pages.</summary>
    public abstract Searcher BeginSearch();

    /// <summary>Does what may be done between batches, such as merging; true: there is more to do.</summary>
    /// <param name="isAwaited">Asked again and again: whether somebody waits for the thread. Then it ends soon, though not before it has
    /// kept up with the batches.</param>
    public abstract bool Maintain(Func<bool> isAwaited);

    public void Dispose()
    {
        Dispose(true);
        GC.SuppressFinalize(this);
    }

    protected abstract void Dispose(bool isDisposing);
}

/// <summary>Changes of an index that become durable and visible together. One thread.</summary>
/// <remarks>Disposed without having been committed, it leaves nothing behind.</remarks>
public abstract class IndexBatch : IDisposable
{
    /// <summary>The transaction of the storage, for what the caller keeps beside the entries.</summary>
    public abstract WriteTransaction Transaction { get; }

    /// <summary>Removes all entries with an id.</summary>
    /// <param name="id">UTF-8; copied.</param>
    public abstract void Delete(ReadOnlySpan<byte> id);

    /// <summary>Adds an entry. Entries with its id must have been removed before in this batch, or never have been there.</summary>
    /// <param name="entry">May be used for another one afterwards.</param>
    public abstract void Add(IndexEntry entry);

    /// <summary>Makes it durable, and visible to searches that begin afterwards.</summary>
    public abstract void Commit();

    public void Dispose()
    {
        Dispose(true);
        GC.SuppressFinalize(this);
    }

    protected abstract void Dispose(bool isDisposing);
}

/// <summary>A snapshot of an index. One thread.</summary>
public abstract class Searcher : IDisposable
{
    /// <summary>The snapshot of the storage, for what the caller keeps beside the entries.</summary>
    public abstract ReadTransaction Transaction { get; }

    /// <summary>Entries there are.</summary>
    public abstract long EntryCount { get; }

    /// <summary>Whether entries, or fields of them, have, or had, factors for their scores.</summary>
    public virtual bool HasBoosts => false;

    /// <summary>Keeps the entries of this snapshot, so that they can be searched later and on other threads.</summary>
    public abstract SearchSnapshot Keep();

    /// <summary>Begins to count what this searcher reads, if it does not count yet.</summary>
    public virtual void CountReads()
    {
    }

    /// <summary>What was read since <see cref="CountReads"/>; unknown before it, and from an engine that cannot tell.</summary>
    public virtual ReadCount Reads => ReadCount.Unknown;

    /// <summary>Runs a search.</summary>
    /// <exception cref="InvalidSearchException">It cannot be run as it is asked.</exception>
    public abstract SearchResults Search(SearchRequest request, CancellationToken cancellationToken);

    /// <summary>Why an entry that was found here has its score, for people: lines of numbers and what they are. The first of
    /// a query costs as much as a search, others that of one entry; empty from an engine that cannot tell.</summary>
    /// <param name="query">The one that found it.</param>
    public virtual string Explain(SearchNode query, int ordinal, CancellationToken cancellationToken) => "";

    /// <summary>The distance by which an entry that was found here is ordered.</summary>
    /// <param name="key">Of <see cref="SortBy.Distance"/>.</param>
    /// <returns>Null: the entry has no shape.</returns>
    public abstract PlacedDistance? DistanceOf(int ordinal, SortKey key);

    /// <summary>The stored values of an entry that was found here, by field, in the order in which they were given.</summary>
    public abstract IReadOnlyList<StoredValue> ReadStored(int ordinal);

    /// <summary>The terms of entries that were found here, for each in the order of the ordinals. Goes over all terms of the index.</summary>
    public abstract IReadOnlyList<IReadOnlyList<EntryTerm>> ReadTerms(IReadOnlyList<int> ordinals, CancellationToken cancellationToken);

    /// <summary>Whether any entry has, or had, the field.</summary>
    public abstract bool HasField(string field);

    /// <summary>All fields, ordered by name.</summary>
    public abstract IReadOnlyList<string> ListFields();

    /// <summary>Fields that have terms, also when the entries with them are gone and their terms are not removed yet.</summary>
    public abstract IReadOnlyList<string> ListIndexedFields();

    /// <summary>Terms of a field with the number of entries that have them, in ordinal order.</summary>
    /// <param name="after">Terms up to this one are left out; null: none.</param>
    public abstract IReadOnlyList<TermCount> ListTerms(string field, string? after, int count);

    /// <summary>Counts the entries that match, in buckets: of terms ordinally ordered, of ranges in their order.</summary>
    /// <param name="total">All entries that match.</param>
    /// <exception cref="InvalidSearchException">It cannot be counted as it is asked.</exception>
    public abstract IReadOnlyList<FacetBucket> CountFacets(
        SearchNode query, FacetRequest request, out long total, CancellationToken cancellationToken);

    /// <summary>Terms like those that were asked for, without these.</summary>
    public abstract IReadOnlyList<string> Suggest(SuggestionRequest request, CancellationToken cancellationToken);

    /// <summary>Pieces of a text of entries that were found here, for each in the order of the ordinals, those with most words first; none
    /// when it has no text.</summary>
    /// <param name="query">Says which words are marked.</param>
    /// <exception cref="InvalidSearchException">It has too many words, or a pattern takes too long.</exception>
    public abstract IEnumerable<IReadOnlyList<string>> Highlight(
        IEnumerable<int> ordinals, SearchNode query, HighlightRequest request, CancellationToken cancellationToken);

    public void Dispose()
    {
        Dispose(true);
        GC.SuppressFinalize(this);
    }

    protected abstract void Dispose(bool isDisposing);
}

/// <summary>The entries of one snapshot, kept while an answer is sent at the pace of its client. It holds no pages: files that later batches
/// replace stay until it is disposed. One thread at a time.</summary>
public abstract class SearchSnapshot : IDisposable
{
    /// <summary>Begins to search the kept entries; the caller disposes it soon, on the same thread. Its transaction is a newer one.</summary>
    /// <exception cref="ObjectDisposedException">The index was closed meanwhile.</exception>
    public abstract Searcher BeginSearch();

    public void Dispose()
    {
        Dispose(true);
        GC.SuppressFinalize(this);
    }

    protected abstract void Dispose(bool isDisposing);
}
