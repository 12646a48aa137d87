using System.Runtime.InteropServices;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Search.Segments;

/// <summary>Keeps the segments of a state, and copies the bitmaps of their deleted entries, because later transactions delete more.</summary>
internal sealed unsafe class SegmentSnapshot : SearchSnapshot
{
    private readonly SegmentSearchIndex _index;
    private readonly SegmentState _state;
    private readonly DeletedCopy _deleted;
    private bool _isEnded;

    /// <param name="transaction">One that sees the state.</param>
    public SegmentSnapshot(SegmentSearchIndex index, ReadTransaction transaction, SegmentState state)
    {
        (_index, _state) = (index, state);
        _deleted = new DeletedCopy(transaction, state);
        state.Keep();
    }

    /// <summary>Keeps what another one keeps, which is not disposed.</summary>
    public SegmentSnapshot(SegmentSnapshot other)
    {
        (_index, _state, _deleted) = (other._index, other._state, other._deleted);
        _state.Keep();
    }

    /// <summary>The bitmaps of a segment's deleted entries; null when it has none.</summary>
    public byte** DeletedOf(int segment) => _deleted.Of(segment);

    public override Searcher BeginSearch()
    {
        ObjectDisposedException.ThrowIf(_isEnded, this);
        return new SegmentSearcher(_index, _index.Storage.BeginRead(), _state, this);
    }

    protected override void Dispose(bool isDisposing)
    {
        if (!_isEnded)
        {
            _isEnded = true;
            _state.Release();
        }
    }

    // Freed when neither a snapshot nor a searcher of one refers to it any more.
    private sealed class DeletedCopy
    {
        private readonly byte*** _segments;
        private readonly int _count;

        public DeletedCopy(ReadTransaction transaction, SegmentState state)
        {
            _count = state.Segments.Count;
            _segments = (byte***)NativeMemory.AllocZeroed((nuint)Math.Max(1, _count), (nuint)sizeof(nint));
            for (int i = 0; i < _count; i++)
            {
                if (state.DeletedOf(i) > 0)
                {
                    _segments[i] = Copy(transaction, state, i);
                }
            }
        }

        ~DeletedCopy()
        {
            for (int i = 0; i < _count; i++)
            {
                NativeMemory.AlignedFree(_segments[i]);
            }

            NativeMemory.Free(_segments);
        }

        public byte** Of(int segment) => _segments[segment];

        // The pointers to the pages, then the pages, in one piece.
        private static byte** Copy(ReadTransaction transaction, SegmentState state, int segment)
        {
            int pages = DeletedEntries.PagesOf(state.Segments[segment].Entries);
            int head = ((pages * sizeof(nint)) + 63) & ~63;
            byte* start = (byte*)NativeMemory.AlignedAlloc((nuint)(head + (pages * DeletedEntries.PageBytes)), 64);
            for (int i = 0; i < pages; i++)
            {
                byte* copy = start + head + (i * DeletedEntries.PageBytes);
                Storage.Paging.PageNumber number = state.DeletedPage(segment, i);
                ((byte**)start)[i] = number.IsNone ? null : copy;
                if (!number.IsNone)
                {
                    Buffer.MemoryCopy(transaction.GetPage(number).Body, copy, DeletedEntries.PageBytes, DeletedEntries.PageBytes);
                }
            }

            return (byte**)start;
        }
    }
}
