namespace Jackdaw.Pal;

/// <summary>Zstandard by the system's libzstd, for request bodies.</summary>
public static class Zstd
{
    /// <summary>Opens a read-only stream that decompresses what it reads from <paramref name="source"/>.</summary>
    /// <param name="source">Compressed bytes: one or more frames.</param>
    /// <param name="leaveOpen">True: disposing the result does not dispose <paramref name="source"/>.</param>
    /// <returns>A stream that the caller disposes; one thread at a time. Reading throws
    /// <see cref="InvalidDataException"/> when the bytes are malformed, end inside a frame, or ask for more memory than
    /// a decoder must have.</returns>
    /// <exception cref="DllNotFoundException">libzstd is missing; the message names the package.</exception>
    public static Stream OpenDecompression(Stream source, bool leaveOpen = false)
    {
        ArgumentNullException.ThrowIfNull(source);
        return new ZstdDecompressionStream(source, leaveOpen);
    }
}
