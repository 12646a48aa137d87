using System.Runtime.InteropServices;

namespace Jackdaw.Pal.Interop;

/// <summary>Owner of one file descriptor.</summary>
internal sealed class FileDescriptor : SafeHandle
{
    /// <summary>Takes over an open descriptor.</summary>
    internal FileDescriptor(int descriptor)
        : base(-1, ownsHandle: true)
    {
        SetHandle(descriptor);
    }

    /// <inheritdoc/>
    public override bool IsInvalid => handle < 0;

    /// <inheritdoc/>
    protected override bool ReleaseHandle() => LibPal.pal_file_close((int)handle, out _) == 0;
}
