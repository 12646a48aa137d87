using System.Text;
using Jackdaw.Search.Entries;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Search.Vectors.Tests;

/// <summary>An entry of a <see cref="PlainIndex"/>, with its texts and nodes by field.</summary>
internal sealed record PlainEntry(byte[] Id, int Ordinal, ILookup<string, EntryValue> Values)
{
    private static ReadOnlySpan<byte> TreeName => "plain"u8;

    /// <summary>The entries of a state: those in memory, or those that are stored when it was opened just now.</summary>
    public static PlainEntry[] List(object? state, TreeCatalog trees) => state as PlainEntry[] ?? Load(trees);

    /// <summary>Stores the entries of ids, which may have none any more.</summary>
    public static void Store(TreeCatalog trees, IEnumerable<byte[]> ids, List<PlainEntry> entries)
    {
        BTree tree = trees.CreateTree(TreeName);
        foreach (byte[] id in ids)
        {
            PlainEntry[] own = [.. entries.Where(entry => entry.Id.AsSpan().SequenceEqual(id))];
            if (own.Length > 0)
            {
                tree.Put(id, Write(own));
            }
            else
            {
                tree.Delete(id);
            }
        }
    }

    private static byte[] Write(PlainEntry[] entries)
    {
        using var bytes = new MemoryStream();
        using var writer = new BinaryWriter(bytes);
        foreach (PlainEntry entry in entries)
        {
            EntryValue[] values = [.. entry.Values.SelectMany(group => group)];
            writer.Write(entry.Ordinal);
            writer.Write(values.Length);
            foreach (EntryValue value in values)
            {
                writer.Write((int)value.Kind);
                writer.Write(value.Field.Name);
                writer.Write(value.Text ?? "");
                writer.Write(value.Long);
            }
        }

        return bytes.ToArray();
    }

    private static PlainEntry[] Load(TreeCatalog trees)
    {
        List<PlainEntry> entries = [];
        using BTreeCursor? cursor = trees.FindTree(TreeName)?.OpenCursor();
        for (bool on = cursor?.SeekFirst() == true; on; on = cursor!.MoveNext())
        {
            byte[] id = cursor!.Key.ToArray();
            using var reader = new BinaryReader(new MemoryStream(cursor.Value.ToArray()), Encoding.UTF8);
            while (reader.BaseStream.Position < reader.BaseStream.Length)
            {
                entries.Add(new PlainEntry(id, reader.ReadInt32(), Enumerable.Range(0, reader.ReadInt32()).Select(_ => ReadValue(reader)).ToArray()
                    .ToLookup(value => value.Field.Name)));
            }
        }

        return [.. entries.OrderBy(entry => entry.Ordinal)];
    }

    private static EntryValue ReadValue(BinaryReader reader) =>
        new((EntryValueKind)reader.ReadInt32(), new IndexField(reader.ReadString()), reader.ReadString(), reader.ReadInt64());
}
