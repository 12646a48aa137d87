using Jackdaw.Pal.InMemory;
using Jackdaw.Pal.Interop;

namespace Jackdaw.Pal.Simulation;

/// <summary>One opening of a simulated file.</summary>
internal sealed unsafe class SimulatedFile : PalFile
{
    private readonly SimulatedPlatform _platform;
    private readonly SimulatedContent _content;
    private readonly FileUse _use;
    private bool _isClosed;

    internal SimulatedFile(SimulatedPlatform platform, SimulatedContent content, string path, FileUse use)
    {
        _platform = platform;
        _content = content;
        _use = use;
        Path = path;
    }

    /// <inheritdoc/>
    public override string Path { get; }

    /// <inheritdoc/>
    public override FileIdentity Identity => SimulatedPlatform.IdentityOf(_content);

    /// <inheritdoc/>
    public override long GetLength() => Stat(() => _content.Current.Length);

    /// <inheritdoc/>
    public override int GetLinkCount() => Stat(() => _content.Links);

    /// <inheritdoc/>
    public override void Allocate(long length)
    {
        PalContract.CheckWritable(_use, Path, "allocate");
        RequireNotNegative("allocate", length);
        Metadata(PalOperationKind.Allocate, "allocate", -1, length, sequence => length > _content.Current.Length
            ? new AllocationChange(sequence, _content.Current.Length, length)
            : null);
    }

    /// <inheritdoc/>
    public override void SetLength(long length)
    {
        PalContract.CheckWritable(_use, Path, "set length");
        RequireNotNegative("set length", length);
        Metadata(PalOperationKind.SetLength, "set length", -1, length, sequence => new LengthChange(sequence, length));
    }

    /// <inheritdoc/>
    public override void PunchHole(long offset, long length)
    {
        PalContract.CheckWritable(_use, Path, "punch hole");
        PalContract.CheckAligned("punch hole", Path, offset, length);
        Metadata(PalOperationKind.PunchHole, "punch hole", offset, length, sequence => length > 0
            ? new HoleChange(sequence, offset / BlockMap.BlockBytes, length / BlockMap.BlockBytes)
            : null);
    }

    /// <inheritdoc/>
    public override void FillHole(long offset, long length)
    {
        PalContract.CheckWritable(_use, Path, "allocate");
        PalContract.CheckAligned("allocate", Path, offset, length);
        Metadata(PalOperationKind.FillHole, "allocate", offset, length, sequence => length > 0
            ? new FillChange(sequence, offset / BlockMap.BlockBytes, length / BlockMap.BlockBytes)
            : null);
    }

    /// <inheritdoc/>
    public override long Read(long offset, byte* destination, long length)
    {
        PalContract.CheckRead(_use, Path, offset, destination, length);
        lock (_platform.Gate)
        {
            RequireOpen();
            FaultEffect? fault = _platform.Begin(
                PalOperationKind.Read, Path, out PalOperation operation, "", offset, length);
            ThrowIfFailed(fault, "read", operation);
            long done = Math.Clamp(_content.Current.Length - offset, 0, length);
            for (long start = 0; start < done; start += int.MaxValue)
            {
                int bytes = (int)Math.Min(done - start, int.MaxValue);
                _content.Current.Read(offset + start, new Span<byte>(destination + start, bytes));
            }

            _platform.End(operation);
            return done;
        }
    }

    /// <inheritdoc/>
    public override void WriteJournal(ReadOnlySpan<PalVector> vectors, long offset)
    {
        PalContract.CheckJournalWrite(_use, Path, vectors, offset);
        long length = 0;
        var blocks = new List<byte[]?>();
        foreach (PalVector vector in vectors)
        {
            // Full blocks at aligned positions: the old contents do not matter.
            var source = new ReadOnlySpan<byte>(vector.Base, checked((int)vector.Length));
            blocks.AddRange(new BlockMap().BlocksAfterWrite(0, source));
            length += vector.Length;
        }

        lock (_platform.Gate)
        {
            RequireOpen();
            WriteDirect(PalOperationKind.WriteJournal, offset, length, [.. blocks]);
        }
    }

    /// <inheritdoc/>
    public override void ZeroFill(long offset, long length)
    {
        PalContract.CheckWritable(_use, Path, "write");
        PalContract.CheckAligned("write", Path, offset, length);
        byte[]?[] blocks = new byte[]?[length / BlockMap.BlockBytes];
        Array.Fill(blocks, BlockMap.Zeros);
        lock (_platform.Gate)
        {
            RequireOpen();
            if (_use == FileUse.Journal)
            {
                WriteDirect(PalOperationKind.ZeroFill, offset, length, blocks);
                return;
            }

            FaultEffect? fault = _platform.Begin(
                PalOperationKind.ZeroFill, Path, out PalOperation operation, "", offset, length);
            ThrowIfFailed(fault, "write", operation);
            ShowAll(Prepare(offset, length, blocks, isDirect: false));
            _platform.End(operation);
        }
    }

    /// <inheritdoc/>
    public override PalWriteCounts WritePages(ReadOnlySpan<PalPageWrite> writes)
    {
        PalContract.CheckPageWrites(_use, Path, writes);
        lock (_platform.Gate)
        {
            RequireOpen();
            long first = writes.IsEmpty ? 0 : writes[0].Offset;
            long end = writes.IsEmpty ? 0 : writes[^1].Offset + writes[^1].Length;
            FaultEffect? fault = _platform.Begin(
                PalOperationKind.WritePages, Path, out PalOperation operation, "", first, end - first);
            bool isFailing = fault is FaultEffect.IoError or FaultEffect.NoSpace;
            PalWriteCounts counts = WriteCached(isFailing ? PartOf(writes) : writes);
            ThrowIfFailed(fault, "write", operation);
            _platform.End(operation);
            return fault == FaultEffect.ShortTransfer ? counts with { Calls = counts.Calls + 1 } : counts;
        }
    }

    /// <inheritdoc/>
    public override void Sync(SyncKind kind)
    {
        lock (_platform.Gate)
        {
            RequireOpen();
            FaultEffect? fault = _platform.Begin(PalOperationKind.Sync, Path, out PalOperation operation);
            if (fault is FaultEffect.SyncFailsKeepingCache or FaultEffect.SyncFailsReverting)
            {
                _content.LosePending(isReverted: fault == FaultEffect.SyncFailsReverting);
                throw SimulatedPlatform.FailureOf(FaultEffect.IoError, "sync", operation);
            }

            ThrowIfFailed(fault, "sync", operation);
            if (fault != FaultEffect.SkipDurability)
            {
                _content.Sync();
            }

            _platform.End(operation);
        }
    }

    /// <inheritdoc/>
    public override PalMapping Map(long reserveBytes)
    {
        PalContract.CheckMap(_use, Path, reserveBytes);
        lock (_platform.Gate)
        {
            RequireOpen();
            return _platform.Run(PalOperationKind.Map, "map", Path,
                () => new SimulatedMapping(_platform, _content, _content.Map(reserveBytes, Path)),
                length: reserveBytes);
        }
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (!disposing || _isClosed)
        {
            return;
        }

        _isClosed = true;
        lock (_platform.Gate)
        {
            _platform.Begin(PalOperationKind.Close, Path, out PalOperation operation);
            _content.Openings--;
            _platform.CountClosed();
            _content.FreeIfUnused();
            _platform.End(operation);
        }
    }

    private static void ThrowIfFailed(FaultEffect? fault, string name, in PalOperation operation)
    {
        if (fault is FaultEffect.IoError or FaultEffect.NoSpace)
        {
            throw SimulatedPlatform.FailureOf(fault.Value, name, operation);
        }
    }

    /// <summary>Use of a closed file: the system would refuse it, or use another file by now.</summary>
    private void RequireOpen() => ObjectDisposedException.ThrowIf(_isClosed, this);

    private T Stat<T>(Func<T> read)
    {
        lock (_platform.Gate)
        {
            RequireOpen();
            return _platform.Run(PalOperationKind.Stat, "stat", Path, read);
        }
    }

    private void RequireNotNegative(string operation, long length)
    {
        if (length < 0)
        {
            throw MemoryFailure.Invalid(operation, Path);
        }
    }

    private void Metadata(
        PalOperationKind kind, string name, long offset, long length, Func<long, PendingChange?> create)
    {
        lock (_platform.Gate)
        {
            RequireOpen();
            _platform.Run(kind, name, Path, () =>
            {
                if (create(_platform.NextChange()) is { } change)
                {
                    _platform.RequireSpace(change.NewBlocks(_content.Current), name, Path, offset, length);
                    _content.Change(change);
                }

                return true;
            }, "", offset, length);
        }
    }

    /// <summary>The changes of one write: growth first, then the blocks.</summary>
    private List<PendingChange> Prepare(long offset, long length, byte[]?[] blocks, bool isDirect)
    {
        var changes = new List<PendingChange>(2);
        if (offset + length > _content.Current.Length)
        {
            changes.Add(new LengthChange(_platform.NextChange(), offset + length));
        }

        var change = new BlockChange(_platform.NextChange(), offset / BlockMap.BlockBytes, blocks, isDirect);
        _platform.RequireSpace(change.NewBlocks(_content.Current), "write", Path, offset, length);
        changes.Add(change);
        return changes;
    }

    private void ShowAll(List<PendingChange> changes) => changes.ForEach(_content.Change);

    private PalWriteCounts WriteCached(ReadOnlySpan<PalPageWrite> writes)
    {
        long runs = 0;
        long bytes = 0;
        long end = -1;
        foreach (PalPageWrite write in writes)
        {
            var source = new ReadOnlySpan<byte>(write.Base, checked((int)write.Length));
            byte[]?[] blocks = _content.Current.BlocksAfterWrite(write.Offset, source);
            ShowAll(Prepare(write.Offset, write.Length, blocks, isDirect: false));
            runs += write.Offset == end ? 0 : 1;
            bytes += write.Length;
            end = write.Offset + write.Length;
        }

        return new PalWriteCounts(runs, runs, bytes);
    }

    /// <summary>A write that is on the disk when it returns, and in flight (any of its sectors) while it is
    /// announced.</summary>
    private void WriteDirect(PalOperationKind kind, long offset, long length, byte[]?[] blocks)
    {
        List<PendingChange> changes = Prepare(offset, length, blocks, isDirect: true);
        _content.Pending.AddRange(changes);
        FaultEffect? fault = _platform.Begin(kind, Path, out PalOperation operation, "", offset, length);
        if (fault is FaultEffect.IoError or FaultEffect.NoSpace)
        {
            _content.CompleteDirect(changes, PartOf((BlockChange)changes[^1]));
            throw SimulatedPlatform.FailureOf(fault.Value, "write", operation);
        }

        if (fault is FaultEffect.SkipDurability or FaultEffect.WriteFailsKeepingCache)
        {
            changes.ForEach(_content.Show);
        }
        else
        {
            _content.CompleteDirect(changes, (BlockChange)changes[^1]);
        }

        if (fault == FaultEffect.WriteFailsKeepingCache)
        {
            throw SimulatedPlatform.FailureOf(FaultEffect.IoError, "write", operation);
        }

        _platform.End(operation);
    }

    /// <summary>What a failed batch wrote: any but one, because a ring does later requests before earlier
    /// ones.</summary>
    private PalPageWrite[] PartOf(ReadOnlySpan<PalPageWrite> writes)
    {
        var written = new List<PalPageWrite>();
        int failed = writes.IsEmpty ? 0 : _platform.Bits.Below(writes.Length);
        for (int i = 0; i < writes.Length; i++)
        {
            if (i != failed && _platform.Bits.Chance(50))
            {
                written.Add(writes[i]);
            }
        }

        return [.. written];
    }

    /// <summary>What a failed unbuffered write left on the disk: any of its sectors.</summary>
    private BlockChange PartOf(BlockChange change)
    {
        var blocks = new byte[]?[change.Blocks.Length];
        for (int i = 0; i < blocks.Length; i++)
        {
            byte[] older = _content.Current.GetBlock(change.FirstBlock + i) ?? BlockMap.Zeros;
            blocks[i] = CrashState.MixSectors(ref _platform.Bits, older, change.Blocks[i]!);
        }

        return new BlockChange(change.Sequence, change.FirstBlock, blocks, isDirect: true);
    }
}
