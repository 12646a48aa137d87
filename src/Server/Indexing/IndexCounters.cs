using Jackdaw.Server.Indexing.Building;

namespace Jackdaw.Server.Indexing;

/// <summary>What an index has done since it was opened. Written by its runs, read by any thread.</summary>
internal sealed class IndexCounters
{
    private long _attempts;
    private long _errors;
    private long _batches;
    private long _lastIndexingTicks;
    private long _lastQueryTicks;

    /// <summary>Documents that were mapped, or could not be.</summary>
    public long Attempts => Volatile.Read(ref _attempts);

    public long Errors => Volatile.Read(ref _errors);

    public long Batches => Volatile.Read(ref _batches);

    /// <summary>Null before the first batch.</summary>
    public DateTime? LastIndexing => ToTime(Volatile.Read(ref _lastIndexingTicks));

    /// <summary>Null before the first query.</summary>
    public DateTime? LastQuery => ToTime(Volatile.Read(ref _lastQueryTicks));

    public void Add(BatchResult batch, DateTimeOffset now)
    {
        Volatile.Write(ref _attempts, _attempts + batch.Documents);
        Volatile.Write(ref _errors, _errors + batch.Failures.Count);
        Volatile.Write(ref _batches, _batches + 1);
        if (batch.Documents > 0 || _lastIndexingTicks == 0)
        {
            Volatile.Write(ref _lastIndexingTicks, now.UtcTicks);
        }
    }

    public void NoteQuery(DateTimeOffset now) => Volatile.Write(ref _lastQueryTicks, now.UtcTicks);

    private static DateTime? ToTime(long ticks) => ticks == 0 ? null : new DateTime(ticks, DateTimeKind.Utc);
}
