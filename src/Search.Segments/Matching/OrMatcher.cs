using Jackdaw.Search.Segments.Codes;

namespace Jackdaw.Search.Segments.Matching;

/// <summary>The entries that match at least one of several conditions.</summary>
internal sealed unsafe class OrMatcher : PartsMatcher
{
    /// <summary>Where all conditions together find fewer entries than this share of the segment, their lists are sorted; else a bitmap is made.</summary>
    private const int ListShare = 256;

    public override void AddScores(int* entries, int count, float* scores, float factor, bool allMatch)
    {
        foreach (Matcher part in Parts)
        {
            part.AddScores(entries, count, scores, factor, allMatch: false);
        }
    }

    public override Explanation Explain(int entry)
    {
        List<Explanation> explained = [];
        foreach (Matcher part in Parts)
        {
            int copy = entry;
            if (part.Filter(&copy, 1) == 1)
            {
                explained.Add(part.Explain(entry));
            }
        }

        return new Explanation(explained.Sum(part => part.Value), "sum of:", explained);
    }

    protected override (int Most, bool IsExact) BindCore()
    {
        BindParts();
        long most = 0;
        int parted = 0;
        bool isExact = true;
        foreach (Matcher part in Parts)
        {
            most += part.Most;
            parted += part.Most > 0 ? 1 : 0;
            isExact &= part.Most == 0 || part.IsExact;
        }

        return ((int)Math.Min(most, Segment.Entries), isExact && parted <= 1);
    }

    protected override Found MatchCore()
    {
        Matcher? only = null;
        int some = 0;
        long sum = 0;
        foreach (Matcher part in Parts)
        {
            only = part.Most > 0 ? part : only;
            some += part.Most > 0 ? 1 : 0;
            sum += part.Most;
        }

        return some == 1 ? only!.Match() : sum * ListShare <= Segment.Entries ? MergeLists((int)sum) : MergeBits();
    }

    private Found MergeLists(int most)
    {
        int* list = Scratch.Take<int>(most + 1);
        int count = 0;
        foreach (Matcher part in Parts)
        {
            Found found = part.Match();
            int* entries = found.ToList(Scratch, Segment.Entries, out int added);
            new ReadOnlySpan<int>(entries, added).CopyTo(new Span<int>(list + count, most - count));
            count += added;
        }

        return Found.OfList(list, SortDistinct(list, count));
    }

    private Found MergeBits()
    {
        ulong* words = Scratch.TakeZeroed<ulong>(Bits.WordsOf(Segment.Entries));
        foreach (Matcher part in Parts)
        {
            Found found = part.Match();
            if (found.IsAll)
            {
                return found;
            }

            if (found.Words != null)
            {
                Bits.Or(words, found.Words, Bits.WordsOf(Segment.Entries));
            }
            else
            {
                Bits.AddAll(words, found.List, found.Count);
            }
        }

        return Found.OfBits(words);
    }

    private static int SortDistinct(int* list, int count)
    {
        new Span<int>(list, count).Sort();
        int kept = 0;
        for (int i = 0; i < count; i++)
        {
            if (i == 0 || list[i] != list[i - 1])
            {
                list[kept++] = list[i];
            }
        }

        return kept;
    }
}
