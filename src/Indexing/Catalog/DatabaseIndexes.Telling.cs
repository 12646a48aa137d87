using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Records;

namespace Jackdaw.Indexing.Catalog;

/// <summary>Tells what happens to indexes.</summary>
internal sealed partial class DatabaseIndexes
{
    /// <summary>Raised when what happened is durable, and whoever looks sees it. Short; any thread.</summary>
    public event Action<IndexChange>? Told;

    private void Tell(IndexChangeKind kind, string name) => Told?.Invoke(new IndexChange(kind, name));

    private void TellRemoved(DatabaseIndex? removed)
    {
        if (removed is not null)
        {
            Tell(IndexChangeKind.IndexRemoved, removed.Name);
        }
    }

    private void Tell(DatabaseIndex index, IndexEvent happened)
    {
        switch (happened)
        {
            case IndexEvent.BatchWritten:
                Tell(IndexChangeKind.BatchCompleted, index.Name);
                break;
            case IndexEvent.Paused:
                Tell(IndexChangeKind.IndexPaused, index.Name);
                break;
        }
    }

    /// <summary>Gives an index another record, which is written.</summary>
    private void Change(DatabaseIndex index, IndexRecord record)
    {
        IndexRecord old = index.Record;
        index.Change(record);
        if (old.LockMode != record.LockMode)
        {
            Tell(IndexChangeKind.LockModeChanged, record.Name);
        }

        if (old.Priority != record.Priority)
        {
            Tell(IndexChangeKind.PriorityChanged, record.Name);
        }

        if (old.State != record.State && KindOf(old.State, record.State) is { } kind)
        {
            Tell(kind, record.Name);
        }
    }

    private static IndexChangeKind? KindOf(IndexState old, IndexState state) => state switch
    {
        IndexState.Idle => IndexChangeKind.IndexDemotedToIdle,
        IndexState.Disabled => IndexChangeKind.IndexDemotedToDisabled,
        IndexState.Error => IndexChangeKind.IndexMarkedAsErrored,
        _ => old == IndexState.Idle ? IndexChangeKind.IndexPromotedFromIdle : null,
    };
}
