using System.Diagnostics;
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
public sealed partial class TreeCatalog
{
    /// <summary>Owner tag of the root tree's pages. It spells "ROOT", which is easy to see in a dump, instead of being
    /// a hash of a name.</summary>
    public const uint RootOwnerTag = 0x544F4F52;

    /// <summary>Trees for which a catalog that is used again keeps room.</summary>
    private const int KeptTreesMax = 64;

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

    /// <summary>The B+tree of this name in a snapshot, null when missing, in an object that the caller keeps from one snapshot to the next:
    /// nothing is allocated once it is there. Readers only.</summary>
    /// <param name="name">Name of the tree.</param>
    /// <param name="reused">The object of an earlier call, null at first. It reads this snapshot from now on, or nothing when there is no
    /// such tree. One thread at a time; it must not be one that <see cref="FindTree(ReadOnlySpan{byte})"/> returned.</param>
    /// <exception cref="InvalidOperationException">The catalog is a writer's, in which a tree has one object, or the name belongs to another
    /// kind of tree.</exception>
    public BTree? FindTree(ReadOnlySpan<byte> name, ref BTree? reused)
    {
        if (_writer is not null)
        {
            throw new InvalidOperationException("The trees of a write transaction are not kept for the next one.");
        }

        bool isThere = TryGetStoredHeader(name, out TreeHeader header);
        if (!isThere)
        {
            header = BTree.EmptyHeader(0);
        }

        CheckKind(name, header.Kind, TreeKind.BTree);
        if (reused is not null)
        {
            reused.Rebind(_pages, header);
        }
        else if (isThere)
        {
            reused = new BTree(_pages, header);
        }

        return isThere ? reused : null;
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

    /// <summary>Opened trees for which there is room.</summary>
    internal int Capacity => _trees.Capacity;

    /// <summary>Makes the catalog of a snapshot that has ended one of another snapshot, which the same object reads.</summary>
    internal void Rebind(in TreeHeader rootHeader)
    {
        Debug.Assert(_trees.Count == 0, "the last snapshot was released");
        _root.Rebind(_pages, OrEmpty(rootHeader));
    }

    /// <summary>Forgets the trees of a snapshot that ends.</summary>
    internal void Release()
    {
        Debug.Assert(_writer is null && Flushing is null, "only writers hand in headers");
        if (_trees.Count > KeptTreesMax)
        {
            _trees.Clear();
            _trees.TrimExcess();
        }
        else if (_trees.Count > 0)
        {
            _trees.Clear();
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
}
