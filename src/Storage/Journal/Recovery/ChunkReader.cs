using System.Runtime.CompilerServices;
using K4os.Compression.LZ4;

namespace Jackdaw.Storage.Journal.Recovery;

/// <summary>Decodes the chunks of a compressed payload: {u32 raw bytes, u32 stored bytes, data}; equal sizes = stored
/// as it is.</summary>
internal static unsafe class ChunkReader
{
    private const int ChunkHeader = 8;

    /// <summary>Decodes all chunks; false when the bytes are not exactly that.</summary>
    public static bool TryDecode(byte* source, long sourceBytes, byte* destination, long destinationBytes)
    {
        while (sourceBytes >= ChunkHeader)
        {
            uint raw = Unsafe.ReadUnaligned<uint>(source);
            uint stored = Unsafe.ReadUnaligned<uint>(source + 4);
            source += ChunkHeader;
            sourceBytes -= ChunkHeader;
            if (stored > sourceBytes || raw > destinationBytes || raw > JournalFormat.ChunkBytes)
            {
                return false;
            }

            if (raw == stored)
            {
                Buffer.MemoryCopy(source, destination, raw, raw);
            }
            else if (LZ4Codec.Decode(source, (int)stored, destination, (int)raw) != (int)raw)
            {
                return false;
            }

            source += stored;
            sourceBytes -= stored;
            destination += raw;
            destinationBytes -= raw;
        }

        return sourceBytes == 0 && destinationBytes == 0;
    }
}
