using System.Runtime.InteropServices;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Journal;

/// <summary>The kinds of entries.</summary>
[Flags]
public enum JournalEntryOptions : ushort
{
    None = 0,

    /// <summary>The payload is a list of chunks, each compressed with LZ4 or stored as it is.</summary>
    Chunked = 1,

    /// <summary>No transaction: says that everything up to <see cref="JournalEntryHeader.TransactionId"/> is durable,
    /// so that damage to the last acknowledged entry cannot be mistaken for a torn write.</summary>
    Footer = 2,

    /// <summary>No transaction: the links that branches have to the file. Belongs to the storage that writes the
    /// file.</summary>
    Links = 4,
}

/// <summary>First 192 bytes of a journal entry, at the start of a 4 KB block; the payload follows, zeros fill the last
/// block.</summary>
/// <remarks>
/// Owner, transaction id and sizes are covered by the header's own CRC, so a reader can skip entries of other storages
/// without reading their payload, and a damaged owner is recognized as damage instead of being taken for another storage. <code>
/// offset size field
///      0    8 magic "JKDJRNLE"
///      8    2 format version
///     10    2 flags
///     12    4 CRC-32C of the other 188 bytes
///     16   16 incarnation of the file: entries from its earlier use do not decode
///     32   16 storage id: the owner
///     48    8 transaction id
///     56    8 last durable transaction of the owner when the entry was written; for people, recovery does not need it
///     64    8 block index: own position, finds copied and misplaced entries
///     72    8 hash of the stored payload, seeded with transaction id, incarnation and storage id
///     80    8 stored payload bytes
///     88    8 raw payload bytes
///     96    4 page records
///    100    4 freed pages
///    104    8 next page number after the transaction
///    112   64 root tree header after the transaction
///    176    8 UTC ticks
///    184    8 hash of the owner's previous entry: proves contiguity
/// </code>
/// The same table is in docs/formats/journal.md.
/// </remarks>
[StructLayout(LayoutKind.Explicit, Size = SizeOf)]
public unsafe struct JournalEntryHeader
{
    public const int SizeOf = 192;
    public const ulong MagicValue = 0x454C4E524A444B4A;
    public const ushort FormatVersion = 1;
    private const int CrcOffset = 12;
    private const int AfterCrc = 16;

    [FieldOffset(0)]
    public ulong Magic;

    [FieldOffset(8)]
    public ushort Version;

    [FieldOffset(10)]
    public JournalEntryOptions Flags;

    [FieldOffset(12)]
    public uint HeaderCrc;

    [FieldOffset(16)]
    public Guid Incarnation;

    [FieldOffset(32)]
    public Guid StorageId;

    [FieldOffset(48)]
    public long TransactionId;

    [FieldOffset(56)]
    public long DurableTransaction;

    [FieldOffset(64)]
    public long Block;

    [FieldOffset(72)]
    public ulong PayloadHash;

    [FieldOffset(80)]
    public long StoredBytes;

    [FieldOffset(88)]
    public long RawBytes;

    [FieldOffset(96)]
    public int PageCount;

    [FieldOffset(100)]
    public int FreedCount;

    [FieldOffset(104)]
    public PageNumber NextPage;

    [FieldOffset(112)]
    public TreeHeader Root;

    [FieldOffset(176)]
    public long UtcTicks;

    [FieldOffset(184)]
    public ulong PreviousHash;

    /// <summary>4 KB blocks that header and payload take.</summary>
    public readonly long BlockCount => JournalFormat.BlocksFor(SizeOf + StoredBytes);

    /// <summary>True for a transaction, false for an entry that the committer adds itself.</summary>
    public readonly bool IsTransaction => (Flags & (JournalEntryOptions.Footer | JournalEntryOptions.Links)) == 0;

    /// <summary>Fills the CRC; the last step before the write.</summary>
    public void Seal() => HeaderCrc = ComputeCrc();

    /// <summary>True when this can be the header of an entry at this place of this file; sizes and owner may then be
    /// trusted.</summary>
    public readonly bool IsValid(Guid incarnation, long block, long fileBlocks) =>
        Magic == MagicValue && Version == FormatVersion && HeaderCrc == ComputeCrc() && Incarnation == incarnation
        && Block == block && IsSize(StoredBytes) && IsSize(RawBytes)
        && block + BlockCount <= fileBlocks;

    private static bool IsSize(long bytes) => bytes is >= 0 and <= JournalFormat.EntryBytesMax;

    /// <summary>True when a newer version of Jackdaw wrote an entry here: its CRC distinguishes it from
    /// damage.</summary>
    public readonly bool IsOfNewerFormat(Guid incarnation, long block) =>
        Magic == MagicValue && Version > FormatVersion && Incarnation == incarnation && Block == block && HeaderCrc == ComputeCrc();

    /// <summary>Hash of the stored payload for this header.</summary>
    public readonly ulong ComputePayloadHash(byte* payload) =>
        Checksum.Compute(payload, StoredBytes, (ulong)TransactionId ^ JournalFormat.Fold(Incarnation) ^ JournalFormat.Fold(StorageId));

    private readonly uint ComputeCrc()
    {
        fixed (JournalEntryHeader* self = &this)
        {
            Span<byte> bytes = stackalloc byte[SizeOf - 4];
            new ReadOnlySpan<byte>(self, CrcOffset).CopyTo(bytes);
            new ReadOnlySpan<byte>((byte*)self + AfterCrc, SizeOf - AfterCrc).CopyTo(bytes[CrcOffset..]);
            return Checksum.Crc32C(bytes);
        }
    }
}
