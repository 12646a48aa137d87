using Jackdaw.Documents.Database;
using Jackdaw.Indexing.Building;
using Jackdaw.Indexing.Catalog;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Merging;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Server.Live;

/// <summary>What one database has done: since it was opened, or between two samples.</summary>
/// <param name="Requests">Requests for it.</param>
/// <param name="NotModified">Requests whose sender had the current answer.</param>
/// <param name="Commands">Commands in merged transactions: documents written and deleted, patches and the like.</param>
/// <param name="Batches">Merged transactions.</param>
/// <param name="Waiting">Sum over them of the commands that waited when each was closed.</param>
/// <param name="Commits">Durable writes of its journal.</param>
/// <param name="JournalBytes">Bytes of them.</param>
/// <param name="JournalMicroseconds">Time of them.</param>
/// <param name="FlushBytes">Bytes written to data files.</param>
/// <param name="IndexedDocuments">Documents mapped by indexes.</param>
/// <param name="ReducedGroups">Groups reduced by indexes.</param>
/// <param name="IndexWritten">Bytes written for indexes.</param>
internal readonly record struct DatabaseCounters(
    long Requests,
    long NotModified,
    long Commands,
    long Batches,
    long Waiting,
    long Commits,
    long JournalBytes,
    long JournalMicroseconds,
    long FlushBytes,
    long IndexedDocuments,
    long ReducedGroups,
    WrittenBytes IndexWritten)
{
    /// <summary>Reads the counters of a database, also while it closes. They are kept anyway, so that this costs nothing that grows with its work.</summary>
    public static DatabaseCounters Read(DocumentDatabase database)
    {
        MergerStatistics merger = database.MergerStatistics;
        StorageStatistics commits = database.Environment.Statistics;
        CommitCosts costs = commits.Sum;
        DatabaseIndexes? indexes = database.FindPart<DatabaseIndexes>();
        return new DatabaseCounters(
            database.Requests, database.NotModified, merger.Commands, merger.Batches, merger.Waiting, commits.Commits, costs.StoredBytes,
            costs.WriteMicroseconds, database.Environment.FlushTotal.Bytes, indexes?.Work.Documents ?? 0, indexes?.Work.Groups ?? 0,
            indexes?.Written ?? default);
    }

    /// <summary>The work since an earlier reading of the same open database.</summary>
    public DatabaseCounters Since(in DatabaseCounters earlier) => new(
        Requests - earlier.Requests, NotModified - earlier.NotModified, Commands - earlier.Commands, Batches - earlier.Batches, Waiting - earlier.Waiting,
        Commits - earlier.Commits, JournalBytes - earlier.JournalBytes, JournalMicroseconds - earlier.JournalMicroseconds, FlushBytes - earlier.FlushBytes,
        IndexedDocuments - earlier.IndexedDocuments, ReducedGroups - earlier.ReducedGroups, IndexWritten.Since(earlier.IndexWritten));
}
