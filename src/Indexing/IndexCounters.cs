using Jackdaw.Indexing.Building;

namespace Jackdaw.Indexing;

/// <summary>Counts what an index has done since it was opened. Its runs write the counters; any thread reads them.</summary>
internal sealed class IndexCounters
{
    /// <summary>How many of the newest batches are remembered for reports.</summary>
    private const int RecentMax = 32;

    private readonly Lock _lock = new(); // guards _recent
    private readonly Queue<BatchReport> _recent = new();
    private long _batches;
    private long _lastIndexingTicks;
    private long _lastQueryTicks;

    public long Batches => Volatile.Read(ref _batches);

    /// <summary>Null before the first batch.</summary>
    public DateTime? LastIndexing => ToTime(Volatile.Read(ref _lastIndexingTicks));

    /// <summary>Null before the first query.</summary>
    public DateTime? LastQuery => ToTime(Volatile.Read(ref _lastQueryTicks));

    /// <summary>The newest batches that read something, oldest first.</summary>
    public IReadOnlyList<BatchReport> Recent
    {
        get
        {
            lock (_lock)
            {
                return [.. _recent];
            }
        }
    }

    /// <summary>Documents per second in the newest batches; 0 if there were none.</summary>
    public double MappedPerSecond => Rate(report => report.Counts.Mapped + report.Counts.Referred);

    public double ReducedPerSecond => Rate(report => report.Counts.Reduced);

    /// <param name="batch">What the batch did.</param>
    /// <param name="duration">How long it took.</param>
    /// <param name="now">When it ended.</param>
    public void Add(BatchResult batch, TimeSpan duration, DateTimeOffset now)
    {
        IndexTotals counts = batch.Counts;
        Volatile.Write(ref _batches, _batches + 1);
        if (batch.Documents > 0 || _lastIndexingTicks == 0)
        {
            Volatile.Write(ref _lastIndexingTicks, now.UtcTicks);
        }

        if (batch.Documents > 0)
        {
            lock (_lock)
            {
                if (_recent.Count == RecentMax)
                {
                    _recent.Dequeue();
                }

                _recent.Enqueue(new BatchReport(_batches, now - duration, duration, batch.Documents, counts));
            }
        }
    }

    public void NoteQuery(DateTimeOffset now) => Volatile.Write(ref _lastQueryTicks, now.UtcTicks);

    private double Rate(Func<BatchReport, long> count)
    {
        IReadOnlyList<BatchReport> recent = Recent;
        double seconds = recent.Sum(report => report.Duration.TotalSeconds);
        return seconds > 0 ? recent.Sum(count) / seconds : 0;
    }

    private static DateTime? ToTime(long ticks) => ticks == 0 ? null : new DateTime(ticks, DateTimeKind.Utc);
}

/// <summary>One batch that an index has read.</summary>
/// <param name="Number">Counts the batches since the index was opened.</param>
/// <param name="Documents">Changes that were read.</param>
internal sealed record BatchReport(long Number, DateTimeOffset Began, TimeSpan Duration, int Documents, IndexTotals Counts);
