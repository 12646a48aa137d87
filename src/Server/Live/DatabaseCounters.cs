using Jackdaw.Documents.Database;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Server.Live;

/// <summary>What one database has done: since it was opened, or between two samples.</summary>
/// <param name="Requests">Requests for it.</param>
/// <param name="Commands">Commands in merged transactions: documents written and deleted, patches and the like.</param>
/// <param name="Batches">Merged transactions.</param>
/// <param name="Commits">Durable writes of its journal.</param>
/// <param name="JournalBytes">Bytes of them.</param>
/// <param name="JournalMicroseconds">Time of them.</param>
/// <param name="FlushBytes">Bytes written to data files.</param>
internal readonly record struct DatabaseCounters(
    long Requests, long Commands, long Batches, long Commits, long JournalBytes, long JournalMicroseconds, long FlushBytes)
{
    /// <summary>Reads the counters of a database, also while it closes. They are kept anyway, so that this costs nothing that grows with its work.</summary>
    public static DatabaseCounters Read(DocumentDatabase database)
    {
        StorageStatistics commits = database.Environment.Statistics;
        CommitCosts costs = commits.Sum;
        return new DatabaseCounters(
            database.Requests, database.MergerStatistics.Commands, database.MergerStatistics.Batches, commits.Commits, costs.StoredBytes,
            costs.WriteMicroseconds, database.Environment.FlushTotal.Bytes);
    }

    /// <summary>The work since an earlier reading of the same open database.</summary>
    public DatabaseCounters Since(in DatabaseCounters earlier) => new(
        Requests - earlier.Requests, Commands - earlier.Commands, Batches - earlier.Batches, Commits - earlier.Commits,
        JournalBytes - earlier.JournalBytes, JournalMicroseconds - earlier.JournalMicroseconds, FlushBytes - earlier.FlushBytes);
}
