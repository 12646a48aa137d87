using System.Buffers.Binary;
using Jackdaw.Storage;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Search.Segments.Storing;

/// <summary>The trees of an index in its storage.</summary>
/// <remarks>
/// <code>
/// tree              key                                                       value
/// segment list      "list"                                                    the segments, in the order of their entries (SegmentList)
/// segment fields    number (4)                                                traits (4), name
/// segments          id (8)                                                    the directory of the segment (SegmentDirectory), with its small parts
/// segment parts     id (8), field (4), kind (1), chunk (4)                    a chunk of a part: an overflow run
/// deleted entries   id (8), chunk (4)                                         a bit for each entry that is deleted: one page
/// segments to free  id (8)                                                    empty
/// </code>
/// Numbers in keys are big-endian, in values little-endian. The same table is in docs/formats/segments.md.
/// </remarks>
internal static class SegmentTrees
{
    private const int IdKeyBytes = sizeof(long);
    private const int PartKeyBytes = sizeof(long) + sizeof(int) + sizeof(byte) + sizeof(int);
    private const int DeletedKeyBytes = sizeof(long) + sizeof(int);

    public static ReadOnlySpan<byte> List => "segment list"u8;

    public static ReadOnlySpan<byte> Fields => "segment fields"u8;

    public static ReadOnlySpan<byte> Segments => "segments"u8;

    public static ReadOnlySpan<byte> Parts => "segment parts"u8;

    public static ReadOnlySpan<byte> Deleted => "deleted entries"u8;

    public static ReadOnlySpan<byte> ToFree => "segments to free"u8;

    /// <summary>Writes a chunk of a part into a run of its own.</summary>
    /// <param name="bytes">More than <see cref="BTree.InlineValueBytesMax"/>.</param>
    /// <param name="isDirect">Whether the run bypasses the journal.</param>
    public static PageNumber PutChunk(TreeCatalog trees, long id, int field, PartKind kind, int chunk, ReadOnlySpan<byte> bytes, bool isDirect)
    {
        Span<byte> key = stackalloc byte[PartKeyBytes];
        BinaryPrimitives.WriteInt64BigEndian(key, id);
        BinaryPrimitives.WriteInt32BigEndian(key[8..], field);
        key[12] = (byte)kind;
        BinaryPrimitives.WriteInt32BigEndian(key[13..], chunk);
        BTree parts = trees.CreateTree(Parts);
        Span<byte> run = isDirect ? parts.ReserveDirectRun(key, bytes.Length, out PageNumber first) : parts.ReserveRun(key, bytes.Length, out first);
        bytes.CopyTo(run);
        return first;
    }

    public static void PutDirectory(TreeCatalog trees, long id, ReadOnlySpan<byte> directory)
    {
        Span<byte> key = stackalloc byte[IdKeyBytes];
        BinaryPrimitives.WriteInt64BigEndian(key, id);
        directory.CopyTo(trees.CreateTree(Segments).Reserve(key, directory.Length));
    }

    /// <summary>The page of a segment's deleted entries, for reading.</summary>
    /// <returns>None when no entry of the chunk is deleted.</returns>
    public static PageNumber FindDeleted(BTree? deleted, long id, int chunk)
    {
        Span<byte> key = stackalloc byte[DeletedKeyBytes];
        BinaryPrimitives.WriteInt64BigEndian(key, id);
        BinaryPrimitives.WriteInt32BigEndian(key[8..], chunk);
        if (deleted is null || !deleted.TryGetRun(key, out PageNumber first, out int bytes))
        {
            return default;
        }

        return bytes == DeletedEntries.PageBytes ? first
            : throw new CorruptionException($"The deleted entries {chunk} of segment {id} of the index have {bytes} bytes.");
    }

    /// <summary>Makes the page of a segment's deleted entries, with none in it.</summary>
    public static PageNumber AddDeleted(BTree deleted, long id, int chunk)
    {
        Span<byte> key = stackalloc byte[DeletedKeyBytes];
        BinaryPrimitives.WriteInt64BigEndian(key, id);
        BinaryPrimitives.WriteInt32BigEndian(key[8..], chunk);
        deleted.ReserveRun(key, DeletedEntries.PageBytes, out PageNumber first).Clear();
        return first;
    }

    /// <summary>Notes that a segment has no name: it is freed when nobody reads it.</summary>
    public static void PutToFree(TreeCatalog trees, long id)
    {
        Span<byte> key = stackalloc byte[IdKeyBytes];
        BinaryPrimitives.WriteInt64BigEndian(key, id);
        trees.CreateTree(ToFree).Put(key, []);
    }

    /// <summary>Notes that a segment has got its name.</summary>
    public static void RemoveToFree(TreeCatalog trees, long id)
    {
        Span<byte> key = stackalloc byte[IdKeyBytes];
        BinaryPrimitives.WriteInt64BigEndian(key, id);
        trees.CreateTree(ToFree).Delete(key);
    }

    /// <summary>The ids of segments without a name, in order.</summary>
    public static List<long> ReadToFree(TreeCatalog trees)
    {
        List<long> ids = [];
        if (trees.FindTree(ToFree) is { } tree)
        {
            using BTreeCursor cursor = tree.OpenCursor();
            for (bool on = cursor.SeekFirst(); on; on = cursor.MoveNext())
            {
                ids.Add(BinaryPrimitives.ReadInt64BigEndian(cursor.Key));
            }
        }

        return ids;
    }

    /// <summary>Removes some of what a segment without a name has.</summary>
    /// <param name="bytesLeft">About the bytes that are removed at most; becomes what is left of them.</param>
    /// <returns>True when nothing is left of it.</returns>
    public static bool Free(TreeCatalog trees, long id, ref long bytesLeft)
    {
        Span<byte> key = stackalloc byte[IdKeyBytes];
        BinaryPrimitives.WriteInt64BigEndian(key, id);
        if (!DeleteAll(trees.CreateTree(Parts), key, ref bytesLeft) || !DeleteAll(trees.CreateTree(Deleted), key, ref bytesLeft))
        {
            return false;
        }

        trees.CreateTree(Segments).Delete(key);
        trees.CreateTree(ToFree).Delete(key);
        return true;
    }

    private static bool DeleteAll(BTree tree, ReadOnlySpan<byte> prefix, ref long bytesLeft)
    {
        PrefixDeletion deleted = tree.DeletePrefix(prefix, Math.Max(1, bytesLeft));
        bytesLeft -= deleted.Bytes;
        return deleted.IsDone;
    }
}
