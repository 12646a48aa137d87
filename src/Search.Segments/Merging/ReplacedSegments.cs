using Jackdaw.Search.Segments.Storing;

namespace Jackdaw.Search.Segments.Merging;

/// <summary>Segments without a name that are not freed yet. The thread of the index.</summary>
internal sealed class ReplacedSegments
{
    private readonly List<(long Id, Segment? Segment, long Transaction)> _all;

    /// <param name="ids">Those that were left when the index was closed: nobody reads them.</param>
    public ReplacedSegments(IEnumerable<long> ids) => _all = [.. ids.Select(id => (id, (Segment?)null, 0L))];

    public bool IsEmpty => _all.Count == 0;

    /// <summary>Adds a segment.</summary>
    /// <param name="transaction">The one that removed its name.</param>
    public void Add(Segment segment, long transaction) => _all.Add((segment.Id, segment, transaction));

    /// <summary>Adds what an unfinished merge wrote, which nobody reads.</summary>
    public void AddUnfinished(long id) => _all.Add((id, null, 0));

    /// <summary>Whether there is a segment that nobody can read any more.</summary>
    /// <param name="oldestRead">The oldest transaction that a search sees.</param>
    public bool HasFree(long oldestRead) => _all.Exists(one => IsFree(one, oldestRead));

    /// <summary>The ids of segments that nobody can read any more.</summary>
    /// <param name="oldestRead">The oldest transaction that a search sees.</param>
    public List<long> FindFree(long oldestRead) => [.. _all.Where(one => IsFree(one, oldestRead)).Select(one => one.Id)];

    public void Remove(long id) => _all.RemoveAll(one => one.Id == id);

    private static bool IsFree((long Id, Segment? Segment, long Transaction) one, long oldestRead) =>
        one.Segment is null || (one.Transaction <= oldestRead && !one.Segment.IsKept);
}
