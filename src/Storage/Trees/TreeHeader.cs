using System.Runtime.InteropServices;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Trees;

/// <summary>Which structure a tree header describes.</summary>
public enum TreeKind : byte
{
    None = 0,
    BTree = 1,
    FixedSize = 2,
    RowHeap = 3,

    /// <summary>Pages that are found by arithmetic.</summary>
    Column = 4,
}

/// <summary>Root and counts of a tree: the value stored under the tree's name in the root tree (the root tree's own
/// header is in the journal entry and in the header file). 64 bytes, little-endian.</summary>
/// <remarks>
/// <code>
/// offset size field
///      0    8 root page number, 0 = empty
///      8    8 entries
///     16    8 branch pages
///     24    8 leaf pages
///     32    8 overflow pages
///     40    4 depth: 0 = empty, 1 = the root is a leaf
///     44    1 kind
///     45    1 flags, zero
///     46    2 key size (fixed-size trees)
///     48    2 value size (fixed-size trees)
///     50    2 zero
///     52    4 owner tag of its pages
///     56    8 reserved, zero
/// </code>
/// </remarks>
[StructLayout(LayoutKind.Explicit, Size = SizeOf)]
public struct TreeHeader
{
    /// <summary>Bytes.</summary>
    public const int SizeOf = 64;

    [FieldOffset(0)]
    public PageNumber Root;

    [FieldOffset(8)]
    public long EntryCount;

    [FieldOffset(16)]
    public long BranchPages;

    [FieldOffset(24)]
    public long LeafPages;

    [FieldOffset(32)]
    public long OverflowPages;

    [FieldOffset(40)]
    public int Depth;

    [FieldOffset(44)]
    public TreeKind Kind;

    [FieldOffset(45)]
    public byte Flags;

    [FieldOffset(46)]
    public ushort KeySize;

    [FieldOffset(48)]
    public ushort ValueSize;

    [FieldOffset(50)]
    public ushort Reserved0;

    [FieldOffset(52)]
    public uint OwnerTag;

    [FieldOffset(56)]
    public ulong Reserved1;
}
