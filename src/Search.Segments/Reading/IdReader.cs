using System.Runtime.CompilerServices;
using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Fields;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Search.Segments.Writing;

namespace Jackdaw.Search.Segments.Reading;

/// <summary>Reads the ids of a segment's entries.</summary>
internal readonly unsafe struct IdReader
{
    private readonly Part _ids;

    /// <exception cref="Jackdaw.Storage.CorruptionException">The segment has no ids.</exception>
    public IdReader(SegmentView segment)
    {
        if (!segment.TryFind(FieldRecord.OfEntries, PartKind.Ids, out _ids))
        {
            throw new Jackdaw.Storage.CorruptionException($"Segment {segment.Id} of the index has no ids.");
        }

        _ids.Require(_ids.Chunks == Part.ChunksOf(segment.Entries), "has another number of chunks than the entries need");
    }

    /// <summary>Copies the id of an entry.</summary>
    /// <param name="target">Space for <see cref="Term.BytesMax"/> bytes.</param>
    /// <returns>Its length.</returns>
    public int Read(int entry, byte* target)
    {
        byte* chunk = _ids.Chunk(entry >> ColumnHead.ChunkShift, out long bytes);
        int row = entry & (ColumnHead.ChunkRows - 1), block = row / IdsWriter.BlockIds;
        _ids.Require((block + 1L) * sizeof(int) <= bytes && ((uint*)chunk)[block] < bytes, "ends before an id");
        byte* next = chunk + ((uint*)chunk)[block], end = chunk + bytes;
        int length = 0;
        for (int left = row % IdsWriter.BlockIds; left >= 0; left--)
        {
            _ids.Require(next < end, "ends before an id");
            int shared = *next++;
            int rest = VarInt.ReadLength(ref next, end);
            _ids.Require(shared <= length && shared + rest <= Term.BytesMax, "has an id that is too long, or shares too much with the one before");
            Unsafe.CopyBlockUnaligned(target + shared, next, (uint)rest);
            next += rest;
            length = shared + rest;
        }

        return length;
    }
}
