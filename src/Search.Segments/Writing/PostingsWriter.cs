using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Memory;

namespace Jackdaw.Search.Segments.Writing;

/// <summary>Writes lists of entries.</summary>
/// <remarks>
/// <code>
/// of keywords, where at least 1/16 of all entries are in a list of 256 or more: a bit for each entry, aligned to 8
/// fewer than 128 entries: differences in bytes of seven bits; of a text the frequency with it
/// else for each block of 128: its last entry (4), its offset in the list (4), of a text the offset of its positions (4);
/// in front of these the same offsets for the rest (4, of a text 4); then the blocks: width (1), packed differences, of a text width (1), packed
/// frequencies - 1; then the rest as above
/// </code>
/// </remarks>
internal sealed unsafe class PostingsWriter : IDisposable
{
    public const int DenseMin = 256;
    private const int DenseShare = 16;

    private readonly NativeList<uint> _block = new();

    /// <summary>Whether a list of keywords is a bitmap.</summary>
    public static bool IsDense(int count, int entries) => count >= DenseMin && (long)count * DenseShare >= entries;

    /// <summary>The bytes of the table in front of the blocks.</summary>
    public static int TableBytes(int blocks, bool isText) => blocks == 0 ? 0 : (blocks * SkipBytes(isText)) + (isText ? 8 : 4);

    /// <summary>The bytes that the table has for a block.</summary>
    public static int SkipBytes(bool isText) => isText ? 12 : 8;

    /// <param name="list">In order, each once.</param>
    /// <param name="frequencies">Of a text, how often each entry has the term; null for keywords.</param>
    /// <param name="positionBytes">Of a text, the bytes that each entry's positions take.</param>
    /// <param name="entries">The entries of the segment.</param>
    public void Write(NativeBuffer target, int* list, int count, int* frequencies, int* positionBytes, int entries)
    {
        if (frequencies == null && IsDense(count, entries))
        {
            int words = Bits.WordsOf(entries);
            ulong* bits = (ulong*)target.Extend(words * sizeof(ulong));
            new Span<ulong>(bits, words).Clear();
            Bits.AddAll(bits, list, count);
            return;
        }

        int blocks = count / BlockPacking.BlockSize;
        uint before = blocks > 0 ? WriteBlocks(target, list, blocks, frequencies, positionBytes) : 0;
        for (int i = blocks * BlockPacking.BlockSize; i < count; i++)
        {
            WriteOne(target, (uint)list[i] - before, frequencies == null ? 0 : frequencies[i]);
            before = (uint)list[i];
        }
    }

    /// <summary>Writes the difference of an entry to the one before it.</summary>
    /// <param name="frequency">0 for keywords.</param>
    public static void WriteOne(NativeBuffer target, uint difference, int frequency)
    {
        if (frequency == 0)
        {
            target.AddVarInt(difference);
            return;
        }

        target.AddVarInt(((ulong)difference << 1) | (frequency == 1 ? 1u : 0));
        if (frequency > 1)
        {
            target.AddVarInt((uint)frequency);
        }
    }

    public void Dispose() => _block.Dispose();

    // Returns the last entry of the blocks.
    private uint WriteBlocks(NativeBuffer target, int* list, int blocks, int* frequencies, int* positionBytes)
    {
        bool isText = frequencies != null;
        int start = target.Length, skipBytes = SkipBytes(isText);
        target.Extend(TableBytes(blocks, isText));
        uint* values = _block.Resize(BlockPacking.BlockSize);
        uint before = 0, positions = 0;
        for (int block = 0; block < blocks; block++)
        {
            int first = block * BlockPacking.BlockSize;
            uint* skip = (uint*)(target.Start + start + (isText ? 8 : 4) + (block * skipBytes));
            skip[0] = (uint)list[first + BlockPacking.BlockSize - 1];
            skip[1] = (uint)(target.Length - start);
            for (int i = 0; i < BlockPacking.BlockSize; i++)
            {
                values[i] = (uint)list[first + i] - before;
                before = (uint)list[first + i];
            }

            if (isText)
            {
                skip[2] = positions;
            }

            WriteBlock(target, values);
            if (isText)
            {
                for (int i = 0; i < BlockPacking.BlockSize; i++)
                {
                    values[i] = (uint)frequencies[first + i] - 1;
                    positions += (uint)positionBytes[first + i];
                }

                WriteBlock(target, values);
            }
        }

        uint* rest = (uint*)(target.Start + start);
        rest[0] = (uint)(target.Length - start);
        if (isText)
        {
            rest[1] = positions;
        }

        return before;
    }

    private static void WriteBlock(NativeBuffer target, uint* values)
    {
        int width = BlockPacking.WidthOf(values);
        target.Add((byte)width);
        BlockPacking.Pack(values, width, target.Extend(BlockPacking.BytesOf(width)));
    }
}
