using System.Runtime.InteropServices;
using Jackdaw.Pal.Interop;

namespace Jackdaw.Pal;

/// <summary>LZ4 block compression by the system's liblz4. No header: the caller keeps both lengths and a
/// checksum.</summary>
/// <remarks>Thread safe, no allocation. Compression uses about 16 KB of stack.</remarks>
/// <exception cref="DllNotFoundException">By each member: liblz4 is missing; the message names the package.</exception>
public static unsafe partial class Lz4
{
    /// <summary>Largest input in bytes (LZ4_MAX_INPUT_SIZE).</summary>
    public const int InputBytesMax = 0x7E000000;

    static Lz4()
    {
        NativeLibraries.EnsureResolver();
    }

    /// <summary>Bytes that the output of <paramref name="inputBytes"/> needs at worst.</summary>
    /// <param name="inputBytes">0 to <see cref="InputBytesMax"/>.</param>
    public static int Bound(int inputBytes)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(inputBytes);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(inputBytes, InputBytesMax);
        return LZ4_compressBound(inputBytes);
    }

    /// <summary>Compresses; returns the bytes written, 0 when the destination is too small.</summary>
    public static int Compress(byte* source, int sourceBytes, byte* destination, int destinationBytes)
    {
        return LZ4_compress_default(source, destination, sourceBytes, destinationBytes);
    }

    /// <inheritdoc cref="Compress(byte*, int, byte*, int)"/>
    public static int Compress(ReadOnlySpan<byte> source, Span<byte> destination)
    {
        fixed (byte* from = source, to = destination)
        {
            return Compress(from, source.Length, to, destination.Length);
        }
    }

    /// <summary>Decompresses; returns the bytes written, or a negative number when the input is malformed or does not
    /// fit. Never reads or writes outside of the two buffers, whatever the input is.</summary>
    public static int Decompress(byte* source, int sourceBytes, byte* destination, int destinationBytes)
    {
        return LZ4_decompress_safe(source, destination, sourceBytes, destinationBytes);
    }

    /// <inheritdoc cref="Decompress(byte*, int, byte*, int)"/>
    public static int Decompress(ReadOnlySpan<byte> source, Span<byte> destination)
    {
        // An empty span has a null address, which the library refuses even where nothing is to be written.
        byte nothing = 0;
        fixed (byte* from = source, to = destination)
        {
            return Decompress(from, source.Length, destination.IsEmpty ? &nothing : to, destination.Length);
        }
    }

    [LibraryImport(NativeLibraries.Lz4)]
    private static partial int LZ4_compressBound(int inputSize);

    [LibraryImport(NativeLibraries.Lz4)]
    private static partial int LZ4_compress_default(byte* source, byte* destination, int sourceSize, int capacity);

    [LibraryImport(NativeLibraries.Lz4)]
    private static partial int LZ4_decompress_safe(byte* source, byte* destination, int compressedSize, int capacity);
}
