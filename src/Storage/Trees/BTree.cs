using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Trees;

/// <summary>A B+tree of byte strings in unsigned bytewise order of the keys, on the pages of one transaction.</summary>
/// <remarks>
/// One thread, one transaction, and one object per tree and transaction: the header is owned here, in memory, until the
/// transaction takes it over. No operation allocates, except for keys or values that lie in the changed page itself.
/// Invariants (walked by TreeVerifier):
/// <list type="number">
/// <item>Each key is in [separator of its leaf, next separator). Separators are the shortest that tell two leaves
/// apart.</item>
/// <item>All leaves are at the same depth; no page is empty; an empty tree owns no page.</item>
/// <item>Pages have no sibling pointers: a split would have to change a third page.</item>
/// <item>Values up to <see cref="InlineValueBytesMax"/> lie in the leaf, larger ones in one overflow run each.</item>
/// <item>A damaged page gives <see cref="CorruptedPageException"/>, never an access outside of pages. After an
/// exception during a change the tree may be half changed: the transaction must be rolled back.</item>
/// </list>
/// The way to the last leaf used is kept while no page is added or freed, so that runs of neighbouring keys, and
/// above all appends, skip the descent.
/// </remarks>
public sealed unsafe partial class BTree
{
    /// <summary>Longest key, in bytes. Key, <see cref="InlineValueBytesMax"/>, node header and slot stay below half a
    /// page, which is what keeps every split legal: two halves always fit two pages, wherever the largest entry
    /// goes.</summary>
    public const int KeyBytesMax = 2000;

    /// <summary>Largest value that lies in a leaf, in bytes; larger ones get an overflow run. A quarter of a page:
    /// four such entries with keys of up to 24 bytes fill a leaf, where a larger limit would waste up to half of
    /// it.</summary>
    public const int InlineValueBytesMax = 2000;

    /// <summary>After this number of consecutive keys that were not on the last leaf, the last leaf is tried only now and then: the try
    /// touches two entries that a random key would not have touched.</summary>
    private const int PathMissesMax = 3;

    /// <summary>How often the last leaf is tried then, so that a run of neighbours is noticed soon. A power of
    /// two.</summary>
    private const int PathTryInterval = 16;

    private PageReader _pages;
    private PageWriter? _writer;
    private TreeHeader _header;
    private TreePath _path;
    private bool _pathIsValid;
    private bool _pathIsFirst;
    private bool _pathIsLast;
    private uint _pathMisses;
    private BTreeCursor? _idleCursor;

    /// <summary>A tree of a snapshot.</summary>
    /// <param name="pages">Pages of the snapshot.</param>
    /// <param name="header">Stored header, or <see cref="EmptyHeader"/>.</param>
    /// <exception cref="CorruptionException">The header is impossible.</exception>
    public BTree(PageReader pages, in TreeHeader header)
    {
        CheckHeader(header);
        _pages = pages;
        _header = header;
    }

    /// <summary>A tree of a write transaction.</summary>
    /// <param name="pages">Pages of the transaction.</param>
    /// <param name="header">Stored header, or <see cref="EmptyHeader"/>.</param>
    /// <exception cref="CorruptionException">The header is impossible.</exception>
    public BTree(PageWriter pages, in TreeHeader header)
        : this((PageReader)pages, header) => _writer = pages;

    /// <summary>Root and counts as of the last change.</summary>
    public ref readonly TreeHeader Header => ref _header;

    /// <summary>True when <see cref="Header"/> changed since the tree was opened or its header was last taken
    /// over.</summary>
    public bool HeaderChanged { get; private set; }

    /// <summary>Number of entries.</summary>
    public long EntryCount => _header.EntryCount;

    /// <summary>Counts the changes: a cursor's position ends with the next one.</summary>
    internal int Version { get; private set; }

    /// <summary>Header of a new tree.</summary>
    public static TreeHeader EmptyHeader(uint ownerTag) => new() { Kind = TreeKind.BTree, OwnerTag = ownerTag };

    /// <summary>Looks a key up.</summary>
    /// <param name="key">Of any length; one that is too long is not found.</param>
    /// <param name="value">The stored bytes in place, valid until the next change of the tree or the end of the
    /// transaction.</param>
    public bool TryGet(ReadOnlySpan<byte> key, out ReadOnlySpan<byte> value)
    {
        if (_header.Depth == 0 || !Locate(key, out TreePage leaf, out int index))
        {
            value = default;
            return false;
        }

        value = ValueAt(leaf, index);
        return true;
    }

    /// <summary>True when the key has an entry.</summary>
    public bool Contains(ReadOnlySpan<byte> key) => _header.Depth != 0 && Locate(key, out _, out _);

    /// <summary>Adds an entry or replaces its value, in place where the new value needs no more room.</summary>
    /// <exception cref="ArgumentException">The key is longer than <see cref="KeyBytesMax"/>, or the value than
    /// <see cref="Page.OverflowBytesMax"/>.</exception>
    public void Put(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        TreePage leaf = LocateForChange(key, value.Length, out int index, out bool found);
        if (leaf.Overlaps(value) || (found && IsInRun(leaf, index, value)))
        {
            value = value.ToArray();
        }

        value.CopyTo(Place(leaf, index, found, key, value.Length, out RunReference replaced));
        FreeRun(replaced);
    }

    /// <summary>Like <see cref="Put"/> for a value that the caller writes in place.</summary>
    /// <returns>Space for exactly <paramref name="length"/> bytes, of undefined content, until the next change of the
    /// tree. The caller fills all of it.</returns>
    /// <exception cref="ArgumentException">As for <see cref="Put"/>, or <paramref name="length"/> is
    /// negative.</exception>
    public Span<byte> Reserve(ReadOnlySpan<byte> key, int length)
    {
        TreePage leaf = LocateForChange(key, length, out int index, out bool found);
        Span<byte> space = Place(leaf, index, found, key, length, out RunReference replaced);
        FreeRun(replaced);
        return space;
    }

    /// <summary>Removes an entry.</summary>
    /// <returns>False when there is none.</returns>
    public bool Delete(ReadOnlySpan<byte> key)
    {
        PageWriter writer = CheckedWriter();
        if (_header.Depth == 0 || !Locate(key, out TreePage leaf, out int index))
        {
            return false;
        }

        Version++;
        leaf.PayloadAt(index, out int field);
        RunReference run = field == TreePage.OverflowMark ? CheckedRun(leaf, index) : default;
        leaf = new TreePage(writer.ModifyPage(leaf.Number));
        leaf.Remove(index);
        FreeRun(run);
        _header.EntryCount--;
        HeaderChanged = true;
        if (leaf.UsedBytes < MergeBelowBytes)
        {
            Rebalance(_header.Depth - 1, leaf);
        }

        return true;
    }

    /// <summary>Removes all entries and frees all pages.</summary>
    public void Clear()
    {
        PageWriter writer = CheckedWriter();
        if (_header.Depth != 0)
        {
            Version++;
            _pathIsValid = false;
            FreeSubtree(writer, _header.Root, 0);
            _header = EmptyHeader(_header.OwnerTag) with { Flags = _header.Flags };
            HeaderChanged = true;
        }
    }

    /// <summary>A cursor without a position. Dispose it to reuse its memory for the next one.</summary>
    public BTreeCursor OpenCursor()
    {
        BTreeCursor cursor = _idleCursor ?? new BTreeCursor(this);
        _idleCursor = null;
        cursor.Reset();
        return cursor;
    }

    internal void Return(BTreeCursor cursor) => _idleCursor = cursor;

    /// <summary>Called after the header was stored: it counts as unchanged from then on.</summary>
    internal void AcceptHeader() => HeaderChanged = false;

    /// <summary>Makes the tree read another snapshot, as if it had just been opened there: frequent readers keep one object instead of
    /// making one per snapshot.</summary>
    /// <exception cref="InvalidOperationException">The tree is a write transaction's.</exception>
    /// <exception cref="CorruptionException">The header is impossible.</exception>
    internal void Rebind(PageReader pages, in TreeHeader header)
    {
        if (_writer is not null)
        {
            throw new InvalidOperationException("The tree of a write transaction cannot read another one.");
        }

        CheckHeader(header);
        _pages = pages;
        _header = header;
        _pathIsValid = false;
        Version++;
    }

    /// <summary>Frees all pages; any further change is refused.</summary>
    internal void Drop()
    {
        Clear();
        _writer = null;
    }

    private PageWriter CheckedWriter()
    {
        return _writer ??
            throw new InvalidOperationException("The tree is a snapshot's, or was deleted: it cannot be changed.");
    }

    /// <summary>The leaf for an upsert, as the transaction's own copy; an empty tree gets its first leaf.</summary>
    private TreePage LocateForChange(ReadOnlySpan<byte> key, int valueLength, out int index, out bool found)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(key.Length, KeyBytesMax, nameof(key));
        ArgumentOutOfRangeException.ThrowIfGreaterThan(
            (uint)valueLength, (uint)Page.OverflowBytesMax, nameof(valueLength));
        PageWriter writer = CheckedWriter();
        Version++;
        if (_header.Depth != 0)
        {
            return LocateForChange(writer, key, out index, out found);
        }

        TreePage root = Allocate(PageType.TreeLeaf, PageNumber.None);
        _header.Root = root.Number;
        _header.Depth = 1;
        _path[0] = new PathStep { Page = root.Number };
        _pathIsValid = _pathIsFirst = _pathIsLast = true;
        index = 0;
        found = false;
        return root;
    }

    private static void CheckHeader(in TreeHeader header)
    {
        if (header.Kind != TreeKind.BTree)
        {
            throw new ArgumentException($"The header is of kind {header.Kind}.", nameof(header));
        }

        if (header.Depth is < 0 or > TreePath.DepthMax || header.Root.IsNone != (header.Depth == 0) ||
            header.EntryCount < 0)
        {
            throw new CorruptionException($"The header of tree {header.OwnerTag:x8} is damaged: root {header.Root}, " +
                $"depth {header.Depth}, {header.EntryCount} entries.");
        }
    }
}
