using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Jackdaw.Storage.Headers;
using Jackdaw.Storage.Journal;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Tests;

/// <summary>Layouts of everything on disk. A failure here is a change of the format: files that exist would be read
/// wrongly. The golden checksums were computed by another implementation of the documented layout.</summary>
public sealed unsafe class FormatTests
{
    [Fact]
    public void Constants_StayTheSame()
    {
        Assert.Equal(8192, Page.Size);
        Assert.Equal(4096, JournalFormat.BlockSize);
        Assert.Equal(1024 * 1024, JournalFormat.ChunkBytes);
        Assert.Equal("0000000000000000042.journal", JournalFormat.FileName(42));
        Assert.Equal("JKDSTORE"u8.ToArray(), BitConverter.GetBytes(StorageHeader.MagicValue));
        Assert.Equal("JKDDATA1"u8.ToArray(), BitConverter.GetBytes(DataFileHeader.MagicValue));
        Assert.Equal("JKDJFILE"u8.ToArray(), BitConverter.GetBytes(JournalFileHeader.MagicValue));
        Assert.Equal("JKDJRNLE"u8.ToArray(), BitConverter.GetBytes(JournalEntryHeader.MagicValue));
    }

    [Fact]
    public void PageHeader_Layout() => Check<PageHeader>(64, ("PageNumber", 0), ("Checksum", 8), ("LastTransactionId", 16),
        ("OverflowBytes", 24), ("Type", 28), ("Flags", 29), ("Lower", 30), ("Upper", 32), ("Count", 34), ("OwnerTag", 36),
        ("Reserved0", 40), ("Reserved1", 48), ("Reserved2", 56));

    [Fact]
    public void TreeHeader_Layout() => Check<TreeHeader>(64, ("Root", 0), ("EntryCount", 8), ("BranchPages", 16),
        ("LeafPages", 24), ("OverflowPages", 32), ("Depth", 40), ("Kind", 44), ("Flags", 45), ("KeySize", 46),
        ("ValueSize", 48), ("Reserved0", 50), ("OwnerTag", 52), ("Reserved1", 56));

    [Fact]
    public void StorageHeader_Layout() => Check<StorageHeader>(168, ("Magic", 0), ("Version", 8), ("Flags", 10), ("Crc", 12),
        ("Revision", 16), ("StorageId", 24), ("Salt", 40), ("SyncedTransaction", 48), ("SyncedJournal", 56),
        ("SyncedEntryHash", 64), ("NewestJournal", 72), ("NextPage", 80), ("Root", 88), ("UtcTicks", 152),
        ("CreatedTicks", 160));

    [Fact]
    public void JournalEntryHeader_Layout() => Check<JournalEntryHeader>(192, ("Magic", 0), ("Version", 8), ("Flags", 10),
        ("HeaderCrc", 12), ("Incarnation", 16), ("StorageId", 32), ("TransactionId", 48), ("DurableTransaction", 56),
        ("Block", 64), ("PayloadHash", 72), ("StoredBytes", 80), ("RawBytes", 88), ("PageCount", 96), ("FreedCount", 100),
        ("NextPage", 104), ("Root", 112), ("UtcTicks", 176), ("PreviousHash", 184));

    [Fact]
    public void JournalFileHeader_Layout() => Check<JournalFileHeader>(64, ("Magic", 0), ("Version", 8), ("Reserved", 10),
        ("Crc", 12), ("Incarnation", 16), ("StorageId", 32), ("Number", 48), ("Blocks", 56));

    [Fact]
    public void PageRecord_Layout() => Check<PageRecord>(16, ("PageNumber", 0), ("Bytes", 8), ("Reserved0", 12),
        ("Reserved1", 14), ("Kind", 15));

    [Fact]
    public void DataFileHeader_Layout() => Check<DataFileHeader>(32, ("Magic", 0), ("PageSize", 8), ("Reserved", 12),
        ("StorageId", 16));

    [Fact]
    public void JournalEntryHeader_AnyFlippedBit_IsNotValid()
    {
        var incarnation = new Guid(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
        var header = new JournalEntryHeader
        {
            Magic = JournalEntryHeader.MagicValue,
            Version = JournalEntryHeader.FormatVersion,
            Incarnation = incarnation,
            TransactionId = 77,
            Block = 3,
            StoredBytes = 5000,
            RawBytes = 5000,
            PageCount = 1,
        };
        header.Seal();
        Assert.True(header.IsValid(incarnation, 3, 10));
        Assert.False(header.IsValid(incarnation, 4, 10));
        Assert.False(header.IsValid(Guid.Empty, 3, 10));
        Assert.Equal("6e41eb7b", $"{header.HeaderCrc:x8}");
        FlipEachBit(ref header, flipped => flipped.IsValid(incarnation, 3, 10));
    }

    [Fact]
    public void StorageHeader_AnyFlippedBit_IsNotWhole()
    {
        var header = new StorageHeader
        {
            Magic = StorageHeader.MagicValue,
            Version = StorageHeader.FormatVersion,
            Revision = 12,
            Salt = 99,
            SyncedTransaction = 5,
            NextPage = new PageNumber(17),
        };
        header.Seal();
        Assert.Equal("567ba92e", $"{header.Crc:x8}");
        FlipEachBit(ref header, flipped => flipped.IsWhole);
    }

    [Fact]
    public void JournalFileHeader_AnyFlippedBit_IsNotWhole()
    {
        var header = new JournalFileHeader
        {
            Magic = JournalFileHeader.MagicValue,
            Version = JournalFileHeader.FormatVersion,
            Number = 4,
            Blocks = 32,
        };
        header.Seal();
        Assert.Equal("d6aed322", $"{header.Crc:x8}");
        FlipEachBit(ref header, flipped => flipped.IsWhole);
    }

    private static void FlipEachBit<T>(ref T header, Predicate<T> isGood)
        where T : unmanaged
    {
        Assert.True(isGood(header));
        Span<byte> bytes = MemoryMarshal.AsBytes(MemoryMarshal.CreateSpan(ref header, 1));
        for (int bit = 0; bit < bytes.Length * 8; bit++)
        {
            bytes[bit / 8] ^= (byte)(1 << (bit % 8));
            Assert.False(isGood(header), $"bit {bit}");
            bytes[bit / 8] ^= (byte)(1 << (bit % 8));
        }
    }

    private static void Check<T>(int size, params (string Field, int Offset)[] fields)
        where T : unmanaged
    {
        Assert.Equal(size, sizeof(T));
        Assert.Equal(size, Unsafe.SizeOf<T>());
        IEnumerable<string> declared = typeof(T).GetFields(BindingFlags.Instance | BindingFlags.Public).Select(f => f.Name);
        Assert.Equal(declared, fields.Select(field => field.Field));
        foreach ((string field, int offset) in fields)
        {
            Assert.Equal(offset, (int)Marshal.OffsetOf<T>(field));
        }
    }
}
