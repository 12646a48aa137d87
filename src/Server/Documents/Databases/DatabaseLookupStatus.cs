namespace Jackdaw.Server.Documents.Databases;

/// <summary>What the server knows about a database name.</summary>
public enum DatabaseLookupStatus
{
    /// <summary>Open and ready.</summary>
    Open,

    /// <summary>No record of that name.</summary>
    Missing,

    /// <summary>Switched off by an administrator.</summary>
    Disabled,

    /// <summary>Closed in order and not used since the start, or, with a reason, not opened for lack of what comes back: a request opens
    /// it.</summary>
    Idle,

    /// <summary>Being opened or recovered; worth another try soon.</summary>
    Loading,

    /// <summary>Could not be opened, or stopped itself after a failed write or a damaged page.</summary>
    Faulted,
}
