using Jackdaw.Search.Lucene.Fields;
using Jackdaw.Search.Lucene.Matching;
using Lucene.Net.Index;

namespace Jackdaw.Search.Lucene;

/// <summary>A reader of Lucene that all searches of one state share. It is closed when the last search and the index have released it.</summary>
/// <param name="owner">The index that opened it. A storage keeps the reader of its last state, even when the index is closed and another one is opened on
/// it.</param>
/// <param name="reader">Null when there was no commit yet.</param>
internal sealed class SharedReader(LuceneSearchIndex owner, DirectoryReader? reader)
{
    private int _uses = 1;
    private readonly PerThread<IdColumn?[]> _ids = new(() => new IdColumn?[reader?.Leaves.Count ?? 0]);
    private IdCache? _knownIds;

    public LuceneSearchIndex Owner => owner;

    public DirectoryReader? Reader => reader;

    /// <summary>The searcher, for any thread; null without a reader.</summary>
    public SharedSearcher? Searcher { get; } = reader is null ? null : new SharedSearcher(reader);

    /// <summary>The ids of entries that searches have found.</summary>
    public IdCache KnownIds => _knownIds ??= new IdCache(reader?.MaxDoc ?? 0);

    /// <summary>The column of ids of a segment. Only the calling thread may use it, because Lucene gives a thread the same object whenever it asks.</summary>
    public IdColumn IdsOf(int segment) => _ids.Value[segment] ??= new IdColumn(reader!.Leaves[segment].AtomicReader);

    /// <summary>Returns false when the reader is closed.</summary>
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
