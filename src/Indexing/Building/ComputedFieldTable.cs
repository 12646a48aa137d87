using System.Buffers.Binary;
using System.Text.Json;
using Jackdaw.Search.Entries;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Indexing.Building;

/// <summary>Stores the fields of an index whose settings came with entries: the key is the position, big-endian, and the value the settings as JSON.</summary>
internal static class ComputedFieldTable
{
    private static ReadOnlySpan<byte> TreeName => "computed fields"u8;

    /// <exception cref="JsonException">It is damaged.</exception>
    public static List<IndexField> Read(TreeCatalog trees)
    {
        List<IndexField> fields = [];
        Span<byte> key = stackalloc byte[sizeof(int)];
        BinaryPrimitives.WriteInt32BigEndian(key, 0);
        while (trees.FindTree(TreeName) is { } tree && tree.TryGet(key, out ReadOnlySpan<byte> stored))
        {
            fields.Add(JsonSerializer.Deserialize<IndexField>(stored)!);
            BinaryPrimitives.WriteInt32BigEndian(key, fields.Count);
        }

        return fields;
    }

    public static void Write(TreeCatalog trees, IEnumerable<(int Position, IndexField Field)> fields)
    {
        BTree? tree = null;
        Span<byte> key = stackalloc byte[sizeof(int)];
        foreach ((int position, IndexField field) in fields)
        {
            tree ??= trees.CreateTree(TreeName);
            BinaryPrimitives.WriteInt32BigEndian(key, position);
            tree.Put(key, JsonSerializer.SerializeToUtf8Bytes(field));
        }
    }
}
