using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Writing;

namespace Jackdaw.Search.Segments.Reading;

/// <summary>Looks entries up in lists of entries (<see cref="PostingsWriter"/>).</summary>
internal static unsafe class PostingsFilter
{
    /// <summary>Keeps those of some entries that a term has.</summary>
    /// <param name="entries">In order.</param>
    /// <returns>The number of those that stay.</returns>
    public static int Filter(in DictionaryView dictionary, in TermEntries term, int* entries, int count)
    {
        if (term.Count == dictionary.Segment.Entries && !dictionary.Parts.IsText)
        {
            return count;
        }

        if (PostingsReader.BitsOf(dictionary, term) is var bits && bits != null)
        {
            return Bits.Keep(bits, entries, count);
        }

        Arena arena = dictionary.Segment.Scratch;
        Arena.Mark mark = arena.Now();
        int* places = arena.Take<int>(count);
        int found = Locate(dictionary, term, entries, count, places, null);
        for (int i = 0; i < found; i++)
        {
            entries[i] = entries[places[i]];
        }

        arena.Return(mark);
        return found;
    }

    /// <summary>Keeps those of some entries that are in another list.</summary>
    public static int Intersect(int* entries, int count, int* list, int length)
    {
        int kept = 0, at = 0;
        for (int i = 0; i < count; i++)
        {
            int entry = entries[i];
            while (at < length && list[at] < entry)
            {
                at++;
            }

            if (at == length)
            {
                break;
            }

            if (list[at] == entry)
            {
                entries[kept++] = entry;
            }
        }

        return kept;
    }

    /// <summary>Finds those of some entries that a term has.</summary>
    /// <param name="entries">In order.</param>
    /// <param name="places">Gets their places among the entries.</param>
    /// <param name="frequencies">Gets how often each of them has the term; null when that is not wanted.</param>
    /// <returns>Their number.</returns>
    public static int Locate(in DictionaryView dictionary, in TermEntries term, int* entries, int count, int* places, int* frequencies)
    {
        Arena arena = dictionary.Segment.Scratch;
        Arena.Mark mark = arena.Now();
        bool isPacked = term.Count >= BlockPacking.BlockSize && PostingsReader.BitsOf(dictionary, term) == null
            && (dictionary.Parts.IsText || term.Count < dictionary.Segment.Entries);
        int found;
        if (isPacked && count < term.Count)
        {
            found = LocateInBlocks(dictionary, term, entries, count, places, frequencies);
        }
        else
        {
            int* list = arena.Take<int>(term.Count + PostingsReader.Slack);
            int* counts = frequencies == null ? null : arena.Take<int>(term.Count + PostingsReader.Slack);
            int length = PostingsReader.Read(dictionary, term, list, counts);
            found = Locate(entries, count, list, counts, length, places, frequencies);
        }

        arena.Return(mark);
        return found;
    }

    private static int Locate(int* entries, int count, int* list, int* counts, int length, int* places, int* frequencies)
    {
        int found = 0, at = 0;
        for (int i = 0; i < count && at < length; i++)
        {
            while (at < length && list[at] < entries[i])
            {
                at++;
            }

            if (at < length && list[at] == entries[i])
            {
                if (frequencies != null)
                {
                    frequencies[found] = counts[at];
                }

                places[found++] = i;
            }
        }

        return found;
    }

    private static int LocateInBlocks(in DictionaryView dictionary, in TermEntries term, int* entries, int count, int* places, int* frequencies)
    {
        bool isText = dictionary.Parts.IsText;
        int blocks = term.Count / BlockPacking.BlockSize, skipBytes = PostingsWriter.SkipBytes(isText);
        byte* list = PostingsReader.ListOf(dictionary, term, out byte* listEnd);
        byte* skips = list + (isText ? 8 : 4);
        int* read = dictionary.Segment.Scratch.Take<int>(2 * PostingsReader.Slack);
        int* counts = frequencies == null ? null : dictionary.Segment.Scratch.Take<int>(2 * PostingsReader.Slack);
        int found = 0, block = 0;
        for (int i = 0; i < count;)
        {
            while (block < blocks && *(int*)(skips + (block * skipBytes)) < entries[i])
            {
                block++;
            }

            int length = ReadBlock(dictionary, term, list, listEnd, skips, block, blocks, read, counts);
            int last = block < blocks ? read[length - 1] : int.MaxValue, end = i;
            while (end < count && entries[end] <= last)
            {
                end++;
            }

            int some = Locate(entries + i, end - i, read, counts, length, places + found, frequencies == null ? null : frequencies + found);
            for (int k = found; k < found + some; k++)
            {
                places[k] += i;
            }

            found += some;
            i = end;
            if (block == blocks)
            {
                break;
            }
        }

        return found;
    }

    private static int ReadBlock(
        in DictionaryView dictionary, in TermEntries term, byte* list, byte* end, byte* skips, int block, int blocks, int* read, int* counts)
    {
        bool isText = dictionary.Parts.IsText;
        int all = dictionary.Segment.Entries, skipBytes = PostingsWriter.SkipBytes(isText);
        uint before = block == 0 ? 0 : PostingsReader.EntryBefore((uint*)(skips + ((block - 1) * skipBytes)), all);
        if (block < blocks)
        {
            uint* skip = (uint*)(skips + (block * skipBytes));
            PostingsReader.ReadBlock(PostingsReader.PlaceIn(list, skip[1], end), end, isText, ref before, all, read, counts);
            if (before != skip[0])
            {
                PostingsReader.ThrowDamaged(all); // whoever looks for entries up to the one that the table says would look for ever
            }

            return BlockPacking.BlockSize;
        }

        int rest = term.Count - (blocks * BlockPacking.BlockSize);
        if (rest > 0)
        {
            PostingsReader.ReadRest(PostingsReader.PlaceIn(list, *(uint*)list, end), end, isText, before, all, rest, read, counts);
        }

        return rest;
    }
}
