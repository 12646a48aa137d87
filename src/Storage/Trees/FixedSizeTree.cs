using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using System.Runtime.CompilerServices;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Trees;

/// <summary>B+tree from keys of one fixed size to values of one fixed size, both plain structs, ordered by the key's
/// operators.</summary>
/// <remarks>
/// Invariants:
/// 1. Every page has at least one entry; an empty tree has no page and depth 0.
/// 2. Keys ascend strictly in a leaf and from leaf to leaf; the separator of a branch's child i &gt; 0 is not above any
///    key below child i and above every key below child i - 1.
/// 3. All leaves have the same depth. A root branch has at least two children.
/// 4. There is no least number of entries per page. A page is merged with a neighbour under the same parent when both
/// fit three quarters of a page, which is tried only now and then. So deleting from the front and appending at the end
/// neither leaves nearly empty pages nor frees and allocates pages all the time. The header lives in memory: the owner of the tree stores <see cref="Header"/>
/// when <see cref="HeaderChanged"/>. Thread: any one thread for reading, the writer thread for changes. No allocation after construction.
/// </remarks>
public sealed unsafe partial class FixedSizeTree<TKey, TValue>
    where TKey : unmanaged, IComparisonOperators<TKey, TKey, bool>
    where TValue : unmanaged
{
    /// <summary>Largest key and largest value in bytes: 8 entries a page at the least, and separators stay
    /// cheap.</summary>
    public const int EntryPartBytesMax = Page.BodySize / 16;

    private readonly PageReader _reader;
    private readonly PageWriter? _writer;
    private TreeHeader _header;

    // The rightmost leaf when known: an append looks here first and needs no descent. Forgotten on each change of
    // structure.
    private PageNumber _lastLeaf;

    /// <summary>A tree for reading.</summary>
    /// <exception cref="CorruptionException">The header is not that of a tree with these entry
    /// sizes.</exception>
    public FixedSizeTree(PageReader reader, in TreeHeader header)
    {
        if (sizeof(TKey) > EntryPartBytesMax || sizeof(TValue) > EntryPartBytesMax)
        {
            throw new ArgumentException(
                $"Keys and values of a fixed-entry tree have at most {EntryPartBytesMax} bytes.");
        }

        _reader = reader;
        _header = header;
        if (header.Kind != TreeKind.FixedSize || header.KeySize != sizeof(TKey) || header.ValueSize != sizeof(TValue) ||
            (uint)header.Depth > FixedSizeTreePath.DepthMax || header.Depth == 0 != header.Root.IsNone)
        {
            PageDamage.Throw(
                header.Root, $"its header is not that of a tree of {sizeof(TKey)} + {sizeof(TValue)} bytes");
        }
    }

    /// <summary>A tree for reading and writing.</summary>
    /// <exception cref="CorruptionException">The header is not that of a tree with these entry
    /// sizes.</exception>
    public FixedSizeTree(PageWriter writer, in TreeHeader header)
        : this((PageReader)writer, header) => _writer = writer;

    /// <summary>Current root and counts.</summary>
    public ref readonly TreeHeader Header => ref _header;

    /// <summary>True when the header differs from the one last stored; the owner resets it by
    /// <see cref="AcceptHeader"/>.</summary>
    public bool HeaderChanged { get; private set; }

    /// <summary>Entries.</summary>
    public long EntryCount => _header.EntryCount;

    /// <summary>Grows with each change: cursors compare it, because a change may move their entry.</summary>
    internal int Version { get; private set; }

    private PageWriter Writer => _writer ?? throw new InvalidOperationException("The tree was opened for reading.");

    /// <summary>Called by the owner when it has stored <see cref="Header"/>.</summary>
    public void AcceptHeader() => HeaderChanged = false;

    /// <summary>Looks a key up: one page per level.</summary>
    public bool TryGet(TKey key, out TValue value)
    {
        if (_header.Depth > 0)
        {
            PageNumber number = _header.Root;
            for (int level = _header.Depth - 1; level > 0; level--)
            {
                FixedSizeTreePage<TKey, PageNumber> branch = GetBranch(number);
                number = branch.Value(branch.ChildIndex(key));
            }

            FixedSizeTreePage<TKey, TValue> leaf = GetLeaf(number);
            int index = leaf.LowerBound(key);
            if (index < leaf.Count && leaf.Key(index) == key)
            {
                value = leaf.Value(index);
                return true;
            }
        }

        value = default;
        return false;
    }

    /// <summary>True when the tree has the key.</summary>
    public bool Contains(TKey key) => TryGet(key, out _);

    /// <summary>The largest key.</summary>
    public bool TryGetLast(out TKey key, out TValue value)
    {
        var cursor = new FixedSizeTreeCursor<TKey, TValue>(this);
        bool found = cursor.SeekLast();
        key = found ? cursor.Key : default;
        value = found ? cursor.Value : default;
        return found;
    }

    /// <summary>A cursor without a position; valid until the next change of the tree.</summary>
    public FixedSizeTreeCursor<TKey, TValue> GetCursor() => new(this);

    /// <summary>Entries whose key is not below the given one. Cost: every leaf from there on.</summary>
    public long CountFrom(TKey key)
    {
        var cursor = new FixedSizeTreeCursor<TKey, TValue>(this);
        return cursor.Seek(key) ? cursor.CountToEnd() : 0;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal FixedSizeTreePage<TKey, TValue> GetLeaf(PageNumber number) =>
        FixedSizeTreePage<TKey, TValue>.Checked(Fetch(number), PageType.FixedLeaf, _header.OwnerTag);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal FixedSizeTreePage<TKey, PageNumber> GetBranch(PageNumber number) =>
        FixedSizeTreePage<TKey, PageNumber>.Checked(Fetch(number), PageType.FixedBranch, _header.OwnerTag);

    /// <summary>Finds the leaf of a key and records the path; the index in its last step is that of the first entry not
    /// below the key.</summary>
    /// <returns>True when the leaf is the rightmost one.</returns>
    internal bool Descend(TKey key, ref FixedSizeTreePath path)
    {
        Debug.Assert(_header.Depth > 0);
        bool isRightmost = true;
        PageNumber number = _header.Root;
        int level = 0;
        for (; level < _header.Depth - 1; level++)
        {
            FixedSizeTreePage<TKey, PageNumber> branch = GetBranch(number);
            int index = branch.ChildIndex(key);
            isRightmost &= index == branch.Count - 1;
            path[level].Page = number;
            path[level].Index = index;
            number = branch.Value(index);
        }

        path[level].Page = number;
        path[level].Index = GetLeaf(number).LowerBound(key);
        return isRightmost;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private Page Fetch(PageNumber number)
    {
        if (number.Value <= 0)
        {
            ThrowChild();
        }

        return _reader.GetPage(number);
    }

    [DoesNotReturn]
    private void ThrowChild() =>
        PageDamage.Throw(_header.Root, "a branch below this root names a page that cannot exist");
}
