using Jackdaw.Documents.Rows;
using Jackdaw.Indexing.Records;

namespace Jackdaw.Indexing.Catalog;

/// <summary>How far a move of indexes is, for people.</summary>
/// <param name="Move">As it is stored.</param>
/// <param name="OperationId">The number of the operation that does the work, or did it last; null if the database was opened since.</param>
/// <param name="IsRunning">Whether work is done. False for a move that is running as it is stored: its work has failed, and begins again when it is asked for
/// or when the database is opened.</param>
/// <param name="Moving">The index that is being built; null for none.</param>
internal sealed record EngineMoveProgress(EngineMove Move, long? OperationId, bool IsRunning, MovingIndex? Moving)
{
    public static EngineMoveProgress Of(EngineMove move, IndexHost host, IndexCatalog catalog, EngineMoveRun? run)
    {
        bool isRunning = run is { IsEnded: false } && move.State == EngineMoveState.Running;
        string? name = isRunning ? move.With(MoveOutcome.Left).FirstOrDefault()?.Name : null;
        return new EngineMoveProgress(move, run?.Operation.Id, isRunning, name is null ? null : MovingIndex.Of(name, host, catalog));
    }
}

/// <summary>The index that is being moved.</summary>
/// <param name="Left">Documents and deletions that its replacement has not read; null before its files are open.</param>
/// <param name="Waits">Why it does not come any further, and what to do; null if it does.</param>
/// <param name="LastError">The newest error of the replacement; null for none.</param>
internal sealed record MovingIndex(string Name, long? Left, string? Waits, string? LastError)
{
    public static MovingIndex Of(string name, IndexHost host, IndexCatalog catalog)
    {
        DatabaseIndex? replacement = catalog.Find(IndexRecord.ReplacementPrefix + name);
        using DocumentReadScope read = host.Database.BeginRead();
        long? left = replacement?.Builder?.LagsIn(read).Sum(lag => lag.Documents + lag.Tombstones);
        string? waits = host.Settings.IsDisabled ? "Indexes do not follow the documents here (Indexing.Disabled); change that setting."
            : replacement is { IsPaused: true } ? "It is paused; POST /admin/indexes/start lets all indexes go on."
            : null;
        return new MovingIndex(name, left, waits, replacement?.Failures.Last?.Message);
    }
}
