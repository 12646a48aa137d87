using Jackdaw.Storage.Columns;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Verification;

/// <summary>Walks a column and proves its invariants: its pages are where its directory says, and belong to it.</summary>
internal static class ColumnVerifier
{
    /// <summary>Proves one column.</summary>
    /// <param name="pages">Pages of the snapshot.</param>
    /// <param name="header">Header of the column.</param>
    /// <param name="reportPage">Called once for each page: its number and the pages it spans.</param>
    /// <exception cref="CorruptedPageException">The first broken invariant.</exception>
    public static void Verify(PageReader pages, in TreeHeader header, Action<PageNumber, int> reportPage)
    {
        TreeHeader known = PageColumn.Checked(header);
        foreach (PageNumber page in PageColumn.ListDirectory(pages, known))
        {
            reportPage(page, 1);
        }

        var directory = new ColumnDirectory();
        directory.Load(pages, known);
        for (long index = 0; index < known.EntryCount; index++)
        {
            PageNumber number = directory.PageAt(index);
            Page page = pages.GetPage(number);
            if (page.Header.Type != PageType.Column || page.Header.OwnerTag != known.OwnerTag)
            {
                PageDamage.Throw(number, $"it is not page {index} of the column that leads to it");
            }

            reportPage(number, 1);
        }
    }
}
