using System.Diagnostics;
using System.Runtime.InteropServices;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Scratch;

/// <summary>The pages that one write transaction changed: a dense list in order of the first change, and an index by page number.
/// Writer thread until the commit is submitted, then the committer.</summary>
internal sealed unsafe class ModifiedPages
{
    private const int InitialSize = 256;

    /// <summary>Lists above this many pages are not kept for the next transaction: one bulk load must not cost memory forever.</summary>
    private const int CachedSizeMax = 16 * 1024;

    private Entry[] _entries = new Entry[InitialSize];
    private int[] _index = new int[InitialSize * 2];
    private int _shift = 64 - System.Numerics.BitOperations.Log2(InitialSize * 2);

    /// <summary>Number of changed, new and freed pages or runs.</summary>
    public int Count { get; private set; }

    /// <summary>Replaced scratch memory, to be returned when the commit is over.</summary>
    public List<(nint Address, int Pages)> Dead { get; } = [];

    /// <summary>Direct runs that were written, by their first pages; their contents are in no journal (decision 0079).</summary>
    public DirectRuns Direct { get; } = new();

    /// <summary>All entries.</summary>
    public Span<Entry> Entries => _entries.AsSpan(0, Count);

    /// <summary>The entry of a page; a null reference when the transaction has not touched it.</summary>
    public ref Entry Find(PageNumber number)
    {
        int position = Hash(number.Value);
        for (int stored; (stored = _index[position]) != 0; position = (position + 1) & (_index.Length - 1))
        {
            if (_entries[stored - 1].Number == number)
            {
                return ref _entries[stored - 1];
            }
        }

        return ref System.Runtime.CompilerServices.Unsafe.NullRef<Entry>();
    }

    /// <summary>A new entry for a page that has none. The reference is valid until the next call.</summary>
    public ref Entry Add(PageNumber number)
    {
        Debug.Assert(System.Runtime.CompilerServices.Unsafe.IsNullRef(ref Find(number)), "a page has one entry");
        if (Count == _entries.Length)
        {
            Grow();
        }

        _entries[Count] = new Entry { Number = number };
        Link(number.Value, ++Count);
        return ref _entries[Count - 1];
    }

    /// <summary>Bytes of the changed and new pages.</summary>
    public long CountBytes()
    {
        long pages = 0;
        foreach (ref Entry entry in Entries)
        {
            pages += entry.Pages;
        }

        return pages * Page.Size;
    }

    /// <summary>Forgets the memory of all pages without returning it: the page table owns it.</summary>
    public void ForgetPages()
    {
        foreach (ref Entry entry in Entries)
        {
            entry.Current = null;
        }
    }

    /// <summary>Forgets everything, for reuse by another transaction.</summary>
    /// <returns>False when it grew too large to be kept.</returns>
    public bool TryReset()
    {
        Debug.Assert(Dead.Count == 0);
        Direct.Clear();
        if (_entries.Length > CachedSizeMax)
        {
            return false;
        }

        Count = 0;
        Array.Clear(_index);
        return true;
    }

    private int Hash(long page) => (int)(PageNumber.HashOf(page) >> _shift);

    private void Link(long page, int stored)
    {
        int position = Hash(page);
        while (_index[position] != 0)
        {
            position = (position + 1) & (_index.Length - 1);
        }

        _index[position] = stored;
    }

    private void Grow()
    {
        // Both are allocated before either is used: if the second allocation failed, the index would fill up, and a
        // search for a page that is not in it would never end.
        var entries = new Entry[_entries.Length * 2];
        var index = new int[entries.Length * 2];
        Entries.CopyTo(entries);
        (_entries, _index) = (entries, index);
        _shift--;
        for (int i = 0; i < Count; i++)
        {
            Link(_entries[i].Number.Value, i + 1);
        }
    }

    /// <summary>One page or run.</summary>
    [StructLayout(LayoutKind.Auto)]
    public struct Entry
    {
        /// <summary>First page.</summary>
        public PageNumber Number;

        /// <summary>The transaction's own copy; null when freed.</summary>
        public byte* Current;

        /// <summary>What the page was before: base of the diff. Null for a new page. Kept readable by the transaction's pin.</summary>
        public byte* Previous;

        /// <summary>Pages of the current copy; 0 when freed.</summary>
        public int Pages;

        /// <summary>A page of this number existed before the transaction and was freed in it (it may be new again).</summary>
        public bool WasFreed;

        /// <summary>Where the content goes; a direct run that was written has its content in the map of the data file, not in scratch.</summary>
        public PageWay Way;

        /// <summary>The current content has no predecessor: it is journaled against zeros.</summary>
        public readonly bool IsNew => Previous == null && Current != null;

        /// <summary>The current content is in scratch memory.</summary>
        public readonly bool IsInScratch => Current != null && Way != PageWay.Written;

        /// <summary>The page is free at the end of the transaction.</summary>
        public readonly bool IsFreed => Current == null;
    }
}
