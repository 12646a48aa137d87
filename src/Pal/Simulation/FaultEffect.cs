namespace Jackdaw.Pal.Simulation;

/// <summary>What an injected fault does to the call it hits.</summary>
public enum FaultEffect
{
    /// <summary>The call fails with EIO. A failed write may have left a part: page writes any but one of them, a
    /// journal write any of its sectors.</summary>
    IoError,

    /// <summary>The call fails with ENOSPC; parts as with <see cref="IoError"/>.</summary>
    NoSpace,

    /// <summary>A call that opens a file or folder fails with EMFILE, before it did anything; a rename has its new name by then, which is not
    /// durable.</summary>
    TooManyFiles,

    /// <summary>A signal interrupts the call (EINTR). The platform retries inside, so the caller notices nothing; the
    /// log has the call twice.</summary>
    Interrupted,

    /// <summary>A read or write transfers less than asked. The platform goes on inside; counts show one more
    /// call.</summary>
    ShortTransfer,

    /// <summary>A sync fails with EIO and lies from then on, as ext4 and XFS do: the data stays readable and counts as
    /// clean, but is not on the disk, and the next sync succeeds without writing it.</summary>
    SyncFailsKeepingCache,

    /// <summary>A sync fails with EIO and the file shows the disk's old data again, as btrfs does.</summary>
    SyncFailsReverting,

    /// <summary>A journal write fails with EIO although all of it can be read from then on: it is in a cache, of the drive or, where a file
    /// system knows no unbuffered writes, of the system. A power cut may lose it.</summary>
    WriteFailsKeepingCache,

    /// <summary>A durability call (sync, directory sync, rename, folder creation, journal write) reports success
    /// without making anything durable: the planted bug of a mutation test.</summary>
    SkipDurability,

    /// <summary>A link is refused because the new name is on another volume (EXDEV).</summary>
    LinkAcrossVolumes,

    /// <summary>A link is refused because the file has all the names its file system allows (EMLINK).</summary>
    TooManyLinks,

    /// <summary>A link is refused because the file system knows no links (EPERM, ENOTSUP).</summary>
    NoLinks,

    /// <summary>The call fails because the file system does not know it (EOPNOTSUPP).</summary>
    NotSupported,
}
