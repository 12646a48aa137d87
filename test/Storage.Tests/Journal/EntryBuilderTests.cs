using System.Diagnostics;
using System.Runtime.CompilerServices;
using Jackdaw.Pal;
using Jackdaw.Pal.InMemory;
using Jackdaw.Storage.Journal;
using Jackdaw.Storage.Journal.Recovery;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Scratch;

namespace Jackdaw.Storage.Tests.Journal;

/// <summary>What the builder writes, the chunk reader and the replay read back, at sizes around every border.</summary>
public sealed unsafe class EntryBuilderTests : IDisposable
{
    private const ulong Salt = 0x5A17;
    private const long TransactionId = 9;
    private const int RunOverhead = PageRecord.SizeOf + PageHeader.SizeOf;
    private static readonly PageNumber s_next = new(10_000);
    private readonly ScratchPool _pool = new();
    private readonly EntryBuilder _builder = new(Salt, new CompressionPolicy(new DurableWriteCost()));
    private readonly ModifiedPages _modified = new();
    private readonly MemoryPlatform _platform = new();
    private readonly PalFile _file;
    private readonly List<nint> _bases = [];

    public EntryBuilderTests()
    {
        _file = _platform.OpenFile("/data", FileOpening.CreateNew, FileUse.Data);
        _file.Allocate(s_next.Offset);
    }

    public static TheoryData<int, bool> RawSizes
    {
        get
        {
            var sizes = new TheoryData<int, bool>();
            foreach (int border in (int[])[64 * 1024, JournalFormat.ChunkBytes, 2 * JournalFormat.ChunkBytes])
            {
                for (int difference = -9; difference <= 9; difference += difference is > -2 and < 1 ? 1 : 4)
                {
                    sizes.Add(border + difference, true);
                    sizes.Add(border + difference, false);
                }
            }

            return sizes;
        }
    }

    public void Dispose()
    {
        _builder.Dispose();
        _file.Dispose();
        _pool.Dispose();
    }

    [Theory]
    [MemberData(nameof(RawSizes))]
    public void Build_RunAroundAChunkBorder_IsReadBack(int rawBytes, bool compressible)
    {
        AddRun(20, rawBytes - RunOverhead, compressible);
        BuiltEntry entry = _builder.Build(_modified, TransactionId);
        Assert.Equal(rawBytes, entry.Header.RawBytes);
        Assert.Equal(0, entry.Bytes % JournalFormat.BlockSize);
        Assert.Equal(entry.Bytes, entry.Header.BlockCount * JournalFormat.BlockSize);
        bool isChunked = (entry.Header.Flags & JournalEntryOptions.Chunked) != 0;
        Assert.Equal(compressible && rawBytes >= 64 * 1024, isChunked);
        CheckReadBack(entry);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Build_NewChangedFreedAndRuns_AreReadBack(int seed)
    {
        var random = new Random(seed);
        for (int i = 0; i < 200; i++)
        {
            int page = 10 + (i * 40);
            switch (random.Next(4))
            {
                case 0:
                    AddPage(page, random, isNew: true);
                    break;
                case 1:
                    AddPage(page, random, isNew: false);
                    break;
                case 2:
                    AddRun(page, random.Next(9_000, 100_000), random.Next(2) == 0);
                    break;
                default:
                    _modified.Add(new PageNumber(page)).WasFreed = true;
                    break;
            }
        }

        CheckReadBack(_builder.Build(_modified, TransactionId));
    }

    [Theory]
    [InlineData(100_000)]
    [InlineData(3 * JournalFormat.ChunkBytes / 2)]
    public void BuildAndDecode_OfACompressedEntry_AllocateNothing(int bytes)
    {
        var slowDisk = new DurableWriteCost();
        slowDisk.Add(1 << 20, 10 * Stopwatch.Frequency);
        using var builder = new EntryBuilder(Salt, new CompressionPolicy(slowDisk));
        AddRun(20, bytes, compressible: true);
        byte[] space = new byte[EntryBuilder.Bound(_modified)];
        long before = 0;
        int decoded = 0;
        const int rounds = 20;
        fixed (byte* place = space)
        {
            for (int round = 0; round < rounds; round++)
            {
                before = round == 10 ? GC.GetAllocatedBytesForCurrentThread() : before;
                BuiltEntry entry = builder.Build(_modified, TransactionId);
                byte* payload = entry.Address + JournalEntryHeader.SizeOf;
                bool isChunked = entry.Header.Flags == JournalEntryOptions.Chunked;
                bool isGood = ChunkReader.TryDecode(payload, entry.Header.StoredBytes, place, entry.Header.RawBytes);
                decoded += isChunked && isGood ? 1 : 0;
            }
        }

#if DEBUG
        const long boxesOfAssertions = rounds * 200; // a table of LZ4 alone has 16 KB
#else
        const long boxesOfAssertions = 0;
#endif
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, boxesOfAssertions);
        Assert.Equal(rounds, decoded);
    }

    [Fact]
    public void TryDecode_CutOrLengthenedChunks_AreRefused()
    {
        AddRun(20, 3 * JournalFormat.ChunkBytes / 2, compressible: true);
        BuiltEntry entry = _builder.Build(_modified, TransactionId);
        byte* payload = entry.Address + JournalEntryHeader.SizeOf;
        long stored = entry.Header.StoredBytes;
        long raw = entry.Header.RawBytes;
        byte[] space = new byte[raw + 16];
        fixed (byte* place = space)
        {
            Assert.True(ChunkReader.TryDecode(payload, stored, place, raw));
            Assert.False(ChunkReader.TryDecode(payload, stored - 1, place, raw));
            Assert.False(ChunkReader.TryDecode(payload, stored - 9, place, raw));
            Assert.False(ChunkReader.TryDecode(payload, stored, place, raw - 1));
            Assert.False(ChunkReader.TryDecode(payload, stored, place, raw + 1));
            Assert.False(ChunkReader.TryDecode(payload, 7, place, raw));
            Assert.False(ChunkReader.TryDecode(payload, 0, place, raw));
        }
    }

    private void AddRun(int number, int overflowBytes, bool compressible)
    {
        int pages = Page.CountPages(overflowBytes);
        ref ModifiedPages.Entry entry = ref _modified.Add(new PageNumber(number));
        Page page = MakePage(number, pages);
        page.Header.Type = PageType.Overflow;
        page.Header.OverflowBytes = overflowBytes;
        var value = new Span<byte>(page.Body, overflowBytes);
        if (compressible)
        {
            value.Fill((byte)number);
        }
        else
        {
            new Random(number).NextBytes(value);
        }

        entry.Current = page.Address;
        entry.Pages = pages;
    }

    private void AddPage(int number, Random random, bool isNew)
    {
        Page after = MakePage(number, 1);
        if (!isNew)
        {
            Page before = MakePage(number, 1);
            random.NextBytes(new Span<byte>(before.Body, Page.BodySize));
            before.Header.LastTransactionId = TransactionId - 1;
            before.Header.Checksum = PageChecksum.Compute(before.Address, before.Number, 1, Salt);
            new Span<byte>(before.Address, Page.Size).CopyTo(new Span<byte>(after.Address, Page.Size));
            after.Header.LastTransactionId = TransactionId;
            var write = new PalPageWrite { Base = before.Address, Offset = (long)number * Page.Size, Length = Page.Size };
            _file.WritePages(new ReadOnlySpan<PalPageWrite>(in write));
            _bases.Add((nint)before.Address);
        }

        random.NextBytes(new Span<byte>(after.Body + random.Next(7000), random.Next(1000)));
        ref ModifiedPages.Entry entry = ref _modified.Add(new PageNumber(number));
        entry.Current = after.Address;
        entry.Previous = isNew ? null : (byte*)_bases[^1];
        entry.Pages = 1;
    }

    private Page MakePage(int number, int pages)
    {
        byte* memory = _pool.Rent(pages);
        Unsafe.InitBlock(memory, 0, (uint)(pages * Page.Size));
        var page = new Page(memory);
        page.Header.PageNumber = new PageNumber(number);
        page.Header.LastTransactionId = TransactionId;
        page.Header.Type = PageType.TreeLeaf;
        return page;
    }

    private void CheckReadBack(BuiltEntry entry)
    {
        byte[] raw = Decode(entry);
        Assert.InRange(EntryBuilder.Measure(_modified), entry.Header.RawBytes, EntryBuilder.Bound(_modified));
        using var pool = new ScratchPool();
        var recovered = new RecoveredPages(pool, _file, "/db", Salt);
        fixed (byte* payload = raw)
        {
            Assert.True(recovered.TryReplay(payload, raw.Length, entry.Header.FreedCount, entry.Header.PageCount, s_next));
            Assert.False(recovered.TryReplay(payload, raw.Length, -1, entry.Header.PageCount, s_next));
            Assert.False(recovered.TryReplay(payload, raw.Length, int.MinValue, entry.Header.PageCount, s_next));
            Assert.False(recovered.TryReplay(payload, raw.Length, entry.Header.FreedCount, -1, s_next));
            Assert.False(recovered.TryReplay(payload, raw.Length - 1, entry.Header.FreedCount, entry.Header.PageCount, s_next));
            Assert.True(recovered.TryReplay(payload, raw.Length, entry.Header.FreedCount, entry.Header.PageCount, s_next));
        }

        int pages = 0;
        recovered.HandOver((number, count, address) =>
        {
            ref ModifiedPages.Entry expected = ref _modified.Find(number);
            Assert.Equal(expected.Pages, count);
            Assert.True(new Span<byte>(expected.Current, count * Page.Size).SequenceEqual(
                new Span<byte>((byte*)address, count * Page.Size)));
            Assert.Equal(TransactionId, new Page((byte*)address).Header.LastTransactionId);
            pages++;
        });
        Assert.Equal(entry.Header.PageCount, pages);
    }

    private static byte[] Decode(BuiltEntry entry)
    {
        byte* payload = entry.Address + JournalEntryHeader.SizeOf;
        byte[] raw = new byte[entry.Header.RawBytes];
        if ((entry.Header.Flags & JournalEntryOptions.Chunked) == 0)
        {
            Assert.Equal(entry.Header.RawBytes, entry.Header.StoredBytes);
            new Span<byte>(payload, raw.Length).CopyTo(raw);
            return raw;
        }

        Assert.True(entry.Header.StoredBytes < entry.Header.RawBytes);
        fixed (byte* place = raw)
        {
            Assert.True(ChunkReader.TryDecode(payload, entry.Header.StoredBytes, place, raw.Length));
        }

        return raw;
    }
}
