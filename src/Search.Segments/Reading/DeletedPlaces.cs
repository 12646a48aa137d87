using Jackdaw.Search.Segments.Storing;

namespace Jackdaw.Search.Segments.Reading;

/// <summary>Counts the deleted entries in a slice of the order of a field's numbers, without a look at each deleted entry. The counts before blocks of the
/// order are made when a state of the segment is asked for them a second time.</summary>
internal static class DeletedPlaces
{
    /// <summary>With fewer deleted entries each of them is looked at.</summary>
    public const int WorthMin = 1024;

    private const int BlockShift = 8;

    /// <summary>Counts the deleted entries between two places.</summary>
    /// <param name="key">What the order is one of, in the segment.</param>
    /// <param name="numbers">The order.</param>
    /// <returns>-1 when that takes longer than looking at each deleted entry once.</returns>
    public static int Count(SegmentView segment, int key, in NumberView numbers, int first, int end)
    {
        if (segment.Stored.FindCounts(key) is not { } counts || counts.Deleted != segment.DeletedCount)
        {
            segment.Stored.KeepCounts(key, new DeletedCounts(segment.DeletedCount, null));
            return -1;
        }

        int[]? before = counts.Before;
        if (before is null)
        {
            before = CountAll(segment, numbers);
            segment.Stored.KeepCounts(key, new DeletedCounts(segment.DeletedCount, before));
        }

        return CountBefore(segment, numbers, before, end) - CountBefore(segment, numbers, before, first);
    }

    private static int[] CountAll(SegmentView segment, in NumberView numbers)
    {
        int[] before = new int[(numbers.Count >> BlockShift) + 1];
        int count = 0;
        for (int block = 0; block < before.Length; block++)
        {
            before[block] = count;
            count += CountBetween(segment, numbers, block << BlockShift, Math.Min(numbers.Count, (block + 1) << BlockShift));
        }

        return before;
    }

    private static int CountBefore(SegmentView segment, in NumberView numbers, int[] before, int place)
    {
        int block = place >> BlockShift;
        return before[block] + CountBetween(segment, numbers, block << BlockShift, place);
    }

    private static int CountBetween(SegmentView segment, in NumberView numbers, int first, int end)
    {
        int count = 0;
        for (int place = first; place < end; place++)
        {
            count += segment.IsDeleted(numbers.EntryAt(place)) ? 1 : 0;
        }

        return count;
    }
}
