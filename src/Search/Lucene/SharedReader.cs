using Jackdaw.Search.Lucene.Fields;
using Lucene.Net.Index;
using Lucene.Net.Search;
using Lucene.Net.Search.Similarities;

namespace Jackdaw.Search.Lucene;

/// <summary>A reader of Lucene for those who search one state; closed when the last of them, and the index, have released it.</summary>
/// <param name="owner">The index that opened it. A storage keeps the reader of its last state, also when the index is closed and another
/// one is opened on it.</param>
/// <param name="reader">Null: there was no commit yet.</param>
internal sealed class SharedReader(LuceneSearchIndex owner, DirectoryReader? reader)
{
    private static readonly BM25Similarity s_similarity = new();

    private int _uses = 1;
    private IdColumn?[]? _spareIds;
    private IdCache? _knownIds;

    public LuceneSearchIndex Owner => owner;

    public DirectoryReader? Reader => reader;

    /// <summary>For any thread; null without a reader.</summary>
    public IndexSearcher? Searcher { get; } = reader is null ? null : new IndexSearcher(reader) { Similarity = s_similarity };

    /// <summary>Of the entries that searches have found.</summary>
    public IdCache KnownIds => _knownIds ??= new IdCache(reader?.MaxDoc ?? 0);

    /// <summary>Columns of ids that an earlier search has made, one for each segment; null: there are none that nobody uses now.</summary>
    public IdColumn?[]? TakeIds() => Interlocked.Exchange(ref _spareIds, null);

    /// <summary>The search that took or made them is over.</summary>
    public void GiveBack(IdColumn?[]? ids)
    {
        if (ids is not null)
        {
            Volatile.Write(ref _spareIds, ids);
        }
    }

    /// <summary>False when it is closed.</summary>
    public bool TryAcquire()
    {
        for (int uses = Volatile.Read(ref _uses); uses > 0; uses = Volatile.Read(ref _uses))
        {
            if (Interlocked.CompareExchange(ref _uses, uses + 1, uses) == uses)
            {
                return true;
            }
        }

        return false;
    }

    public void Release()
    {
        if (Interlocked.Decrement(ref _uses) == 0)
        {
            reader?.Dispose();
        }
    }
}
