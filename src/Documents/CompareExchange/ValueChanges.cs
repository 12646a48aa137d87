using System.Buffers.Binary;
using Jackdaw.Storage;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Documents.CompareExchange;

/// <summary>Reads changes of compare exchange values in the order of their etags: puts come from the table, and deletions from a tree that keeps the last
/// ones.</summary>
/// <remarks>Tree "ValueDeletions": etag (8, big-endian) -> key of the value.</remarks>
internal static class ValueChanges
{
    /// <summary>The number of deletions that are kept, which take some hundred KB. A reader that has not read older ones has to begin again.</summary>
    public const int DeletionsKept = 10_000;

    private static ReadOnlySpan<byte> TreeName => "ValueDeletions"u8;

    /// <summary>Notes a deletion. Writer thread.</summary>
    public static void NoteDeleted(TreeCatalog trees, long etag, ReadOnlySpan<byte> key)
    {
        BTree deletions = trees.CreateTree(TreeName);
        Span<byte> at = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64BigEndian(at, etag);
        deletions.Put(at, key);
        if (deletions.EntryCount > DeletionsKept)
        {
            deletions.Delete(FirstKey(deletions));
        }
    }

    /// <summary>Deletions up to this etag may have been dropped.</summary>
    public static long ForgottenEtag(TreeCatalog trees) =>
        trees.FindTree(TreeName) is { EntryCount: >= DeletionsKept } deletions ? ReadEtag(FirstKey(deletions)) - 1 : 0;

    /// <summary>The etag of the last change; 0 when there was none.</summary>
    public static long LastEtag(ReadTransaction read)
    {
        TableNumberCursor puts = CompareExchangeTable.Open(read).OpenNumbers(CompareExchangeTable.ByEtag);
        long last = puts.SeekLast() ? puts.Number : 0;
        if (read.Trees.FindTree(TreeName) is not { EntryCount: > 0 } deletions)
        {
            return last;
        }

        using BTreeCursor cursor = deletions.OpenCursor();
        return cursor.SeekLast() ? Math.Max(last, ReadEtag(cursor.Key)) : last;
    }

    /// <summary>The next changes, in order.</summary>
    /// <param name="after">The last etag that the reader knows.</param>
    /// <param name="count">The most changes that are returned.</param>
    public static List<(long Etag, byte[] Key)> Read(ReadTransaction read, long after, int count)
    {
        var changes = new List<(long Etag, byte[] Key)>();
        TableNumberCursor puts = CompareExchangeTable.Open(read).OpenNumbers(CompareExchangeTable.ByEtag);
        for (bool on = puts.Seek(after + 1); on && changes.Count < count; on = puts.MoveNext())
        {
            changes.Add((puts.Number, new CompareExchangeRow(puts.Row).Key.ToArray()));
        }

        if (read.Trees.FindTree(TreeName) is { EntryCount: > 0 } deletions)
        {
            Span<byte> from = stackalloc byte[sizeof(long)];
            BinaryPrimitives.WriteInt64BigEndian(from, after + 1);
            using BTreeCursor cursor = deletions.OpenCursor();
            int found = 0;
            for (bool on = cursor.Seek(from); on && found < count; on = cursor.MoveNext(), found++)
            {
                changes.Add((ReadEtag(cursor.Key), cursor.Value.ToArray()));
            }
        }

        changes.Sort((one, other) => one.Etag.CompareTo(other.Etag));
        return changes.Count <= count ? changes : changes[..count];
    }

    private static byte[] FirstKey(BTree deletions)
    {
        using BTreeCursor cursor = deletions.OpenCursor();
        return cursor.SeekFirst() ? cursor.Key.ToArray() : [];
    }

    private static long ReadEtag(ReadOnlySpan<byte> key) => key.Length == sizeof(long)
        ? BinaryPrimitives.ReadInt64BigEndian(key)
        : throw new CorruptionException($"An entry of the tree 'ValueDeletions' has a key of {key.Length} bytes.");
}
