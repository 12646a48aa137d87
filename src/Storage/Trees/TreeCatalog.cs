using System.Runtime.InteropServices;
using System.Text;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Trees;

/// <summary>The named trees of one storage as one transaction sees them: the root tree maps a name to a
/// <see cref="TreeHeader"/>.</summary>
/// <remarks>
/// One thread, one transaction: neither the catalog nor the trees it returns may be shared.
/// <list type="number">
/// <item>A B+tree is opened once per transaction: each further open returns the same object, so its header has one
/// owner.</item>
/// <item>While a B+tree is open, its header here is the one in memory; the root tree's is stale until
/// <see cref="Flush"/>.</item>
/// <item>Headers of other kinds belong to the code that built them: read by
/// <see cref="TryGetHeader(ReadOnlySpan{byte}, out TreeHeader)"/>, handed back by
/// <see cref="SetHeader(ReadOnlySpan{byte}, in TreeHeader)"/>, at the latest in <see cref="Flushing"/>.</item>
/// <item>A name keeps its kind for as long as it exists; another kind is refused.</item>
/// </list>
/// </remarks>
public sealed class TreeCatalog
{
    /// <summary>Owner tag of the root tree's pages. It spells "ROOT", which is easy to see in a dump, instead of being
    /// a hash of a name.</summary>
    public const uint RootOwnerTag = 0x544F4F52;

    private readonly PageReader _pages;
    private readonly PageWriter? _writer;
    private readonly BTree _root;
    private readonly Dictionary<byte[], BTree> _trees;
    private readonly Dictionary<byte[], BTree>.AlternateLookup<ReadOnlySpan<byte>> _treesByName;

    /// <summary>The trees of a snapshot.</summary>
    /// <param name="pages">Pages of the snapshot.</param>
    /// <param name="rootHeader">Header of the root tree; default = a storage without trees.</param>
    public TreeCatalog(PageReader pages, in TreeHeader rootHeader)
        : this(pages, null, new BTree(pages, OrEmpty(rootHeader)))
    {
    }

    /// <summary>The trees of a write transaction.</summary>
    /// <param name="pages">Pages of the transaction.</param>
    /// <param name="rootHeader">Header of the root tree; default = a storage without trees.</param>
    public TreeCatalog(PageWriter pages, in TreeHeader rootHeader)
        : this(pages, pages, new BTree(pages, OrEmpty(rootHeader)))
    {
    }

    private TreeCatalog(PageReader pages, PageWriter? writer, BTree root)
    {
        _pages = pages;
        _writer = writer;
        _root = root;
        _trees = new Dictionary<byte[], BTree>(TreeNameComparer.Instance);
        _treesByName = _trees.GetAlternateLookup<ReadOnlySpan<byte>>();
    }

    /// <summary>Raised at the start of <see cref="Flush"/>: owners of other kinds hand in their headers here.</summary>
    public event Action<TreeCatalog>? Flushing;

    /// <summary>Header of the root tree, as of the last <see cref="Flush"/> and the changes of names since.</summary>
    public ref readonly TreeHeader RootHeader => ref _root.Header;

    /// <summary>True when <see cref="RootHeader"/> differs from the one the catalog was opened with.</summary>
    public bool RootHeaderChanged => _root.HeaderChanged;

    /// <summary>Number of trees of all kinds.</summary>
    public long TreeCount => _root.EntryCount;

    /// <summary>True for the catalog of a write transaction.</summary>
    public bool IsWritable => _writer is not null;

    /// <summary>Owner tag for the pages of a tree of this name.</summary>
    public static uint OwnerTagOf(ReadOnlySpan<byte> name)
    {
        // FNV-1a: the tag only has to differ between neighbours; it is stored in the header and never recomputed.
        uint hash = 2166136261;
        foreach (byte b in name)
        {
            hash = (hash ^ b) * 16777619;
        }

        return hash;
    }

    /// <summary>The B+tree of this name. Missing: null for a reader; created, empty, by a writer.</summary>
    /// <exception cref="InvalidOperationException">The name belongs to another kind of tree.</exception>
    public BTree? OpenTree(ReadOnlySpan<byte> name) => _writer is null ? FindTree(name) : CreateTree(name);

    /// <inheritdoc cref="OpenTree(ReadOnlySpan{byte})"/>
    public BTree? OpenTree(string name) => OpenTree(Encoding.UTF8.GetBytes(name));

    /// <summary>The B+tree of this name, null when missing; never creates one.</summary>
    /// <exception cref="InvalidOperationException">The name belongs to another kind of tree.</exception>
    public BTree? FindTree(ReadOnlySpan<byte> name)
    {
        if (_treesByName.TryGetValue(name, out BTree? open))
        {
            return open;
        }

        if (!TryGetStoredHeader(name, out TreeHeader header))
        {
            return null;
        }

        CheckKind(name, header.Kind, TreeKind.BTree);
        return Remember(name, header);
    }

    /// <inheritdoc cref="FindTree(ReadOnlySpan{byte})"/>
    public BTree? FindTree(string name) => FindTree(Encoding.UTF8.GetBytes(name));

    /// <summary>The B+tree of this name, created when missing. Writers only.</summary>
    /// <exception cref="InvalidOperationException">The catalog is a reader's, or the name belongs to another kind of
    /// tree.</exception>
    public BTree CreateTree(ReadOnlySpan<byte> name)
    {
        if (FindTree(name) is { } existing)
        {
            return existing;
        }

        CheckWritable();
        CheckName(name);
        TreeHeader header = BTree.EmptyHeader(OwnerTagOf(name));
        Store(name, header);
        return Remember(name, header);
    }

    /// <inheritdoc cref="CreateTree(ReadOnlySpan{byte})"/>
    public BTree CreateTree(string name) => CreateTree(Encoding.UTF8.GetBytes(name));

    /// <summary>Frees every page of a B+tree and forgets its name. The tree object must not be used
    /// afterwards.</summary>
    /// <returns>False when there is none.</returns>
    /// <exception cref="InvalidOperationException">The name belongs to another kind: its owner frees its pages, then
    /// calls
    /// <see cref="RemoveHeader(ReadOnlySpan{byte})"/>.</exception>
    public bool DeleteTree(ReadOnlySpan<byte> name)
    {
        CheckWritable();
        if (FindTree(name) is not { } tree)
        {
            return false;
        }

        tree.Drop();
        _treesByName.Remove(name);
        return _root.Delete(name);
    }

    /// <inheritdoc cref="DeleteTree(ReadOnlySpan{byte})"/>
    public bool DeleteTree(string name) => DeleteTree(Encoding.UTF8.GetBytes(name));

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

    /// <summary>A cursor over the names of all trees, in bytewise order; values are headers, stale for trees that
    /// changed since the last <see cref="Flush"/>.</summary>
    public BTreeCursor OpenNames() => _root.OpenCursor();

    /// <summary>Writes the changed headers to the root tree: call before commit, then store
    /// <see cref="RootHeader"/>.</summary>
    public void Flush()
    {
        CheckWritable();
        Flushing?.Invoke(this);
        foreach ((byte[] name, BTree tree) in _trees)
        {
            if (tree.HeaderChanged)
            {
                Store(name, tree.Header);
                tree.AcceptHeader();
            }
        }
    }

    private static TreeHeader OrEmpty(in TreeHeader header) =>
        header.Kind == TreeKind.None ? BTree.EmptyHeader(RootOwnerTag) : header;

    private static void CheckKind(ReadOnlySpan<byte> name, TreeKind stored, TreeKind wanted)
    {
        if (stored != wanted)
        {
            throw new InvalidOperationException($"The tree '{Show(name)}' is of kind {stored}, not {wanted}.");
        }
    }

    private static void CheckName(ReadOnlySpan<byte> name)
    {
        if (name.IsEmpty)
        {
            throw new ArgumentException("A tree needs a name.", nameof(name));
        }
    }

    private static string Show(ReadOnlySpan<byte> name) => Encoding.UTF8.GetString(name);

    private void CheckWritable()
    {
        if (_writer is null)
        {
            throw new InvalidOperationException("The trees of a snapshot cannot be changed.");
        }
    }

    private BTree Remember(ReadOnlySpan<byte> name, in TreeHeader header)
    {
        BTree tree = _writer is null ? new BTree(_pages, header) : new BTree(_writer, header);
        _trees.Add(name.ToArray(), tree);
        return tree;
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
