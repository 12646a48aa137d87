using Jackdaw.Pal.InMemory;
using Jackdaw.Storage.Columns;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Transactions;
using Jackdaw.TestKit;

namespace Jackdaw.Storage.Tests.Paging;

/// <summary>What a storage tells the system to read before it reads.</summary>
public sealed class ReadAheadTests : IDisposable
{
    private const int Pages = 1_000;
    private readonly HookedPlatform _platform = new(new MemoryPlatform());
    private readonly List<IReadOnlyList<(long Offset, long Bytes)>> _advice = [];
    private readonly ColumnDirectory _directory = new();
    private readonly StorageEnvironment _storage;

    public ReadAheadTests()
    {
        using (StorageEnvironment storage = StorageEnvironment.Open(_platform, "/db", new StorageOptions { BackgroundFlush = false }))
        using (WriteTransaction write = storage.BeginWrite())
        {
            PageColumn.Create(write.Trees, write, "pages"u8, 8, new ColumnDirectory()).Grow(Pages);
            write.Trees.CreateTree("large"u8).Put("a"u8, new byte[100 * Page.Size]);
            write.Commit();
        }

        _storage = StorageEnvironment.Open(_platform, "/db", new StorageOptions { BackgroundFlush = false });
        _platform.BeforeAdvice = _advice.Add;
    }

    [Fact]
    public void GetPage_OfPagesInOrder_ReadsAllBeforeTheyAreUsedInFewPieces()
    {
        using ReadTransaction read = _storage.BeginRead();
        PageColumn column = Open(read);
        for (int i = 0; i < Pages; i++)
        {
            PageNumber page = column.PageAt(i);
            read.GetPage(page);
            Assert.Contains(_advice.SelectMany(ranges => ranges), range => range.Offset <= page.Offset && page.Offset < range.Offset + range.Bytes);
        }

        // Single pages until the first walk begins, then large pieces, each page in one of them.
        (long Offset, long Bytes)[] pieces = [.. _advice.Select(ranges => ranges[0]).Where(range => range.Bytes > 16 * Page.Size)];
        Assert.InRange(_advice.Count, 2, Pages / 10);
        Assert.Contains(pieces, range => range.Bytes >= 256 * Page.Size);
        Assert.InRange(pieces.Sum(range => range.Bytes), 1, (Pages + 1_300) * Page.Size);
    }

    [Fact]
    public void GetPage_OfAFewPagesFarApart_ReadsEachAlone()
    {
        using ReadTransaction read = _storage.BeginRead();
        PageColumn column = Open(read);
        for (int i = 200; i < Pages; i += 100)
        {
            _advice.Clear();
            read.GetPage(column.PageAt(i));
            Assert.Equal([(column.PageAt(i).Offset, Page.Size)], Assert.Single(_advice));
            _advice.Clear();
            read.GetPage(column.PageAt(i));
            Assert.Empty(_advice);
        }
    }

    [Fact]
    public void GetPage_OfALargeValue_ReadsAllOfIt()
    {
        using ReadTransaction read = _storage.BeginRead();
        Assert.True(read.Trees.FindTree("large"u8)!.TryGet("a"u8, out ReadOnlySpan<byte> value));
        Assert.Equal(100 * Page.Size, value.Length);
        Assert.Contains(_advice, ranges => ranges[0].Bytes == 101 * Page.Size);
    }

    [Fact]
    public void Prefetch_OfManyPages_IsOneAdvice()
    {
        using ReadTransaction read = _storage.BeginRead();
        PageColumn column = Open(read);
        _advice.Clear();
        PageNumber[] pages = [.. Enumerable.Range(0, 200).Select(i => column.PageAt(i * 5))];
        read.Prefetch([PageNumber.None, new PageNumber(-1), new PageNumber(1L << 40), .. pages]);
        Assert.Equal(pages.Select(page => (page.Offset, (long)Page.Size)), Assert.Single(_advice));
    }

    [Fact]
    public void Prefetch_OfPagesInScratch_AdvisesNothing()
    {
        PageNumber changed;
        using (WriteTransaction write = _storage.BeginWrite())
        {
            changed = PageColumn.Create(write.Trees, write, "pages"u8, 8, _directory).PageAt(7);
            write.ModifyPage(changed);
            write.Commit();
        }

        using ReadTransaction read = _storage.BeginRead();
        _advice.Clear();
        read.Prefetch([changed]);
        Assert.DoesNotContain(_advice, ranges => ranges.Count > 0);
    }

    [Theory]
    [InlineData(1, 1)]
    [InlineData(Page.BodySize, 1)]
    [InlineData(Page.BodySize + 1, 2)]
    [InlineData(100 * Page.Size, 101)]
    public void Prefetch_OfARun_IsOneAdviceForThePagesOfTheBytes(int bytes, int pages)
    {
        using ReadTransaction read = _storage.BeginRead();
        PageNumber first = FindRun(read);
        _advice.Clear();
        read.Prefetch(first, bytes);
        Assert.Equal([(first.Offset, (long)pages * Page.Size)], Assert.Single(_advice));
        using WriteTransaction write = _storage.BeginWrite();
        _advice.Clear();
        write.Prefetch(first, bytes);
        Assert.Equal([(first.Offset, (long)pages * Page.Size)], Assert.Single(_advice));
    }

    [Fact]
    public void Prefetch_OfARunThatIsNone_AdvisesNothingOutsideOfThePagesInUse()
    {
        using ReadTransaction read = _storage.BeginRead();
        PageNumber first = FindRun(read);
        long end = read.State.NextPage.Offset;
        _advice.Clear();
        foreach (long page in (long[])[long.MinValue, -1, 0, read.State.NextPage.Value, 1L << 50])
        {
            read.Prefetch(new PageNumber(page), 1);
        }

        read.Prefetch(first, 0);
        read.Prefetch(first, -1);
        Assert.Empty(_advice);
        read.Prefetch(first, long.MaxValue);
        Assert.Equal([(first.Offset, end - first.Offset)], Assert.Single(_advice));
    }

    [Fact]
    public void Prefetch_OfARunInScratch_AdvisesNothing()
    {
        using (WriteTransaction write = _storage.BeginWrite())
        {
            write.Trees.CreateTree("large"u8).Put("a"u8, new byte[(100 * Page.Size) - 1]);
            write.Commit();
        }

        using ReadTransaction read = _storage.BeginRead();
        PageNumber first = FindRun(read);
        _advice.Clear();
        read.Prefetch(first, 100 * Page.Size);
        Assert.Empty(_advice);
    }

    public void Dispose() => _storage.Dispose();

    private static PageNumber FindRun(ReadTransaction read)
    {
        Assert.True(read.Trees.FindTree("large"u8)!.TryGetRun("a"u8, out PageNumber first, out _));
        return first;
    }

    private PageColumn Open(ReadTransaction read) => PageColumn.Find(read.Trees, read, "pages"u8, _directory)!;
}
