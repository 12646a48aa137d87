using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Search.Segments.Writing;
using Jackdaw.Storage;
using K4os.Compression.LZ4;

namespace Jackdaw.Search.Segments.Reading;

/// <summary>Reads bytes of entries (<see cref="BlobWriter"/>). The block that was read last stays unpacked. One search.</summary>
internal unsafe struct BlobReader
{
    private readonly SegmentView _segment;
    private readonly Part _index;
    private readonly Part _bytes;
    private readonly int _blocks;
    private int _block = -1;
    private byte* _unpacked;
    private int _capacity;
    private byte* _next;
    private byte* _end;
    private int _nextRank;

    private BlobReader(SegmentView segment, EntrySet entries, Part index, Part bytes)
    {
        _segment = segment;
        Entries = entries;
        _index = index;
        _bytes = bytes;
        _blocks = (int)(index.Bytes / BlobWriter.IndexRecordBytes);
        index.Require(index.Start != null && index.Bytes % BlobWriter.IndexRecordBytes == 0 && _blocks > 0, "has no whole number of blocks");
    }

    public readonly bool Exists => _segment is not null;

    /// <summary>The entries that have bytes.</summary>
    public EntrySet Entries { get; }

    public static BlobReader Open(SegmentView segment, int field, PartKind kind) =>
        segment.TryFind(field, kind.Of(BlobPart.Entries), out Part entries)
            && segment.TryFind(field, kind.Of(BlobPart.Index), out Part index) && segment.TryFind(field, kind.Of(BlobPart.Bytes), out Part bytes)
            ? new BlobReader(segment, EntrySet.Open(entries.Start, entries.Bytes, segment.Entries), index, bytes)
            : default;

    /// <summary>The bytes of an entry; valid until the next ones are read.</summary>
    /// <returns>False when it has none.</returns>
    public bool TryRead(int entry, out ReadOnlySpan<byte> bytes)
    {
        int rank = Exists ? Entries.RankOf(entry) : -1;
        if (rank < 0)
        {
            bytes = default;
            return false;
        }

        int block = BlockOf(rank);
        if (block != _block)
        {
            Unpack(block);
        }
        else if (rank < _nextRank)
        {
            _next = _unpacked;
            _nextRank = FirstOf(block);
        }

        while (true)
        {
            int length = VarInt.ReadLength(ref _next, _end);
            _next += length;
            if (_nextRank++ == rank)
            {
                bytes = new ReadOnlySpan<byte>(_next - length, length);
                return true;
            }
        }
    }

    private readonly int FirstOf(int block) => *(int*)(_index.Start + (block * BlobWriter.IndexRecordBytes));

    private readonly int BlockOf(int rank)
    {
        int low = 0;
        for (int count = _blocks; count > 1;)
        {
            int half = count >> 1;
            if (FirstOf(low + half) <= rank)
            {
                low += half;
                count -= half;
            }
            else
            {
                count = half;
            }
        }

        return low;
    }

    private void Unpack(int block)
    {
        byte* record = _index.Start + (block * BlobWriter.IndexRecordBytes);
        int length = ((int*)record)[1];
        long place = *(long*)(record + 8);
        long end = block + 1 < _blocks ? *(long*)(record + BlobWriter.IndexRecordBytes + 8) : _bytes.Bytes;
        byte* source = _bytes.At(place, out long left);
        if (end <= place || end - place > left || length < end - place || length > MostUnpacked(end - place))
        {
            ThrowDamaged(block);
        }

        int packed = (int)(end - place);
        (_block, _nextRank) = (-1, FirstOf(block)); // none, until it is unpacked
        if (packed == length)
        {
            _next = _unpacked = source;
            _end = source + length;
            _capacity = 0;
            _block = block;
            return;
        }

        if (_capacity < length)
        {
            _capacity = length;
            _unpacked = _segment.Arena.Take<byte>(length);
        }

        if (LZ4Codec.Decode(source, packed, _unpacked, length) != length)
        {
            ThrowDamaged(block);
        }

        _next = _unpacked;
        _end = _unpacked + length;
        _block = block;
    }

    // LZ4 makes at most 255 bytes of one.
    private static long MostUnpacked(long packed) => (255 * packed) + 64;

    [System.Diagnostics.CodeAnalysis.DoesNotReturn]
    private readonly void ThrowDamaged(int block) =>
        throw new CorruptionException($"Block {block} of the stored bytes of segment {_segment.Id} of the index cannot be unpacked.");
}
