namespace Jackdaw.Search.Segments.Matching;

/// <summary>All entries, with the scores that some conditions give them.</summary>
internal sealed unsafe class OptionalMatcher(Matcher[] parts) : Matcher
{
    public override void CountForScores()
    {
        foreach (Matcher part in parts)
        {
            part.CountForScores();
        }
    }

    public override Explanation Explain(int entry)
    {
        List<Explanation> explained = [];
        foreach (Matcher part in parts)
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
        foreach (Matcher part in parts)
        {
            part.Bind(Segment);
        }

        return (Segment.Entries, true);
    }

    protected override Found MatchCore() => Found.All;

    protected override int FilterCore(int* entries, int count) => count;

    protected override void AddMatched(int* entries, int count, float* scores, float factor)
    {
        foreach (Matcher part in parts)
        {
            part.AddScores(entries, count, scores, factor, allMatch: false);
        }
    }
}
