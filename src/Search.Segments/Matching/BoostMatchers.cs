using Jackdaw.Search.Segments.Reading;
using Jackdaw.Search.Segments.Storing;

namespace Jackdaw.Search.Segments.Matching;

/// <summary>A condition whose scores are multiplied.</summary>
internal abstract unsafe class ScoredMatcher(Matcher inner) : Matcher
{
    protected Matcher Inner => inner;

    public override bool HasBits => inner.HasBits;

    public override int CountDeleted() => inner.CountDeleted();

    public override void CountForScores() => inner.CountForScores();

    protected override (int Most, bool IsExact) BindCore()
    {
        inner.Bind(Segment);
        return (inner.Most, inner.IsExact);
    }

    protected override Found MatchCore() => inner.Match();

    protected override int FilterCore(int* entries, int count) => inner.Filter(entries, count);

    protected override int FirstCore(int* target, int most) => inner.First(target, most);
}

/// <summary>A condition whose scores are multiplied by one factor.</summary>
internal sealed unsafe class BoostMatcher(Matcher inner, float boost) : ScoredMatcher(inner)
{
    public override void AddScores(int* entries, int count, float* scores, float factor, bool allMatch) =>
        Inner.AddScores(entries, count, scores, factor * boost, allMatch);

    public override Explanation Explain(int entry)
    {
        Explanation inner = Inner.Explain(entry);
        return new Explanation(inner.Value * boost, "product of:", [inner, new Explanation(boost, "boost of the condition", [])]);
    }
}

/// <summary>A condition whose scores are multiplied by a factor that each entry was given when it was indexed.</summary>
/// <param name="meaning">What the factor is, for people.</param>
internal sealed unsafe class ColumnBoostMatcher(Matcher inner, int field, string meaning) : ScoredMatcher(inner)
{
    private ColumnReader _factors;

    public override void AddScores(int* entries, int count, float* scores, float factor, bool allMatch)
    {
        if (!_factors.Exists)
        {
            Inner.AddScores(entries, count, scores, factor, allMatch);
            return;
        }

        Memory.Arena.Mark mark = Scratch.Now();
        float* added = Scratch.TakeZeroed<float>(count);
        Inner.AddScores(entries, count, added, factor, allMatch);
        for (int i = 0; i < count; i++)
        {
            scores[i] += added[i] * FactorOf(entries[i]);
        }

        Scratch.Return(mark);
    }

    public override Explanation Explain(int entry)
    {
        Explanation inner = Inner.Explain(entry);
        float factor = FactorOf(entry);
        return factor == 1 ? inner : new Explanation(inner.Value * factor, "product of:", [inner, new Explanation(factor, meaning, [])]);
    }

    protected override (int Most, bool IsExact) BindCore()
    {
        _factors = ColumnReader.Open(Segment, field, PartKind.Boosts, PartKind.BoostRows);
        return base.BindCore();
    }

    private float FactorOf(int entry) =>
        _factors.Exists && _factors.TryRead(entry, out long bits) ? BitConverter.Int32BitsToSingle((int)bits) : 1;
}
