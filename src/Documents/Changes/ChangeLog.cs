using System.Diagnostics;
using Jackdaw.Storage;

namespace Jackdaw.Documents.Changes;

/// <summary>A sequence of bytes that grows at its end and is dropped at its start, in segments from the pool. The
/// caller locks.</summary>
/// <remarks>Positions count bytes since the log was created and are never reused.</remarks>
internal sealed class ChangeLog
{
    /// <summary>The bytes of a segment, which an idle log keeps.</summary>
    public const int SegmentBytes = 16 * 1024;

    private readonly List<byte[]> _segments = [];
    private long _firstSegment; // its number; segment n begins at position n * SegmentBytes

    /// <summary>The position of the first byte that is still in the log.</summary>
    public long Start { get; private set; }

    /// <summary>The position after the last byte.</summary>
    public long End { get; private set; }

    /// <summary>Memory held.</summary>
    public long HeldBytes => (long)_segments.Count * SegmentBytes;

    public void Append(ReadOnlySpan<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            Span<byte> room = At(End);
            int taken = Math.Min(room.Length, bytes.Length);
            bytes[..taken].CopyTo(room);
            bytes = bytes[taken..];
            End += taken;
        }
    }

    public void Read(long position, Span<byte> bytes)
    {
        Debug.Assert(position >= Start && position + bytes.Length <= End);
        while (!bytes.IsEmpty)
        {
            ReadOnlySpan<byte> stored = At(position);
            int taken = Math.Min(stored.Length, bytes.Length);
            stored[..taken].CopyTo(bytes);
            bytes = bytes[taken..];
            position += taken;
        }
    }

    /// <summary>Drops all bytes before a position.</summary>
    public void DropBefore(long position)
    {
        Debug.Assert(position >= Start && position <= End);
        Start = position;
        int dropped = 0;
        while (dropped < _segments.Count && (_firstSegment + dropped + 1) * SegmentBytes <= position)
        {
            ByteArrays.Return(_segments[dropped++]);
        }

        if (dropped > 0)
        {
            _segments.RemoveRange(0, dropped);
            _firstSegment += dropped;
        }
    }

    /// <summary>Drops everything and releases its memory.</summary>
    public void Clear()
    {
        DropBefore(End);
        _segments.ForEach(ByteArrays.Return);
        _segments.Clear();
    }

    private Span<byte> At(long position)
    {
        if (_segments.Count == 0)
        {
            _firstSegment = position / SegmentBytes;
        }

        var index = (int)((position / SegmentBytes) - _firstSegment);
        if (index == _segments.Count)
        {
            _segments.Add(ByteArrays.Rent(SegmentBytes));
        }

        return _segments[index].AsSpan((int)(position % SegmentBytes)..SegmentBytes);
    }
}
