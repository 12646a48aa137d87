using Jackdaw.Search.Segments.Collecting;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Search.Segments.Writing;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Search.Segments.Merging;

/// <summary>Runs one merge at a time, slice by slice. The thread of the index.</summary>
internal sealed class RunningMerge : IDisposable
{
    private SegmentMerge? _merge;
    private SegmentWriter? _writer;
    private SegmentTools? _tools;

    /// <summary>Whether a merge has begun and not ended.</summary>
    public bool IsRunning => _merge is not null;

    /// <summary>The id of the segment that the running merge writes; 0 for none.</summary>
    public long RunningId => _merge?.Id ?? 0;

    /// <summary>Whether the running merge reads a segment.</summary>
    public bool Reads(long id) => _merge?.Sources.Contains(id) == true;

    /// <summary>Begins a merge.</summary>
    /// <param name="state">What the transaction sees.</param>
    public void Begin(WriteTransaction transaction, SegmentState state, int first, int count, long id)
    {
        _writer ??= new SegmentWriter();
        _tools ??= new SegmentTools();
        _merge = new SegmentMerge(transaction, state, first, count, id, _writer, _tools);
    }

    /// <summary>Continues the merge in another transaction.</summary>
    public void Open(WriteTransaction transaction, SegmentState state) => _merge!.Open(transaction, state);

    /// <summary>Merges until an end is wanted.</summary>
    /// <param name="mustEnd">Is asked about every millisecond.</param>
    /// <returns>The merge when it has ended, and its directory is written; null when it goes on.</returns>
    public SegmentMerge? Run(Func<bool> mustEnd)
    {
        SegmentMerge merge = _merge!;
        while (merge.Step())
        {
            if (mustEnd())
            {
                return null;
            }
        }

        merge.Finish();
        _merge = null;
        return merge;
    }

    /// <summary>Forgets the merge.</summary>
    public void Abort()
    {
        _merge?.Dispose();
        _merge = null;

        // A part that was open is lost with its writers.
        _writer?.Dispose();
        _tools?.Dispose();
        (_writer, _tools) = (null, null);
    }

    public void Dispose() => Abort();
}
