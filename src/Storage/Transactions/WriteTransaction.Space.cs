using System.Diagnostics;
using System.Runtime.CompilerServices;
using Jackdaw.Storage.FreeSpace;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Scratch;

namespace Jackdaw.Storage.Transactions;

/// <content>Which pages are taken and given back.</content>
public sealed unsafe partial class WriteTransaction
{
    /// <inheritdoc/>
    public override void FreePage(PageNumber number) => Free(number, GetPage(number).PageCount);

    /// <inheritdoc/>
    public override void FreeRun(PageNumber first, int overflowBytes)
    {
        int pages = Page.CountPages(overflowBytes);
        ref ModifiedPages.Entry entry = ref Modified.Find(first);
        bool isRun = Unsafe.IsNullRef(ref entry) ? FreeSpaceMap.CanHold(first, pages, _next) : entry.Pages == pages;
        if (!isRun)
        {
            throw new CorruptedPageException(Path, first, $"a run of {overflowBytes} bytes is freed there, and there is none");
        }

        Free(first, pages);
    }

    private void Free(PageNumber number, int pages)
    {
        Debug.Assert(!_ended);
        ref ModifiedPages.Entry entry = ref Modified.Find(number);
        if (Unsafe.IsNullRef(ref entry))
        {
            entry = ref Modified.Add(number);
            entry.WasFreed = true;
        }
        else
        {
            if (entry.IsInScratch)
            {
                Modified.Dead.Add(((nint)entry.Current, entry.Pages));
            }

            entry.WasFreed |= entry.Previous != null;
            Modified.Direct.Remove(number);
        }

        entry.Way = PageWay.Journal;
        entry.Current = null;
        entry.Previous = null;
        entry.Pages = 0;
        _freeSpace.Give(this, number, pages);
    }

    private PageNumber TakeNumbers(int count, PageNumber near)
    {
        Debug.Assert(!_ended);
        if (count > FreeSpaceMap.RunPagesMax)
        {
            throw new ArgumentOutOfRangeException(nameof(count), count, "A run must fit one free-space section.");
        }

        PageNumber hole = _freeSpace.TryTake(this, count, near);
        return hole.IsNone ? TakeAtEnd(count) : hole;
    }

    private PageNumber TakeAtEnd(int count)
    {
        long left = FreeSpaceMap.SectionPages - (_next.Value % FreeSpaceMap.SectionPages);
        bool atStart = left == FreeSpaceMap.SectionPages;
        if (atStart || left < count)
        {
            // The rest of the section stays usable for smaller runs; the run starts after the next section's bitmap.
            PageNumber rest = _next;
            PageNumber section = atStart ? _next : _next + left;
            _dataFile.EnsurePages(section + FreeSpaceMap.FirstIndex + count);
            _freeSpace.FillAtEnd(section, FreeSpaceMap.FirstIndex + count);
            _next = section + FreeSpaceMap.FirstIndex;
            Create(section + FreeSpaceMap.BitmapIndex, PageType.FreeSpace, 0, 0);
            _freeSpace.AddSection();
            if (!atStart)
            {
                _freeSpace.Give(this, rest, (int)left);
            }
        }

        _dataFile.EnsurePages(_next + count);
        _freeSpace.FillAtEnd(_next, count);
        PageNumber first = _next;
        _next += count;
        return first;
    }
}
