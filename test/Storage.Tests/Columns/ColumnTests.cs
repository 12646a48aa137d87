using System.Runtime.InteropServices;
using Jackdaw.Pal.InMemory;
using Jackdaw.Storage.Columns;
using Jackdaw.Storage.Compaction;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;
using Jackdaw.Storage.Verification;

namespace Jackdaw.Storage.Tests.Columns;

public sealed unsafe class ColumnTests : IDisposable
{
    private static readonly byte[] s_name = "numbers"u8.ToArray();

    private readonly MemoryPlatform _platform = new();
    private StorageEnvironment _storage;
    private ColumnDirectory _directory = new();

    public ColumnTests() => _storage = Open();

    [Fact]
    public void Extents_OfAllPages_FollowOneAnother()
    {
        long next = 0;
        for (long extent = 0; extent < 40; extent++)
        {
            Assert.Equal(next, ColumnExtents.FirstPage(extent));
            for (long page = next; page < next + ColumnExtents.PagesOf(extent); page++)
            {
                Assert.Equal(extent, ColumnExtents.OfPage(page));
            }

            next += ColumnExtents.PagesOf(extent);
            Assert.Equal(extent + 1, ColumnExtents.Count(next));
            Assert.InRange(ColumnExtents.PagesOf(extent), 1, 64);
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Pages_AfterRandomGrowthAndRollbacks_HaveWhatWasWritten(int seed)
    {
        var random = new Random(seed);
        List<long> model = [];
        for (int round = 0; round < 40; round++)
        {
            List<long> changed = [.. model];
            bool commits = random.Next(3) != 0;
            Write(column => Change(random, column, changed), commits);
            model = commits ? changed : model;
            Assert.Equal(model.AsEnumerable().Reverse().SkipWhile(value => value == 0).Reverse(), Read());
            if (random.Next(5) == 0)
            {
                _directory = new ColumnDirectory();
            }
        }

        Assert.Empty(EnvironmentVerifier.Verify(_storage));
    }

    [Fact]
    public void Snapshot_DuringGrowth_SeesItsOwnPages()
    {
        Write(column => Fill(column, 10, 1));
        using ReadTransaction old = _storage.BeginRead();
        Write(column => Fill(column, 2000, 2));
        PageColumn seen = PageColumn.Find(old.Trees, old, s_name, _directory)!;
        Assert.Equal(16, seen.PageCount);
        Assert.All(Enumerable.Range(0, 10), page => Assert.Equal(1, *(long*)old.GetPage(seen.PageAt(page)).Body));
    }

    [Fact]
    public void Directory_WithMoreExtentsThanAPageHolds_IsReadAgain()
    {
        const long pages = 64L * 1100;
        Write(column => column.Grow(pages));
        Write(column => Put(column, pages - 1, 7));
        _directory = new ColumnDirectory();
        using (ReadTransaction read = _storage.BeginRead())
        {
            PageColumn column = PageColumn.Find(read.Trees, read, s_name, _directory)!;
            Assert.Equal(7, *(long*)read.GetPage(column.PageAt(pages - 1)).Body);
        }

        Assert.Empty(EnvironmentVerifier.Verify(_storage));
    }

    [Fact]
    public void Drop_OfAColumn_FreesAllItsPages()
    {
        Write(column => column.Grow(200));
        using (WriteTransaction write = _storage.BeginWrite())
        {
            PageColumn.Drop(write.Trees, write, s_name);
            write.Commit();
        }

        using (ReadTransaction read = _storage.BeginRead())
        {
            Assert.Null(PageColumn.Find(read.Trees, read, s_name, new ColumnDirectory()));
        }

        Assert.Empty(EnvironmentVerifier.Verify(_storage));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(50)]
    [InlineData(200)]
    [InlineData(1000)]
    public void DropEnd_InSteps_LeavesTheBeginningUntilAllIsGone(long pagesMax)
    {
        const int pages = 300;
        Write(column =>
        {
            column.Grow(pages);
            for (int page = 0; page < pages; page++)
            {
                MemoryMarshal.Write(column.Modify(s_transaction!, page), (long)page);
            }
        });
        using ReadTransaction before = _storage.BeginRead();
        long left = pages;
        for (bool isGone = false; !isGone;)
        {
            using (WriteTransaction write = _storage.BeginWrite())
            {
                isGone = PageColumn.DropEnd(write.Trees, write, s_name, pagesMax);
                write.Commit();
            }

            using ReadTransaction read = _storage.BeginRead();
            var column = PageColumn.Find(read.Trees, read, s_name, new ColumnDirectory());
            Assert.Equal(isGone, column is null);
            Assert.InRange(column?.PageCount ?? 0, 0, left - 1);
            left = column?.PageCount ?? 0;
            AssertPages(read, column);
            Assert.Empty(EnvironmentVerifier.Verify(_storage));
        }

        AssertPages(before, PageColumn.Find(before.Trees, before, s_name, new ColumnDirectory()));
    }

    private static void AssertPages(ReadTransaction read, PageColumn? column)
    {
        for (long page = 0; page < Math.Min(300, column?.PageCount ?? 0); page++)
        {
            Assert.Equal(page, MemoryMarshal.Read<long>(column!.Read(read, page)));
        }
    }

    [Fact]
    public void Find_OfAHeaderThatIsNoColumn_IsRefused()
    {
        using WriteTransaction write = _storage.BeginWrite();
        var bad = new TreeHeader { Kind = TreeKind.Column, ValueSize = 8, EntryCount = 3, LeafPages = 3, Root = new PageNumber(5), BranchPages = 1 };
        write.Trees.SetHeader("bad"u8, bad);
        Assert.Throws<CorruptedPageException>(() => PageColumn.Find(write.Trees, write, "bad"u8, new ColumnDirectory()));
        write.Trees.SetHeader("other"u8, FixedSizeTreeHeader.CreateEmpty<long, long>(1));
        Assert.Throws<CorruptedPageException>(() => PageColumn.Find(write.Trees, write, "other"u8, new ColumnDirectory()));
    }

    [Theory]
    [InlineData(72, 0)]
    [InlineData(72, -1)]
    [InlineData(72, 1L << 33)]
    [InlineData(72, 1_000_000)]
    [InlineData(28, 1)]
    [InlineData(36, 5)]
    public void Damage_OfADirectoryPage_IsFoundByReadersAndByTheVerifier(int offset, long value)
    {
        Write(column => column.Grow(3));
        using (WriteTransaction write = _storage.BeginWrite())
        {
            write.Trees.TryGetHeader(s_name, out TreeHeader header);
            byte* page = write.ModifyPage(header.Root).Address;
            new ReadOnlySpan<byte>(&value, offset == 72 ? 8 : 1).CopyTo(new Span<byte>(page + offset, 8));
            write.Commit();
        }

        using ReadTransaction read = _storage.BeginRead();
        Assert.Throws<CorruptedPageException>(
            () => { PageColumn.Find(read.Trees, read, s_name, new ColumnDirectory())!.Read(read, 0); });
        Assert.NotEmpty(EnvironmentVerifier.Verify(_storage));
    }

    [Fact]
    public void Find_WhenTheChainOfDirectoryPagesEndsEarly_IsRefused()
    {
        using WriteTransaction write = _storage.BeginWrite();
        PageColumn.Create(write.Trees, write, s_name, 8, _directory).Grow(1);
        write.Trees.TryGetHeader(s_name, out TreeHeader header);
        header.EntryCount = header.LeafPages = 64 * 1_100;
        header.BranchPages = 2;
        write.Trees.SetHeader(s_name, header);
        Assert.Throws<CorruptedPageException>(() => PageColumn.Find(write.Trees, write, s_name, new ColumnDirectory()));
    }

    [Fact]
    public void Create_WithAnotherRecordSize_IsRefused()
    {
        Write(column => column.Grow(1));
        using WriteTransaction write = _storage.BeginWrite();
        Assert.Throws<ArgumentException>(() => PageColumn.Create(write.Trees, write, s_name, 16, _directory));
    }

    [Fact]
    public void Compaction_OfAStorageWithColumns_KeepsThem()
    {
        Write(column => Fill(column, 700, 3));
        Write(column => Put(column, 699, 4));
        using (WriteTransaction write = _storage.BeginWrite())
        {
            PageColumn.Create(write.Trees, write, "empty"u8, 24, new ColumnDirectory());
            write.Commit();
        }

        _storage.Dispose();
        StorageCompaction.Run(_platform, "/db", []);
        _storage = Open();
        _directory = new ColumnDirectory();
        Assert.Equal([.. Enumerable.Repeat(3L, 699), 4L], Read());
        using ReadTransaction read = _storage.BeginRead();
        Assert.Equal(24, PageColumn.Find(read.Trees, read, "empty"u8, new ColumnDirectory())!.RecordSize);
        Assert.Empty(EnvironmentVerifier.Verify(_storage));
    }

    public void Dispose() => _storage.Dispose();

    private StorageEnvironment Open() => StorageEnvironment.Open(_platform, "/db", new StorageOptions { BackgroundFlush = false });

    private static void Change(Random random, PageColumn column, List<long> model)
    {
        int grown = random.Next(4) == 0 ? random.Next(300) : random.Next(4);
        column.Grow(model.Count + grown);
        for (int i = 0; i < grown; i++)
        {
            model.Add(0);
        }

        for (int i = 0; i < 20 && model.Count > 0; i++)
        {
            int page = random.Next(model.Count);
            model[page] = random.NextInt64();
            Put(column, page, model[page]);
        }
    }

    private static void Fill(PageColumn column, int pages, long value)
    {
        column.Grow(pages);
        for (int page = 0; page < pages; page++)
        {
            Put(column, page, value);
        }
    }

    [ThreadStatic]
    private static WriteTransaction? s_transaction;

    private static void Put(PageColumn column, long page, long value) => *(long*)s_transaction!.ModifyPage(column.PageAt(page)).Body = value;

    private void Write(Action<PageColumn> change, bool commits = true)
    {
        using WriteTransaction write = _storage.BeginWrite();
        s_transaction = write;
        change(PageColumn.Create(write.Trees, write, s_name, 8, _directory));
        if (commits)
        {
            write.Commit();
        }
        else
        {
            _directory = new ColumnDirectory();
        }
    }

    private List<long> Read()
    {
        using ReadTransaction read = _storage.BeginRead();
        List<long> values = [];
        if (PageColumn.Find(read.Trees, read, s_name, _directory) is { } column)
        {
            for (long page = 0; page < column.PageCount; page++)
            {
                values.Add(*(long*)read.GetPage(column.PageAt(page)).Body);
            }
        }

        // The column may have more pages than were asked for, which are empty.
        while (values.Count > 0 && values[^1] == 0)
        {
            values.RemoveAt(values.Count - 1);
        }

        return values;
    }
}
