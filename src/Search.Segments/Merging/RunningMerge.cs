using System.Diagnostics;
using Jackdaw.Search.Segments.Collecting;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Search.Segments.Writing;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Search.Segments.Merging;

/// <summary>Runs one merge at a time, slice by slice. The thread of the index.</summary>
internal sealed class RunningMerge(SliceSizes sizes) : IDisposable
{
    private SegmentMerge? _merge;
    private long _pausedSince;
    private SegmentWriter? _writer;
    private SegmentTools? _tools;

    /// <summary>Whether a merge has begun and not ended.</summary>
    public bool IsRunning => _merge is not null;

    /// <summary>The id of the segment that the running merge writes; 0 for none.</summary>
    public long RunningId => _merge?.Id ?? 0;

    /// <summary>Whether an earlier transaction of the running merge was committed.</summary>
    public bool IsCommitted { get; private set; }

    /// <summary>Whether the running merge reads a segment.</summary>
    public bool Reads(long id) => _merge?.Sources.Contains(id) == true;

    /// <summary>Begins a merge.</summary>
    /// <param name="state">What the transaction sees.</param>
    public void Begin(WriteTransaction transaction, SegmentState state, int first, int count, long id)
    {
        _writer ??= new SegmentWriter(sizes.Runs);
        _tools ??= new SegmentTools();
        long bytes = state.Records.Skip(first).Take(count).Sum(record => record.Bytes);
        _merge = new SegmentMerge(transaction, state, first, count, id, bytes >= sizes.DirectMergeBytesMin, _writer, _tools);
        IsCommitted = false;
    }

    /// <summary>Continues the merge in another transaction.</summary>
    public void Open(WriteTransaction transaction, SegmentState state) => _merge!.Open(transaction, state);

    /// <summary>Merges until an end is wanted.</summary>
    /// <param name="mustEnd">Is asked about every millisecond.</param>
    /// <returns>The merge when everything of it is written; null when it goes on.</returns>
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
        return merge;
    }

    /// <summary>Notes that a transaction was committed, and the merge goes on.</summary>
    public void OnCommitted() => IsCommitted = true;

    /// <summary>Notes that the last transaction was committed.</summary>
    public void End()
    {
        _merge?.Dispose();
        _merge = null;
    }

    /// <summary>Whether nothing is to be merged or freed now.</summary>
    public bool IsPaused => _pausedSince != 0 && Stopwatch.GetElapsedTime(_pausedSince) < sizes.FullDiskPause;

    /// <summary>Notes that the disk was full.</summary>
    public void Pause() => _pausedSince = Stopwatch.GetTimestamp();

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
