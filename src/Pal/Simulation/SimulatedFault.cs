namespace Jackdaw.Pal.Simulation;

/// <summary>A fault that waits for its call. Give it to <see cref="SimulatedPlatform.Inject"/>.</summary>
public sealed class SimulatedFault
{
    private int _seen;

    /// <summary>What happens.</summary>
    public required FaultEffect Effect { get; init; }

    /// <summary>Only calls of this kind; null = any kind that the effect makes sense for.</summary>
    public PalOperationKind? Kind { get; init; }

    /// <summary>Only paths that contain this text; empty = all.</summary>
    public string PathContains { get; init; } = "";

    /// <summary>Only calls for which this is true; null = all.</summary>
    public Func<PalOperation, bool>? Where { get; init; }

    /// <summary>Which of the matching calls after the injection is hit, from 1.</summary>
    public int Occurrence { get; init; } = 1;

    /// <summary>True: all matching calls from this one on are hit, as on a dead or full disk.</summary>
    public bool Repeats { get; init; }

    /// <summary>Calls hit so far. A test asserts that it is not zero: a fault that never fired proves
    /// nothing.</summary>
    public int Fired { get; private set; }

    /// <summary>The first call that was hit; null when none was.</summary>
    public PalOperation? Hit { get; private set; }

    /// <summary>Counts a call; true when the fault hits it. Under the platform's lock.</summary>
    internal bool Hits(in PalOperation operation)
    {
        bool isMatch = (Kind == null || Kind == operation.Kind) && IsPossible(operation)
            && (operation.Path.Contains(PathContains, StringComparison.Ordinal)
                || operation.OtherPath.Contains(PathContains, StringComparison.Ordinal))
            && (Where == null || Where(operation));
        if (!isMatch)
        {
            return false;
        }

        _seen++;
        bool isHit = _seen == Occurrence || (Repeats && _seen > Occurrence);
        Fired += isHit ? 1 : 0;
        Hit ??= isHit ? operation : null;
        return isHit;
    }

    private bool IsPossible(in PalOperation operation)
    {
        return Effect switch
        {
            FaultEffect.ShortTransfer => operation.Kind is PalOperationKind.Read or PalOperationKind.WritePages
                or PalOperationKind.WriteJournal or PalOperationKind.ZeroFill,
            FaultEffect.SyncFailsKeepingCache or FaultEffect.SyncFailsReverting =>
                operation.Kind == PalOperationKind.Sync,
            FaultEffect.WriteFailsKeepingCache => operation.Kind == PalOperationKind.WriteJournal,
            FaultEffect.SkipDurability => operation.IsBarrier,
            FaultEffect.LinkAcrossVolumes or FaultEffect.TooManyLinks or FaultEffect.NoLinks =>
                operation.Kind == PalOperationKind.Link,
            FaultEffect.TooManyFiles => operation.Kind is PalOperationKind.Open or PalOperationKind.Lock or PalOperationKind.ListDirectory
                or PalOperationKind.SyncDirectory or PalOperationKind.RenameSync or PalOperationKind.CreateDirectorySync,
            FaultEffect.NotSupported => operation.Kind is PalOperationKind.PunchHole or PalOperationKind.FillHole,
            _ => operation.Kind != PalOperationKind.Close,
        };
    }
}

/// <summary>What an injected fault does to the call it hits.</summary>
public enum FaultEffect
{
    /// <summary>The call fails with EIO. A failed write may have left a part: page writes any but one of them, a
    /// journal write any of its sectors.</summary>
    IoError,

    /// <summary>The call fails with ENOSPC; parts as with <see cref="IoError"/>.</summary>
    NoSpace,

    /// <summary>A call that opens a file or folder fails with EMFILE, before it did anything; a rename has made its new
    /// name by then, but not durable.</summary>
    TooManyFiles,

    /// <summary>A signal interrupts the call (EINTR). The platform retries inside, so the caller notices nothing; the
    /// log has the call twice.</summary>
    Interrupted,

    /// <summary>A read or write transfers less than asked. The platform continues the transfer itself; counts show one
    /// more call.</summary>
    ShortTransfer,

    /// <summary>A sync fails with EIO and lies from then on, as ext4 and XFS do: the data stays readable and counts as
    /// clean, but is not on the disk, and the next sync succeeds without writing it.</summary>
    SyncFailsKeepingCache,

    /// <summary>A sync fails with EIO and the file shows the disk's old data again, as btrfs does.</summary>
    SyncFailsReverting,

    /// <summary>A journal write fails with EIO although all of it can be read from then on: it is in a cache, of the
    /// drive or, where a file system does not support unbuffered writes, of the system. A power cut may lose
    /// it.</summary>
    WriteFailsKeepingCache,

    /// <summary>A durability call (sync, directory sync, rename, folder creation, journal write) reports success
    /// without making anything durable: the deliberate bug of a mutation test.</summary>
    SkipDurability,

    /// <summary>A link is refused because the new name is on another volume (EXDEV).</summary>
    LinkAcrossVolumes,

    /// <summary>A link is refused because the file has all the names its file system allows (EMLINK).</summary>
    TooManyLinks,

    /// <summary>A link is refused because the file system does not support links (EPERM, ENOTSUP).</summary>
    NoLinks,

    /// <summary>The call fails because the file system does not support it (EOPNOTSUPP).</summary>
    NotSupported,
}
