using System.Buffers.Binary;
using System.Text;
using Jackdaw.Storage;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Documents.Rows;

/// <summary>The identities: tree "Identities", name in lower case with its trailing bar -> last value that was given out (8 bytes).</summary>
internal static class IdentityTree
{
    private const string Name = "Identities";

    public static long Count(TreeCatalog catalog) => catalog.FindTree(Name)?.EntryCount ?? 0;

    /// <summary>The last value that was given out; 0 when there is none.</summary>
    public static long Get(TreeCatalog catalog, ReadOnlySpan<byte> key) =>
        catalog.FindTree(Name) is { } tree && tree.TryGet(key, out ReadOnlySpan<byte> value) ? Parse(value) : 0;

    public static void Set(TreeCatalog catalog, ReadOnlySpan<byte> key, long value) =>
        BinaryPrimitives.WriteInt64LittleEndian(catalog.CreateTree(Name).Reserve(key, sizeof(long)), value);

    /// <summary>A page of all identities, ordered by name. The walk also reads the entries before <paramref name="start"/>.</summary>
    public static List<KeyValuePair<string, long>> List(TreeCatalog catalog, int start, int count)
    {
        var identities = new List<KeyValuePair<string, long>>();
        if (catalog.FindTree(Name) is not { } tree)
        {
            return identities;
        }

        using BTreeCursor cursor = tree.OpenCursor();
        int index = 0;
        for (bool on = cursor.SeekFirst(); on && identities.Count < count; on = cursor.MoveNext())
        {
            if (index++ >= start)
            {
                string name = Encoding.UTF8.GetString(cursor.Key);
                identities.Add(new KeyValuePair<string, long>(name, Parse(cursor.Value)));
            }
        }

        return identities;
    }

    private static long Parse(ReadOnlySpan<byte> value) => value.Length == sizeof(long)
        ? BinaryPrimitives.ReadInt64LittleEndian(value)
        : throw new CorruptionException($"An identity has {value.Length} bytes.");
}
