using Jackdaw.Documents.Database;
using Jackdaw.Storage;

namespace Jackdaw.Server.Live;

/// <summary>Reads the counters of one open database again and again, and tells what has happened between. Of one thread at a time.</summary>
internal sealed class DatabaseMeter(DocumentDatabase database)
{
    private readonly long[] _writes = new long[DurationCounts.Buckets];
    private DatabaseCounters _counters;

    /// <summary>The work since the last call; null when there was none and nothing waits.</summary>
    public DatabaseWork? Take()
    {
        DatabaseCounters counters = DatabaseCounters.Read(database);
        DatabaseCounters done = counters.Since(_counters);
        _counters = counters;
        int queued = database.QueuedWrites;
        int reads = database.Environment.ActiveTransactions;
        if (done == default && queued == 0 && reads == 0)
        {
            return null;
        }

        (long half, long most) = done.Commits > 0 ? TakePercentiles() : default;
        return new DatabaseWork(done, half, most, queued, reads);
    }

    private (long Half, long Most) TakePercentiles()
    {
        Span<long> since = stackalloc long[DurationCounts.Buckets];
        long count = database.Environment.Statistics.WriteTimes.Advance(_writes, since);
        return (DurationCounts.Percentile(since, count, 0.5), DurationCounts.Percentile(since, count, 0.99));
    }
}

/// <summary>What one database did between two samples.</summary>
/// <param name="Done">Its counters.</param>
/// <param name="JournalP50Microseconds">Half of the durable writes took no longer; see <see cref="DurationCounts"/> for the error.</param>
/// <param name="JournalP99Microseconds">99 of 100 took no longer.</param>
/// <param name="Queued">Commands that wait or are being applied at the end.</param>
/// <param name="OpenReads">Transactions that hold a snapshot at the end.</param>
internal readonly record struct DatabaseWork(
    DatabaseCounters Done, long JournalP50Microseconds, long JournalP99Microseconds, int Queued, int OpenReads);
