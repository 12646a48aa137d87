namespace Jackdaw.Client.Changes;

/// <summary>Changes may be missing here: whoever keeps copies of documents loads them anew. What is written afterwards is told.</summary>
public sealed record ChangesGap : ChangeItem
{
    /// <summary>Why changes may be missing.</summary>
    public required ChangesGapReason Reason { get; init; }

    /// <summary>Changes of documents and counters up to this etag were told; null when that is not known.</summary>
    public long? After { get; init; }

    /// <summary>The last change that may be missing; null: all up to this moment may be.</summary>
    public long? Last { get; init; }
}

/// <summary>Why changes may be missing.</summary>
public enum ChangesGapReason
{
    /// <summary>The server has confirmed what is followed: nothing before was told.</summary>
    Started,

    /// <summary>The connection was lost, and is there again.</summary>
    Reconnected,

    /// <summary>They were taken too slowly, and more came than the buffer holds.</summary>
    Overflow,

    /// <summary>The server had to leave them out.</summary>
    LeftOutByServer,
}
