using Jackdaw.Search.Results;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Search.Segments.Reading;

/// <summary>Counts the parts of segments that a search reads. Each chunk counts once, with all of its bytes. One thread.</summary>
internal sealed class PartMeter
{
    private readonly HashSet<(long Segment, ulong Part, int Chunk)> _seen = [];

    /// <summary>The reads so far.</summary>
    public ReadCount Count { get; private set; } = new(0, 0);

    /// <summary>Is called when a chunk is looked up.</summary>
    /// <param name="isInline">Whether it lies in the directory of its segment, and has no page of its own.</param>
    public void Note(long segment, int field, PartKind kind, int chunk, long bytes, bool isInline)
    {
        if (_seen.Add((segment, PartRecord.KeyOf(field, kind), chunk)))
        {
            Count = Count.Plus(new ReadCount(bytes, isInline ? 0 : (PageHeader.SizeOf + bytes + Page.Size - 1) / Page.Size));
        }
    }
}
