using Jackdaw.Pal.InMemory;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Storage.Tests.Tables;

/// <summary>One pooled look-up over one snapshot after the other.</summary>
public sealed class TableLookupTests : IDisposable
{
    private readonly StorageEnvironment _environment = StorageEnvironment.Open(new MemoryPlatform(), "/lookup");
    private readonly TableSchema _schema = new("docs", new TableColumn("number", 8), new TableColumn("id"), new TableColumn("text"));
    private readonly TableLookup _lookup;

    public TableLookupTests()
    {
        _schema.AddKeyIndex("id", 1);
        _lookup = new TableLookup(_schema);
    }

    public void Dispose() => _environment.Dispose();

    [Fact]
    public void Rebind_OneSnapshotAfterTheOther_FindsTheRowsOfEach()
    {
        TableRoots empty = Write(table => { });
        using ReadTransaction before = _environment.BeginRead();
        TableRoots first = Write(table => table.Insert(Row(1)));
        using ReadTransaction middle = _environment.BeginRead();
        TableRoots second = Write(table =>
        {
            for (long number = 2; number < 2000; number++)
            {
                table.Insert(Row(number));
            }

            table.DeleteByKey(BitConverter.GetBytes(1L));
        });
        using ReadTransaction after = _environment.BeginRead();

        Assert.Equal((0, 1, 1998), (empty.RowCount, first.RowCount, second.RowCount));
        for (int round = 0; round < 2; round++)
        {
            AssertFound(before, empty, []);
            AssertFound(middle, first, [1]);
            AssertFound(after, second, [2, 999, 1999]);
        }

        _lookup.Unbind();
        Assert.False(_lookup.TryGet(BitConverter.GetBytes(2L), out _));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Find_SomeKeysAndOthers_GivesTheRowsOfTryGet(int seed)
    {
        var random = new Random(seed);
        long[] numbers = [.. Enumerable.Range(0, 3000).Where(_ => random.Next(2) == 0).Select(number => (long)number)];
        TableRoots roots = Write(table => Array.ForEach(numbers, number => table.Insert(Row(number, number % 7 == 0 ? 20_000 : 0))));
        using ReadTransaction transaction = _environment.BeginRead();
        _lookup.Rebind(transaction, roots);
        byte[][] keys = [.. Enumerable.Range(0, 100).Select(_ => BitConverter.GetBytes((long)random.Next(3500)))];
        var ids = new RowId[keys.Length];
        _lookup.Find(keys, ids, bytes: 512);
        for (int i = 0; i < keys.Length; i++)
        {
            Assert.Equal(_lookup.TryGet(keys[i], out TableRow row), !ids[i].IsNone);
            Assert.True(ids[i].IsNone || row.Bytes.SequenceEqual(_lookup.Read(ids[i]).Bytes));
        }

        Assert.InRange(ids.Count(id => id.IsNone), 1, keys.Length - 1);
        Assert.Contains(ids, id => id.IsOverflow);
        _lookup.Find([], [], bytes: 512);
    }

    private static byte[] Row(TableRowBuilder builder, long number)
    {
        builder.Reset();
        return builder.AddInt64(number).Add(BitConverter.GetBytes(number)).Add([]).Finish().ToArray();
    }

    private byte[] Row(long number)
    {
        using var builder = new TableRowBuilder(_schema);
        return Row(builder, number);
    }

    private byte[] Row(long number, int moreBytes)
    {
        using var builder = new TableRowBuilder(_schema);
        builder.Reset();
        return builder.AddInt64(number).Add(BitConverter.GetBytes(number)).Add(new byte[moreBytes]).Finish().ToArray();
    }

    private TableRoots Write(Action<Table> change)
    {
        using WriteTransaction transaction = _environment.BeginWrite();
        var table = new Table(transaction, transaction.Trees, _schema);
        change(table);
        TableRoots roots = table.CaptureRoots();
        transaction.Commit();
        return roots;
    }

    private void AssertFound(ReadTransaction transaction, TableRoots roots, long[] numbers)
    {
        _lookup.Rebind(transaction, roots);
        foreach (long number in new long[] { 1, 2, 999, 1999, 5000 })
        {
            bool found = _lookup.TryGet(BitConverter.GetBytes(number), out TableRow row);
            Assert.Equal(numbers.Contains(number), found);
            Assert.True(!found || row.GetInt64(0) == number);
        }
    }
}
