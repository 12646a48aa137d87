namespace Jackdaw.Client.Changes.Feed;

/// <summary>A watch with the number of its users. Guarded by the lock of its <see cref="WatchTable"/>.</summary>
internal sealed class WatchEntry(Watch watch)
{
    public Watch Watch => watch;

    /// <summary>Number of users of the watch.</summary>
    public int Count { get; set; }

    /// <summary>Whether it is in the queue of the sender.</summary>
    public bool IsQueued { get; set; }

    /// <summary>Whether it was sent to the server over the open connection.</summary>
    public bool IsSent { get; set; }

    /// <summary>Whether the server has confirmed it over the open connection.</summary>
    public bool IsConfirmed { get; set; }

    /// <summary>Whether the connection counts as connected only when this watch is confirmed.</summary>
    public bool IsAwaited { get; set; }

    /// <summary>Number of the last command that asked for it.</summary>
    public long CommandId { get; set; }

    /// <summary>When this command was given to the sender.</summary>
    public long SentAt { get; set; }

    public Waiters Confirmed { get; } = new();
}
