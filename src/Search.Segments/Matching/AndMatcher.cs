namespace Jackdaw.Search.Segments.Matching;

/// <summary>The entries that match each of several conditions. The one that finds the fewest drives, and the others look at what it finds.</summary>
/// <param name="parts">Two or more.</param>
internal sealed unsafe class AndMatcher(Matcher[] parts) : Matcher
{
    private readonly Matcher[] _ordered = [.. parts]; // the fewest first

    public override void CountForScores()
    {
        foreach (Matcher part in parts)
        {
            part.CountForScores();
        }
    }

    public override Explanation Explain(int entry)
    {
        Explanation[] explained = [.. parts.Select(part => part.Explain(entry))];
        return new Explanation(explained.Sum(part => part.Value), "sum of:", explained);
    }

    protected override (int Most, bool IsExact) BindCore()
    {
        int most = Segment.Entries;
        foreach (Matcher part in parts)
        {
            part.Bind(Segment);
            most = Math.Min(most, part.Most);
        }

        Array.Sort(_ordered, static (left, right) => left.Most.CompareTo(right.Most));
        return (most, most == 0);
    }

    protected override Found MatchCore()
    {
        Found found = _ordered[0].Match();
        int from = 1;
        for (; found.IsAll && from < _ordered.Length; from++)
        {
            found = _ordered[from].Match();
        }

        if (found.Words == null && !found.IsAll)
        {
            return Found.OfList(found.List, FilterFrom(from, found.List, found.Count));
        }

        // Bitmaps that are there already cost least. A list of what they leave is shorter than that of any other condition.
        bool hasOthers = false;
        for (int i = from; i < _ordered.Length; i++)
        {
            hasOthers |= !_ordered[i].HasBits;
            found = _ordered[i].HasBits && _ordered[i].Match() is { IsAll: false } next ? Intersect(found, next) : found;
        }

        return hasOthers ? FilterOthers(found, from) : found;
    }

    private Found FilterOthers(in Found found, int from)
    {
        int* list = found.ToList(Scratch, Segment.Entries, out int count);
        for (int i = from; i < _ordered.Length && count > 0; i++)
        {
            count = _ordered[i].HasBits ? count : _ordered[i].Filter(list, count);
        }

        return Found.OfList(list, count);
    }

    protected override int FilterCore(int* entries, int count) => FilterFrom(0, entries, count);

    protected override void AddMatched(int* entries, int count, float* scores, float factor)
    {
        foreach (Matcher part in parts)
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
        for (int i = first; i < _ordered.Length && count > 0; i++)
        {
            count = _ordered[i].Filter(entries, count);
        }

        return count;
    }
}
