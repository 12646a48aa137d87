using System.Text.Json;

namespace Jackdaw.Client.Changes;

/// <summary>A long-running operation has progressed or ended. The end is reported once.</summary>
public sealed record OperationStatusChange : ChangeItem
{
    /// <summary>Number of the operation.</summary>
    public required long OperationId { get; init; }

    /// <summary>Its state now.</summary>
    public required OperationState State { get; init; }
}

/// <summary>State of an operation.</summary>
public sealed record OperationState
{
    /// <summary>Whether it runs, and how it ended.</summary>
    public OperationStatus Status { get; init; }

    /// <summary>How far it is; null when the server does not say it.</summary>
    public JsonElement? Progress { get; init; }

    /// <summary>What it has done, or why it failed; null while it runs.</summary>
    public JsonElement? Result { get; init; }
}

/// <summary>Whether an operation runs, and how it ended.</summary>
public enum OperationStatus
{
    /// <summary>A status that this version of the client does not know.</summary>
    None,

    /// <summary>It runs.</summary>
    InProgress,

    /// <summary>It has done all that it should.</summary>
    Completed,

    /// <summary>It failed; the result says why.</summary>
    Faulted,

    /// <summary>It was stopped.</summary>
    Canceled,
}
