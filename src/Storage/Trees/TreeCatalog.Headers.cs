using System.Runtime.InteropServices;
using System.Text;

namespace Jackdaw.Storage.Trees;

/// <content>Headers of trees of all kinds, by name.</content>
public sealed partial class TreeCatalog
{
    /// <summary>Header of a tree of any kind; of an open B+tree the current one.</summary>
    public bool TryGetHeader(ReadOnlySpan<byte> name, out TreeHeader header)
    {
        if (_treesByName.TryGetValue(name, out BTree? open))
        {
            header = open.Header;
            return true;
        }

        return TryGetStoredHeader(name, out header);
    }

    /// <inheritdoc cref="TryGetHeader(ReadOnlySpan{byte}, out TreeHeader)"/>
    public bool TryGetHeader(string name, out TreeHeader header) =>
        TryGetHeader(Encoding.UTF8.GetBytes(name), out header);

    /// <summary>Stores the header of a tree that the caller owns, at once. Writers only.</summary>
    /// <exception cref="InvalidOperationException">The name belongs to a tree of another kind, or to a B+tree that is
    /// open here.</exception>
    public void SetHeader(ReadOnlySpan<byte> name, in TreeHeader header)
    {
        CheckWritable();
        CheckName(name);
        if (header.Kind == TreeKind.None)
        {
            throw new ArgumentException("A stored header needs a kind.", nameof(header));
        }

        if (_treesByName.ContainsKey(name))
        {
            throw new InvalidOperationException(
                $"The B+tree '{Show(name)}' is open: its header is kept by the catalog.");
        }

        if (TryGetStoredHeader(name, out TreeHeader stored))
        {
            CheckKind(name, stored.Kind, header.Kind);
        }

        Store(name, header);
    }

    /// <inheritdoc cref="SetHeader(ReadOnlySpan{byte}, in TreeHeader)"/>
    public void SetHeader(string name, in TreeHeader header) => SetHeader(Encoding.UTF8.GetBytes(name), header);

    /// <summary>Forgets the name of a tree that is not a B+tree; its owner has freed its pages. Writers only.</summary>
    /// <returns>False when there is none.</returns>
    /// <exception cref="InvalidOperationException">The name belongs to a B+tree: see
    /// <see cref="DeleteTree(ReadOnlySpan{byte})"/>.</exception>
    public bool RemoveHeader(ReadOnlySpan<byte> name)
    {
        CheckWritable();
        if (!TryGetHeader(name, out TreeHeader header))
        {
            return false;
        }

        if (header.Kind == TreeKind.BTree)
        {
            throw new InvalidOperationException($"'{Show(name)}' is a B+tree: delete the tree, not only its header.");
        }

        return _root.Delete(name);
    }

    private bool TryGetStoredHeader(ReadOnlySpan<byte> name, out TreeHeader header)
    {
        header = default;
        if (!_root.TryGet(name, out ReadOnlySpan<byte> stored))
        {
            return false;
        }

        if (stored.Length != TreeHeader.SizeOf)
        {
            throw new CorruptionException($"The header of tree '{Show(name)}' has {stored.Length} bytes.");
        }

        header = MemoryMarshal.Read<TreeHeader>(stored);
        return true;
    }

    private void Store(ReadOnlySpan<byte> name, in TreeHeader header) =>
        MemoryMarshal.Write(_root.Reserve(name, TreeHeader.SizeOf), header);
}

/// <summary>Equality of tree names, so that a name is looked up by its bytes without a copy.</summary>
internal sealed class TreeNameComparer :
    IEqualityComparer<byte[]>, IAlternateEqualityComparer<ReadOnlySpan<byte>, byte[]>
{
    public static readonly TreeNameComparer Instance = new();

    public bool Equals(byte[]? left, byte[]? right) => left.AsSpan().SequenceEqual(right);

    public int GetHashCode(byte[] name) => GetHashCode(name.AsSpan());

    public bool Equals(ReadOnlySpan<byte> alternate, byte[] other) => alternate.SequenceEqual(other);

    public int GetHashCode(ReadOnlySpan<byte> alternate) => (int)TreeCatalog.OwnerTagOf(alternate);

    public byte[] Create(ReadOnlySpan<byte> alternate) => alternate.ToArray();
}
