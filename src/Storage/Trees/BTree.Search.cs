using System.Runtime.CompilerServices;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Trees;

/// <summary>The way from the root to a leaf, or straight to the last leaf used.</summary>
public sealed unsafe partial class BTree
{
    internal TreePage LoadBranch(PageNumber number) =>
        TreePage.Load(_pages.GetPage(number), PageType.TreeBranch, _header.OwnerTag);

    internal TreePage LoadLeaf(PageNumber number) =>
        TreePage.Load(_pages.GetPage(number), PageType.TreeLeaf, _header.OwnerTag);

    private TreePage LoadAt(int level, PageNumber number) =>
        level == _header.Depth - 1 ? LoadLeaf(number) : LoadBranch(number);

    /// <summary>Finds the leaf of a key and the key's index in it; the tree is not empty.</summary>
    private bool Locate(ReadOnlySpan<byte> key, out TreePage leaf, out int index)
    {
        fixed (byte* first = key)
        {
            if (TryLastLeaf(first, key.Length, out leaf, out index, out bool found))
            {
                return found;
            }

            leaf = Descend(first, key.Length);
            index = leaf.Find(first, key.Length, 0, out found);
            return found;
        }
    }

    /// <summary>Finds the place of a key for an upsert; the leaf is the transaction's own copy.</summary>
    /// <remarks>The copy is made before the search: copying reads the page sequentially, which is fast, and the search
    /// then finds all of it in the cache. In the opposite order every step of the search would wait for
    /// memory.</remarks>
    private TreePage LocateForChange(PageWriter writer, ReadOnlySpan<byte> key, out int index, out bool found)
    {
        fixed (byte* first = key)
        {
            if (TryLastLeaf(first, key.Length, out TreePage leaf, out index, out found))
            {
                return new TreePage(writer.ModifyPage(leaf.Number));
            }

            leaf = new TreePage(writer.ModifyPage(Descend(first, key.Length).Number));
            index = leaf.Find(first, key.Length, 0, out found);
            return leaf;
        }
    }

    private bool TryLastLeaf(byte* key, int length, out TreePage leaf, out int index, out bool found)
    {
        if (_pathIsValid && (_pathMisses < PathMissesMax || _pathMisses % PathTryInterval == 0) &&
            LocateOnPath(key, length, out leaf, out index, out found))
        {
            _pathMisses = 0;
            return true;
        }

        _pathMisses++;
        leaf = default;
        index = 0;
        found = false;
        return false;
    }

    /// <summary>Tries the last leaf used. It covers the key when the key lies between the leaf's keys, or beyond them
    /// at an edge of the tree.</summary>
    private bool LocateOnPath(byte* key, int length, out TreePage leaf, out int index, out bool found)
    {
        leaf = LoadLeaf(_path[_header.Depth - 1].Page);
        index = leaf.Count;
        int order = leaf.CompareWith(key, length, index - 1);
        if (order >= 0)
        {
            found = order == 0;
            index -= found ? 1 : 0;
            return found || _pathIsLast;
        }

        order = leaf.CompareWith(key, length, 0);
        if (order <= 0)
        {
            index = 0;
            found = order == 0;
            return found || _pathIsFirst;
        }

        index = leaf.Find(key, length, 1, out found);
        return true;
    }

    private TreePage Descend(byte* key, int length)
    {
        _pathIsValid = false;
        _pathIsFirst = _pathIsLast = true;
        int leafLevel = _header.Depth - 1;
        PageNumber number = _header.Root;
        for (int level = 0; level < leafLevel; level++)
        {
            TreePage branch = LoadBranch(number);
            int index = branch.FindChild(key, length);
            _path[level] = new PathStep { Page = number, Index = index };
            _pathIsFirst &= index == 0;
            _pathIsLast &= index == branch.Count - 1;
            number = branch.ChildAt(index);
        }

        _path[leafLevel] = new PathStep { Page = number };
        TreePage leaf = LoadLeaf(number);
        _pathIsValid = true;
        return leaf;
    }

    /// <summary>The keys that are looked up side by side: about as many lines of memory as a processor waits for at the same time, times the steps of a
    /// search that are in its caches.</summary>
    private const int SideBySideMax = 32;

    /// <summary>Finds values that are numbers of 8 bytes. A large tree is not in the caches of the processor, so that a search waits for memory at each step;
    /// here all searches take their steps by turns, and wait together.</summary>
    /// <param name="keys">In any order.</param>
    /// <param name="numbers">Receives the values, little-endian; 0 where there is no entry.</param>
    /// <exception cref="CorruptedPageException">A value has another length.</exception>
    public void GetNumbers(ReadOnlySpan<byte[]> keys, Span<ulong> numbers)
    {
        Span<PageSearch> searches = stackalloc PageSearch[Math.Min(keys.Length, SideBySideMax)];
        for (int first = 0; first < keys.Length; first += SideBySideMax)
        {
            ReadOnlySpan<byte[]> some = keys.Slice(first, Math.Min(SideBySideMax, keys.Length - first));
            if (_header.Depth == 0)
            {
                numbers.Slice(first, some.Length).Clear();
                continue;
            }

            FindSideBySide(some, searches);
            for (int i = 0; i < some.Length; i++)
            {
                numbers[first + i] = searches[i].IsFound ? NumberAt(searches[i]) : 0;
            }
        }
    }

    // All searches are on the same level, from the root down.
    private void FindSideBySide(ReadOnlySpan<byte[]> keys, Span<PageSearch> searches)
    {
        for (int i = 0; i < keys.Length; i++)
        {
            searches[i].Next = _header.Root;
        }

        for (int level = 0; level < _header.Depth; level++)
        {
            bool isLeaf = level == _header.Depth - 1;
            BeginPages(searches[..keys.Length], isLeaf);
            while (Step(keys, searches))
            {
            }

            for (int i = 0; i < keys.Length && !isLeaf; i++)
            {
                ref PageSearch search = ref searches[i];
                search.Next = search.Page.ChildAt(search.IsFound ? search.Low : search.Low - 1);
            }
        }
    }

    // No page is touched before the last one is known.
    private void BeginPages(Span<PageSearch> searches, bool isLeaf)
    {
        foreach (ref PageSearch search in searches)
        {
            Page page = _pages.GetPage(search.Next);
            Prefetch.Line(page.Address);
            search.Page = new TreePage(page);
            search.Page.PrefetchSlots();
        }

        foreach (ref PageSearch search in searches)
        {
            var loaded = TreePage.Load(new Page(search.Page.Address), isLeaf ? PageType.TreeLeaf : PageType.TreeBranch, _header.OwnerTag);
            search = new PageSearch { Page = loaded, Low = isLeaf ? 0 : 1, High = loaded.Count };
            loaded.PrefetchMiddle(search);
        }
    }

    // One step of each search; false when all have ended.
    private static bool Step(ReadOnlySpan<byte[]> keys, Span<PageSearch> searches)
    {
        bool isMore = false;
        for (int i = 0; i < keys.Length; i++)
        {
            ref PageSearch search = ref searches[i];
            if (search.Low < search.High)
            {
                fixed (byte* key = keys[i])
                {
                    search.Page.Step(key, keys[i].Length, ref search);
                }

                isMore |= search.Low < search.High;
            }
        }

        return isMore;
    }

    private ulong NumberAt(in PageSearch search)
    {
        ReadOnlySpan<byte> value = ValueAt(search.Page, search.Low);
        if (value.Length != sizeof(ulong))
        {
            search.Page.ThrowDamaged($"entry {search.Low} has a value of {value.Length} bytes, and 8 are expected");
        }

        return Unsafe.ReadUnaligned<ulong>(ref Unsafe.AsRef(in value[0]));
    }
}
