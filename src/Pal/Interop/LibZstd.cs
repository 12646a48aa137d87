using System.Runtime.InteropServices;

namespace Jackdaw.Pal.Interop;

/// <summary>The functions of zstd.h that decompression needs; names as in that header.</summary>
internal static unsafe partial class LibZstd
{
    /// <summary>ZSTD_d_windowLogMax.</summary>
    internal const int WindowLogMaxParameter = 100;

    static LibZstd()
    {
        NativeLibraries.EnsureResolver();
    }

    [LibraryImport(NativeLibraries.Zstd)]
    internal static partial nint ZSTD_createDCtx();

    [LibraryImport(NativeLibraries.Zstd)]
    internal static partial nuint ZSTD_freeDCtx(nint context);

    [LibraryImport(NativeLibraries.Zstd)]
    internal static partial nuint ZSTD_DCtx_setParameter(ZstdContext context, int parameter, int value);

    [LibraryImport(NativeLibraries.Zstd)]
    internal static partial nuint ZSTD_decompressStream(ZstdContext context, ZstdBuffer* output, ZstdBuffer* input);

    [LibraryImport(NativeLibraries.Zstd)]
    internal static partial uint ZSTD_isError(nuint code);

    [LibraryImport(NativeLibraries.Zstd)]
    internal static partial byte* ZSTD_getErrorName(nuint code);
}

/// <summary>ZSTD_inBuffer and ZSTD_outBuffer, which have the same shape.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct ZstdBuffer
{
    internal byte* Base;
    internal nuint Size;
    internal nuint Position;
}

/// <summary>Owner of one decompression context.</summary>
internal sealed class ZstdContext : SafeHandle
{
    internal ZstdContext()
        : base(0, ownsHandle: true)
    {
        SetHandle(LibZstd.ZSTD_createDCtx());
        if (IsInvalid)
        {
            throw new InsufficientMemoryException("No memory for a zstd decompression context.");
        }
    }

    /// <inheritdoc/>
    public override bool IsInvalid => handle == 0;

    /// <inheritdoc/>
    protected override bool ReleaseHandle() => LibZstd.ZSTD_freeDCtx(handle) == 0;
}
