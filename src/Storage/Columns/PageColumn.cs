using System.Diagnostics;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Columns;

/// <summary>A named sequence of pages that grows at its end, as one transaction sees it. Whoever uses it puts records into the bodies of the pages, where they
/// are found by arithmetic.</summary>
/// <remarks>
/// The header in the catalog: root = first directory page, entries and leaf pages = pages of the column, branch pages = directory pages, value size = size of a
/// record. Thread: readers on any thread; the writer's thread for <see cref="Grow"/>.
/// </remarks>
public sealed class PageColumn
{
    private readonly byte[] _name;
    private readonly TreeCatalog _trees;
    private readonly PageWriter? _writer;
    private readonly ColumnDirectory _directory;
    private TreeHeader _header;

    private PageColumn(TreeCatalog trees, PageReader pages, ReadOnlySpan<byte> name, in TreeHeader header, ColumnDirectory directory)
    {
        _name = name.ToArray();
        _trees = trees;
        _writer = pages as PageWriter;
        _header = header;
        _directory = directory;
        directory.Load(pages, header);
    }

    /// <summary>Pages of the column; it may have more than were asked for.</summary>
    public long PageCount => _header.EntryCount;

    /// <summary>Bytes of a record, as its user said when it made the column.</summary>
    public int RecordSize => _header.ValueSize;

    /// <summary>Opens a column that exists; null if it does not.</summary>
    /// <param name="trees">The trees of the transaction.</param>
    /// <param name="pages">Its pages.</param>
    /// <param name="name">The name of the column.</param>
    /// <param name="directory">That of the column in this open storage.</param>
    /// <exception cref="CorruptedPageException">It is damaged.</exception>
    public static PageColumn? Find(TreeCatalog trees, PageReader pages, ReadOnlySpan<byte> name, ColumnDirectory directory)
    {
        ArgumentNullException.ThrowIfNull(trees);
        ArgumentNullException.ThrowIfNull(directory);
        return trees.TryGetHeader(name, out TreeHeader header) ? new PageColumn(trees, pages, name, Checked(header), directory) : null;
    }

    /// <summary>Opens a column, or makes an empty one. Writers only.</summary>
    /// <param name="trees">The trees of the transaction.</param>
    /// <param name="pages">Its pages.</param>
    /// <param name="name">The name of the column.</param>
    /// <param name="recordSize">Bytes, 1 or more.</param>
    /// <param name="directory">That of the column in this open storage.</param>
    /// <inheritdoc cref="Find(TreeCatalog, PageReader, ReadOnlySpan{byte}, ColumnDirectory)"/>
    public static PageColumn Create(TreeCatalog trees, PageWriter pages, ReadOnlySpan<byte> name, int recordSize, ColumnDirectory directory)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(recordSize);
        if (Find(trees, pages, name, directory) is { } known)
        {
            return known.RecordSize == recordSize ? known
                : throw new ArgumentException($"The column has records of {known.RecordSize} bytes, not {recordSize}.", nameof(recordSize));
        }

        var header = new TreeHeader { Kind = TreeKind.Column, ValueSize = checked((ushort)recordSize), OwnerTag = TreeCatalog.OwnerTagOf(name) };
        trees.SetHeader(name, header);
        return new PageColumn(trees, pages, name, header, directory);
    }

    /// <summary>Frees all pages of a column, if it exists, and forgets its name. Writers only.</summary>
    public static void Drop(TreeCatalog trees, PageWriter pages, ReadOnlySpan<byte> name)
    {
        if (Find(trees, pages, name, new ColumnDirectory()) is not { } column)
        {
            return;
        }

        for (long page = 0; page < column.PageCount; page++)
        {
            pages.FreePage(column.PageAt(page));
        }

        foreach (PageNumber page in ListDirectory(pages, column._header))
        {
            pages.FreePage(page);
        }

        trees.RemoveHeader(name);
    }

    /// <summary>Frees pages at the end of a column, and forgets its name with the first page. Writers only; nothing else of the transaction may have it open.
    /// </summary>
    /// <param name="trees">The trees of the transaction.</param>
    /// <param name="pages">Its pages.</param>
    /// <param name="name">The name of the column.</param>
    /// <param name="pagesMax">About how many are freed: whole extents, and one at least.</param>
    /// <returns>Whether the column is gone, or never was.</returns>
    public static bool DropEnd(TreeCatalog trees, PageWriter pages, ReadOnlySpan<byte> name, long pagesMax)
    {
        if (Find(trees, pages, name, new ColumnDirectory()) is not { } column)
        {
            return true;
        }

        long end = Math.Max(0, column.PageCount - pagesMax);
        if (end == 0)
        {
            Drop(trees, pages, name);
            return true;
        }

        column.Shrink(pages, ColumnExtents.OfPage(end));
        return false;
    }

    /// <summary>The number of a page.</summary>
    /// <param name="index">Below <see cref="PageCount"/>.</param>
    public PageNumber PageAt(long index) => _directory.PageAt(index);

    /// <summary>The body of a page, for reading.</summary>
    public unsafe ReadOnlySpan<byte> Read(PageReader pages, long index)
    {
        Debug.Assert(index >= 0 && index < PageCount);
        return new ReadOnlySpan<byte>(Checked(pages.GetPage(PageAt(index))).Body, Page.BodySize);
    }

    /// <summary>The body of a page, for writing. Writers only.</summary>
    public unsafe Span<byte> Modify(PageWriter pages, long index)
    {
        Debug.Assert(index >= 0 && index < PageCount);
        return new Span<byte>(Checked(pages.ModifyPage(PageAt(index))).Body, Page.BodySize);
    }

    /// <summary>Gives the column at least this number of pages, with bodies of zeros.</summary>
    public void Grow(long pages)
    {
        while (PageCount < pages)
        {
            AddExtent();
        }
    }

    /// <summary>Numbers of the directory pages, in order.</summary>
    internal static List<PageNumber> ListDirectory(PageReader pages, in TreeHeader header)
    {
        List<PageNumber> list = [];
        for (PageNumber at = header.Root; list.Count < header.BranchPages; at = ColumnDirectoryPage.Checked(pages.GetPage(at), header.OwnerTag).Next)
        {
            list.Add(at);
        }

        return list;
    }

    /// <exception cref="CorruptedPageException">The header is not that of a column.</exception>
    internal static TreeHeader Checked(in TreeHeader header)
    {
        long extents = header.EntryCount is < 0 or >= PageNumber.Limit ? -1 : ColumnExtents.Count(header.EntryCount);
        if (header.Kind != TreeKind.Column || header.ValueSize == 0 || header.EntryCount != header.LeafPages || extents < 0
            || header.EntryCount != ColumnExtents.FirstPage(extents) || header.Root.IsNone != (extents == 0)
            || header.BranchPages != (extents + ColumnDirectoryPage.Capacity - 1) / ColumnDirectoryPage.Capacity)
        {
            PageDamage.Throw(header.Root, "its header is not that of a column");
        }

        return header;
    }

    /// <exception cref="CorruptedPageException">The directory leads to a page that is not of this column.</exception>
    private Page Checked(Page page)
    {
        if (page.Header.Type != PageType.Column || page.Header.OwnerTag != _header.OwnerTag)
        {
            PageDamage.Throw(page.Number, "it is not a page of the column that leads to it");
        }

        return page;
    }

    // Extents from this one on go, and one is left at least.
    private void Shrink(PageWriter pages, long extents)
    {
        Debug.Assert(extents > 0);
        for (long page = ColumnExtents.FirstPage(extents); page < PageCount; page++)
        {
            pages.FreePage(PageAt(page));
        }

        List<PageNumber> directory = ListDirectory(pages, _header);
        int left = (int)((extents + ColumnDirectoryPage.Capacity - 1) / ColumnDirectoryPage.Capacity);
        directory.Skip(left).ToList().ForEach(pages.FreePage);
        ColumnDirectoryPage last = ColumnDirectoryPage.Checked(pages.ModifyPage(directory[left - 1]), _header.OwnerTag);
        last.Next = PageNumber.None;
        _header.BranchPages = left;
        _header.EntryCount = _header.LeafPages = ColumnExtents.FirstPage(extents);
        _trees.SetHeader(_name, _header);
    }

    private void AddExtent()
    {
        PageWriter writer = _writer ?? throw new InvalidOperationException("A column of a snapshot cannot grow.");
        long extent = ColumnExtents.Count(PageCount);
        int pages = ColumnExtents.PagesOf(extent);
        Debug.Assert(ColumnExtents.FirstPage(extent) == PageCount, "a column has whole extents");
        PageNumber first = writer.AllocateNeighbours(pages, PageType.Column, _header.OwnerTag);
        Note(writer, extent, first);
        _directory.Add(first);
        _header.EntryCount += pages;
        _header.LeafPages += pages;
        Debug.Assert(_header.EntryCount == _header.LeafPages, "each entry is a page");
        _trees.SetHeader(_name, _header);
    }

    private void Note(PageWriter writer, long extent, PageNumber first)
    {
        int index = (int)(extent % ColumnDirectoryPage.Capacity);
        List<PageNumber> directory = ListDirectory(writer, _header);
        if (index == 0)
        {
            Page added = writer.AllocatePage(PageType.ColumnDirectory, _header.OwnerTag, first);
            if (directory.Count == 0)
            {
                _header.Root = added.Number;
            }
            else
            {
                ColumnDirectoryPage last = ColumnDirectoryPage.Checked(writer.ModifyPage(directory[^1]), _header.OwnerTag);
                last.Next = added.Number;
            }

            directory.Add(added.Number);
            _header.BranchPages++;
        }

        ColumnDirectoryPage page = ColumnDirectoryPage.Checked(writer.ModifyPage(directory[^1]), _header.OwnerTag);
        page[index] = first;
    }
}
