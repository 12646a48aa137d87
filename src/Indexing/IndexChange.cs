using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Records;

namespace Jackdaw.Indexing;

/// <summary>Something that happened to an index, as clients are notified of it.</summary>
/// <param name="Name">The current name of the index, as its users gave it.</param>
internal readonly record struct IndexChange(IndexChangeKind Kind, string Name)
{
    /// <summary>What clients are notified of when an index gets another record.</summary>
    public static IEnumerable<IndexChangeKind> Between(IndexRecord old, IndexRecord record)
    {
        if (old.LockMode != record.LockMode)
        {
            yield return IndexChangeKind.LockModeChanged;
        }

        if (old.Priority != record.Priority)
        {
            yield return IndexChangeKind.PriorityChanged;
        }

        if (old.State != record.State && Between(old.State, record.State) is { } kind)
        {
            yield return kind;
        }
    }

    private static IndexChangeKind? Between(IndexState old, IndexState state) => state switch
    {
        IndexState.Idle => IndexChangeKind.IndexDemotedToIdle,
        IndexState.Disabled => IndexChangeKind.IndexDemotedToDisabled,
        IndexState.Error => IndexChangeKind.IndexMarkedAsErrored,
        _ => old == IndexState.Idle ? IndexChangeKind.IndexPromotedFromIdle : null,
    };
}

/// <summary>Names are those of the protocol.</summary>
internal enum IndexChangeKind
{
    /// <summary>Changes of documents are in the index, and searches see them.</summary>
    BatchCompleted,
    IndexAdded,
    IndexRemoved,
    IndexDemotedToIdle,
    IndexPromotedFromIdle,
    IndexDemotedToDisabled,
    IndexMarkedAsErrored,

    /// <summary>A changed definition answers from now on.</summary>
    SideBySideReplace,
    IndexPaused,
    LockModeChanged,
    PriorityChanged,
}
