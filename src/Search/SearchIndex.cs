using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Search;

/// <summary>The entries of one index, in a storage of its own.</summary>
/// <remarks>One thread at a time writes. Any number of threads search at the same time; each sees the state that was committed last when its search began. The
/// index is closed before its storage.</remarks>
public abstract class SearchIndex : IDisposable
{
    /// <summary>How the fields are indexed and searched. The thread that writes may set it, when an entry brings a field with settings: entries
    /// that are added, and searches that begin, follow it from then on. A field that has values must not get another indexing mode.</summary>
    public abstract IndexFields Fields { get; set; }

    /// <summary>Begins a batch. The same thread ends it before it begins another one.</summary>
    public abstract IndexBatch BeginBatch();

    /// <summary>Begins to search. The caller disposes the searcher soon, on the same thread, because it holds pages.</summary>
    public abstract Searcher BeginSearch();

    /// <summary>Does work that is possible between batches, such as merging. Returns true when there is more to do.</summary>
    /// <param name="isAwaited">Tells whether somebody waits for the thread; it is called many times. Once it returns true, the work ends as soon as it has kept
    /// up with the batches.</param>
    public abstract bool Maintain(Func<bool> isAwaited);

    public void Dispose()
    {
        Dispose(true);
        GC.SuppressFinalize(this);
    }

    protected abstract void Dispose(bool isDisposing);
}

/// <summary>Changes of an index that become durable and visible together. One thread.</summary>
/// <remarks>A batch that is disposed without a commit changes nothing.</remarks>
public abstract class IndexBatch : IDisposable
{
    /// <summary>The transaction of the storage, in which the caller can write its own trees beside the entries.</summary>
    public abstract WriteTransaction Transaction { get; }

    /// <summary>Removes all entries with an id.</summary>
    /// <param name="id">UTF-8; copied.</param>
    public abstract void Delete(ReadOnlySpan<byte> id);

    /// <summary>Adds an entry. Earlier entries with its id must have been removed in this batch.</summary>
    /// <param name="entry">The caller may use it for another entry afterwards.</param>
    public abstract void Add(IndexEntry entry);

    /// <summary>Makes the batch durable, and visible to searches that begin afterwards.</summary>
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
    /// <summary>The snapshot of the storage, in which the caller can read its own trees beside the entries.</summary>
    public abstract ReadTransaction Transaction { get; }

    /// <summary>Entries there are.</summary>
    public abstract long EntryCount { get; }

    /// <summary>Whether any entry or field of an entry has factors for its score, or had them once.</summary>
    public virtual bool HasBoosts => false;

    /// <summary>Holds the entries of this snapshot, so that they can be searched later and on other threads.</summary>
    public abstract SearchSnapshot Keep();

    /// <summary>Begins to count the reads of this searcher, if it does not count them yet.</summary>
    public virtual void CountReads()
    {
    }

    /// <summary>The reads since <see cref="CountReads"/>; unknown before that call, and if the engine cannot count.</summary>
    public virtual ReadCount Reads => ReadCount.Unknown;

    /// <summary>Runs a search.</summary>
    /// <exception cref="InvalidSearchException">The search cannot be run as it is asked.</exception>
    public abstract SearchResults Search(SearchRequest request, CancellationToken cancellationToken);

    /// <summary>Adds the nodes that entries have in a field of vectors to a set.</summary>
    /// <param name="query">The condition on the entries.</param>
    /// <returns>The entries that match.</returns>
    public abstract long CollectNodes(SearchNode query, string field, NodeSet nodes, CancellationToken cancellationToken);

    /// <summary>Explains the score of an entry that was found here, for people: lines of numbers with their meanings. The first explanation of a query costs as
    /// much as a search, the others as much as one entry. Empty if the engine cannot explain scores.</summary>
    /// <param name="query">The condition that found the entry.</param>
    public virtual string Explain(SearchNode query, int ordinal, CancellationToken cancellationToken) => "";

    /// <summary>The distance by which an entry that was found here is ordered.</summary>
    /// <param name="key">A key by <see cref="SortBy.Distance"/>.</param>
    /// <returns>Null when the entry has no shape.</returns>
    public abstract PlacedDistance? DistanceOf(int ordinal, SortKey key);

    /// <summary>The stored values of an entry that was found here, by field, in the order in which they were given.</summary>
    public abstract IReadOnlyList<StoredValue> ReadStored(int ordinal);

    /// <summary>The terms of entries that were found here, in the order of the ordinals. This reads all terms of the index.</summary>
    public abstract IReadOnlyList<IReadOnlyList<EntryTerm>> ReadTerms(IReadOnlyList<int> ordinals, CancellationToken cancellationToken);

    /// <summary>Whether any entry has, or had, the field.</summary>
    public abstract bool HasField(string field);

    /// <summary>All fields, ordered by name.</summary>
    public abstract IReadOnlyList<string> ListFields();

    /// <summary>Fields that have terms, including terms that are not removed yet although their entries are gone.</summary>
    public abstract IReadOnlyList<string> ListIndexedFields();

    /// <summary>Terms of a field with the number of entries that have them, in ordinal order.</summary>
    /// <param name="after">Terms up to this one are left out; null to begin with the first.</param>
    /// <param name="withFirst">Whether the term <paramref name="after"/> itself is listed, when there is one.</param>
    public abstract IReadOnlyList<TermCount> ListTerms(string field, string? after, int count, bool withFirst = false);

    /// <summary>Counts the entries that match, in buckets. Buckets of terms are in ordinal order, buckets of ranges in the order of the ranges.</summary>
    /// <param name="total">The number of all entries that match.</param>
    /// <exception cref="InvalidSearchException">The facets cannot be counted as they are asked.</exception>
    public abstract IReadOnlyList<FacetBucket> CountFacets(
        SearchNode query, FacetRequest request, out long total, CancellationToken cancellationToken);

    /// <summary>Terms that are similar to those that were asked for, without these.</summary>
    public abstract IReadOnlyList<string> Suggest(SuggestionRequest request, CancellationToken cancellationToken);

    /// <summary>Pieces of a text of entries that were found here, in the order of the ordinals. For each entry, the pieces with the most words come first;
    /// there are none when the entry has no text.</summary>
    /// <param name="query">The condition whose words are marked.</param>
    /// <exception cref="InvalidSearchException">The condition has too many words, or a pattern takes too long.</exception>
    public abstract IEnumerable<IReadOnlyList<string>> Highlight(
        IEnumerable<int> ordinals, SearchNode query, HighlightRequest request, CancellationToken cancellationToken);

    public void Dispose()
    {
        Dispose(true);
        GC.SuppressFinalize(this);
    }

    protected abstract void Dispose(bool isDisposing);
}

/// <summary>The entries of one snapshot, which remain searchable while an answer is sent at the speed of its client. It holds no pages, but files that later
/// batches replace are deleted only after it is disposed. One thread at a time.</summary>
public abstract class SearchSnapshot : IDisposable
{
    /// <summary>Begins to search the entries. The caller disposes the searcher soon, on the same thread. Its transaction is newer than the entries.</summary>
    /// <exception cref="ObjectDisposedException">The index was closed in the meantime.</exception>
    public abstract Searcher BeginSearch();

    public void Dispose()
    {
        Dispose(true);
        GC.SuppressFinalize(this);
    }

    protected abstract void Dispose(bool isDisposing);
}
