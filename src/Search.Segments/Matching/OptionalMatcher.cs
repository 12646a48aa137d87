namespace Jackdaw.Search.Segments.Matching;

/// <summary>All entries, with the scores that some conditions give them.</summary>
internal sealed unsafe class OptionalMatcher : PartsMatcher
{
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
        return (Segment.Entries, true);
    }

    protected override Found MatchCore() => Found.All;

    protected override int FilterCore(int* entries, int count) => count;

    protected override void AddMatched(int* entries, int count, float* scores, float factor)
    {
        foreach (Matcher part in Parts)
        {
            part.AddScores(entries, count, scores, factor, allMatch: false);
        }
    }
}
