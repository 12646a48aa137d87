using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Columns;

/// <summary>A page that lists the extents of a column.</summary>
/// <remarks>
/// <code>
/// offset        size  field
///     64           8  the next directory page; 0 = none
///     72  8 x extent  the first page of each extent
/// </code>
/// </remarks>
internal readonly unsafe ref struct ColumnDirectoryPage
{
    /// <summary>Extents of a page.</summary>
    public const int Capacity = (Page.BodySize - sizeof(long)) / sizeof(long);

    private readonly Page _page;

    private ColumnDirectoryPage(Page page) => _page = page;

    public PageNumber Next
    {
        get => new(*(long*)_page.Body);
        set => *(long*)_page.Body = value.Value;
    }

    /// <summary>The first page of an extent.</summary>
    /// <exception cref="CorruptedPageException">No extent can begin there.</exception>
    public PageNumber this[int index]
    {
        get
        {
            long first = ((long*)_page.Body)[1 + index];
            if (first is <= 0 or >= PageNumber.Limit)
            {
                PageDamage.Throw(_page.Number, $"it is the directory page of a column, but its extent {index} begins at page {first}");
            }

            return new PageNumber(first);
        }

        set => ((long*)_page.Body)[1 + index] = value.Value;
    }

    /// <exception cref="CorruptedPageException">The page is not a directory page of the column.</exception>
    public static ColumnDirectoryPage Checked(Page page, uint ownerTag)
    {
        if (page.Header.Type != PageType.ColumnDirectory || page.Header.OwnerTag != ownerTag || page.Header.OverflowBytes != 0)
        {
            PageDamage.Throw(page.Number, "it is not the directory page of a column that leads to it");
        }

        return new ColumnDirectoryPage(page);
    }
}
