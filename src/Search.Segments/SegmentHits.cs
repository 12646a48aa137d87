using Jackdaw.Search.Queries;
using Jackdaw.Search.Segments.Matching;
using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Ordering;
using Jackdaw.Search.Segments.Reading;

namespace Jackdaw.Search.Segments;

/// <summary>The place of a hit in its order.</summary>
internal sealed record SegmentPosition(int Ordinal, float Score) : SearchPosition;

/// <summary>An entry that was found.</summary>
/// <param name="Ordinal">Its number in the index.</param>
internal readonly record struct SegmentHit(int Ordinal, float Score);

/// <summary>Finds the hits of one search, or those behind the last hit of an earlier one.</summary>
internal unsafe ref struct SegmentHits(
    SegmentSearcher searcher, SearchRequest request, Matcher matcher, SearchMemory memory, CancellationToken cancellation)
{
    /// <summary>The steps of a walk that cost as much as sorting an entry.</summary>
    private const long WalkCost = 50;

    /// <summary>Entries that are scored and sorted before a search looks whether it was cancelled.</summary>
    private const int SortedAtOnce = 1 << 13;

    private readonly SegmentPosition? _after = (SegmentPosition?)request.After;
    private readonly bool _hasScores = request.WithScores || IsByScore(request.Sort);
    private readonly int _wanted = (int)Math.Clamp((long)request.Skip + request.Take, 0, Math.Max(1, searcher.State.Live));

    private readonly NativeList<SegmentHit> _hits = memory.Hits;

    /// <summary>All entries that match; -1 when they were not counted.</summary>
    public long Total { get; private set; }

    /// <summary>Finds them, in their order.</summary>
    public void Run(SortSource[] sources)
    {
        _hits.Clear();
        for (int i = 0; _hasScores && i < searcher.State.Segments.Count; i++)
        {
            CountForScores(searcher.Segments.Open(i));
            searcher.Segments.Close();
        }

        if (sources.Length > 0 && request.Take > 0)
        {
            FindSorted(sources);
            return;
        }

        for (int i = 0; i < searcher.State.Segments.Count; i++)
        {
            FindInOrder(searcher.Segments.Open(i));
            searcher.Segments.Close();
        }
    }

    private static bool IsByScore(IReadOnlyList<SortKey> keys)
    {
        for (int i = 0; i < keys.Count; i++)
        {
            if (keys[i].By == SortBy.Score)
            {
                return true;
            }
        }

        return false;
    }

    private readonly void CountForScores(SegmentView segment)
    {
        cancellation.ThrowIfCancellationRequested();
        matcher.Bind(segment);
        matcher.CountForScores();
        searcher.CountLengths(segment);
    }

    // In the order of adding.
    private void FindInOrder(SegmentView segment)
    {
        cancellation.ThrowIfCancellationRequested();
        int from = _after is null ? 0 : _after.Ordinal + 1 - segment.Base;
        int wanted = (request.Take == 0 ? 0 : _wanted) - _hits.Count;
        if (from >= segment.Entries || (_after is not null && wanted == 0))
        {
            return;
        }

        matcher.Bind(segment);
        if (matcher.Most == 0)
        {
            return;
        }

        if (_after is null && matcher.IsExact && TryCount(segment, out int count) && TryTakeFirst(segment, wanted))
        {
            Total += count;
            return;
        }

        Found found = matcher.Match();
        int* entries = LiveOf(segment, found, out int live);
        int first = 0;
        while (first < live && entries[first] < from)
        {
            first++;
        }

        Total += live;
        Take(segment, entries + first, Math.Min(wanted, live - first));
    }

    // The number of entries that match and live, when that needs no list of all of them.
    private bool TryCount(SegmentView segment, out int count)
    {
        count = matcher.Most;
        if (segment.DeletedCount == 0)
        {
            return true;
        }

        if (segment.DeletedCount >= DeletedPlaces.WorthMin && matcher.CountDeleted() is >= 0 and var known)
        {
            count -= known;
            return true;
        }

        if (segment.DeletedCount > matcher.Most)
        {
            return false;
        }

        Arena.Mark mark = memory.Scratch.Now();
        int* deleted = memory.Scratch.Take<int>(segment.DeletedCount);
        count -= matcher.Filter(deleted, segment.CopyDeleted(deleted));
        memory.Scratch.Return(mark);
        return true;
    }

    private bool TryTakeFirst(SegmentView segment, int wanted)
    {
        if (wanted == 0)
        {
            return true;
        }

        Arena.Mark mark = memory.Scratch.Now();
        int most = segment.DeletedCount == 0 ? wanted : (int)Math.Min(segment.Entries, (2L * wanted) + 64);
        int* first = memory.Scratch.Take<int>((long)most + (2 * PostingsReader.Slack));
        int found = matcher.First(first, most);
        int live = found < 0 ? 0 : segment.RemoveDeleted(first, found);
        bool isEnough = found >= 0 && (live >= wanted || found < most || found >= matcher.Most);
        if (isEnough)
        {
            Take(segment, first, Math.Min(live, wanted));
        }

        memory.Scratch.Return(mark);
        return isEnough;
    }

    private void Take(SegmentView segment, int* entries, int count)
    {
        float* scores = ScoresOf(entries, count);
        for (int i = 0; i < count; i++)
        {
            _hits.Add(new SegmentHit(segment.Base + entries[i], scores == null ? 0 : scores[i]));
        }
    }

    private float* ScoresOf(int* entries, int count)
    {
        if (!_hasScores || count <= 0)
        {
            return null;
        }

        float* scores = memory.Scratch.TakeZeroed<float>(count);
        matcher.AddScores(entries, count, scores, 1, allMatch: true);
        return scores;
    }

    private int* LiveOf(SegmentView segment, in Found found, out int count)
    {
        if (found.Words != null && segment.DeletedCount > 0)
        {
            ulong* words = found.ToOwnBits(memory.Scratch, segment.Entries);
            segment.RemoveDeleted(words);
            return Found.OfBits(words).ToList(memory.Scratch, segment.Entries, out count);
        }

        int* entries = found.ToList(memory.Scratch, segment.Entries, out count);
        count = segment.RemoveDeleted(entries, count);
        return entries;
    }

    private void FindSorted(SortSource[] sources)
    {
        bool isShared = Array.TrueForAll(sources, source => source.IsNumericEverywhere);
        var top = new TopHits(sources, _wanted, searcher.State.Entries, isShared, memory.Whole);
        OrderValue* after = _after is null ? null : ReadAfter(sources);
        for (int i = 0; i < searcher.State.Segments.Count; i++)
        {
            cancellation.ThrowIfCancellationRequested();
            SegmentView segment = searcher.Segments.Open(i);
            matcher.Bind(segment);
            if (matcher.Most > 0)
            {
                SortSegment(segment, sources, top, isShared, after);
            }

            searcher.Segments.Close();
        }

        top.Sort();
        for (int i = 0; i < top.Count; i++)
        {
            _hits.Add(new SegmentHit(top.OrdinalAt(i), top.ScoreAt(i)));
        }
    }

    // Values that are compared as numbers in all segments go to the hits of all segments at once.
    private void SortSegment(SegmentView segment, SortSource[] sources, TopHits top, bool isShared, OrderValue* after)
    {
        if (after == null && TryWalk(segment, sources, top))
        {
            return;
        }

        int* entries = LiveOf(segment, matcher.Match(), out int count);
        Total += count;
        if (count == 0 || _wanted == 0)
        {
            return;
        }

        foreach (SortSource source in sources)
        {
            source.Bind(segment);
        }

        TopHits here = isShared ? top : new TopHits(sources, _wanted, count, isHere: true, memory.Scratch);
        for (int from = 0; from < count; from += SortedAtOnce)
        {
            cancellation.ThrowIfCancellationRequested();
            int some = Math.Min(SortedAtOnce, count - from);
            float* scores = ScoresOf(entries + from, some);
            some = after == null ? some : KeepBehind(sources, entries + from, some, segment.Base, scores, after);
            here.AddAll(entries + from, some, segment.Base, scores);
        }

        if (!isShared)
        {
            top.AddSettled(here);
        }
    }

    // When many entries match, a walk in the order of the first key meets the wanted ones soon.
    private bool TryWalk(SegmentView segment, SortSource[] sources, TopHits top)
    {
        if (!matcher.IsExact || (long)matcher.Most * matcher.Most <= WalkCost * segment.Entries || !TryCount(segment, out int count))
        {
            return false;
        }

        foreach (SortSource source in sources)
        {
            source.Bind(segment);
        }

        if (sources[0].Walk() is not { } walk)
        {
            return false;
        }

        var here = new TopHits(sources, _wanted, segment.Entries, isHere: true, memory.Segment);
        if (!Walk(segment, sources[0], walk, here, top))
        {
            return false;
        }

        Total += count;
        top.AddSettled(here);
        return true;
    }

    // False: those that match come late in the order, and sorting them is faster.
    private bool Walk(SegmentView segment, SortSource key, OrderWalk walk, TopHits here, TopHits top)
    {
        int found = 0;
        long seen = 0;
        while (found < _wanted)
        {
            cancellation.ThrowIfCancellationRequested();
            Arena.Mark mark = memory.Scratch.Now();
            if (!walk.MoveNext(out int* group, out int length) || IsBehindAll(key, group, length, top))
            {
                return true;
            }

            seen += length;
            length = matcher.Filter(group, segment.RemoveDeleted(group, length));
            found += length;
            here.AddAll(group, length, segment.Base, ScoresOf(group, length));
            memory.Scratch.Return(mark);
            if (found < _wanted && seen > matcher.Most)
            {
                return false;
            }
        }

        return true;
    }

    // Whether entries of other segments come first that are enough.
    private bool IsBehindAll(SortSource key, int* group, int length, TopHits top)
    {
        if (length == 0 || _wanted == 0 || !top.IsFull)
        {
            return false;
        }

        OrderValue value = key.Settle(key.Hold(key.Read(group[0], 0), memory.Scratch), memory.Scratch);
        return key.Compare(value, *top.Worst) > 0;
    }

    private OrderValue* ReadAfter(SortSource[] sources)
    {
        OrderValue* values = memory.Whole.Take<OrderValue>(sources.Length);
        SegmentView segment = searcher.Segments.Open(searcher.State.SegmentOf(_after!.Ordinal));
        for (int i = 0; i < sources.Length; i++)
        {
            sources[i].Bind(segment);
            OrderValue held = sources[i].Hold(sources[i].Read(_after.Ordinal - segment.Base, _after.Score), memory.Whole);
            values[i] = sources[i].Settle(held, memory.Whole);
        }

        searcher.Segments.Close();
        return values;
    }

    // The scores stay beside their entries.
    private int KeepBehind(SortSource[] sources, int* entries, int count, int firstOrdinal, float* scores, OrderValue* after)
    {
        int kept = 0;
        for (int i = 0; i < count; i++)
        {
            float score = scores == null ? 0 : scores[i];
            if (IsBehind(sources, entries[i], firstOrdinal + entries[i], score, after))
            {
                entries[kept] = entries[i];
                if (scores != null)
                {
                    scores[kept] = score;
                }

                kept++;
            }
        }

        return kept;
    }

    private bool IsBehind(SortSource[] sources, int entry, int ordinal, float score, OrderValue* after)
    {
        Arena.Mark mark = memory.Scratch.Now();
        int order = 0;
        for (int i = 0; i < sources.Length && order == 0; i++)
        {
            OrderValue value = sources[i].Settle(sources[i].Hold(sources[i].Read(entry, score), memory.Scratch), memory.Scratch);
            order = sources[i].Compare(value, after[i]);
        }

        memory.Scratch.Return(mark);
        return order > 0 || (order == 0 && ordinal > _after!.Ordinal);
    }
}
