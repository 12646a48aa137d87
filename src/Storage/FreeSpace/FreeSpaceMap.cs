using System.Diagnostics;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.FreeSpace;

/// <summary>Knows which pages of the data file are free, by one bitmap page per section at a fixed place. Writer thread only.</summary>
/// <remarks>
/// Section k covers pages [k * <see cref="SectionPages"/>, (k+1) * <see cref="SectionPages"/>); its bitmap is page
/// k * <see cref="SectionPages"/> + 1. A set bit is a free page. Page 0 (the file's header) and bitmap pages are never free,
/// so no run crosses a section's border. The bitmap page's entry count is the number of its set bits.
/// 1. Bitmaps are ordinary pages: changed in scratch, journaled as diffs, rolled back with their transaction. Being at fixed
///    places they need no tree, so allocating a page never needs another allocation.
/// 2. A page that a transaction frees may be reused by the very next one: contents go to scratch, and the old version stays
///    in the data file until no reader needs it.
/// 3. Allocation: one page near a hint; a small run by best fit; a large run by first fit. Otherwise the file grows.
/// 4. Free pages may have no blocks (<see cref="HoleMap"/>): a run gets them before it is taken.
/// 5. Pages that are written to at once, not by a flush, must be settled (<see cref="UnsettledPages"/>): 2. does not hold for them.
/// </remarks>
public sealed unsafe class FreeSpaceMap
{
    /// <summary>Pages per section: the bits of a page body.</summary>
    public const int SectionPages = Page.BodySize * 8;

    /// <summary>Index of the bitmap inside its section; 0 is the file header in section 0 and unused in the others.</summary>
    public const int BitmapIndex = 1;

    /// <summary>First index of a section that can hold data.</summary>
    public const int FirstIndex = 2;

    /// <summary>Largest run, in pages.</summary>
    public const int RunPagesMax = SectionPages - FirstIndex;

    /// <summary>Runs up to this size take the smallest free run that fits; larger ones take the first, because free runs of
    /// that size are rare and a complete scan gains nothing.</summary>
    private const int BestFitPagesMax = 64;

    /// <summary>Words of a section's bits.</summary>
    internal const int Words = Page.BodySize / 8;

    private readonly List<Section> _sections = [];
    private readonly UnsettledPages _unsettled = new();
    private readonly HoleMap? _holes;

    private readonly bool _appendOnly;

    /// <summary>An empty map; see <see cref="Load"/>.</summary>
    /// <param name="holes">Which pages may have no blocks and must get them before they are used; null = none.</param>
    /// <param name="appendOnly">True: free pages are never taken, so that the file grows; a baseline for
    /// benchmarks.</param>
    internal FreeSpaceMap(HoleMap? holes = null, bool appendOnly = false)
    {
        _holes = holes;
        _appendOnly = appendOnly;
    }

    /// <summary>Free pages in all sections, as the writer sees them.</summary>
    public long FreePages => _sections.Sum(section => (long)section.FreeCount);

    /// <summary>Number of the bitmap page of a section.</summary>
    public static PageNumber BitmapOf(long section) => new((section * SectionPages) + BitmapIndex);

    /// <summary>True for pages that belong to the map itself or to the file.</summary>
    public static bool IsReserved(PageNumber number) => number.Value % SectionPages < FirstIndex;

    /// <summary>True when a run of pages can be in use: it lies below the first page number that is not in use, in one section, and none of
    /// its pages is reserved.</summary>
    internal static bool CanHold(PageNumber first, int pages, PageNumber next)
    {
        long index = first.Value % SectionPages;
        return first.Value > 0 && pages > 0 && index >= FirstIndex && index + pages <= SectionPages && pages <= next.Value - first.Value;
    }

    /// <summary>Reads the counts of all sections, at open and after a rollback.</summary>
    public void Load(PageReader pages, PageNumber next)
    {
        _sections.Clear();
        for (long section = 0; BitmapOf(section) < next; section++)
        {
            int free = pages.GetPage(BitmapOf(section)).Header.Count;
            _sections.Add(new Section { FreeCount = free, LongestRunMax = free });
        }
    }

    /// <summary>Adds a section at the end of the file, whose bitmap page was just created.</summary>
    public void AddSection() => _sections.Add(new Section());

    /// <summary>Number of sections with a bitmap.</summary>
    public int SectionCount => _sections.Count;

    /// <summary>Allocates a run of free pages.</summary>
    /// <returns><see cref="PageNumber.None"/> when no run fits.</returns>
    /// <exception cref="DiskFullException">The run has no blocks, and the disk is full; nothing changed.</exception>
    public PageNumber TryTake(PageWriter pages, int count, PageNumber near)
    {
        Debug.Assert(count is > 0 and <= RunPagesMax);
        int preferred = (int)(near.Value / SectionPages);
        for (int i = 0; i < _sections.Count && !_appendOnly; i++)
        {
            int section = (preferred + i) % _sections.Count;
            if (!MayHold(section, count))
            {
                continue;
            }

            int start = i == 0 ? (int)(near.Value % SectionPages) : 0;
            int index = Find(Bits(pages.GetPage(BitmapOf(section))), count, start);
            if (index >= 0)
            {
                return Take(pages, section, index, count);
            }

            _sections[section] = _sections[section] with { LongestRunMax = count - 1 };
        }

        return PageNumber.None;
    }

    /// <summary>Allocates a run of pages that are free in every state from the synced one on, so that they may be written to before the
    /// transaction is ordered.</summary>
    /// <inheritdoc cref="TryTake"/>
    [SkipLocalsInit]
    internal PageNumber TryTakeSettled(PageWriter pages, int count)
    {
        Debug.Assert(count is > 0 and <= RunPagesMax);
        Span<ulong> settled = stackalloc ulong[Words];
        for (int section = 0; section < _sections.Count && !_appendOnly; section++)
        {
            if (!MayHold(section, count))
            {
                continue;
            }

            Bits(pages.GetPage(BitmapOf(section))).CopyTo(settled);
            _unsettled.RemoveFrom(section, settled);
            int index = Find(settled, count, 0);
            if (index >= 0)
            {
                return Take(pages, section, index, count);
            }
        }

        return PageNumber.None;
    }

    /// <summary>Notes that any free page may have been freed after the synced transaction: at the opening, when recovery found later ones.</summary>
    internal void Unsettle(PageReader pages, PageNumber next) => ForEachFreeRun(pages, next, _unsettled.Add);

    /// <summary>Notes how far the data file is synced. No write transaction is open.</summary>
    /// <param name="synced">The synced transaction.</param>
    /// <param name="newest">The last one that was ordered.</param>
    internal void Settle(long synced, long newest) => _unsettled.Settle(synced, newest);

    /// <summary>True when one of neighbouring pages was freed after the synced transaction, as far as that is known.</summary>
    internal bool HasUnsettled(PageNumber first, int count) => _unsettled.ContainsAny(first, count);

    /// <summary>Makes sure of the blocks of pages at the end of the file, which are in no bitmap yet.</summary>
    /// <exception cref="DiskFullException">They have none, and the disk is full.</exception>
    internal void FillAtEnd(PageNumber first, long count) => _holes?.Fill(first, count);

    /// <summary>Frees a run.</summary>
    public void Give(PageWriter pages, PageNumber first, int count)
    {
        Debug.Assert(!IsReserved(first));
        SetRange(pages, (int)(first.Value / SectionPages), (int)(first.Value % SectionPages), count, free: true);
        _unsettled.Add(first, count);
    }

    /// <summary>Calls back for every run of free pages.</summary>
    public static void ForEachFreeRun(PageReader pages, PageNumber next, Action<PageNumber, int> run)
    {
        for (long section = 0; BitmapOf(section) < next; section++)
        {
            ReadOnlySpan<ulong> bits = Bits(pages.GetPage(BitmapOf(section)));
            for (int index = NextBit(bits, 0, true); index < SectionPages;)
            {
                int end = NextBit(bits, index, false);
                run(new PageNumber((section * SectionPages) + index), end - index);
                index = NextBit(bits, end, true);
            }
        }
    }

    /// <summary>True when all pages of a run are free.</summary>
    /// <param name="bitmap">Bitmap page of a section.</param>
    /// <param name="index">First page of the run, counted from the section's first.</param>
    /// <param name="count">Pages; the run ends inside the section.</param>
    internal static bool IsFree(Page bitmap, int index, int count) => NextBit(Bits(bitmap), index, false) >= index + count;

    /// <summary>Free pages of a section, counted in its bitmap; the page's entry count must be the same.</summary>
    internal static int CountFree(Page bitmap)
    {
        int free = 0;
        foreach (ulong word in Bits(bitmap))
        {
            free += BitOperations.PopCount(word);
        }

        return free;
    }

    private static Span<ulong> Bits(Page page) => new(page.Body, Words);

    private static int Find(ReadOnlySpan<ulong> bits, int count, int start)
    {
        if (count == 1)
        {
            int near = NextBit(bits, start, true);
            int index = near < SectionPages ? near : NextBit(bits, 0, true);
            return index < SectionPages ? index : -1;
        }

        int best = -1;
        int bestLength = int.MaxValue;
        for (int index = NextBit(bits, 0, true); index < SectionPages;)
        {
            int end = NextBit(bits, index, false);
            int length = end - index;
            if (length >= count && length < bestLength)
            {
                best = index;
                bestLength = length;
                if (length == count || count > BestFitPagesMax)
                {
                    break;
                }
            }

            index = NextBit(bits, end, true);
        }

        return best;
    }

    /// <summary>First bit of the wanted value at or after an index; <see cref="SectionPages"/> when there is none.</summary>
    private static int NextBit(ReadOnlySpan<ulong> bits, int index, bool value)
    {
        int word = index / 64;
        if (word >= bits.Length)
        {
            return SectionPages;
        }

        ulong flip = value ? 0 : ulong.MaxValue;
        ulong current = (bits[word] ^ flip) & (ulong.MaxValue << (index % 64));
        while (current == 0)
        {
            int skip = bits[(word + 1)..].IndexOfAnyExcept(flip);
            if (skip < 0)
            {
                return SectionPages;
            }

            word += 1 + skip;
            current = bits[word] ^ flip;
        }

        return (word * 64) + BitOperations.TrailingZeroCount(current);
    }

    private bool MayHold(int section, int count) => _sections[section].FreeCount >= count && _sections[section].LongestRunMax >= count;

    private PageNumber Take(PageWriter pages, int section, int index, int count)
    {
        var first = new PageNumber(((long)section * SectionPages) + index);
        _holes?.Fill(first, count);
        SetRange(pages, section, index, count, free: false);
        return first;
    }

    private void SetRange(PageWriter pages, int section, int index, int count, bool free)
    {
        Page page = pages.ModifyPage(BitmapOf(section));
        Span<ulong> bits = Bits(page);
        for (int i = index; i < index + count; i++)
        {
            ulong mask = 1UL << (i % 64);
            Invariant.Check((bits[i / 64] & mask) != 0 != free, "a page is freed twice or allocated twice");
            bits[i / 64] ^= mask;
        }

        int total = _sections[section].FreeCount + (free ? count : -count);
        Invariant.Check(total is >= 0 and <= SectionPages, "the free count of a section left its range");
        page.Header.Count = (ushort)total;
        int longest = free ? total : Math.Min(_sections[section].LongestRunMax, total);
        _sections[section] = new Section { FreeCount = total, LongestRunMax = longest };
    }

    /// <summary>The facts about a section that the writer knows without reading its bitmap.</summary>
    [StructLayout(LayoutKind.Auto)]
    private readonly record struct Section
    {
        public int FreeCount { get; init; }

        /// <summary>No run is longer than this; exact only after a search failed.</summary>
        public int LongestRunMax { get; init; }
    }
}
