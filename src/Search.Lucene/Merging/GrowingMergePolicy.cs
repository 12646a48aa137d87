using Lucene.Net.Index;

namespace Jackdaw.Search.Lucene.Merging;

/// <summary>Chooses which neighbouring segments become one, so that there are few segments and deleted entries take little space in an index of any
/// size.</summary>
/// <remarks>
/// In this order:
/// 1. There are too many segments: the neighbours whose sizes differ least are merged, the smaller ones first. The neighbours with the smallest sum are not the
/// choice: a large segment would be written many times because of a few small ones beside it.
/// 2. Too many entries are deleted: the segment with the largest deleted share is written again without them.
/// 3. Neighbours have about the same size: each entry is merged once while its segment grows tenfold, so that the written bytes stay in proportion to the added
/// ones. Only neighbours are merged, which keeps entries in the order in which they were added. Sizes are those of living entries.
/// The level rule follows the log merge policies of Lucene. The rule of deleted shares follows the greedy cleaning of log-structured file systems (Rosenblum
/// and Ousterhout 1992, section 3.4). One thread.
/// </remarks>
internal sealed class GrowingMergePolicy(MergeSizes sizes) : MergePolicy(0, long.MaxValue)
{
    /// <summary>The number of segments that are merged into one: the usual factor.</summary>
    public const int Factor = 10;

    /// <summary>With more segments than this, neighbours of any size are merged, because a search has to read each segment. Together with the segments in three
    /// open merges, there are fewer than 40 while batches come.</summary>
    private const int SegmentsMax = 24;

    /// <summary>The least ratio of a merged segment's size to that of its largest part. It bounds how often an entry is written.</summary>
    private const int GrowthMin = 4;

    /// <summary>The part of the index that one merge of equals may write (1 / this): a larger merge would need as much free space again.</summary>
    private const int IndexShare = 4;

    /// <summary>The bytes of deleted entries per byte of living ones that cause no merge. A smaller number would write each entry more often, to save space
    /// that the next updates take anyway.</summary>
    private const double DeadShareMax = 0.3;

    /// <summary>The most bytes that a merge which begins now may write; 0 when none may begin.</summary>
    public long BytesMax { get; set; }

    /// <summary>Finds at most one merge: the next one is chosen when the result of this one is known.</summary>
    public override MergeSpecification? FindMerges(MergeTrigger mergeTrigger, SegmentInfos segmentInfos)
    {
        if (BytesMax == 0)
        {
            return null;
        }

        IndexWriter writer = m_writer.Get();
        ICollection<SegmentCommitInfo> merging = writer.MergingSegments;
        Segment[] segments = [.. segmentInfos.Segments.Select(info => Measure(writer, info, merging.Contains(info)))];
        Segment[] chosen = ChooseWhenMany(segments) ?? ChooseDead(segments) ?? ChooseEquals(segments) ?? [];
        if (chosen.Length == 0)
        {
            return null;
        }

        var found = new MergeSpecification();
        found.Add(new OneMerge([.. chosen.Select(segment => segment.Commit)]));
        return found;
    }

    public override MergeSpecification? FindForcedMerges(
        SegmentInfos segmentInfos, int maxSegmentCount, IDictionary<SegmentCommitInfo, bool> segmentsToMerge) => null;

    public override MergeSpecification? FindForcedDeletesMerges(SegmentInfos segmentInfos) => null;

    public override bool UseCompoundFile(SegmentInfos infos, SegmentCommitInfo mergedInfo) => false;

    protected override void Dispose(bool disposing)
    {
    }

    private static Segment Measure(IndexWriter writer, SegmentCommitInfo info, bool isMerging)
    {
        long bytes = info.GetSizeInBytes();
        long live = info.Info.DocCount == 0 ? 0 : (long)(bytes * (1 - ((double)writer.NumDeletedDocs(info) / info.Info.DocCount)));
        return new Segment(info, live, bytes - live, isMerging);
    }

    private Segment[]? ChooseWhenMany(Segment[] segments) =>
        segments.Length <= SegmentsMax ? null : Windows(segments).MaxBy(window => (GrowthOf(window), -window.Sum(segment => segment.Live)));

    private Segment[]? ChooseDead(Segment[] segments)
    {
        if (segments.Where(segment => !segment.IsMerging).Sum(segment => segment.Dead) <= DeadShareMax * segments.Sum(segment => segment.Live))
        {
            return null;
        }

        Segment? worst = segments
            .Where(segment => !segment.IsMerging && segment.Dead > 0 && segment.Live <= BytesMax)
            .MaxBy(segment => (double)segment.Dead / (segment.Dead + segment.Live));
        return worst is null ? null : [worst];
    }

    private Segment[]? ChooseEquals(Segment[] segments)
    {
        long bytesMax = Math.Max(sizes.EqualsBytesMin, segments.Sum(segment => segment.Live) / IndexShare);
        return Windows(segments)
            .Where(window => window.Sum(segment => segment.Live) <= bytesMax && GrowthOf(window) >= GrowthMin)
            .MinBy(window => window.Sum(segment => segment.Live));
    }

    private double GrowthOf(Segment[] window)
    {
        double SizeOf(Segment segment) => Math.Max(segment.Live, sizes.LevelBytesMin);
        return window.Sum(SizeOf) / window.Max(SizeOf);
    }

    // Finds all neighbours that may be merged now.
    private IEnumerable<Segment[]> Windows(Segment[] segments)
    {
        for (int first = 0; first + Factor <= segments.Length; first++)
        {
            Segment[] window = segments[first..(first + Factor)];
            if (!window.Any(segment => segment.IsMerging) && window.Sum(segment => segment.Live) <= BytesMax)
            {
                yield return window;
            }
        }
    }

    private sealed record Segment(SegmentCommitInfo Commit, long Live, long Dead, bool IsMerging);
}
