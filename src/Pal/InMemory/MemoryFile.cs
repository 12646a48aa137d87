using Jackdaw.Pal.Interop;
using Jackdaw.Pal.Native;

namespace Jackdaw.Pal.InMemory;

/// <summary>Contents of one file in a memfd.</summary>
internal sealed class MemfdContent : MemoryContent
{
    internal MemfdContent(ulong id, string path)
        : base(id)
    {
        PalFailure.ThrowIf(LibPal.pal_memory_file(out int descriptor, out NativeError error), error, path);
        Descriptor = new FileDescriptor(descriptor);
    }

    /// <summary>The memfd, shared by all openings.</summary>
    internal FileDescriptor Descriptor { get; }

    /// <inheritdoc/>
    internal override void Free() => Descriptor.Dispose();
}

/// <summary>One opening of a file in memory. Writes are durable as far as memory is.</summary>
internal sealed unsafe class MemoryFile : PalFile
{
    private readonly MemoryPlatform _platform;
    private readonly MemfdContent _content;
    private readonly NativeFile _file;
    private bool _isClosed;

    internal MemoryFile(MemoryPlatform platform, MemfdContent content, string path, FileUse use)
    {
        _platform = platform;
        _content = content;
        _file = new NativeFile(path, use, content.Descriptor, isDirect: false, MemoryPlatform.PagesWritten);
    }

    /// <inheritdoc/>
    public override string Path => _file.Path;

    /// <inheritdoc/>
    public override FileIdentity Identity => _platform.IdentityOf(_content);

    /// <inheritdoc/>
    public override long GetLength() => Opened.GetLength();

    /// <inheritdoc/>
    public override int GetLinkCount()
    {
        ObjectDisposedException.ThrowIf(_isClosed, this);
        return _platform.LinksOf(_content);
    }

    /// <inheritdoc/>
    public override void Allocate(long length) => Opened.Allocate(length);

    /// <inheritdoc/>
    public override void ZeroFill(long offset, long length) => Opened.ZeroFill(offset, length);

    /// <inheritdoc/>
    public override void SetLength(long length) => Opened.SetLength(length);

    /// <inheritdoc/>
    public override long Read(long offset, byte* destination, long length) => Opened.Read(offset, destination, length);

    /// <inheritdoc/>
    public override void WriteJournal(ReadOnlySpan<PalVector> vectors, long offset) =>
        Opened.WriteJournal(vectors, offset);

    /// <inheritdoc/>
    public override PalWriteCounts WritePages(ReadOnlySpan<PalPageWrite> writes) => Opened.WritePages(writes);

    /// <inheritdoc/>
    public override void Sync(SyncKind kind) => ObjectDisposedException.ThrowIf(_isClosed, this);

    /// <inheritdoc/>
    public override void PunchHole(long offset, long length) => Opened.PunchHole(offset, length);

    /// <inheritdoc/>
    public override void FillHole(long offset, long length) => Opened.FillHole(offset, length);

    /// <inheritdoc/>
    public override PalMapping Map(long reserveBytes) => Opened.Map(reserveBytes);

    /// <summary>Contents and descriptor stay while others use them, so use of a closed file is refused here.</summary>
    private NativeFile Opened
    {
        get
        {
            ObjectDisposedException.ThrowIf(_isClosed, this);
            return _file;
        }
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        // The descriptor belongs to the contents: another opening or a name may still need it.
        if (disposing && !_isClosed)
        {
            _isClosed = true;
            _platform.Close(_content);
        }
    }
}
