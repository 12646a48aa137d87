namespace Jackdaw.Client.Changes;

/// <summary>Changes may be missing here: a program that keeps copies of documents must load them again. What is written afterwards is
/// reported.</summary>
public sealed record ChangesGap : ChangeItem
{
    /// <summary>Why changes may be missing.</summary>
    public required ChangesGapReason Reason { get; init; }

    /// <summary>Changes of documents and counters up to this etag were reported; null when that is not known.</summary>
    public long? After { get; init; }

    /// <summary>The last change that may be missing; null if all changes up to this moment may be missing.</summary>
    public long? Last { get; init; }
}

/// <summary>Why changes may be missing.</summary>
public enum ChangesGapReason
{
    /// <summary>The server has confirmed what is watched. Earlier changes were not reported.</summary>
    Started,

    /// <summary>The connection was lost and has been restored.</summary>
    Reconnected,

    /// <summary>The program read changes too slowly, and more came than the buffer holds.</summary>
    Overflow,

    /// <summary>The server had to leave them out.</summary>
    LeftOutByServer,
}
