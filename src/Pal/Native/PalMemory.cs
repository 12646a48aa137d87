using Jackdaw.Pal.Interop;

namespace Jackdaw.Pal.Native;

/// <summary>Page-aligned memory outside the managed heap, for scratch, buffers and tables.</summary>
/// <remarks>Thread safe. Each allocation is a mapping of its own (about a microsecond, plus a page fault per 4 KB at
/// first touch): meant for large, long-lived ranges, not for small objects.</remarks>
public static unsafe class PalMemory
{
    private static long s_allocatedBytes;

    /// <summary>Bytes allocated and not yet freed, for statistics and leak checks.</summary>
    public static long AllocatedBytes => Volatile.Read(ref s_allocatedBytes);

    /// <summary>Allocates zeroed memory, aligned to 4096 bytes. The caller frees it with the same size.</summary>
    /// <param name="bytes">Positive; the system rounds up to a page.</param>
    /// <exception cref="PalException"><see cref="PalStatus.NoMemory"/> or
    /// <see cref="PalStatus.InvalidArgument"/>.</exception>
    public static byte* Allocate(long bytes)
    {
        int status = LibPal.pal_memory_allocate(bytes, out nint address, out NativeError error);
        PalFailure.ThrowIf(status, error, "(anonymous)");
        Interlocked.Add(ref s_allocatedBytes, bytes);
        return (byte*)address;
    }

    /// <summary>Advises that all of a range will be used: where the system supports it, one page fault then covers 2
    /// MB.</summary>
    /// <param name="address">In memory of <see cref="Allocate"/>; aligned to the large page, or less of it is
    /// large.</param>
    /// <param name="bytes">Length.</param>
    public static void UseLargePages(byte* address, long bytes) => LibPal.pal_use_large_pages((nint)address, bytes);

    /// <summary>Frees memory of <see cref="Allocate"/>. No pointer into it may be used any more.</summary>
    /// <param name="address">What <see cref="Allocate"/> returned; null does nothing.</param>
    /// <param name="bytes">The size it was allocated with.</param>
    public static void Free(byte* address, long bytes)
    {
        if (address == null)
        {
            return;
        }

        PalFailure.ThrowIf(LibPal.pal_memory_free((nint)address, bytes, out NativeError error), error, "(anonymous)");
        Interlocked.Add(ref s_allocatedBytes, -bytes);
    }
}
