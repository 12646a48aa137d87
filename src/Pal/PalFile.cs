namespace Jackdaw.Pal;

/// <summary>One open file. Disposing closes it; no method may run then or afterwards.</summary>
/// <remarks>
/// Committer and flush thread share no queue: the committer calls <see cref="WriteJournal"/> only; the flush thread
/// calls <see cref="WritePages"/>, <see cref="Allocate"/>, <see cref="Sync"/> and <see cref="PunchHole"/>. A failed
/// <see cref="Sync"/> or <see cref="WriteJournal"/> is final: calling it again may report success for data that was
/// lost, so the owner must stop and reopen.
/// </remarks>
public abstract unsafe class PalFile : IDisposable
{
    /// <summary>Path the file was opened under. A later rename does not change it.</summary>
    public abstract string Path { get; }

    /// <summary>Device and inode: what two names share when they are links of one file.</summary>
    public abstract FileIdentity Identity { get; }

    /// <summary>Length in bytes, as the file system reports it.</summary>
    public abstract long GetLength();

    /// <summary>Number of names of the file; 1 = not shared. 0 = deleted while open.</summary>
    public abstract int GetLinkCount();

    /// <summary>Grows the file to at least <paramref name="length"/> bytes with real blocks, so that a later write
    /// inside cannot find the disk full. New bytes read as zero. Never shrinks. Flush thread.</summary>
    public abstract void Allocate(long length);

    /// <summary>Writes zeros (durably with the file's own write mode) so that later writes find written extents.
    /// Offset and length are multiples of 4096. Flush thread.</summary>
    public abstract void ZeroFill(long offset, long length);

    /// <summary>Cuts or extends (sparsely) the file to exactly <paramref name="length"/> bytes. Only while no mapping
    /// reaches past it.</summary>
    public abstract void SetLength(long length);

    /// <summary>Reads exactly <paramref name="length"/> bytes unless the file ends first; returns the bytes
    /// read.</summary>
    public abstract long Read(long offset, byte* destination, long length);

    /// <summary>Durable vectored write: returns when all bytes are on stable storage (O_DIRECT|O_DSYNC or the
    /// platform's equal). Base addresses, lengths and the offset are multiples of 4096; at most
    /// <see cref="PalLimits.VectorsMax"/> vectors. Retries short writes and EINTR itself. Only for files opened with
    /// <see cref="FileUse.Journal"/>. Committer.</summary>
    public abstract void WriteJournal(ReadOnlySpan<PalVector> vectors, long offset);

    /// <summary>Buffered writes of pages; durable after <see cref="Sync"/>. Writes are sorted by offset and do not
    /// overlap; neighbours are merged. One native call for the batch. Flush thread.</summary>
    public abstract PalWriteCounts WritePages(ReadOnlySpan<PalPageWrite> writes);

    /// <summary>Makes all writes that returned before the call durable.</summary>
    public abstract void Sync(SyncKind kind);

    /// <summary>Returns the blocks of a range to the file system; the range reads as zeros and the length stays. Offset
    /// and length are multiples of 4096. Flush thread.</summary>
    public abstract void PunchHole(long offset, long length);

    /// <summary>Gives holes in a range inside the file real blocks again, so that a later write there cannot find the
    /// disk full; the contents stay. Offset and length are multiples of 4096. May run at the same time as the flush
    /// thread.</summary>
    /// <exception cref="PalException"><see cref="PalStatus.NotSupported"/> where blocks cannot be allocated without
    /// writing them: nothing changed.</exception>
    public abstract void FillHole(long offset, long length);

    /// <summary>Maps the file read-only and shared, <paramref name="reserveBytes"/> long, which may reach past the
    /// file's end: bytes become readable when the file grows under it. Touching a byte past the end kills the
    /// process.</summary>
    public abstract PalMapping Map(long reserveBytes);

    /// <inheritdoc/>
    public void Dispose()
    {
        Dispose(true);
        GC.SuppressFinalize(this);
    }

    /// <summary>Closes the file.</summary>
    protected abstract void Dispose(bool disposing);
}
