using System.Runtime.CompilerServices;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Journal.Recovery;

/// <summary>Enumerates the page records of an entry's raw payload. The bytes come from a disk: nothing outside of them is read, no matter what they
/// contain.</summary>
internal unsafe struct PageRecordReader(byte* position, byte* end, int count, PageNumber next)
{
    private byte* _position = position;
    private int _left = count;

    /// <summary>True when all records were read and nothing follows them.</summary>
    public readonly bool IsAtEnd => _left == 0 && _position == end;

    /// <summary>The next record; false at the end, and where no valid record can be.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryRead(out PageRecord record, out ReadOnlySpan<byte> data)
    {
        record = default;
        data = default;
        if (_left <= 0 || end - _position < PageRecord.SizeOf)
        {
            return false;
        }

        record = Unsafe.ReadUnaligned<PageRecord>(_position);
        byte* start = _position + PageRecord.SizeOf;
        if (record.Bytes < 0 || record.Bytes > end - start || record.PageNumber <= 0
            || record.PageNumber >= Math.Min(next.Value, PageNumber.Limit))
        {
            return false;
        }

        data = new ReadOnlySpan<byte>(start, record.Bytes);
        _position = start + record.Bytes;
        _left--;
        return true;
    }
}
