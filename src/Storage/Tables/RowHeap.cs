using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Tables;

/// <summary>Rows of 1 byte to <see cref="Page.OverflowBytesMax"/>, found by <see cref="RowId"/>.</summary>
/// <remarks>
/// Rows are in sections: a directory page that knows the free bytes of each of the row pages after it. One section is
/// active: rows are appended to its active page, so a batch of inserts touches that page, the directory and the heap's
/// header. When nothing in the active section has room, another section with enough room becomes active, else a new
/// one is added, as large as the heap is.
/// Invariants:
/// 1. The directory's free bytes of a page are those of the page; their sum is the section's.
/// 2. Every section but the active one is listed in the section tree under {room class, directory page}; the class is
///    also in the directory. After a row grew, the class may be too high; it is corrected when the section is tried.
/// 3. A section without rows is freed, unless it is the active one.
/// Header: root, depth = section tree; entries = rows; branch pages = directory pages; leaf pages = row pages; overflow
/// pages; key size and value size = branch and leaf pages of the section tree; reserved1 = active directory page.
/// Thread: any one thread for reading, the writer thread for changes. No allocation per row.
/// </remarks>
public sealed partial class RowHeap
{
    private readonly PageReader _reader;
    private readonly PageWriter? _writer;
    private TreeHeader _header;

    // Sections that are not active, by room class and then position; the value is the section's count of row pages.
    private readonly FixedSizeTree<ulong, ushort> _sections;

    /// <summary>A heap for reading.</summary>
    /// <exception cref="CorruptionException">The header is not that of a row heap.</exception>
    public RowHeap(PageReader reader, in TreeHeader header)
        : this(reader, header, new FixedSizeTree<ulong, ushort>(reader, SectionTreeHeader(header)))
    {
    }

    /// <summary>A heap for reading and writing.</summary>
    /// <exception cref="CorruptionException">The header is not that of a row heap.</exception>
    public RowHeap(PageWriter writer, in TreeHeader header)
        : this(writer, header, new FixedSizeTree<ulong, ushort>(writer, SectionTreeHeader(header))) => _writer = writer;

    private RowHeap(PageReader reader, in TreeHeader header, FixedSizeTree<ulong, ushort> sections)
    {
        _reader = reader;
        _header = header;
        _sections = sections;
        if (header.Kind != TreeKind.RowHeap)
        {
            PageDamage.Throw(header.Root, "the header is not that of a row heap");
        }
    }

    /// <summary>Current root and counts.</summary>
    public ref readonly TreeHeader Header => ref _header;

    /// <summary>True when the header differs from the one last stored; the owner resets it by
    /// <see cref="AcceptHeader"/>.</summary>
    public bool HeaderChanged { get; private set; }

    /// <summary>Rows.</summary>
    public long RowCount => _header.EntryCount;

    /// <summary>Sections.</summary>
    public long SectionCount => _header.BranchPages;

    /// <summary>Pages of all kinds that the heap holds.</summary>
    public long PageCount => PagesOf(_header);

    internal static long PagesOf(in TreeHeader heap) => heap.BranchPages + heap.LeafPages + heap.OverflowPages + heap.KeySize + heap.ValueSize;

    internal FixedSizeTree<ulong, ushort> Sections => _sections;

    internal PageNumber ActiveSection => new((long)_header.Reserved1);

    private PageWriter Writer => _writer ?? throw new InvalidOperationException("The heap was opened for reading.");

    /// <summary>Header of a heap without rows.</summary>
    /// <param name="ownerTag">Hash of the owner's name; every page of the heap carries it.</param>
    public static TreeHeader EmptyHeader(uint ownerTag) => new() { Kind = TreeKind.RowHeap, OwnerTag = ownerTag };

    /// <summary>Called by the owner when it has stored <see cref="Header"/>.</summary>
    public void AcceptHeader() => HeaderChanged = false;

    /// <summary>Adds a copy of a row.</summary>
    public RowId Insert(ReadOnlySpan<byte> row)
    {
        row.CopyTo(Reserve(row.Length, out RowId id));
        return id;
    }

    /// <summary>Adds a row whose bytes the caller writes in place. The span is valid until the next change of the heap;
    /// its bytes are undefined, and all of them must be written.</summary>
    /// <param name="length">1..<see cref="Page.OverflowBytesMax"/>.</param>
    /// <param name="id">Where it is.</param>
    public Span<byte> Reserve(int length, out RowId id)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(length);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(length, Page.OverflowBytesMax);
        Span<byte> row = length > RowPage.RowBytesMax ? ReserveRun(length, out id) : ReserveInPage(length, out id);
        _header.EntryCount++;
        HeaderChanged = true;
        return row;
    }

    /// <summary>Replaces a row by a copy of another.</summary>
    /// <param name="id">The row.</param>
    /// <param name="row">Its new bytes, 1..<see cref="Page.OverflowBytesMax"/>; must not be a view of pages of this
    /// heap.</param>
    /// <returns>The same id when the row fits its page, or takes as many pages as its run; otherwise a new id, and the
    /// old one is no longer valid.</returns>
    public RowId Update(RowId id, ReadOnlySpan<byte> row)
    {
        ArgumentOutOfRangeException.ThrowIfZero(row.Length, nameof(row));
        ArgumentOutOfRangeException.ThrowIfGreaterThan(row.Length, Page.OverflowBytesMax, nameof(row));
        if (id.IsOverflow ? TryUpdateRun(id, row) : TryUpdateInPage(id, row))
        {
            return id;
        }

        RowId moved = Insert(row);
        Delete(id);
        return moved;
    }

    /// <summary>Removes a row.</summary>
    /// <exception cref="CorruptedPageException">There is no such row.</exception>
    public void Delete(RowId id)
    {
        Page page = Fetch(id);
        if (id.IsOverflow)
        {
            CheckRun(page, id);
            _header.OverflowPages -= page.PageCount;
            Writer.FreePage(id.Page);
        }
        else
        {
            RowPage rows = ModifyRows(id);
            rows.Delete(id.Slot);
            NoteFreeBytes(id.Page, rows.SectionIndex, rows.FreeBytes);
        }

        _header.EntryCount--;
        HeaderChanged = true;
    }

    internal RowSection GetSection(PageNumber number)
    {
        if (number.Value <= 0)
        {
            PageDamage.Throw(number, "a row page names a directory page that cannot exist");
        }

        return RowSection.Checked(_reader.GetPage(number), _header.OwnerTag);
    }

    internal RowPage GetRows(PageNumber number) => RowPage.Checked(_reader.GetPage(number), _header.OwnerTag);

    private static TreeHeader SectionTreeHeader(in TreeHeader heap)
    {
        TreeHeader header = FixedSizeTreeHeader.CreateEmpty<ulong, ushort>(heap.OwnerTag);
        header.Root = heap.Root;
        header.Depth = heap.Depth;
        header.BranchPages = heap.KeySize;
        header.LeafPages = heap.ValueSize;
        header.EntryCount = heap.BranchPages - (heap.Reserved1 == 0 ? 0 : 1);
        return header;
    }

    private Span<byte> ReserveRun(int length, out RowId id)
    {
        Page page = Writer.AllocateOverflow(length, _header.OwnerTag);
        _header.OverflowPages += page.PageCount;
        id = new RowId(page.Number, RowId.OverflowSlot);
        return PageBytes.OfOverflow(page);
    }

    private Span<byte> ReserveInPage(int length, out RowId id)
    {
        int bytes = length + RowPage.SlotBytes;
        RowSection section = default;
        bool hasRoom = false;
        if (_header.Reserved1 != 0)
        {
            section = ModifySection(ActiveSection);
            hasRoom = section.FreeBytes[section.ActivePage] >= bytes;
        }

        if (!hasRoom)
        {
            FindRoom(bytes);
            section = ModifySection(ActiveSection);
        }

        int index = section.ActivePage;
        PageNumber number = section.PageAt(index);
        RowPage rows = RowPage.Checked(Writer.ModifyPage(number), _header.OwnerTag);
        if (rows.FreeBytes < bytes)
        {
            PageDamage.Throw(number, "it has less room than its directory page says");
        }

        Span<byte> row = rows.Insert(length, out int slot);
        section.SetFreeBytes(index, rows.FreeBytes);
        id = new RowId(number, slot);
        return row;
    }

    private RowPage ModifyRows(RowId id)
    {
        if (RowPage.Checked(_reader.GetPage(id.Page), _header.OwnerTag).Read(id.Slot).IsEmpty)
        {
            ThrowNoRow(id);
        }

        return new RowPage(Writer.ModifyPage(id.Page));
    }

    private RowSection ModifySection(PageNumber number)
    {
        GetSection(number);
        return RowSection.Checked(Writer.ModifyPage(number), _header.OwnerTag);
    }

    private bool TryUpdateRun(RowId id, ReadOnlySpan<byte> row)
    {
        Page page = Fetch(id);
        CheckRun(page, id);
        if (row.Length <= RowPage.RowBytesMax || Page.CountPages(row.Length) != page.PageCount)
        {
            return false;
        }

        page = Writer.ModifyPage(id.Page);
        page.Header.OverflowBytes = row.Length;
        Span<byte> run = PageBytes.OfOverflowRun(page);
        row.CopyTo(run);
        run[row.Length..].Clear();
        return true;
    }

    private bool TryUpdateInPage(RowId id, ReadOnlySpan<byte> row)
    {
        Fetch(id);
        RowPage rows = ModifyRows(id);
        if (!rows.TryResize(id.Slot, row.Length, out Span<byte> place))
        {
            return false;
        }

        row.CopyTo(place);
        NoteFreeBytes(id.Page, rows.SectionIndex, rows.FreeBytes);
        return true;
    }
}
