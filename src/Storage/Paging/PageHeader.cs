using System.Runtime.InteropServices;

namespace Jackdaw.Storage.Paging;

/// <summary>The contents of a page.</summary>
public enum PageType : byte
{
    /// <summary>Never written by us: a page of this type that is referenced is damage.</summary>
    None = 0,

    /// <summary>Bitmap of the free pages of one section.</summary>
    FreeSpace = 1,

    /// <summary>Branch of a B+tree: separators and child page numbers.</summary>
    TreeBranch = 2,

    /// <summary>Leaf of a B+tree.</summary>
    TreeLeaf = 3,

    /// <summary>Branch of a fixed-entry tree.</summary>
    FixedBranch = 4,

    /// <summary>Leaf of a fixed-entry tree.</summary>
    FixedLeaf = 5,

    /// <summary>First page of a run of pages that hold one large value.</summary>
    Overflow = 6,

    /// <summary>Directory page of a section of row pages.</summary>
    RowSection = 7,

    /// <summary>Page of table rows.</summary>
    Rows = 8,

    /// <summary>Page of a column: its user's records.</summary>
    Column = 9,

    /// <summary>List of the extents of a column.</summary>
    ColumnDirectory = 10,
}

/// <summary>First 64 bytes of every page (of an overflow run: of its first page). Little-endian.</summary>
/// <remarks>
/// <code>
/// offset size field
///      0    8 page number (own position: finds misplaced pages)
///      8    8 checksum of the page or run, seeded with page number and storage (PageChecksum)
///     16    8 transaction id of the last change
///     24    4 overflow bytes: bytes of the value of an overflow run (after the header); 0 = a single page
///     28    1 page type
///     29    1 flags of the owner
///     30    2 lower: end of what grows up from the header, for slotted pages
///     32    2 upper: start of what grows down from the page's end
///     34    2 entry count
///     36    4 owner tag: hash of the tree or table that owns the page
///     40   24 reserved, zero
/// </code>
/// The same table is in docs/formats/data-file.md.
/// </remarks>
[StructLayout(LayoutKind.Explicit, Size = SizeOf)]
public struct PageHeader
{
    /// <summary>Bytes of the header; what follows is the page's body.</summary>
    public const int SizeOf = 64;

    [FieldOffset(0)]
    public PageNumber PageNumber;

    [FieldOffset(8)]
    public ulong Checksum;

    [FieldOffset(16)]
    public long LastTransactionId;

    [FieldOffset(24)]
    public int OverflowBytes;

    [FieldOffset(28)]
    public PageType Type;

    [FieldOffset(29)]
    public byte Flags;

    [FieldOffset(30)]
    public ushort Lower;

    [FieldOffset(32)]
    public ushort Upper;

    [FieldOffset(34)]
    public ushort Count;

    [FieldOffset(36)]
    public uint OwnerTag;

    [FieldOffset(40)]
    public ulong Reserved0;

    [FieldOffset(48)]
    public ulong Reserved1;

    [FieldOffset(56)]
    public ulong Reserved2;

    /// <summary>True when all bytes are the same.</summary>
    public static bool AreSame(in PageHeader left, in PageHeader right) =>
        MemoryMarshal.AsBytes(new ReadOnlySpan<PageHeader>(in left)).SequenceEqual(MemoryMarshal.AsBytes(new ReadOnlySpan<PageHeader>(in right)));
}
