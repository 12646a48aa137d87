using System.Runtime.InteropServices;

namespace Jackdaw.Storage.Paging;

/// <summary>First bytes of page 0 of the data file, written once at creation; the rest of the page is zero.</summary>
/// <remarks>
/// <code>
/// offset size field
///      0    8 magic "JKDDATA1"
///      8    4 page size
///     12    4 zero
///     16   16 storage id
/// </code>
/// </remarks>
[StructLayout(LayoutKind.Explicit, Size = SizeOf)]
public struct DataFileHeader
{
    public const int SizeOf = 32;
    public const ulong MagicValue = 0x3141544144444B4A;

    [FieldOffset(0)]
    public ulong Magic;

    [FieldOffset(8)]
    public int PageSize;

    [FieldOffset(12)]
    public int Reserved;

    [FieldOffset(16)]
    public Guid StorageId;

    public DataFileHeader(Guid storageId)
    {
        Magic = MagicValue;
        PageSize = Page.Size;
        StorageId = storageId;
    }

    /// <summary>True when the file belongs to the storage.</summary>
    public readonly bool IsFor(Guid storageId) => Magic == MagicValue && PageSize == Page.Size && StorageId == storageId;
}
