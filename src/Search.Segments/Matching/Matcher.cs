using Jackdaw.Search.Plans;
using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Reading;

namespace Jackdaw.Search.Segments.Matching;

/// <summary>A condition of a search. It is bound to one segment after another. One thread.</summary>
/// <remarks>What it finds may have deleted entries; whoever runs the search removes them at the end.</remarks>
internal abstract unsafe class Matcher
{
    /// <summary>Measures the node; null when nothing is measured.</summary>
    public NodeMeter? Meter { get; set; }

    /// <summary>The segment it is bound to.</summary>
    public SegmentView Segment { get; private set; } = null!; // set by Bind

    /// <summary>The most entries of the segment that can match, with those that are deleted.</summary>
    public int Most { get; private set; }

    /// <summary>Whether exactly <see cref="Most"/> entries match.</summary>
    public bool IsExact { get; private set; }

    /// <summary>Whether the entries that match lie in the segment as a bitmap, so that finding them costs nothing.</summary>
    public virtual bool HasBits => false;

    /// <summary>Memory for what is found; it is taken back at the end of a step.</summary>
    protected Arena Scratch => Segment.Scratch;

    /// <summary>Turns to another segment.</summary>
    public void Bind(SegmentView segment)
    {
        Segment = segment;
        NodeMeter.Mark began = Meter?.Begin() ?? default;
        (Most, IsExact) = BindCore();
        Meter?.End(began);
    }

    /// <summary>Finds all entries that match.</summary>
    public Found Match()
    {
        if (Most == 0)
        {
            return Found.None;
        }

        if (Meter is null)
        {
            return MatchCore();
        }

        NodeMeter.Mark began = Meter.Begin();
        Found found = MatchCore();
        Meter.End(began);
        Meter.Rows += CountLive(found);
        return found;
    }

    /// <summary>Keeps those of some entries that match.</summary>
    /// <param name="entries">In order.</param>
    /// <returns>The number of those that stay.</returns>
    public int Filter(int* entries, int count)
    {
        if (Most == 0 || count == 0)
        {
            return 0;
        }

        if (Meter is null)
        {
            return FilterCore(entries, count);
        }

        NodeMeter.Mark began = Meter.Begin();
        int kept = FilterCore(entries, count);
        Meter.End(began);
        Meter.Rows += kept;
        return kept;
    }

    /// <summary>Copies the first entries that match.</summary>
    /// <param name="most">The most that are wanted.</param>
    /// <param name="target">Space for them and for <see cref="PostingsReader.Slack"/> more.</param>
    /// <returns>Their number, or a little more; -1 when that takes as long as finding all.</returns>
    public int First(int* target, int most) => Meter is null ? FirstCore(target, most) : -1;

    /// <summary>Counts the deleted entries among those that match, when exactly <see cref="Most"/> do.</summary>
    /// <returns>-1 when each deleted entry has to be looked at.</returns>
    public virtual int CountDeleted() => -1;

    /// <summary>Adds the score of the condition to the scores of some entries: nothing to those that do not match.</summary>
    /// <param name="entries">In order.</param>
    /// <param name="scores">One for each entry.</param>
    /// <param name="factor">Multiplies what is added.</param>
    /// <param name="allMatch">Whether each of the entries is known to match.</param>
    public virtual void AddScores(int* entries, int count, float* scores, float factor, bool allMatch)
    {
        if (allMatch)
        {
            AddMatched(entries, count, scores, factor);
            return;
        }

        Arena.Mark mark = Scratch.Now();
        int* matching = Scratch.Take<int>(count);
        new ReadOnlySpan<int>(entries, count).CopyTo(new Span<int>(matching, count));
        int kept = Most == 0 ? 0 : FilterCore(matching, count);
        float* added = Scratch.TakeZeroed<float>(kept);
        AddMatched(matching, kept, added, factor);
        for (int i = 0, at = 0; at < kept; i++)
        {
            if (entries[i] == matching[at])
            {
                scores[i] += added[at++];
            }
        }

        Scratch.Return(mark);
    }

    /// <summary>Counts what scores need in all segments. Called once for each segment, before the first score, when the matcher is bound to it.</summary>
    public virtual void CountForScores()
    {
    }

    /// <summary>Explains the score of an entry, when it matches: the score, and lines with its parts.</summary>
    public virtual Explanation Explain(int entry)
    {
        float score = 0;
        AddScores(&entry, 1, &score, 1, allMatch: true);
        return new Explanation(score, Describe(), []);
    }

    /// <summary>The condition as a text for explanations; null when it is not known.</summary>
    public string? Text { get; set; }

    /// <summary>What the score of the condition means.</summary>
    protected virtual string Describe() => Text is null ? "constant score" : $"constant score of {Text}";

    /// <returns>The most entries that can match, and whether it is exactly that number.</returns>
    protected abstract (int Most, bool IsExact) BindCore();

    /// <summary>Finds all entries that match. At least one can.</summary>
    protected abstract Found MatchCore();

    protected virtual int FilterCore(int* entries, int count)
    {
        Arena.Mark mark = Scratch.Now();
        Found found = MatchCore();
        int kept = Filter(found, entries, count);
        Scratch.Return(mark);
        return kept;
    }

    protected virtual int FirstCore(int* target, int most) => -1;

    /// <summary>Adds the score of the condition to entries that match.</summary>
    protected virtual void AddMatched(int* entries, int count, float* scores, float factor)
    {
        for (int i = 0; i < count; i++)
        {
            scores[i] += factor;
        }
    }

    /// <summary>Keeps those of some entries that were found.</summary>
    protected static int Filter(in Found found, int* entries, int count)
    {
        if (found.IsAll)
        {
            return count;
        }

        return found.Words == null ? PostingsFilter.Intersect(entries, count, found.List, found.Count) : Bits.Keep(found.Words, entries, count);
    }

    private long CountLive(in Found found)
    {
        if (found.IsAll)
        {
            return Segment.Entries - Segment.DeletedCount;
        }

        Arena.Mark mark = Scratch.Now();
        long count;
        if (found.Words != null)
        {
            int words = Bits.WordsOf(Segment.Entries);
            ulong* live = Scratch.Take<ulong>(words);
            new ReadOnlySpan<ulong>(found.Words, words).CopyTo(new Span<ulong>(live, words));
            Segment.RemoveDeleted(live);
            count = Bits.Count(live, words);
        }
        else
        {
            int* live = Scratch.Take<int>(found.Count);
            new ReadOnlySpan<int>(found.List, found.Count).CopyTo(new Span<int>(live, found.Count));
            count = Segment.RemoveDeleted(live, found.Count);
        }

        Scratch.Return(mark);
        return count;
    }
}
