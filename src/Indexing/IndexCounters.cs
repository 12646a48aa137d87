using Jackdaw.Indexing.Building;

namespace Jackdaw.Indexing;

/// <summary>What an index has done since it was opened. Written by its runs, read by any thread.</summary>
internal sealed class IndexCounters
{
    /// <summary>Batches that are remembered, for reports.</summary>
    private const int BatchesKept = 32;

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

    /// <summary>Documents a second in the newest batches; 0 when there were none.</summary>
    public double MappedPerSecond => Rate(report => report.Counts.Mapped + report.Counts.Referred);

    public double ReducedPerSecond => Rate(report => report.Counts.Reduced);

    /// <param name="duration">Of the batch.</param>
    /// <param name="now">Its end.</param>
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
                if (_recent.Count == BatchesKept)
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
/// <param name="Number">Of its batches since it was opened.</param>
/// <param name="Documents">Changes that were read.</param>
internal sealed record BatchReport(long Number, DateTimeOffset Began, TimeSpan Duration, int Documents, IndexTotals Counts);
