namespace Jackdaw.Client.Changes.Feed;

/// <summary>A watch with those who want it. Guarded by the lock of its <see cref="WatchTable"/>.</summary>
internal sealed class WatchEntry(Watch watch)
{
    public Watch Watch => watch;

    /// <summary>Those who want it.</summary>
    public int Count { get; set; }

    /// <summary>It stands in the queue of the sender.</summary>
    public bool IsQueued { get; set; }

    /// <summary>The server was asked for it over the connection that is open.</summary>
    public bool IsSent { get; set; }

    /// <summary>The server has confirmed it over the connection that is open.</summary>
    public bool IsConfirmed { get; set; }

    /// <summary>The connection counts as connected only when this one is confirmed.</summary>
    public bool IsAwaited { get; set; }

    /// <summary>Number of the last command that asked for it.</summary>
    public long CommandId { get; set; }

    /// <summary>When that command was handed out.</summary>
    public long SentAt { get; set; }

    public Waiters Confirmed { get; } = new();
}
