using System.Runtime.InteropServices;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Headers;

/// <summary>The state from which recovery starts: one of two copies in the header file, which are written alternately.</summary>
/// <remarks>
/// <code>
/// offset size field
///      0    8 magic "JKDSTORE"
///      8    2 format version
///     10    2 flags: 1 = closed cleanly, no entry follows the synced transaction
///     12    4 CRC-32C of the header with this field zero
///     16    8 revision: the whole copy with the highest one counts
///     24   16 storage id
///     40    8 salt of the page checksums
///     48    8 synced transaction: all pages up to it are durable in the data file
///     56    8 number of the first journal that may hold a later transaction (0 = none yet)
///     64    8 hash of that transaction's entry
///     72    8 newest journal whose name is durable
///     80    8 next page number after the synced transaction
///     88   64 root tree header after the synced transaction
///    152    8 UTC ticks of the write
///    160    8 created, UTC ticks
/// </code>
/// The same table is in docs/formats/headers.md.
/// </remarks>
[StructLayout(LayoutKind.Explicit, Size = SizeOf)]
public unsafe struct StorageHeader
{
    public const int SizeOf = 168;
    public const ulong MagicValue = 0x45524F5453444B4A;
    public const ushort FormatVersion = 1;

    /// <summary>Flag: the storage was closed after a sync of everything.</summary>
    public const ushort ClosedCleanly = 1;

    [FieldOffset(0)]
    public ulong Magic;

    [FieldOffset(8)]
    public ushort Version;

    [FieldOffset(10)]
    public ushort Flags;

    [FieldOffset(12)]
    public uint Crc;

    [FieldOffset(16)]
    public long Revision;

    [FieldOffset(24)]
    public Guid StorageId;

    [FieldOffset(40)]
    public ulong Salt;

    [FieldOffset(48)]
    public long SyncedTransaction;

    [FieldOffset(56)]
    public long SyncedJournal;

    [FieldOffset(64)]
    public ulong SyncedEntryHash;

    [FieldOffset(72)]
    public long NewestJournal;

    [FieldOffset(80)]
    public PageNumber NextPage;

    [FieldOffset(88)]
    public TreeHeader Root;

    [FieldOffset(152)]
    public long UtcTicks;

    [FieldOffset(160)]
    public long CreatedTicks;

    /// <summary>Fills the CRC.</summary>
    public void Seal() => Crc = ComputeCrc();

    /// <summary>True when the copy is whole. The version is not checked, so that a newer format is not mistaken for
    /// damage.</summary>
    public readonly bool IsWhole => Magic == MagicValue && Crc == ComputeCrc();

    private readonly uint ComputeCrc()
    {
        StorageHeader copy = this;
        copy.Crc = 0;
        return Checksum.Crc32C(new ReadOnlySpan<byte>(&copy, SizeOf));
    }
}
