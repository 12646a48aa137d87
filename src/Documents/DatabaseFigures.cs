using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Flushing;
using Jackdaw.Storage.Merging;

namespace Jackdaw.Documents;

/// <summary>The work of an open database's storage and merger so far, for statistics.</summary>
/// <param name="Storage">Current sizes and positions.</param>
/// <param name="Commits">Sums over all commits since the database was opened.</param>
/// <param name="Merger">Sums over all batches, and the last ones.</param>
/// <param name="Flushes">The last flushes.</param>
public sealed record DatabaseFigures(
    StorageFigures Storage, StorageStatistics Commits, MergerStatistics Merger, RecentValues<FlushCosts> Flushes);
