using System.Buffers.Binary;
using System.Globalization;
using System.Text;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Tests.Model;

/// <summary>The table of the storage under test: rows found by key, by etag, and by etag in their collection.</summary>
internal static class ModelTable
{
    public const int CollectionCount = 5;
    private const int EtagColumn = 0;
    private const int IdColumn = 1;
    private const int CollectionColumn = 2;
    private const int BodyColumn = 3;
    private static readonly TableIndex s_byId;
    private static readonly TableIndex s_byEtag;
    private static readonly TableIndex s_byCollection;

    static ModelTable()
    {
        Schema = new TableSchema("rows", new TableColumn("etag", sizeof(long)), new TableColumn("id"),
            new TableColumn("collection"), new TableColumn("body"));
        s_byId = Schema.AddKeyIndex("id", IdColumn);
        s_byEtag = Schema.AddNumberIndex("etag", EtagColumn);
        s_byCollection = Schema.AddPartitionedNumberIndex("collection", CollectionColumn, EtagColumn);
    }

    public static TableSchema Schema { get; }

    public static Table Open(PageReader pages, TreeCatalog catalog) => new(pages, catalog, Schema);

    public static void Put(Table table, int key, ModelRow row)
    {
        using var builder = new TableRowBuilder(Schema, row.Body.Length + 100);
        builder.AddInt64(row.Etag).Add(IdBytes(key)).Add(CollectionBytes(row.Collection)).Add(row.Body.Bytes());
        table.Upsert(builder.Finish().Span);
    }

    public static bool Delete(Table table, int key) => table.DeleteByKey(IdBytes(key));

    public static void CheckGet(Table table, int key, ModelState expected)
    {
        bool isExpected = expected.Rows.TryGetValue(key, out ModelRow? row);
        Assert.Equal(isExpected, table.TryGetByKey(IdBytes(key), out TableRow found));
        if (isExpected)
        {
            CheckRow(found, key, row!);
            Assert.True(table.TryGetByNumber(s_byEtag, row!.Etag, out TableRow byEtag));
            Assert.Equal(found.Id, byEtag.Id);
        }
    }

    public static void CheckAll(Table table, ModelState expected)
    {
        Assert.Equal(expected.Rows.Count, table.Count);
        TableNumberCursor cursor = table.OpenNumbers(s_byEtag);
        bool more = cursor.SeekFirst();
        foreach ((long etag, int key) in expected.KeysByEtag)
        {
            Assert.True(more);
            Assert.Equal(etag, cursor.Number);
            CheckRow(cursor.Row, key, expected.Rows[key]);
            more = cursor.MoveNext();
        }

        Assert.False(more);
        CheckKeys(table, expected);
        for (int collection = 0; collection < CollectionCount; collection++)
        {
            Assert.Equal(expected.Rows.Values.Count(row => row.Collection == collection),
                table.CountPartition(s_byCollection, CollectionBytes(collection)));
        }
    }

    private static void CheckKeys(Table table, ModelState expected)
    {
        using TableKeyCursor cursor = table.OpenKeys(s_byId);
        bool more = cursor.SeekFirst();
        foreach (int key in expected.Rows.Keys)
        {
            Assert.True(more);
            Assert.True(cursor.Key.SequenceEqual(IdBytes(key)));
            more = cursor.MoveNext();
        }

        Assert.False(more);
    }

    private static void CheckRow(TableRow found, int key, ModelRow row)
    {
        Assert.Equal(row.Etag, found.GetInt64(EtagColumn));
        Assert.True(found.GetColumn(IdColumn).SequenceEqual(IdBytes(key)));
        Assert.True(found.GetColumn(CollectionColumn).SequenceEqual(CollectionBytes(row.Collection)));
        Assert.True(found.GetColumn(BodyColumn).SequenceEqual(row.Body.Bytes()), $"body of row {key}");
    }

    private static byte[] IdBytes(int key)
    {
        byte[] bytes = new byte[sizeof(int) + (key % 40)];
        BinaryPrimitives.WriteInt32BigEndian(bytes, key);
        return bytes;
    }

    private static byte[] CollectionBytes(int collection) =>
        Encoding.UTF8.GetBytes(string.Create(CultureInfo.InvariantCulture, $"collection{collection}"));
}
