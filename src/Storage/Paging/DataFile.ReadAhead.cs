using Jackdaw.Pal;

namespace Jackdaw.Storage.Paging;

/// <summary>What is read before somebody waits for it (decision 0065).</summary>
public sealed unsafe partial class DataFile
{
    /// <summary>Pages of a block that are read one by one before the whole block is read.</summary>
    private const int PagesBeforeBlock = 16;

    /// <summary>Pages that are read when a walk in order enters a block: this block and the next, so that the disk works while the pages of this one
    /// are used.</summary>
    private const int WalkPages = 2 * VerifiedPages.BlockPages;

    /// <summary>Pages in one call of the system, 4 KB of stack.</summary>
    private const int PrefetchPagesMax = 256;

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

    /// <summary>Called at the first use of a page. A page that is used alone is read alone, but in one piece (the kernel would read its halves one after
    /// the other). Where many pages of a block were used, or pages one after the other, the rest is read before it is asked for.</summary>
    private void ReadAhead(PageNumber number, PageNumber next)
    {
        int used = _verified.CountInBlock(number);
        long place = number.Value % VerifiedPages.BlockPages;
        if (place == 0 && _verified.Contains(number + -1))
        {
            BeginRead(number, WalkPages);
        }
        else if (used > 0 && used % PagesBeforeBlock == 0)
        {
            BeginRead(number + -place, VerifiedPages.BlockPages);
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
