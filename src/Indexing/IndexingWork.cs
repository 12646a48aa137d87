using System.Collections.Immutable;
using Jackdaw.Indexing.Building;

namespace Jackdaw.Indexing;

/// <summary>Counts what all indexes of an open database have done since it was opened, also those that are gone. Any thread.</summary>
internal sealed class IndexingWork
{
    private readonly Lock _lock = new(); // guards the two below
    private WrittenBytes _closed;
    private WrittenBytes _told;
    private long _documents;
    private long _groups;

    /// <summary>Documents that were mapped, each once for each index.</summary>
    public long Documents => Interlocked.Read(ref _documents);

    /// <summary>Groups that were reduced.</summary>
    public long Groups => Interlocked.Read(ref _groups);

    /// <summary>Adds a batch of an index.</summary>
    public void Add(IndexTotals batch)
    {
        Interlocked.Add(ref _documents, batch.Mapped + batch.Referred);
        Interlocked.Add(ref _groups, batch.Reduced);
    }

    /// <summary>Adds what an index wrote that is closed now.</summary>
    public void AddClosed(in WrittenBytes written)
    {
        lock (_lock)
        {
            _closed = _closed.Plus(written);
        }
    }

    /// <summary>Bytes that were written for indexes.</summary>
    /// <param name="open">The indexes that there are.</param>
    public WrittenBytes ReadWritten(ImmutableArray<DatabaseIndex> open)
    {
        lock (_lock)
        {
            WrittenBytes sum = open.Aggregate(_closed, (sum, index) => sum.Plus(index.Written));

            // An index that is being closed is in neither for a moment; a sum never goes back.
            return _told = new WrittenBytes(Math.Max(_told.Journal, sum.Journal), Math.Max(_told.Files, sum.Files));
        }
    }
}
