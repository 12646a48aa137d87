using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Tables;

/// <summary>From a row id to its bytes.</summary>
public sealed partial class RowHeap
{
    /// <summary>The bytes of a row, in place: valid until the next change of the heap or the end of the
    /// transaction.</summary>
    /// <exception cref="CorruptedPageException">There is no such row.</exception>
    public ReadOnlySpan<byte> Read(RowId id) => Read(_reader, _header.OwnerTag, id);

    /// <summary>Like <see cref="Read(RowId)"/>, without a heap object: a read needs only the owner's tag.</summary>
    internal static ReadOnlySpan<byte> Read(PageReader pages, uint ownerTag, RowId id)
    {
        Page page = Fetch(pages, id);
        if (id.IsOverflow)
        {
            CheckRun(page, ownerTag, id);
            return page.OverflowValue;
        }

        if (page.Header.Type != PageType.Rows || page.Header.OwnerTag != ownerTag)
        {
            PageDamage.Throw(id.Page, "not a row page of its table");
        }

        ReadOnlySpan<byte> row = new RowPage(page).Read(id.Slot);
        if (row.IsEmpty)
        {
            ThrowNoRow(id);
        }

        return row;
    }

    /// <summary>Starts loading where a row lies in its page.</summary>
    internal static void PrefetchPlace(PageReader pages, RowId id)
    {
        Page page = Fetch(pages, id);
        Prefetch.Lines(page, 0, PageHeader.SizeOf);
        if (!id.IsOverflow)
        {
            Prefetch.Lines(page, RowPage.OffsetOfSlot(id.Slot), 1);
        }
    }

    /// <summary>Starts loading the beginning of a row, of some bytes at most.</summary>
    internal static void PrefetchRow(PageReader pages, uint ownerTag, RowId id, int bytes)
    {
        ReadOnlySpan<byte> row = Read(pages, ownerTag, id);
        Prefetch.Lines(row[..Math.Min(bytes, row.Length)]);
    }

    internal void CheckRun(Page page, RowId id) => CheckRun(page, _header.OwnerTag, id);

    internal Page Fetch(RowId id) => Fetch(_reader, id);

    private static void CheckRun(Page page, uint ownerTag, RowId id)
    {
        if (page.Header.Type != PageType.Overflow || page.Header.OwnerTag != ownerTag ||
            page.Header.OverflowBytes is <= 0 or > Page.OverflowBytesMax)
        {
            PageDamage.Throw(id.Page, "not an overflow row of its table");
        }
    }

    private static Page Fetch(PageReader pages, RowId id)
    {
        if (id.Page.IsNone)
        {
            ThrowNoRow(id);
        }

        return pages.GetPage(id.Page);
    }

    private static void ThrowNoRow(RowId id) => PageDamage.Throw(id.Page, $"there is no row {id}");
}
