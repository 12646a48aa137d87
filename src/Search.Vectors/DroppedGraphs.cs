using System.Buffers.Binary;
using System.Text;
using Jackdaw.Search.Vectors.Graphs;
using Jackdaw.Search.Vectors.Recall;
using Jackdaw.Storage.Columns;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Search.Vectors;

/// <summary>Graphs whose vectors are all gone. The field may get another graph at once, of other dimensions; the pages of the old one are freed in steps.
/// Snapshots keep theirs.</summary>
internal static class DroppedGraphs
{
    /// <summary>Pages of a step: some milliseconds.</summary>
    private const int PagesPerStep = 2048;

    /// <summary>Hashes of a step: some milliseconds.</summary>
    private const int HashesPerStep = 4096;

    private static ReadOnlySpan<byte> Tree => "vectors/dropped"u8;

    /// <summary>Takes the graph of a field away, and writes the header of an empty one in its place.</summary>
    /// <returns>The header of the empty graph.</returns>
    public static GraphHeader Add(TreeCatalog trees, string field, in GraphHeader header)
    {
        trees.CreateTree(Tree).Put(KeyOf(field, header.Generation), []);
        RecallTable.Delete(trees, field);
        var empty = new GraphHeader
        {
            Version = GraphHeader.CurrentVersion,
            Edges = header.Edges,
            Dimensions = header.Dimensions,
            CodeKind = header.CodeKind,
            TopLevel = -1,
            Candidates = header.Candidates,
            Seed = header.Seed,
            Generation = header.Generation + 1,
        };
        VectorGraph.WriteHeader(trees, field, empty);
        return empty;
    }

    /// <summary>Frees some pages in a transaction of its own.</summary>
    /// <returns>Whether there was anything to free.</returns>
    public static bool Step(StorageEnvironment storage)
    {
        using (ReadTransaction read = storage.BeginRead())
        {
            if (read.Trees.FindTree(Tree) is null)
            {
                return false;
            }
        }

        using WriteTransaction transaction = storage.BeginWrite();
        Step(transaction);
        transaction.Commit();
        return true;
    }

    private static void Step(WriteTransaction transaction)
    {
        BTree dropped = transaction.Trees.CreateTree(Tree);
        byte[] key;
        using (BTreeCursor cursor = dropped.OpenCursor())
        {
            cursor.SeekFirst();
            key = cursor.Key.ToArray();
        }

        uint generation = BinaryPrimitives.ReadUInt32BigEndian(key);
        string field = Encoding.UTF8.GetString(key.AsSpan(sizeof(uint)));
        foreach (byte[] column in VectorGraph.ColumnsOf(field, generation))
        {
            if (!PageColumn.DropEnd(transaction.Trees, transaction, column, PagesPerStep))
            {
                return;
            }
        }

        if (!DropHashes(transaction, VectorGraph.HashesNameOf(field, generation)))
        {
            return;
        }

        dropped.Delete(key);
        if (dropped.EntryCount == 0)
        {
            transaction.Trees.DeleteTree(Tree);
        }
    }

    private static bool DropHashes(WriteTransaction transaction, byte[] name)
    {
        if (!transaction.Trees.TryGetHeader(name, out TreeHeader header))
        {
            return true;
        }

        var tree = new FixedSizeTree<long, long>(transaction, header);
        List<long> hashes = [];
        FixedSizeTreeCursor<long, long> cursor = tree.GetCursor();
        for (bool on = cursor.SeekFirst(); on && hashes.Count < HashesPerStep; on = cursor.MoveNext())
        {
            hashes.Add(cursor.Key);
        }

        hashes.ForEach(hash => tree.Delete(hash));
        if (tree.EntryCount > 0)
        {
            transaction.Trees.SetHeader(name, tree.Header);
            return false;
        }

        transaction.Trees.RemoveHeader(name);
        return true;
    }

    private static byte[] KeyOf(string field, uint generation)
    {
        byte[] name = Encoding.UTF8.GetBytes(field);
        byte[] key = new byte[sizeof(uint) + name.Length];
        BinaryPrimitives.WriteUInt32BigEndian(key, generation);
        name.CopyTo(key, sizeof(uint));
        return key;
    }
}
