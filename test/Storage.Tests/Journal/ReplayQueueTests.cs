using Jackdaw.Pal;
using Jackdaw.Pal.InMemory;
using Jackdaw.Storage.Journal;
using Jackdaw.Storage.Journal.Recovery;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Scratch;

namespace Jackdaw.Storage.Tests.Journal;

/// <summary>Entries are replayed in their order, whoever decodes them, and a payload that cannot be decoded is an error that says which.</summary>
public sealed unsafe class ReplayQueueTests : IDisposable
{
    private const ulong Salt = 0x5A17;
    private const int Pages = 5;
    private const int PageStep = 40;
    private static readonly PageNumber s_next = new(10_000);
    private readonly ScratchPool _pool = new();
    private readonly ScratchPool _recoveredPool = new();
    private readonly MemoryPlatform _platform = new();
    private readonly PalFile _file;
    private readonly RecoveredPages _recovered;
    private readonly ReplayQueue _queue;

    public ReplayQueueTests()
    {
        _file = _platform.OpenFile("/data", FileOpening.CreateNew, FileUse.Data);
        _file.Allocate(s_next.Offset);
        _recovered = new RecoveredPages(_recoveredPool, _file, "/db", Salt);
        _queue = new ReplayQueue(_recovered, "/db");
    }

    public void Dispose()
    {
        _queue.Dispose();
        _file.Dispose();
        _recoveredPool.Dispose();
        _pool.Dispose();
    }

    [Theory]
    [InlineData(1, 100)]
    [InlineData(2, 300)]
    [InlineData(3, 1000)]
    public void Add_ManyEntries_LastOfEachPageWins(int seed, int entries)
    {
        var random = new Random(seed);
        byte[][] expected = new byte[Pages][];
        for (int i = 1; i <= entries; i++)
        {
            int page = random.Next(Pages);
            byte[] value = new byte[random.Next(4) == 0 ? random.Next(70_000, 300_000) : random.Next(1, 20_000)];
            value.AsSpan().Fill((byte)i);
            expected[page] = value;
            Add(PageOf(page), value, i);
        }

        _queue.Complete();
        int found = 0;
        _recovered.HandOver((number, _, address) =>
        {
            byte[] value = expected[(int)(number.Value / PageStep) - 1];
            Assert.True(new Span<byte>((byte*)address + PageHeader.SizeOf, value.Length).SequenceEqual(value));
            found++;
        });
        Assert.Equal(expected.Count(value => value is not null), found);
    }

    [Fact]
    public void Complete_UndecodablePayload_SaysWhichEntry()
    {
        byte[] value = new byte[100_000];
        Add(PageOf(0), value, 1);
        Add(PageOf(0), value, 2, damage: true);
        CorruptedJournalException failure = Assert.Throws<CorruptedJournalException>(_queue.Complete);
        Assert.Contains("transaction 2 in '/db/Journals/1'", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Dispose_WaitingEntries_EndsTheirDecoding()
    {
        for (int i = 1; i <= 6; i++)
        {
            Add(PageOf(0), new byte[1_000_000], i);
        }
    }

    private static int PageOf(int index) => (index + 1) * PageStep;

    private void Add(int number, byte[] value, long transaction, bool damage = false)
    {
        using var builder = new EntryBuilder(Salt, new CompressionPolicy(new DurableWriteCost()));
        BuiltEntry built = builder.Build(Change(number, value, transaction), transaction);
        built.Header.NextPage = s_next;
        ReplayEntry entry = _queue.Rent();
        entry.Stored.Length = 0;
        byte* payload = entry.Stored.Ensure(built.Header.StoredBytes);
        Buffer.MemoryCopy(built.Address + JournalEntryHeader.SizeOf, payload, built.Header.StoredBytes, built.Header.StoredBytes);
        if (damage)
        {
            *(uint*)payload += 1;
        }

        _queue.Add(entry, built.Header, "/db/Journals/1");
    }

    private ModifiedPages Change(int number, byte[] value, long transaction)
    {
        var modified = new ModifiedPages();
        int pages = Page.CountPages(value.Length);
        byte* memory = _pool.Rent(pages);
        new Span<byte>(memory, pages * Page.Size).Clear();
        var page = new Page(memory);
        page.Header.PageNumber = new PageNumber(number);
        page.Header.LastTransactionId = transaction;
        page.Header.Type = PageType.Overflow;
        page.Header.OverflowBytes = value.Length;
        value.CopyTo(new Span<byte>(page.Body, value.Length));
        ref ModifiedPages.Entry entry = ref modified.Add(page.Number);
        entry.Current = memory;
        entry.Pages = pages;
        return modified;
    }
}
