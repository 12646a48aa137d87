using System.Buffers.Binary;
using System.Text;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Trees;
using Jackdaw.Storage.Verification;
using Jackdaw.TestKit;

namespace Jackdaw.Storage.Tests.Tables;

public sealed class TableTests : IDisposable
{
    private const int Etag = 0;
    private const int Id = 2;
    private const int Collection = 3;
    private const int Body = 4;

    private readonly HeapPages _pages = new();
    private readonly TableSchema _schema;
    private readonly TableIndex _byId;
    private readonly TableIndex _byEtag;
    private readonly TableIndex _byCollection;
    private readonly TableRowBuilder _builder;
    private TreeCatalog _catalog;
    private Table _table;

    public TableTests()
    {
        _schema = new TableSchema("docs", new TableColumn("etag", 8), new TableColumn("modified", 8),
            new TableColumn("id"), new TableColumn("collection"), new TableColumn("body"));
        _byId = _schema.AddKeyIndex("id", Id);
        _byEtag = _schema.AddNumberIndex("etag", Etag);
        _byCollection = _schema.AddPartitionedNumberIndex("collection", Collection, Etag);
        _builder = new TableRowBuilder(_schema);
        _catalog = new TreeCatalog(_pages, default);
        _table = new Table(_pages, _catalog, _schema);
    }

    public void Dispose()
    {
        _builder.Dispose();
        _pages.Dispose();
    }

    [Fact]
    public void Insert_Row_IsFoundByEachIndex()
    {
        RowId id = _table.Insert(MakeRow(7, "users/1", "Users", "body"));

        Assert.True(_table.TryGetByKey("users/1"u8, out TableRow row));
        Assert.Equal(id, row.Id);
        Assert.True(row.GetColumn(Body).SequenceEqual("body"u8));
        Assert.True(_table.TryGetByNumber(_byEtag, 7, out row));
        Assert.Equal(id, row.Id);
        TableNumberCursor cursor = _table.OpenNumbers(_byCollection, "Users"u8);
        Assert.True(cursor.SeekFirst());
        Assert.Equal(7, cursor.Number);
        Assert.Equal(id, cursor.Row.Id);
        Assert.False(cursor.MoveNext());
        Assert.False(_table.OpenNumbers(_byCollection, "Orders"u8).SeekFirst());
        Assert.Equal(1, _table.Count);
        Check();
    }

    [Fact]
    public void Insert_TakenKeyOfAnyIndex_ChangesNothing()
    {
        _table.Insert(MakeRow(1, "a", "A", "first"));

        Assert.False(_table.TryInsert(MakeRow(2, "a", "A", "same id"), out _));
        Assert.False(_table.TryInsert(MakeRow(1, "b", "B", "same etag"), out _));
        Assert.Throws<InvalidOperationException>(() => _table.Insert(MakeRow(1, "b", "B", "same etag")));
        Assert.Equal(1, _table.Count);
        Check();
        Assert.Equal(["A=1"], ShowPartitions());
    }

    [Fact]
    public void Insert_RowsThatDoNotFit_AreRefused()
    {
        Assert.Throws<ArgumentException>(() => _table.Insert([]));
        Assert.Throws<ArgumentException>(() => _table.Insert([1, 2, 3]));
        string key = new('k', BTree.KeyBytesMax);
        string partition = new('p', TableSchema.PartitionBytesMax);
        Assert.Throws<ArgumentException>(() => _table.Insert(MakeRow(1, key + "k", "A", "")));
        Assert.Throws<ArgumentException>(() => _table.Insert(MakeRow(1, "a", partition + "p", "")));
        _table.Insert(MakeRow(1, key, partition, ""));
        Check();
    }

    [Fact]
    public void Update_OfOneKey_TouchesOnlyItsIndexes()
    {
        for (int i = 0; i < 100; i++)
        {
            _table.Insert(MakeRow(i, $"id{i:000}", "A", "body"));
        }

        Reopen();
        TreeHeader ids = _table.IndexTrees[0] is KeyIndexTree tree ? tree.Tree!.Header : default;
        long before = _pages.ModifiedPages;
        Assert.True(_table.TryGetByKey("id050"u8, out TableRow row));
        RowId old = row.Id;
        Assert.Equal(old, _table.Update(row, MakeRow(50, "id050", "A", "other")));

        // The row page; the directory when the length changed.
        Assert.InRange(_pages.ModifiedPages - before, 1, 2);
        Assert.True(_table.TryGetByKey("id050"u8, out row));
        Assert.Equal(old, _table.Update(row, MakeRow(1_000, "id050", "A", "other")));
        Assert.InRange(_pages.ModifiedPages - before, 3, 4);
        Assert.Equal(ids.Root, ((KeyIndexTree)_table.IndexTrees[0]).Tree!.Header.Root);
        Assert.False(_table.TryGetByNumber(_byEtag, 50, out _));
        Assert.True(_table.TryGetByNumber(_byEtag, 1_000, out _));
        Check();
    }

    [Fact]
    public void Update_ToTakenKey_ChangesNothing()
    {
        _table.Insert(MakeRow(1, "a", "A", "first"));
        _table.Insert(MakeRow(2, "b", "A", "second"));
        Assert.True(_table.TryGetByKey("a"u8, out TableRow row));

        Assert.False(_table.TryUpdate(row, MakeRow(1, "b", "A", "x"), out _));
        Assert.False(_table.TryUpdate(row, MakeRow(2, "a", "A", "x"), out _));
        Assert.True(_table.TryGetByKey("a"u8, out row));
        Assert.True(row.GetColumn(Body).SequenceEqual("first"u8));
        Check();
    }

    [Fact]
    public void Partition_ThatLosesItsRows_LosesItsName()
    {
        _table.Insert(MakeRow(1, "a", "A", ""));
        _table.Insert(MakeRow(2, "b", "B", ""));
        _table.Insert(MakeRow(3, "b2", "B", ""));
        Reopen();
        Assert.Equal(["A=1", "B=2"], ShowPartitions());
        long trees = _catalog.TreeCount;

        Assert.True(_table.DeleteByKey("a"u8));
        Assert.False(_table.DeleteByKey("a"u8));
        Assert.Equal(["B=2"], ShowPartitions());
        Reopen();

        Assert.Equal(trees - 1, _catalog.TreeCount);
        Assert.Equal(0, _table.CountPartition(_byCollection, "A"u8));
        Assert.Equal(2, _table.CountPartition(_byCollection, "B"u8));
        Check();
    }

    [Fact]
    public void KeyCursor_Prefix_GivesItsKeysOnly()
    {
        string[] ids = ["order/1", "user/", "user/1", "user/2", "user0"];
        for (int i = 0; i < ids.Length; i++)
        {
            _table.Insert(MakeRow(i, ids[i], "A", ""));
        }

        var found = new List<string>();
        using TableKeyCursor cursor = _table.OpenKeys(_byId);
        for (bool on = cursor.SeekPrefix("user/"u8); on; on = cursor.MoveNext("user/"u8))
        {
            found.Add(Encoding.UTF8.GetString(cursor.Row.GetColumn(Id)));
        }

        Assert.Equal(["user/", "user/1", "user/2"], found);
        Assert.False(cursor.SeekPrefix("nobody"u8));
    }

    [Fact]
    public void Snapshot_OfATableNeverWritten_IsEmpty()
    {
        var reader = new Table(_pages, new TreeCatalog((PageReader)_pages, default), _schema);

        Assert.Equal(0, reader.Count);
        Assert.False(reader.TryGetByKey("a"u8, out _));
        Assert.False(reader.TryGetByNumber(_byEtag, 1, out _));
        Assert.False(reader.OpenKeys(_byId).SeekFirst());
        Assert.Empty(reader.ListPartitions(_byCollection));
    }

    [Fact]
    public void BigEndianNumbers_AndKeyOfSeveralColumns_AreRead()
    {
        var schema = new TableSchema("big", new TableColumn("number", 8), new TableColumn("a"), new TableColumn("b"));
        TableIndex key = schema.AddKeyIndex("key", 1, 2);
        TableIndex number = schema.AddNumberIndex("number", 0, ColumnByteOrder.BigEndian);
        var table = new Table(_pages, _catalog, schema);
        using var builder = new TableRowBuilder(schema);
        byte[] bytes = new byte[8];
        BinaryPrimitives.WriteInt64BigEndian(bytes, 0x0102);
        table.Insert(builder.Add(bytes).Add("x"u8).Add("yz"u8).Finish().Span);

        Assert.True(table.TryGetByNumber(number, 0x0102, out _));
        Assert.True(table.TryGetByKey(key, "xyz"u8, out _));
        Assert.Throws<ArgumentException>(() => table.OpenKeys(_byId));
    }

    [Theory]
    [InlineData(1, 300)]
    [InlineData(2, 3_000)]
    [InlineData(3, 30_000)]
    public void RandomChanges_MatchModel(int seed, int bodyBytesMax)
    {
        Console.WriteLine($"Table model, seed {seed}");
        var random = new Random(seed);
        var model = new SortedDictionary<string, ModelRow>(StringComparer.Ordinal);
        long etag = 0;
        for (int step = 0; step < 4_000; step++)
        {
            string id = $"doc/{random.Next(step / 1_000 % 2 == 0 ? 600 : 60)}";
            if (random.Next(3) > 0)
            {
                int length = random.Next(random.Next(1, bodyBytesMax));
                var entry = new ModelRow(++etag, $"C{random.Next(12)}", step, length);
                if (model.TryGetValue(id, out ModelRow? old) && random.Next(3) == 0)
                {
                    entry = entry with { Etag = old.Etag, Collection = old.Collection };
                }

                model[id] = entry;
                _table.Upsert(MakeRow(entry.Etag, id, entry.Collection, MakeBody(entry.Seed, entry.Length)));
            }
            else
            {
                Assert.Equal(model.Remove(id), _table.DeleteByKey(Encoding.UTF8.GetBytes(id)));
            }

            if (step % 250 == 249)
            {
                Reopen();
                Compare(model);
            }
        }

        foreach (string id in model.Keys)
        {
            _table.DeleteByKey(Encoding.UTF8.GetBytes(id));
        }

        Reopen();
        Check();
        Assert.Empty(_table.ListPartitions(_byCollection));
    }

    [Fact]
    public void GetAndInsert_AfterWarmUp_AllocateNothing()
    {
        for (int i = 0; i < 20; i++)
        {
            _table.Insert(MakeRow(i, $"id{i:000}", "A", "body"));
        }

        byte[] row = MakeRow(0, "id-later-00", "A", "body").ToArray();
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 20; i < 60; i++)
        {
            BinaryPrimitives.WriteInt64LittleEndian(_schema.FixedColumn(row, Etag), i);
            row[^7]++;
            _table.Insert(row);
            _table.TryGetByKey("id005"u8, out TableRow found);
            _table.TryGetByNumber(_byEtag, found.GetInt64(Etag), out _);
        }

        Assert.Equal(before, GC.GetAllocatedBytesForCurrentThread());
    }

    [Fact]
    public unsafe void Verifier_OnFlippedBits_FindsOrReadsOnSafely()
    {
        Console.WriteLine("Table fuzz, seed 41");
        for (int i = 0; i < 300; i++)
        {
            _table.Insert(MakeRow(i, $"id{i:000}", $"C{i % 3}", MakeBody(i, 40)));
        }

        Reopen();
        var random = new Random(41);
        PageNumber[] numbers = [.. _pages.UsedPages.Select(number => new PageNumber(number))];
        int found = 0;
        for (int round = 0; round < 300; round++)
        {
            byte* address = _pages.GetPage(numbers[random.Next(numbers.Length)]).Address;
            int offset = random.Next(28, 100);
            byte old = address[offset];
            address[offset] ^= (byte)(1 << random.Next(8));
            found += TryVerify() ? 0 : 1;
            address[offset] = old;
        }

        Assert.InRange(found, 100, 300);
        Check();
    }

    private bool TryVerify()
    {
        try
        {
            return new TableVerifier(_pages, (_, _) => { }).Verify(_table);
        }
        catch (InvalidOperationException)
        {
            // The test's pages do not know the number.
            return false;
        }
        catch (CorruptionException)
        {
            return false;
        }
    }

    private ReadOnlySpan<byte> MakeRow(long etag, string id, string collection, string body)
    {
        _builder.Reset();
        return _builder.AddInt64(etag).AddBlank().Add(Encoding.UTF8.GetBytes(id))
            .Add(Encoding.UTF8.GetBytes(collection)).Add(Encoding.UTF8.GetBytes(body)).Finish().Span;
    }

    private static string MakeBody(int seed, int length) => new((char)('a' + (seed % 26)), length);

    private string[] ShowPartitions() =>
        [.. _table.ListPartitions(_byCollection)
            .Select(partition => $"{Encoding.UTF8.GetString(partition.Value)}={partition.RowCount}")];

    private void Reopen()
    {
        _catalog.Flush();
        _pages.EndTransaction();
        TreeHeader root = _catalog.RootHeader;
        _catalog = new TreeCatalog(_pages, root);
        _table = new Table(_pages, _catalog, _schema);
    }

    private void Compare(SortedDictionary<string, ModelRow> model)
    {
        Check();
        Assert.Equal(model.Count, _table.Count);
        using TableKeyCursor keys = _table.OpenKeys(_byId);
        bool on = keys.SeekFirst();
        foreach ((string id, ModelRow entry) in model)
        {
            Assert.True(on);
            Assert.Equal(id, Encoding.UTF8.GetString(keys.Key));
            Assert.Equal(entry.Etag, keys.Row.GetInt64(Etag));
            Assert.Equal(MakeBody(entry.Seed, entry.Length), Encoding.UTF8.GetString(keys.Row.GetColumn(Body)));
            on = keys.MoveNext();
        }

        Assert.False(on);
        Assert.Equal(
            model.Values.GroupBy(entry => entry.Collection).OrderBy(group => group.Key, StringComparer.Ordinal)
                .Select(group => $"{group.Key}={group.Count()}"),
            ShowPartitions());
        TableNumberCursor etags = _table.OpenNumbers(_byEtag);
        on = etags.SeekLast();
        foreach (long etag in model.Values.Select(entry => entry.Etag).OrderDescending())
        {
            Assert.True(on);
            Assert.Equal(etag, etags.Number);
            on = etags.MovePrevious();
        }
    }

    private void Check()
    {
        _catalog.Flush();
        var reported = new List<long>();
        var verifier = new TableVerifier(_pages, (number, _) => reported.Add(number.Value));
        verifier.Verify(_table);
        Assert.Empty(verifier.Problems);
        Assert.True(new TreeVerifier(_pages, (number, _) => reported.Add(number.Value)).Verify(_catalog.RootHeader));
        Assert.Equal(_pages.UsedPages.Order(), reported.Order());
    }

    private sealed record ModelRow(long Etag, string Collection, int Seed, int Length);
}
