using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Text;
using Jackdaw.Search.Segments.Fields;
using Jackdaw.Storage;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Search.Segments.Storing;

/// <summary>A segment as the list has it.</summary>
[StructLayout(LayoutKind.Explicit, Size = SizeOf)]
internal struct SegmentRecord
{
    public const int SizeOf = 32;

    [FieldOffset(0)]
    public long Id;

    /// <summary>Entries, including those that are deleted.</summary>
    [FieldOffset(8)]
    public int Entries;

    [FieldOffset(12)]
    public int Deleted;

    /// <summary>The bytes of its parts.</summary>
    [FieldOffset(16)]
    public long Bytes;

    /// <summary>The checksum of all that was written of it (<see cref="ContentsChecksum"/>).</summary>
    [FieldOffset(24)]
    public ulong Checksum;

    public readonly int Live => Entries - Deleted;
}

/// <summary>The segments of an index, in the order of their entries, as they are stored: format (4), checksum of what follows (4), id of the next segment (8),
/// then the segments.</summary>
internal static class SegmentList
{
    /// <summary>The form in which segments are written. A program refuses others.</summary>
    public const int Format = 1;

    private const int HeadBytes = 16;

    private static ReadOnlySpan<byte> Key => "list"u8;

    /// <summary>Whether an index has ever been written.</summary>
    public static bool Exists(TreeCatalog trees) => trees.FindTree(SegmentTrees.List) is not null;

    /// <exception cref="CorruptionException">The list cannot be right.</exception>
    public static List<SegmentRecord> Read(TreeCatalog trees, out long nextId)
    {
        nextId = 1;
        List<SegmentRecord> segments = [];
        if (trees.FindTree(SegmentTrees.List) is not { } tree)
        {
            return segments;
        }

        if (!tree.TryGet(Key, out ReadOnlySpan<byte> value) || value.Length < HeadBytes || (value.Length - HeadBytes) % SegmentRecord.SizeOf != 0)
        {
            throw new CorruptionException($"The list of the index's segments has {value.Length} bytes, which cannot be right.");
        }

        int format = BinaryPrimitives.ReadInt32LittleEndian(value);
        if (format != Format)
        {
            throw new CorruptionException($"The index is written in format {format}, and this program reads format {Format}.");
        }

        if (BinaryPrimitives.ReadUInt32LittleEndian(value[4..]) != Checksum.Crc32C(value[8..]))
        {
            throw new CorruptionException("The list of the index's segments does not have its checksum.");
        }

        nextId = BinaryPrimitives.ReadInt64LittleEndian(value[8..]);
        segments.AddRange(MemoryMarshal.Cast<byte, SegmentRecord>(value[HeadBytes..]));
        HashSet<long> ids = [];
        long entries = 0;
        foreach (SegmentRecord segment in segments)
        {
            entries += segment.Entries;
            if (segment.Id <= 0 || segment.Id >= nextId || !ids.Add(segment.Id) || segment.Entries <= 0 || entries > int.MaxValue
                || segment.Deleted < 0 || segment.Deleted > segment.Entries)
            {
                throw new CorruptionException(
                    $"The index has a segment {segment.Id} with {segment.Entries} entries, {segment.Deleted} of them deleted, which cannot be right.");
            }
        }

        return segments;
    }

    public static void Write(TreeCatalog trees, List<SegmentRecord> segments, long nextId)
    {
        Span<byte> value = trees.CreateTree(SegmentTrees.List).Reserve(Key, HeadBytes + (segments.Count * SegmentRecord.SizeOf));
        BinaryPrimitives.WriteInt32LittleEndian(value, Format);
        BinaryPrimitives.WriteInt64LittleEndian(value[8..], nextId);
        MemoryMarshal.AsBytes(CollectionsMarshal.AsSpan(segments)).CopyTo(value[HeadBytes..]);
        BinaryPrimitives.WriteUInt32LittleEndian(value[4..], Checksum.Crc32C(value[8..]));
    }

    /// <exception cref="CorruptionException">A field cannot be right.</exception>
    public static FieldTable ReadFields(TreeCatalog trees)
    {
        List<FieldRecord> records = [];
        if (trees.FindTree(SegmentTrees.Fields) is { } tree)
        {
            using BTreeCursor cursor = tree.OpenCursor();
            for (bool on = cursor.SeekFirst(); on; on = cursor.MoveNext())
            {
                if (cursor.Key.Length != sizeof(int) || cursor.Value.Length < sizeof(int))
                {
                    throw new CorruptionException("The index has a field whose record is too short.");
                }

                records.Add(ReadField(cursor.Key, cursor.Value));
            }
        }

        return records.DistinctBy(record => record.Name).Count() == records.Count ? FieldTable.Of(records)
            : throw new CorruptionException("The index has two fields of one name.");
    }

    public static void WriteFields(TreeCatalog trees, IEnumerable<FieldRecord> records)
    {
        BTree tree = trees.CreateTree(SegmentTrees.Fields);
        Span<byte> key = stackalloc byte[sizeof(int)];
        foreach (FieldRecord record in records)
        {
            BinaryPrimitives.WriteInt32BigEndian(key, record.Number);
            Span<byte> value = tree.Reserve(key, sizeof(int) + Encoding.UTF8.GetByteCount(record.Name));
            Encoding.UTF8.GetBytes(record.Name, value[sizeof(int)..]);
            BinaryPrimitives.WriteUInt16LittleEndian(value, (ushort)record.Traits);
            BinaryPrimitives.WriteUInt16LittleEndian(value[sizeof(ushort)..], ContentsChecksum.OfField(key, value));
        }
    }

    private static FieldRecord ReadField(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        int number = BinaryPrimitives.ReadInt32BigEndian(key);
        ushort sum = BinaryPrimitives.ReadUInt16LittleEndian(value[sizeof(ushort)..]);
        bool isOfEntries = number == FieldRecord.OfEntries;
        if (number < 0 || isOfEntries != (value.Length == sizeof(int)) || sum != ContentsChecksum.OfField(key, value))
        {
            throw new CorruptionException($"The index has a field {number} whose record does not have its checksum.");
        }

        return new FieldRecord(number, Encoding.UTF8.GetString(value[sizeof(int)..]), (FieldTraits)BinaryPrimitives.ReadUInt16LittleEndian(value));
    }
}
