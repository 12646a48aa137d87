using System.Runtime.InteropServices;
using Jackdaw.Pal;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Journal;

/// <summary>Header record of a journal file: block 0, written durably each time the file is used as a journal again,
/// before the file gets its name.</summary>
/// <remarks>
/// <code>
/// offset size field
///      0    8 magic "JKDJFILE"
///      8    2 format version
///     10    2 zero
///     12    4 CRC-32C of the 64 bytes with this field zero
///     16   16 incarnation
///     32   16 storage id of the storage that owns the file (the root)
///     48    8 journal number
///     56    8 size of the file in blocks
///     64 4032 zero
/// </code>
/// </remarks>
[StructLayout(LayoutKind.Explicit, Size = SizeOf)]
public unsafe struct JournalFileHeader
{
    public const int SizeOf = 64;
    public const ulong MagicValue = 0x454C49464A444B4A;
    public const ushort FormatVersion = 1;

    [FieldOffset(0)]
    public ulong Magic;

    [FieldOffset(8)]
    public ushort Version;

    [FieldOffset(10)]
    public ushort Reserved;

    [FieldOffset(12)]
    public uint Crc;

    [FieldOffset(16)]
    public Guid Incarnation;

    [FieldOffset(32)]
    public Guid StorageId;

    [FieldOffset(48)]
    public long Number;

    [FieldOffset(56)]
    public long Blocks;

    /// <summary>Reads the record of a file; false when the file is shorter. Check separately whether it is
    /// intact.</summary>
    public static bool TryRead(PalFile file, out JournalFileHeader header)
    {
        fixed (JournalFileHeader* place = &header)
        {
            *place = default;
            return file.Read(0, (byte*)place, SizeOf) == SizeOf;
        }
    }

    /// <summary>Fills the CRC.</summary>
    public void Seal() => Crc = ComputeCrc();

    /// <summary>True when the record is intact. The version is not checked: see <see cref="Version"/>.</summary>
    public readonly bool IsWhole => Magic == MagicValue && Crc == ComputeCrc();

    private readonly uint ComputeCrc()
    {
        JournalFileHeader copy = this;
        copy.Crc = 0;
        return Checksum.Crc32C(new ReadOnlySpan<byte>(&copy, SizeOf));
    }
}
