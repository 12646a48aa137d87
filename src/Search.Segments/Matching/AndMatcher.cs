namespace Jackdaw.Search.Segments.Matching;

/// <summary>The entries that match each of several conditions. The one that finds the fewest drives, and the others look at what it finds.</summary>
internal sealed unsafe class AndMatcher : PartsMatcher
{
    private Matcher[] _ordered = []; // the fewest first

    private ReadOnlySpan<Matcher> Ordered => _ordered.AsSpan(0, Count);

    public override Explanation Explain(int entry)
    {
        Explanation[] explained = [.. Parts.ToArray().Select(part => part.Explain(entry))];
        return new Explanation(explained.Sum(part => part.Value), "sum of:", explained);
    }

    protected override (int Most, bool IsExact) BindCore()
    {
        BindParts();
        _ordered = _ordered.Length < Count ? new Matcher[Count] : _ordered;
        Parts.CopyTo(_ordered);
        _ordered.AsSpan(0, Count).Sort(static (left, right) => left.Most.CompareTo(right.Most));
        int most = Count == 0 ? Segment.Entries : _ordered[0].Most;
        return (most, most == 0);
    }

    protected override Found MatchCore()
    {
        ReadOnlySpan<Matcher> ordered = Ordered;
        Found found = ordered[0].Match();
        int from = 1;
        for (; found.IsAll && from < ordered.Length; from++)
        {
            found = ordered[from].Match();
        }

        if (found.Words == null && !found.IsAll)
        {
            return Found.OfList(found.List, FilterFrom(from, found.List, found.Count));
        }

        // Bitmaps that are there already cost least. A list of what they leave is shorter than that of any other condition.
        bool hasOthers = false;
        for (int i = from; i < ordered.Length; i++)
        {
            hasOthers |= !ordered[i].HasBits;
            found = ordered[i].HasBits && ordered[i].Match() is { IsAll: false } next ? Intersect(found, next) : found;
        }

        return hasOthers ? FilterOthers(found, from) : found;
    }

    private Found FilterOthers(in Found found, int from)
    {
        int* list = found.ToList(Scratch, Segment.Entries, out int count);
        for (int i = from; i < Count && count > 0; i++)
        {
            count = _ordered[i].HasBits ? count : _ordered[i].Filter(list, count);
        }

        return Found.OfList(list, count);
    }

    protected override int FilterCore(int* entries, int count) => FilterFrom(0, entries, count);

    protected override void AddMatched(int* entries, int count, float* scores, float factor)
    {
        foreach (Matcher part in Parts)
        {
            part.AddScores(entries, count, scores, factor, allMatch: true);
        }
    }

    private Found Intersect(in Found left, in Found right)
    {
        // A bitmap that may be changed is, so that one less is copied.
        Found changed = left.IsShared && !right.IsShared ? right : left;
        ulong* words = changed.ToOwnBits(Scratch, Segment.Entries);
        Codes.Bits.And(words, changed.Words == left.Words ? right.Words : left.Words, Codes.Bits.WordsOf(Segment.Entries));
        return Found.OfBits(words);
    }

    private int FilterFrom(int first, int* entries, int count)
    {
        for (int i = first; i < Count && count > 0; i++)
        {
            count = _ordered[i].Filter(entries, count);
        }

        return count;
    }
}
