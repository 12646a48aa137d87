using System.Diagnostics;
using Jackdaw.Pal;

namespace Jackdaw.Storage.Paging;

/// <summary>Reads pages ahead of their use (decision 0065).</summary>
public sealed unsafe partial class DataFile
{
    /// <summary>Pages of a block that are read one by one before the whole block is read.</summary>
    private const int PagesBeforeBlock = 16;

    /// <summary>Pages that are read when a walk in order begins: this block and the next, so that the disk works while the pages of
    /// this one are used.</summary>
    private const long WalkPagesMin = 2 * VerifiedPages.BlockPages;

    /// <summary>Pages that are being read before a long walk: 8 MB. Disks give their best only to large requests.</summary>
    private const long WalkPagesMax = 16 * VerifiedPages.BlockPages;

    /// <summary>Pages in one call of the system, 4 KB of stack.</summary>
    private const int PrefetchPagesMax = 256;

    /// <summary>The first page that no walk has read ahead yet. Two walks at the same time overwrite it in turn, and then read less ahead.</summary>
    private long _walkEnd;

    /// <summary>Begins to read pages that will be used soon, and does not wait for them. Pages that are in memory cost little; numbers that no page has
    /// are left out. Any thread.</summary>
    public void Prefetch(ReadOnlySpan<PageNumber> pages)
    {
        if (_mapping is not { } mapping)
        {
            return;
        }

        Span<PalVector> ranges = stackalloc PalVector[Math.Min(pages.Length, PrefetchPagesMax)];
        long end = Math.Min(AllocatedBytes, mapping.ReservedBytes) / Page.Size;
        while (!pages.IsEmpty)
        {
            int taken = Math.Min(pages.Length, ranges.Length);
            int count = 0;
            foreach (PageNumber page in pages[..taken])
            {
                if (page.Value > 0 && page.Value < end)
                {
                    ranges[count++] = new PalVector { Base = mapping.Address + page.Offset, Length = Page.Size };
                }
            }

            if (count > 0)
            {
                mapping.WillNeed(ranges[..count]);
            }

            pages = pages[taken..];
        }
    }

    /// <summary>Begins to read neighbouring pages that will be used soon, and does not wait for them. Any thread.</summary>
    /// <param name="first">The first of them.</param>
    /// <param name="pages">How many; those behind the end of the file are left out.</param>
    public void Prefetch(PageNumber first, long pages)
    {
        Debug.Assert(first.Value > 0 && pages > 0);
        BeginRead(first, pages);
    }

    /// <summary>Called at the first use of a page. A page that is used alone is read alone, but in one piece (the kernel would read its halves one after
    /// the other). Where many pages of a block were used, or pages one after the other, the rest is read before it is asked for.</summary>
    private void ReadAhead(PageNumber number, PageNumber next)
    {
        int used = _verified.CountInBlock(number);
        long place = number.Value % VerifiedPages.BlockPages;
        PageNumber block = number + -place;
        bool follows = !block.IsNone && _verified.Contains(block + -1);
        if (follows && place == 0)
        {
            ReadWalk(number);
        }
        else if (follows && _verified.Contains(block) && used * 2 > place)
        {
            // A walk has entered the block, so that its pages are on their way.
        }
        else if (used > 0 && used % PagesBeforeBlock == 0)
        {
            BeginRead(block, VerifiedPages.BlockPages);
        }
        else if (used < PagesBeforeBlock)
        {
            BeginRead(number, 1);
        }

        if (number.Offset < AllocatedBytes && new Page(_base + number.Offset).PageCount is > 1 and int pages && number.Value + pages <= next.Value)
        {
            BeginRead(number, pages);
        }
    }

    /// <summary>A walk enters a block. The longer it is, the more is read before it, each page once.</summary>
    private void ReadWalk(PageNumber block)
    {
        long end = Volatile.Read(ref _walkEnd);
        long ahead = end - block.Value;
        if (ahead is < 0 or > WalkPagesMax)
        {
            (ahead, end) = (0, block.Value);
        }

        long newEnd = block.Value + Math.Min((2 * ahead) + WalkPagesMin, WalkPagesMax);
        Volatile.Write(ref _walkEnd, newEnd);
        BeginRead(new PageNumber(end), newEnd - end);
    }

    private void BeginRead(PageNumber first, long pages)
    {
        if (_mapping is { } mapping)
        {
            long bytes = Math.Min(pages * Page.Size, Math.Min(AllocatedBytes, mapping.ReservedBytes) - first.Offset);
            if (bytes > 0)
            {
                mapping.WillNeed([new PalVector { Base = mapping.Address + first.Offset, Length = bytes }]);
            }
        }
    }
}
