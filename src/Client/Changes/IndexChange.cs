namespace Jackdaw.Client.Changes;

/// <summary>An index has read documents, or the index itself has changed.</summary>
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

    /// <summary>The index has read documents, and queries see them.</summary>
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

    /// <summary>It failed and no longer reads.</summary>
    IndexMarkedAsErrored,

    /// <summary>A new definition answers from now on.</summary>
    SideBySideReplace,

    /// <summary>It has another name.</summary>
    Renamed,

    /// <summary>It reads nothing until it is resumed.</summary>
    IndexPaused,

    /// <summary>Its lock mode has changed.</summary>
    LockModeChanged,

    /// <summary>Its priority has changed.</summary>
    PriorityChanged,

    /// <summary>It is built on the servers one after the other, and this has gone on.</summary>
    RollingIndexChanged,
}
