using Jackdaw.Pal.Interop;

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
    public override long GetLength() => _file.GetLength();

    /// <inheritdoc/>
    public override int GetLinkCount() => _platform.LinksOf(_content);

    /// <inheritdoc/>
    public override void Allocate(long length) => _file.Allocate(length);

    /// <inheritdoc/>
    public override void ZeroFill(long offset, long length) => _file.ZeroFill(offset, length);

    /// <inheritdoc/>
    public override void SetLength(long length) => _file.SetLength(length);

    /// <inheritdoc/>
    public override long Read(long offset, byte* destination, long length) => _file.Read(offset, destination, length);

    /// <inheritdoc/>
    public override void WriteJournal(ReadOnlySpan<PalVector> vectors, long offset) =>
        _file.WriteJournal(vectors, offset);

    /// <inheritdoc/>
    public override PalWriteCounts WritePages(ReadOnlySpan<PalPageWrite> writes) => _file.WritePages(writes);

    /// <inheritdoc/>
    public override void Sync(SyncKind kind)
    {
    }

    /// <inheritdoc/>
    public override void PunchHole(long offset, long length) => _file.PunchHole(offset, length);

    /// <inheritdoc/>
    public override void FillHole(long offset, long length) => _file.FillHole(offset, length);

    /// <inheritdoc/>
    public override PalMapping Map(long reserveBytes) => _file.Map(reserveBytes);

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
