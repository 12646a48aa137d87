using System.Runtime.InteropServices;

namespace Jackdaw.Pal.Interop;

/// <summary>Owner of one mapped range of the address space.</summary>
internal sealed class MappedRange : SafeHandle
{
    /// <summary>Maps a file read-only and shared.</summary>
    internal MappedRange(FileDescriptor file, long length, string path)
        : base(0, ownsHandle: true)
    {
        PalFailure.ThrowIf(LibPal.pal_map(file, length, out nint address, out NativeError error), error, path);
        SetHandle(address);
        Length = length;
    }

    /// <summary>Bytes mapped.</summary>
    internal long Length { get; }

    /// <inheritdoc/>
    public override bool IsInvalid => handle == 0;

    /// <inheritdoc/>
    protected override bool ReleaseHandle() => LibPal.pal_unmap(handle, Length, out _) == 0;
}
