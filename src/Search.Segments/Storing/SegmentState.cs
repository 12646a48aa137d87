using Jackdaw.Search.Segments.Fields;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Search.Segments.Storing;

/// <summary>The segments and fields of an index as a transaction left them. It hangs on the state of the storage, so that a search sees entries and the
/// caller's trees of the same transaction. Immutable. Any thread.</summary>
internal sealed class SegmentState
{
    private readonly SegmentRecord[] _records;
    private readonly int[] _bases;
    private readonly PageNumber[]?[] _deleted;

    private SegmentState(object owner, SegmentRecord[] records, Segment[] segments, PageNumber[]?[] deleted, FieldTable fields)
    {
        Owner = owner;
        _records = records;
        Segments = segments;
        _deleted = deleted;
        Fields = fields;
        _bases = new int[records.Length];
        for (int i = 0; i < records.Length; i++)
        {
            _bases[i] = Entries;
            Entries += records[i].Entries;
            Live += records[i].Live;
        }
    }

    /// <summary>The index that opened it. A storage keeps the state of its last transaction, even when the index is closed and another one is opened on
    /// it.</summary>
    public object Owner { get; }

    /// <summary>The segments in the order of their entries.</summary>
    public IReadOnlyList<Segment> Segments { get; }

    public FieldTable Fields { get; }

    /// <summary>Entries, including those that are deleted.</summary>
    public int Entries { get; }

    public int Live { get; }

    public IReadOnlyList<SegmentRecord> Records => _records;

    /// <summary>Reads the state of a transaction.</summary>
    /// <param name="before">A state of the same index, whose segments are used again; null for none.</param>
    /// <param name="fields">The fields; null to read them.</param>
    public static SegmentState Read(object owner, TreeCatalog trees, SegmentState? before, FieldTable? fields)
    {
        SegmentRecord[] records = [.. SegmentList.Read(trees, out _)];
        var known = before?.Segments.ToDictionary(segment => segment.Id);
        BTree? directories = trees.FindTree(SegmentTrees.Segments), deleted = trees.FindTree(SegmentTrees.Deleted);
        var segments = new Segment[records.Length];
        var pages = new PageNumber[]?[records.Length];
        for (int i = 0; i < records.Length; i++)
        {
            segments[i] = known is not null && known.TryGetValue(records[i].Id, out Segment? same) ? same : Segment.Open(directories, records[i]);
            if (records[i].Deleted > 0)
            {
                PageNumber[] own = pages[i] = new PageNumber[DeletedEntries.PagesOf(records[i].Entries)];
                for (int page = 0; page < own.Length; page++)
                {
                    own[page] = SegmentTrees.FindDeleted(deleted, records[i].Id, page);
                }
            }
        }

        return new SegmentState(owner, records, segments, pages, fields ?? SegmentList.ReadFields(trees));
    }

    /// <summary>The number of a segment's first entry in the index.</summary>
    public int BaseOf(int segment) => _bases[segment];

    public int DeletedOf(int segment) => _records[segment].Deleted;

    /// <summary>The page of a segment's deleted entries; none when no entry of the chunk is deleted.</summary>
    public PageNumber DeletedPage(int segment, int page) => _deleted[segment] is { } pages ? pages[page] : default;

    /// <summary>The place of the segment with an id; -1 when there is none.</summary>
    public int IndexOf(long id) => Array.FindIndex(_records, record => record.Id == id);

    /// <summary>The segment that has an entry.</summary>
    public int SegmentOf(int ordinal)
    {
        int index = Array.BinarySearch(_bases, ordinal);
        return index >= 0 ? index : ~index - 1;
    }

    /// <summary>Notes that a snapshot keeps its segments. The caller holds a transaction that sees it, or keeps it already.</summary>
    public void Keep()
    {
        foreach (Segment segment in Segments)
        {
            segment.Keep();
        }
    }

    public void Release()
    {
        foreach (Segment segment in Segments)
        {
            segment.Release();
        }
    }
}
