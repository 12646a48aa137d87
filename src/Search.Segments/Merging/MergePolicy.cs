using Jackdaw.Search.Segments.Storing;

namespace Jackdaw.Search.Segments.Merging;

/// <summary>Chooses which segments are merged: neighbours, so that the order of adding stays.</summary>
/// <remarks>Segments have levels by powers of eight of their entries. Eight neighbours whose sum reaches a higher level become one, so that an entry is written
/// once for each level. A segment with many deleted entries is written again, because counts look at each of them. An idle index merges the last segments
/// until few are left, but only where the largest one is at most half of the new one: each time that an entry is written again, its segment is at least twice
/// as large as before, so that the logarithm of the entries bounds how often that is. Larger ones would leave fewer segments, and be written more often: with
/// two thirds, an index that rests after each batch has up to 11 segments instead of 15, and an entry is written 12.8 times instead of 9.5.</remarks>
internal static class MergePolicy
{
    /// <summary>The segments that become one.</summary>
    public const int Factor = 8;

    /// <summary>The most segments; more are merged even if their levels do not ask for it.</summary>
    private const int SegmentsMax = 6 * Factor;

    /// <summary>A segment with more deleted entries than this share is written again.</summary>
    private const int DeletedShare = 4;

    /// <summary>A large segment is written again at this share.</summary>
    private const int LargeDeletedShare = 10;

    private const int LargeEntriesMin = 100_000;

    /// <summary>The segments that searches like: an idle index merges more of them.</summary>
    private const int LikedSegments = 6;

    /// <summary>The most segments that an idle index merges at once.</summary>
    private const int IdleFactor = 2 * Factor;

    /// <summary>Finds segments to merge.</summary>
    /// <param name="isIdle">Whether nobody waits: then more segments than searches like are merged too.</param>
    public static bool TryChoose(IReadOnlyList<SegmentRecord> segments, bool isIdle, out int first, out int count)
    {
        for (int i = 0; i < segments.Count; i++)
        {
            if (HasManyDeleted(segments[i]))
            {
                (first, count) = WithSmallerBefore(segments, i);
                return true;
            }
        }

        for (int start = segments.Count - Factor; start >= 0; start--)
        {
            long sum = 0;
            int most = 0;
            for (int i = start; i < start + Factor; i++)
            {
                sum += segments[i].Live;
                most = Math.Max(most, segments[i].Live);
            }

            if (LevelOf(most) < LevelOf(sum) || (segments.Count > SegmentsMax && start + Factor == segments.Count))
            {
                (first, count) = (start, Factor);
                return true;
            }
        }

        (first, count) = (0, 0);
        return isIdle && TryChooseTail(segments, out first, out count);
    }

    private static bool HasManyDeleted(in SegmentRecord segment) =>
        segment.Deleted > Factor && (long)segment.Deleted * (segment.Entries >= LargeEntriesMin ? LargeDeletedShare : DeletedShare) > segment.Entries;

    // Smaller neighbours in front are taken along.
    private static (int First, int Count) WithSmallerBefore(IReadOnlyList<SegmentRecord> segments, int last)
    {
        int first = last;
        while (first > 0 && last - first + 1 < Factor && LevelOf(segments[first - 1].Live) <= LevelOf(segments[last].Live))
        {
            first--;
        }

        return (first, last - first + 1);
    }

    // As few of the last segments as are needed, or as many as are possible.
    private static bool TryChooseTail(IReadOnlyList<SegmentRecord> segments, out int first, out int count)
    {
        (first, count) = (0, 0);
        if (segments.Count <= LikedSegments)
        {
            return false;
        }

        long sum = 0, most = 0;
        for (int start = segments.Count - 1; start >= Math.Max(0, segments.Count - IdleFactor); start--)
        {
            sum += segments[start].Live;
            most = Math.Max(most, segments[start].Live);
            if (start == segments.Count - 1 || 2 * most > sum)
            {
                continue;
            }

            (first, count) = (start, segments.Count - start);
            if (start < LikedSegments)
            {
                break;
            }
        }

        return count > 0;
    }

    private static int LevelOf(long entries)
    {
        int level = 0;
        for (long bound = Factor; bound <= entries; bound *= Factor)
        {
            level++;
        }

        return level;
    }
}
