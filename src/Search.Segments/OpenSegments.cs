using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Reading;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Search.Segments;

/// <summary>Opens the segments of one state for a search, one at a time, in the memory of its thread.</summary>
/// <param name="transaction">Sees the segments.</param>
/// <param name="snapshot">The snapshot to which the state belongs; null when the transaction sees the state.</param>
internal sealed unsafe class OpenSegments(ReadTransaction transaction, SegmentState state, SegmentSnapshot? snapshot) : IDisposable
{
    private Arena.Mark _segmentMark; // while a segment is open
    private Arena.Mark _scratchMark;
    private SearchMemory? _memory;

    public SegmentState State => state;

    /// <summary>The memory of the search, until it ends.</summary>
    public SearchMemory Memory => _memory ??= SearchMemory.Rent();

    /// <summary>Counts what is read; null until <see cref="CountReads"/>.</summary>
    public PartMeter? Meter { get; private set; }

    public void CountReads() => Meter ??= new PartMeter();

    /// <summary>Opens a segment until <see cref="Close"/>; one at a time.</summary>
    public SegmentView Open(int index)
    {
        (_segmentMark, _scratchMark) = (Memory.Segment.Now(), Memory.Scratch.Now());
        Memory.View.Open(transaction, state, index, Memory.Segment, Memory.Scratch, Meter, DeletedOf(index));
        return Memory.View;
    }

    public void Close()
    {
        Memory.Segment.Return(_segmentMark);
        Memory.Scratch.Return(_scratchMark);
    }

    /// <summary>Opens a segment whose values stay in memory until <see cref="Release"/>, without its deleted entries.</summary>
    public SegmentView OpenForValues(int index)
    {
        Memory.View.Open(transaction, state, index, Memory.Whole, Memory.Scratch, Meter, null);
        return Memory.View;
    }

    /// <summary>All segments at once; they stay open as long as the searcher.</summary>
    public List<SegmentView> OpenAll()
    {
        List<SegmentView> segments = [];
        for (int i = 0; i < state.Segments.Count; i++)
        {
            var segment = new SegmentView();
            segment.Open(transaction, state, i, Memory.Whole, Memory.Scratch, Meter, DeletedOf(i));
            segments.Add(segment);
        }

        return segments;
    }

    /// <summary>Opens one segment after another.</summary>
    public void ForEach(Action<SegmentView> look)
    {
        for (int i = 0; i < state.Segments.Count; i++)
        {
            look(Open(i));
            Close();
        }
    }

    /// <summary>Opens the segment of an entry.</summary>
    /// <param name="ordinal">The number of the entry in the index.</param>
    /// <param name="look">Gets the segment, and the number of the entry in it.</param>
    public void InSegmentOf(int ordinal, Action<SegmentView, int> look)
    {
        SegmentView segment = Open(state.SegmentOf(ordinal));
        look(segment, ordinal - segment.Base);
        Close();
    }

    /// <summary>Frees what the search needed: everything that it found is copied by now.</summary>
    public void Release()
    {
        Memory.Whole.Reset();
        Memory.Matchers.Reset();
    }

    public void Dispose() => _memory?.Dispose();

    private byte** DeletedOf(int index) => snapshot is null ? null : snapshot.DeletedOf(index);
}
