using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents;

/// <summary>The outcome of a batch; each command holds its own result.</summary>
public readonly record struct WriteOutcome
{
    public required WriteStatus Status { get; init; }

    /// <summary>For Conflict, NumbersExhausted, HiLoUnreadable and Refused, the index of the failed command, which gives the reason.</summary>
    public int FailedCommand { get; init; }

    /// <summary>For Applied, the etag of the last write of the database that the batch has seen or made.</summary>
    public Etag LastEtag { get; init; }

    public WriteCost Cost { get; init; }
}

/// <summary>The expected outcomes of a write. Everything else (a failed disk, a damaged page) is an exception.</summary>
public enum WriteStatus
{
    /// <summary>The batch is durable, and visible to every read scope that begins from now on.</summary>
    Applied,

    /// <summary>An expected version did not match; nothing of the batch was written.</summary>
    Conflict,

    /// <summary>The writer's queue stayed full for seconds; nothing was queued. The client may try again.</summary>
    QueueFull,

    /// <summary>The disk is full; nothing was written, reads continue.</summary>
    DiskFull,

    /// <summary>The batch changes more than one transaction can hold; nothing was written.</summary>
    TooLarge,

    /// <summary>An identity or a HiLo tag has no numbers left; nothing was written.</summary>
    NumbersExhausted,

    /// <summary>The database is being closed, disabled or deleted; nothing was queued.</summary>
    Closing,

    /// <summary>The document of a HiLo tag has no whole number <c>Max</c>; nothing was written.</summary>
    HiLoUnreadable,

    /// <summary>The stored documents do not allow the command, which gives the reason; nothing was written.</summary>
    Refused,

    /// <summary>A document or revision that a command about revisions needs does not exist; nothing was written. The command gives the reason.</summary>
    NothingToRevise,
}

/// <summary>The cost of one write, for Server-Timing.</summary>
/// <param name="QueueWaitUs">The microseconds between queueing and the start of the write's batch.</param>
/// <param name="MergedCommands">The number of requests that shared the batch; 1 when the write was alone.</param>
/// <param name="JournalUs">The microseconds of the durable journal write of that batch.</param>
public readonly record struct WriteCost(long QueueWaitUs, int MergedCommands, long JournalUs);
