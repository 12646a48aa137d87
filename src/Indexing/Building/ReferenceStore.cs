using System.Buffers.Binary;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Indexing.Building;

/// <summary>Stores which documents of an index loaded which others while they were mapped. For one write transaction.</summary>
/// <remarks>
/// A document that is loaded need not exist. When it is created, the documents that looked for it are mapped again.
/// <code>
/// tree               key                                              value
/// references         key of the loaded document, 0, key of the loader  empty
/// reference lists    key of the loader                                 for each loaded document: length (2), its key
/// </code>
/// The same table is in docs/formats/indexes.md. Keys of documents contain no zero byte; the key
/// of a compare exchange value that is loaded begins with one. Invariant: each entry of one tree has its counterpart
/// in the other tree.
/// </remarks>
internal sealed class ReferenceStore
{
    private readonly BTree _references;
    private readonly BTree _lists;

    /// <param name="trees">Of the index's storage, in a write transaction.</param>
    public ReferenceStore(TreeCatalog trees)
    {
        _references = trees.CreateTree("references"u8);
        _lists = trees.CreateTree("reference lists"u8);
    }

    /// <summary>Replaces the list of what a document loaded.</summary>
    /// <param name="loader">The key of the document.</param>
    /// <param name="loaded">Keys in any order, each once; none when the document was deleted or loads nothing any more.</param>
    public void Replace(ReadOnlySpan<byte> loader, IReadOnlyCollection<byte[]> loaded)
    {
        HashSet<byte[]> old = ReadList(loader);
        if (old.SetEquals(loaded))
        {
            return;
        }

        var wanted = new HashSet<byte[]>(loaded, ByteArrayComparer.Instance);
        foreach (byte[] key in old.Where(key => !wanted.Contains(key)))
        {
            _references.Delete(KeyOf(key, loader));
        }

        foreach (byte[] key in wanted.Where(key => !old.Contains(key)))
        {
            _references.Put(KeyOf(key, loader), []);
        }

        WriteList(loader, wanted);
    }

    /// <summary>The keys of the documents that loaded another one, in order.</summary>
    /// <param name="loaded">The key of the loaded document, which need not exist.</param>
    /// <param name="after">Loaders up to this one are left out; empty: none.</param>
    /// <param name="count">Most that are returned.</param>
    public List<byte[]> FindLoaders(ReadOnlySpan<byte> loaded, ReadOnlySpan<byte> after, int count)
    {
        var loaders = new List<byte[]>();
        byte[] prefix = KeyOf(loaded, []);
        using BTreeCursor cursor = _references.OpenCursor();
        bool on = cursor.Seek(KeyOf(loaded, after));
        if (on && !after.IsEmpty && cursor.Key.SequenceEqual(KeyOf(loaded, after)))
        {
            on = cursor.MoveNext();
        }

        for (; on && loaders.Count < count && cursor.Key.StartsWith(prefix); on = cursor.MoveNext())
        {
            loaders.Add(cursor.Key[prefix.Length..].ToArray());
        }

        return loaders;
    }

    private static byte[] KeyOf(ReadOnlySpan<byte> loaded, ReadOnlySpan<byte> loader) => [.. loaded, 0, .. loader];

    private HashSet<byte[]> ReadList(ReadOnlySpan<byte> loader)
    {
        var keys = new HashSet<byte[]>(ByteArrayComparer.Instance);
        if (_lists.TryGet(loader, out ReadOnlySpan<byte> list))
        {
            while (!list.IsEmpty)
            {
                int length = BinaryPrimitives.ReadUInt16LittleEndian(list);
                keys.Add(list.Slice(sizeof(ushort), length).ToArray());
                list = list[(sizeof(ushort) + length)..];
            }
        }

        return keys;
    }

    private void WriteList(ReadOnlySpan<byte> loader, HashSet<byte[]> keys)
    {
        if (keys.Count == 0)
        {
            _lists.Delete(loader);
            return;
        }

        Span<byte> list = _lists.Reserve(loader, keys.Sum(key => sizeof(ushort) + key.Length));
        foreach (byte[] key in keys)
        {
            BinaryPrimitives.WriteUInt16LittleEndian(list, (ushort)key.Length);
            key.CopyTo(list[sizeof(ushort)..]);
            list = list[(sizeof(ushort) + key.Length)..];
        }
    }
}

/// <summary>Compares arrays of bytes by their content.</summary>
internal sealed class ByteArrayComparer : IEqualityComparer<byte[]>
{
    public static readonly ByteArrayComparer Instance = new();

    public bool Equals(byte[]? x, byte[]? y) => x.AsSpan().SequenceEqual(y);

    public int GetHashCode(byte[] obj)
    {
        var hash = default(HashCode);
        hash.AddBytes(obj);
        return hash.ToHashCode();
    }
}
