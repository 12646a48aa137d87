using System.Diagnostics.CodeAnalysis;
using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Writing;
using Jackdaw.Storage;

namespace Jackdaw.Search.Segments.Reading;

/// <summary>Reads lists of entries (<see cref="PostingsWriter"/>).</summary>
internal static unsafe class PostingsReader
{
    /// <summary>The numbers behind the end of a target that are written over.</summary>
    public const int Slack = BlockPacking.BlockSize;

    // Blocks of numbers with as many bits cannot lead beyond 2^32 from an entry below 2^31: then only the last one is looked at.
    private const int SafeWidthMax = 24;
    private const int FrequencyBitsMax = 30;

    /// <summary>The bitmap of a term, when its list is one; else null.</summary>
    /// <exception cref="CorruptionException">The part ends before it does.</exception>
    public static ulong* BitsOf(in DictionaryView dictionary, in TermEntries term)
    {
        int entries = dictionary.Segment.Entries;
        if (dictionary.Parts.IsText || term.Count == entries || !PostingsWriter.IsDense(term.Count, entries))
        {
            return null;
        }

        ulong* words = (ulong*)dictionary.Postings.At(term.Postings, out long left);
        if (left < Bits.WordsOf(entries) * (long)sizeof(ulong) || !Bits.EndsWith(words, entries))
        {
            ThrowDamaged(entries);
        }

        return words;
    }

    /// <summary>The list of a term, where it is not a bitmap.</summary>
    /// <param name="end">The byte behind the last one that it can have.</param>
    /// <exception cref="CorruptionException">The part ends before its table does.</exception>
    public static byte* ListOf(in DictionaryView dictionary, in TermEntries term, out byte* end)
    {
        byte* list = dictionary.Postings.At(term.Postings, out long left);
        end = list + left;
        if (PostingsWriter.TableBytes(term.Count / BlockPacking.BlockSize, dictionary.Parts.IsText) > left)
        {
            ThrowDamaged(dictionary.Segment.Entries);
        }

        return list;
    }

    /// <summary>A place in a list that its table names.</summary>
    public static byte* PlaceIn(byte* list, uint offset, byte* end)
    {
        if (offset >= (ulong)(end - list))
        {
            ThrowDamaged(0);
        }

        return list + offset;
    }

    /// <summary>The last entry of a block, as the table of its list says.</summary>
    public static uint EntryBefore(uint* skip, int entries)
    {
        if (*skip >= (uint)entries)
        {
            ThrowDamaged(entries);
        }

        return *skip;
    }

    [DoesNotReturn]
    public static void ThrowDamaged(int entries) =>
        throw new CorruptionException($"A list of a segment of the index has entries that are not in order or none of {entries}, or ends before them.");

    /// <summary>Reads all entries of a term, in order.</summary>
    /// <param name="target">Space for them and for <see cref="Slack"/> more.</param>
    /// <param name="frequencies">The same space for their frequencies; null when they are not wanted.</param>
    /// <returns>Their number.</returns>
    public static int Read(in DictionaryView dictionary, in TermEntries term, int* target, int* frequencies = null)
    {
        int entries = dictionary.Segment.Entries;
        bool isText = dictionary.Parts.IsText;
        if (term.Count == 1)
        {
            target[0] = term.Single;
            if (frequencies != null)
            {
                frequencies[0] = isText ? term.Frequency : 1;
            }

            return 1;
        }

        if (!isText && frequencies != null)
        {
            new Span<int>(frequencies, term.Count).Fill(1);
        }

        if (!isText && term.Count == entries)
        {
            for (int i = 0; i < entries; i++)
            {
                target[i] = i;
            }

            return entries;
        }

        if (BitsOf(dictionary, term) is var bits && bits != null)
        {
            return Bits.CopyTo(bits, entries, target, term.Count);
        }

        ReadList(dictionary, term, target, isText ? frequencies : null);
        return term.Count;
    }

    /// <summary>Reads the first entries of a term, in order.</summary>
    /// <param name="most">At least 1.</param>
    /// <param name="target">Space for them and for <see cref="Slack"/> more.</param>
    /// <returns>Their number; it may be a little more than was asked for.</returns>
    public static int ReadFirst(in DictionaryView dictionary, in TermEntries term, int most, int* target)
    {
        int entries = dictionary.Segment.Entries;
        bool isText = dictionary.Parts.IsText;
        if (term.Count <= most || term.Count < BlockPacking.BlockSize)
        {
            return Read(dictionary, term, target);
        }

        if (!isText && term.Count == entries)
        {
            for (int i = 0; i < most; i++)
            {
                target[i] = i;
            }

            return most;
        }

        if (BitsOf(dictionary, term) is var bits && bits != null)
        {
            return Bits.CopyTo(bits, entries, target, most);
        }

        int blocks = term.Count / BlockPacking.BlockSize;
        byte* next = ListOf(dictionary, term, out byte* end) + PostingsWriter.TableBytes(blocks, isText);
        int count = 0;
        uint before = 0;
        for (int block = 0; block < blocks && count < most; block++)
        {
            next = ReadBlock(next, end, isText, ref before, entries, target + count, null);
            count += BlockPacking.BlockSize;
        }

        return count >= most ? count : Read(dictionary, term, target);
    }

    /// <summary>Reads a block.</summary>
    /// <param name="end">The byte behind the last one that may be read.</param>
    /// <param name="before">The entry before the block; then its last one.</param>
    /// <param name="entries">The entries of the segment.</param>
    /// <returns>The next byte.</returns>
    /// <exception cref="CorruptionException">The block does not end before the end, or has other entries.</exception>
    public static byte* ReadBlock(byte* next, byte* end, bool isText, ref uint before, int entries, int* target, int* frequencies)
    {
        int width = WidthOf(ref next, end);
        BlockPacking.UnpackDeltas(next, width, before, (uint*)target);
        if ((uint)target[BlockPacking.BlockSize - 1] >= (uint)entries || (width > SafeWidthMax && !AreBelow((uint*)target, entries)))
        {
            ThrowDamaged(entries);
        }

        before = (uint)target[BlockPacking.BlockSize - 1];
        next += BlockPacking.BytesOf(width);
        if (isText)
        {
            width = WidthOf(ref next, end);
            if (width > FrequencyBitsMax)
            {
                ThrowDamaged(entries);
            }

            if (frequencies != null)
            {
                BlockPacking.Unpack(next, width, (uint*)frequencies);
                for (int i = 0; i < BlockPacking.BlockSize; i++)
                {
                    frequencies[i]++;
                }
            }

            next += BlockPacking.BytesOf(width);
        }

        return next;
    }

    /// <summary>Reads what does not fill a block.</summary>
    /// <inheritdoc cref="ReadBlock"/>
    /// <param name="count">The entries that are left.</param>
    public static void ReadRest(byte* next, byte* end, bool isText, uint before, int entries, int count, int* target, int* frequencies)
    {
        // Differences have 32 bits, and there are fewer than 2^31, so that the sum of all tells whether each entry is below it.
        ulong entry = before;
        for (int i = 0; i < count; i++)
        {
            if (!isText)
            {
                target[i] = (int)(entry += VarInt.Read(ref next, end));
                continue;
            }

            ulong read = VarInt.ReadLong(ref next, end);
            target[i] = (int)(entry += (uint)(read >> 1));
            uint frequency = (read & 1) != 0 ? 1 : VarInt.Read(ref next, end);
            if (frequency - 1 >= 1u << FrequencyBitsMax)
            {
                ThrowDamaged(entries);
            }

            if (frequencies != null)
            {
                frequencies[i] = (int)frequency;
            }
        }

        if (entry >= (ulong)entries)
        {
            ThrowDamaged(entries);
        }
    }

    private static int WidthOf(ref byte* next, byte* end)
    {
        int width = next < end ? *next++ : int.MaxValue;
        if (width > 32 || BlockPacking.BytesOf(width) > end - next)
        {
            ThrowDamaged(0);
        }

        return width;
    }

    private static bool AreBelow(uint* values, int entries)
    {
        uint greatest = 0;
        for (int i = 0; i < BlockPacking.BlockSize; i++)
        {
            greatest = Math.Max(greatest, values[i]);
        }

        return greatest < (uint)entries;
    }

    private static void ReadList(in DictionaryView dictionary, in TermEntries term, int* target, int* frequencies)
    {
        bool isText = dictionary.Parts.IsText;
        int count = term.Count, entries = dictionary.Segment.Entries;
        int blocks = count / BlockPacking.BlockSize;
        byte* next = ListOf(dictionary, term, out byte* end) + PostingsWriter.TableBytes(blocks, isText);
        uint before = 0;
        for (int block = 0; block < blocks; block++)
        {
            int first = block * BlockPacking.BlockSize;
            next = ReadBlock(next, end, isText, ref before, entries, target + first, frequencies == null ? null : frequencies + first);
        }

        int read = blocks * BlockPacking.BlockSize;
        ReadRest(next, end, isText, before, entries, count - read, target + read, frequencies == null ? null : frequencies + read);
    }
}
