namespace Jackdaw.Client.Changes;

/// <summary>An index has read documents, or is another one than before.</summary>
public sealed record IndexChange : ChangeItem
{
    /// <summary>What happened to it.</summary>
    public IndexChangeTypes Type { get; init; }

    /// <summary>Its name.</summary>
    public required string Name { get; init; }
}

/// <summary>What happened to an index.</summary>
public enum IndexChangeTypes
{
    /// <summary>Something that this version of the client does not know.</summary>
    None,

    /// <summary>Queries see what it has read.</summary>
    BatchCompleted,

    /// <summary>New.</summary>
    IndexAdded,

    /// <summary>Deleted.</summary>
    IndexRemoved,

    /// <summary>Unused for some time: it reads less often.</summary>
    IndexDemotedToIdle,

    /// <summary>Used again.</summary>
    IndexPromotedFromIdle,

    /// <summary>Switched off.</summary>
    IndexDemotedToDisabled,

    /// <summary>It failed and reads no more.</summary>
    IndexMarkedAsErrored,

    /// <summary>A new definition answers from now on.</summary>
    SideBySideReplace,

    /// <summary>It has another name.</summary>
    Renamed,

    /// <summary>It reads nothing until it is resumed.</summary>
    IndexPaused,

    /// <summary>Its lock is another one.</summary>
    LockModeChanged,

    /// <summary>Its priority is another one.</summary>
    PriorityChanged,

    /// <summary>It is built on the servers one after the other, and this has gone on.</summary>
    RollingIndexChanged,
}
