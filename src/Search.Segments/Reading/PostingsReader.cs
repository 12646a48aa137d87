using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Writing;

namespace Jackdaw.Search.Segments.Reading;

/// <summary>Reads lists of entries (<see cref="PostingsWriter"/>).</summary>
internal static unsafe class PostingsReader
{
    /// <summary>The numbers behind the end of a target that are written over.</summary>
    public const int Slack = BlockPacking.BlockSize;

    /// <summary>The bitmap of a term, when its list is one; else null.</summary>
    public static ulong* BitsOf(in DictionaryView dictionary, in TermEntries term)
    {
        int entries = dictionary.Segment.Entries;
        return !dictionary.Parts.IsText && term.Count != entries && PostingsWriter.IsDense(term.Count, entries)
            ? (ulong*)dictionary.Postings.At(term.Postings)
            : null;
    }

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

        byte* list = dictionary.Postings.At(term.Postings);
        if (!isText && PostingsWriter.IsDense(term.Count, entries))
        {
            return Bits.CopyTo((ulong*)list, entries, target);
        }

        ReadList(list, term.Count, isText, target, isText ? frequencies : null);
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

        byte* list = dictionary.Postings.At(term.Postings);
        if (!isText && PostingsWriter.IsDense(term.Count, entries))
        {
            return CopyFirst((ulong*)list, entries, most, target);
        }

        int blocks = term.Count / BlockPacking.BlockSize;
        byte* next = list + PostingsWriter.TableBytes(blocks, isText);
        int count = 0;
        uint before = 0;
        for (int block = 0; block < blocks && count < most; block++)
        {
            next = ReadBlock(next, isText, ref before, target + count, null);
            count += BlockPacking.BlockSize;
        }

        return count >= most ? count : Read(dictionary, term, target);
    }

    /// <summary>Reads a block.</summary>
    /// <param name="before">The entry before the block; then its last one.</param>
    /// <returns>The next byte.</returns>
    public static byte* ReadBlock(byte* next, bool isText, ref uint before, int* target, int* frequencies)
    {
        int width = *next++;
        BlockPacking.UnpackDeltas(next, width, before, (uint*)target);
        before = (uint)target[BlockPacking.BlockSize - 1];
        next += BlockPacking.BytesOf(width);
        if (isText)
        {
            width = *next++;
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
    public static void ReadRest(byte* next, bool isText, uint before, int count, int* target, int* frequencies)
    {
        for (int i = 0; i < count; i++)
        {
            if (!isText)
            {
                target[i] = (int)(before += VarInt.Read(ref next));
                continue;
            }

            ulong read = VarInt.ReadLong(ref next);
            target[i] = (int)(before += (uint)(read >> 1));
            int frequency = (read & 1) != 0 ? 1 : (int)VarInt.Read(ref next);
            if (frequencies != null)
            {
                frequencies[i] = frequency;
            }
        }
    }

    private static void ReadList(byte* list, int count, bool isText, int* target, int* frequencies)
    {
        int blocks = count / BlockPacking.BlockSize;
        byte* next = list + PostingsWriter.TableBytes(blocks, isText);
        uint before = 0;
        for (int block = 0; block < blocks; block++)
        {
            int first = block * BlockPacking.BlockSize;
            next = ReadBlock(next, isText, ref before, target + first, frequencies == null ? null : frequencies + first);
        }

        int read = blocks * BlockPacking.BlockSize;
        ReadRest(next, isText, before, count - read, target + read, frequencies == null ? null : frequencies + read);
    }

    private static int CopyFirst(ulong* words, int entries, int most, int* target)
    {
        int count = 0;
        for (int i = 0; i < Bits.WordsOf(entries) && count < most; i++)
        {
            for (ulong left = words[i]; left != 0 && count < most; left &= left - 1)
            {
                target[count++] = (i << 6) + System.Numerics.BitOperations.TrailingZeroCount(left);
            }
        }

        return count;
    }
}
