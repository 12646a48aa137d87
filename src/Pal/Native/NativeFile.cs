using Jackdaw.Pal.Interop;

namespace Jackdaw.Pal.Native;

/// <summary>A file of the operating system, or a memfd (then <see cref="Path"/> is only a name for messages).</summary>
internal sealed unsafe class NativeFile : PalFile
{
    private readonly FileDescriptor _descriptor;
    private readonly FileUse _use;
    private readonly PageWriteMode _writeMode;

    internal NativeFile(string path, FileUse use, FileDescriptor descriptor, bool isDirect, PageWriteMode writeMode)
    {
        _writeMode = writeMode;
        Path = path;
        _use = use;
        _descriptor = descriptor;
        IsDirect = isDirect;
        NativeFileStatus status = GetStatus();
        Identity = new FileIdentity(status.Device, status.File);
    }

    /// <inheritdoc/>
    public override string Path { get; }

    /// <inheritdoc/>
    public override FileIdentity Identity { get; }

    /// <summary>True when a journal file bypasses the page cache; false when its file system refused that.</summary>
    internal bool IsDirect { get; }

    /// <inheritdoc/>
    public override long GetLength() => GetStatus().Length;

    /// <inheritdoc/>
    public override int GetLinkCount() => GetStatus().Links;

    /// <inheritdoc/>
    public override void Allocate(long length)
    {
        PalContract.CheckWritable(_use, Path, "allocate");
        PalFailure.ThrowIf(LibPal.pal_file_allocate(_descriptor, length, out NativeError error), error, Path);
    }

    /// <inheritdoc/>
    public override void ZeroFill(long offset, long length)
    {
        PalContract.CheckWritable(_use, Path, "write");
        PalContract.CheckAligned("write", Path, offset, length);
        PalFailure.ThrowIf(LibPal.pal_file_zero_fill(_descriptor, offset, length, out NativeError error), error, Path);
    }

    /// <inheritdoc/>
    public override void SetLength(long length)
    {
        PalContract.CheckWritable(_use, Path, "set length");
        PalFailure.ThrowIf(LibPal.pal_file_set_length(_descriptor, length, out NativeError error), error, Path);
    }

    /// <inheritdoc/>
    public override long Read(long offset, byte* destination, long length)
    {
        PalContract.CheckRead(_use, Path, offset, destination, length);
        int status = LibPal.pal_file_read(
            _descriptor, offset, destination, length, out long done, out NativeError error);
        PalFailure.ThrowIf(status, error, Path);
        return done;
    }

    /// <inheritdoc/>
    public override void WriteJournal(ReadOnlySpan<PalVector> vectors, long offset)
    {
        PalContract.CheckJournalWrite(_use, Path, vectors, offset);
        fixed (PalVector* first = vectors)
        {
            int status = LibPal.pal_journal_write(_descriptor, first, vectors.Length, offset, out NativeError error);
            PalFailure.ThrowIf(status, error, Path);
        }
    }

    /// <inheritdoc/>
    public override PalWriteCounts WritePages(ReadOnlySpan<PalPageWrite> writes)
    {
        PalContract.CheckPageWrites(_use, Path, writes);
        fixed (PalPageWrite* first = writes)
        {
            nint ring = _writeMode == PageWriteMode.IoRing ? WriteRing.Shared : 0;
            int status = LibPal.pal_pages_write(_descriptor, _writeMode, ring, first, writes.Length,
                out NativeWriteCounts counts, out NativeError error);
            PalFailure.ThrowIf(status, error, Path);
            return new PalWriteCounts(counts.Calls, counts.Runs, counts.Bytes);
        }
    }

    /// <inheritdoc/>
    public override void Sync(SyncKind kind)
    {
        PalFailure.ThrowIf(LibPal.pal_file_sync(_descriptor, kind, out NativeError error), error, Path);
    }

    /// <inheritdoc/>
    public override void PunchHole(long offset, long length)
    {
        PalContract.CheckWritable(_use, Path, "punch hole");
        PalContract.CheckAligned("punch hole", Path, offset, length);
        PalFailure.ThrowIf(LibPal.pal_file_punch(_descriptor, offset, length, out NativeError error), error, Path);
    }

    /// <inheritdoc/>
    public override void FillHole(long offset, long length)
    {
        PalContract.CheckWritable(_use, Path, "allocate");
        PalContract.CheckAligned("allocate", Path, offset, length);
        PalFailure.ThrowIf(LibPal.pal_file_fill_hole(_descriptor, offset, length, out NativeError error), error, Path);
    }

    /// <inheritdoc/>
    public override PalMapping Map(long reserveBytes)
    {
        PalContract.CheckMap(_use, Path, reserveBytes);
        return new NativeMapping(new MappedRange(_descriptor, reserveBytes, Path));
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _descriptor.Dispose();
        }
    }

    private NativeFileStatus GetStatus()
    {
        int result = LibPal.pal_file_status(_descriptor, out NativeFileStatus status, out NativeError error);
        PalFailure.ThrowIf(result, error, Path);
        return status;
    }
}
