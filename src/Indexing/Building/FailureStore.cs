using System.Buffers.Binary;
using System.Text.Json;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Indexing.Building;

/// <summary>Stores the newest failures of an index in its storage.</summary>
/// <remarks>
/// Tree <c>index errors</c>: number (8, big-endian) -> JSON with the members <c>At</c> (UTC ticks), <c>Document</c>, <c>Action</c> and
/// <c>Error</c>. The numbers have no gaps. The same is in docs/formats/indexes.md.
/// </remarks>
internal static class FailureStore
{
    private static ReadOnlySpan<byte> Tree => "index errors"u8;

    public static void Load(TreeCatalog trees, IndexFailures failures)
    {
        if (trees.FindTree(Tree) is not { } tree)
        {
            return;
        }

        long first = 0;
        var stored = new List<IndexFailure>();
        using BTreeCursor cursor = tree.OpenCursor();
        for (bool on = cursor.Seek([]); on; on = cursor.MoveNext())
        {
            first = stored.Count == 0 ? BinaryPrimitives.ReadInt64BigEndian(cursor.Key) : first;
            stored.Add(Read(cursor.Value));
        }

        failures.Load(first, stored);
    }

    /// <param name="trees">Of a write transaction.</param>
    public static void Write(TreeCatalog trees, FailureChanges changes)
    {
        if (changes.First == changes.StoredFirst && changes.Added.Count == 0)
        {
            return;
        }

        BTree tree = trees.CreateTree(Tree);
        byte[] key = new byte[sizeof(long)];
        for (long number = changes.StoredFirst; number < changes.First; number++)
        {
            BinaryPrimitives.WriteInt64BigEndian(key, number);
            if (!tree.Delete(key))
            {
                break; // these failures were dropped before they were ever written, because too many newer ones came
            }
        }

        for (int i = 0; i < changes.Added.Count; i++)
        {
            BinaryPrimitives.WriteInt64BigEndian(key, changes.From + i);
            tree.Put(key, JsonSerializer.SerializeToUtf8Bytes(new StoredFailure(
                changes.Added[i].Time.UtcTicks, changes.Added[i].DocumentId, changes.Added[i].Action, changes.Added[i].Message)));
        }
    }

    private static IndexFailure Read(ReadOnlySpan<byte> value)
    {
        StoredFailure stored = JsonSerializer.Deserialize<StoredFailure>(value)!;
        return new IndexFailure(new DateTimeOffset(stored.At, TimeSpan.Zero), stored.Document, stored.Action, stored.Error);
    }

    private sealed record StoredFailure(long At, string? Document, string Action, string Error);
}
