using Jackdaw.Search.Segments.Codes;

namespace Jackdaw.Search.Segments.Matching;

/// <summary>The entries that do not match a condition. Their score is constant.</summary>
internal sealed unsafe class NotMatcher : Matcher
{
    private Matcher _inner = null!; // set by Set

    public NotMatcher Set(Matcher inner)
    {
        _inner = inner;
        return this;
    }

    protected override (int Most, bool IsExact) BindCore()
    {
        _inner.Bind(Segment);
        return _inner.IsExact ? (Segment.Entries - _inner.Most, true) : (Segment.Entries, false);
    }

    protected override Found MatchCore()
    {
        Found found = _inner.Match();
        if (found.IsNone)
        {
            return Found.All;
        }

        if (found.IsAll)
        {
            return Found.None;
        }

        ulong* words = found.ToOwnBits(Scratch, Segment.Entries);
        Bits.Not(words, Segment.Entries);
        return Found.OfBits(words);
    }

    protected override int FilterCore(int* entries, int count)
    {
        Memory.Arena.Mark mark = Scratch.Now();
        int* matching = Scratch.Take<int>(count);
        new ReadOnlySpan<int>(entries, count).CopyTo(new Span<int>(matching, count));
        int matched = _inner.Filter(matching, count), kept = 0;
        for (int i = 0, at = 0; i < count; i++)
        {
            if (at < matched && matching[at] == entries[i])
            {
                at++;
            }
            else
            {
                entries[kept++] = entries[i];
            }
        }

        Scratch.Return(mark);
        return kept;
    }
}
