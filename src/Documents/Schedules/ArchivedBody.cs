using System.Buffers.Binary;
using Jackdaw.Storage;
using K4os.Compression.LZ4;

namespace Jackdaw.Documents.Schedules;

/// <summary>The stored form of the bodies of archived documents: compressed, if that makes them smaller.</summary>
/// <remarks>A body that is not compressed begins with the <c>{</c> of a document. A compressed one consists of <c>L</c>, the bytes of the text (4,
/// little-endian), and a block of LZ4.</remarks>
internal static class ArchivedBody
{
    private const byte Compressed = (byte)'L';
    private const int HeaderBytes = 1 + sizeof(int);

    /// <summary>Compresses the text of a document.</summary>
    /// <returns>The stored form, never longer than the text.</returns>
    public static ReadOnlySpan<byte> Pack(ReadOnlySpan<byte> text)
    {
        byte[] packed = new byte[HeaderBytes + LZ4Codec.MaximumOutputSize(text.Length)];
        int length = LZ4Codec.Encode(text, packed.AsSpan(HeaderBytes), LZ4Level.L00_FAST);
        if (length <= 0 || HeaderBytes + length >= text.Length)
        {
            return text;
        }

        packed[0] = Compressed;
        BinaryPrimitives.WriteInt32LittleEndian(packed.AsSpan(1), text.Length);
        return packed.AsSpan(0, HeaderBytes + length);
    }

    /// <summary>The text of a stored body.</summary>
    /// <param name="textBytesMax">The bytes of the largest possible document.</param>
    /// <exception cref="CorruptionException">The bytes are not such a body.</exception>
    public static ReadOnlySpan<byte> Unpack(ReadOnlySpan<byte> stored, int textBytesMax)
    {
        if (stored.Length > 0 && stored[0] == (byte)'{')
        {
            return stored;
        }

        int length = stored.Length > HeaderBytes && stored[0] == Compressed ? BinaryPrimitives.ReadInt32LittleEndian(stored[1..]) : -1;
        if (length <= 0 || length > textBytesMax)
        {
            throw new CorruptionException($"The body of an archived document of {stored.Length} bytes is damaged.");
        }

        byte[] text = GC.AllocateUninitializedArray<byte>(length);
        return LZ4Codec.Decode(stored[HeaderBytes..], text) == length
            ? text
            : throw new CorruptionException($"The body of an archived document cannot be decompressed to its {length} bytes.");
    }
}
