using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Tables;

/// <summary>The directory page of a section of neighbouring row pages: a view, no state.</summary>
/// <remarks>
/// <code>
/// offset size field
///     28    1 page type: RowSection
///     64    2 row pages n: they follow the directory page directly
///     66    2 fresh: row pages from this index on were never used since the section was created or emptied
///     68    2 index of the row page that takes the next row, while the section is the active one
///     70    1 room class under which the heap lists the section, while it is not the active one
///     71    1 zero
///     72    4 free bytes of all its row pages
///     76    4 zero
///     80  2*n free bytes of each row page (rows and slots, garbage included)
/// </code>
/// The same table is in docs/formats/tables.md.
/// </remarks>
internal readonly ref struct RowSection
{
    /// <summary>Pages of the smallest section, directory included: a table of a few rows takes 64 KB.</summary>
    public const int PageCountMin = 8;

    /// <summary>Pages of the largest section, directory included: 1 MB is contiguous. More would make the journal entry
    /// of the transaction that adds a section noticeably larger.</summary>
    public const int PageCountMax = 128;

    /// <summary>Bytes of one room class. A section of class c has a page with at least c times this free.</summary>
    public const int RoomClassBytes = 512;

    /// <summary>Free bytes from which on a page is worth returning to: less would mean a page touched for a row or
    /// two.</summary>
    private const int WorthwhileFreeBytes = RowPage.EmptyFreeBytes / 4;

    private const int FreeBytesOffset = PageHeader.SizeOf + 16;

    private readonly Span<byte> _bytes;

    private RowSection(Page page) => _bytes = PageBytes.Of(page);

    /// <summary>Number of the directory page: identity of the section.</summary>
    public PageNumber Number => MemoryMarshal.AsRef<PageHeader>(_bytes).PageNumber;

    /// <summary>Row pages.</summary>
    public int RowPages => Fields.RowPages;

    /// <summary>Row pages used so far.</summary>
    public int Fresh => Fields.Fresh;

    /// <summary>Free bytes of all row pages.</summary>
    public long FreeBytesTotal => Fields.FreeBytes;

    /// <summary>True when no page has a row.</summary>
    public bool IsEmpty => Fields.FreeBytes == (uint)(RowPages * RowPage.EmptyFreeBytes);

    /// <summary>Index of the page that takes the next row.</summary>
    public int ActivePage
    {
        get => Fields.ActivePage;
        set => Fields.ActivePage = (ushort)value;
    }

    /// <summary>Class under which the heap lists the section.</summary>
    public byte RoomClass
    {
        get => Fields.RoomClass;
        set => Fields.RoomClass = value;
    }

    /// <summary>Free bytes of each row page.</summary>
    public ReadOnlySpan<ushort> FreeBytes =>
        MemoryMarshal.Cast<byte, ushort>(_bytes.Slice(FreeBytesOffset, RowPages * sizeof(ushort)));

    private ref RowSectionFields Fields => ref Unsafe.As<byte, RowSectionFields>(ref _bytes[PageHeader.SizeOf]);

    /// <summary>Number of a row page.</summary>
    public PageNumber PageAt(int index) => Number + 1 + index;

    /// <summary>A checked view of a page: it must be a directory page of this owner, and its counts must be within their bounds.</summary>
    /// <exception cref="CorruptedPageException">The page is not such a page.</exception>
    public static RowSection Checked(Page page, uint ownerTag)
    {
        var view = new RowSection(page);
        ref PageHeader header = ref MemoryMarshal.AsRef<PageHeader>(view._bytes);
        if (header.Type != PageType.RowSection || header.OwnerTag != ownerTag ||
            view.RowPages is 0 or >= PageCountMax || view.Fresh > view.RowPages || view.ActivePage >= view.RowPages)
        {
            PageDamage.Throw(header.PageNumber, "not a directory of its table, or its counts are out of bounds");
        }

        return view;
    }

    /// <summary>Makes the first page of a new section its directory; page 0 is active.</summary>
    public static RowSection Format(Page page, int rowPages)
    {
        var view = new RowSection(page);
        page.Header.Type = PageType.RowSection;
        view.Fields = new RowSectionFields
        {
            RowPages = (ushort)rowPages,
            Fresh = 1,
            FreeBytes = (uint)(rowPages * RowPage.EmptyFreeBytes),
        };
        view.FreeBytesForWriting.Fill(RowPage.EmptyFreeBytes);
        return view;
    }

    /// <summary>Records the free bytes of a row page.</summary>
    public void SetFreeBytes(int index, int freeBytes)
    {
        ref ushort old = ref FreeBytesForWriting[index];
        Fields.FreeBytes = Fields.FreeBytes - old + (uint)freeBytes;
        old = (ushort)freeBytes;
    }

    /// <summary>Resets the directory: every page is empty.</summary>
    public void Restart()
    {
        Debug.Assert(IsEmpty);
        Fields.ActivePage = 0;
        Fields.Fresh = 1;
    }

    /// <summary>Makes a page with room the active one: the next fresh page, otherwise the page with the most room if
    /// that is enough to be worth it.</summary>
    public bool TryAdvance(int bytes)
    {
        if (Fields.Fresh < RowPages)
        {
            ActivePage = Fields.Fresh++;
            return true;
        }

        int roomiest = FindRoomiest();
        if (FreeBytes[roomiest] < Math.Max(bytes, WorthwhileFreeBytes))
        {
            return false;
        }

        ActivePage = roomiest;
        return true;
    }

    /// <summary>The class now. It is 0, which is never chosen, until a quarter of the section is free.</summary>
    public byte ComputeRoomClass() =>
        FreeBytesTotal < (long)WorthwhileFreeBytes * RowPages
            ? (byte)0
            : (byte)(FreeBytes[FindRoomiest()] / RoomClassBytes);

    private Span<ushort> FreeBytesForWriting =>
        MemoryMarshal.Cast<byte, ushort>(_bytes.Slice(FreeBytesOffset, RowPages * sizeof(ushort)));

    private int FindRoomiest()
    {
        ReadOnlySpan<ushort> freeBytes = FreeBytes;
        int best = 0;
        for (int i = 1; i < freeBytes.Length; i++)
        {
            best = freeBytes[i] > freeBytes[best] ? i : best;
        }

        return best;
    }

    [StructLayout(LayoutKind.Sequential, Pack = 1, Size = 16)]
    private struct RowSectionFields
    {
        public ushort RowPages;
        public ushort Fresh;
        public ushort ActivePage;
        public byte RoomClass;
        public byte Zero;
        public uint FreeBytes;
        public uint Reserved;
    }
}
