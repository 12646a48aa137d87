namespace Jackdaw.Indexing;

/// <summary>What happened to an index, as clients are told.</summary>
/// <param name="Name">Of the index now, as its users gave it.</param>
internal readonly record struct IndexChange(IndexChangeKind Kind, string Name);

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
