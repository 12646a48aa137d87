using System.Buffers.Binary;
using System.Numerics;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Storage.Tests.Tables;

public sealed class TableRowTests
{
    private static readonly byte[] s_empty = [];
    private static readonly TableSchema s_schema = new("t", new TableColumn("etag", 8), new TableColumn("flags", 4),
        new TableColumn("id"), new TableColumn("body"));

    [Theory]
    [InlineData(0, 1)]
    [InlineData(240, 1)]
    [InlineData(241, 2)]
    [InlineData(65_520, 2)]
    [InlineData(65_521, 4)]
    [InlineData(1_000_000, 4)]
    public void Finish_BodyAroundOffsetBounds_UsesNarrowestOffsets(int bodyBytes, int offsetBytes)
    {
        byte[] body = new byte[bodyBytes];
        new Random(bodyBytes).NextBytes(body);
        using var builder = new TableRowBuilder(s_schema);
        byte[] bytes = builder.AddInt64(5).Add([1, 2, 3, 4]).Add("abc"u8).Add(body).Finish().ToArray();

        var row = new TableRow(bytes, RowId.None, s_schema);
        Assert.Equal(1, bytes[0]);
        Assert.Equal(((4 - 1) << 2) + BitOperations.Log2((uint)offsetBytes), bytes[1]);
        Assert.True(row.IsSound());
        Assert.Equal(5, row.GetInt64(0));
        Assert.True(row.GetColumn(1).SequenceEqual(new byte[] { 1, 2, 3, 4 }));
        Assert.True(row.GetColumn(2).SequenceEqual("abc"u8));
        Assert.True(row.GetColumn(3).SequenceEqual(body));
        Assert.Equal(7, row.GetColumns(1, 2).Length);
        Assert.Equal(2 + (4 * offsetBytes) + 15 + bodyBytes, bytes.Length);
    }

    [Fact]
    public void FixedColumn_OfPreparedRow_IsPatchedInPlace()
    {
        using var builder = new TableRowBuilder(s_schema);
        for (int i = 0; i < 2; i++)
        {
            builder.Reset();
            Span<byte> row = builder.AddBlank().AddBlank().Add("abc"u8).Add([]).Finish().Span;
            BinaryPrimitives.WriteInt64LittleEndian(s_schema.FixedColumn(row, 0), 77);
            s_schema.FixedColumn(row, 1).Fill(9);

            var view = new TableRow(row, RowId.None, s_schema);
            Assert.Equal(77, view.GetInt64(0));
            Assert.True(view.GetColumn(1).SequenceEqual(new byte[] { 9, 9, 9, 9 }));
            Assert.True(view.GetColumn(2).SequenceEqual("abc"u8));
        }
    }

    [Fact]
    public void BufferWriter_Parts_MakeOneColumn()
    {
        using var builder = new TableRowBuilder(s_schema, bytesExpected: 1);
        builder.AddBlank().AddBlank().Add([]);
        for (int i = 0; i < 5_000; i++)
        {
            builder.GetSpan(1)[0] = (byte)i;
            builder.Advance(1);
        }

        var row = new TableRow(builder.EndColumn().Finish().Span, RowId.None, s_schema);
        Assert.Equal(5_000, row.GetColumn(3).Length);
        Assert.Equal(4_999 & 0xFF, row.GetColumn(3)[4_999]);
    }

    [Fact]
    public void Builder_WrongColumns_AreRefused()
    {
        using var builder = new TableRowBuilder(s_schema);
        Assert.Throws<InvalidOperationException>(() => builder.Finish());
        Assert.Throws<InvalidOperationException>(() => builder.Add([1]));
        builder.Reset();
        builder.AddBlank().AddBlank().Add([]).Add([]);
        Assert.Throws<InvalidOperationException>(() => builder.Add([]));
    }

    [Fact]
    public void Schema_WrongDeclarations_AreRefused()
    {
        Assert.Throws<ArgumentException>(() => new TableSchema("a.b", new TableColumn("c")));
        Assert.Throws<ArgumentException>(() => new TableSchema("a"));
        Assert.Throws<ArgumentException>(() => new TableSchema("a", new TableColumn("c"), new TableColumn("d", 8)));
        var schema = new TableSchema("a", new TableColumn("c", 8), new TableColumn("d"));
        schema.AddKeyIndex("k", 1);
        Assert.Throws<ArgumentException>(() => schema.AddKeyIndex("k", 1));
        Assert.Throws<ArgumentException>(() => schema.AddNumberIndex("n", 1));
        Assert.Throws<ArgumentOutOfRangeException>(() => schema.AddKeyIndex("l", 1, 2));
    }

    [Fact]
    public void Schema_ColumnsThatCannotComeLater_AreRefused()
    {
        var first = new TableColumn("a");
        TableColumn[][] wrong =
        [
            [first, new("b") { Since = 2 }],
            [first, new("b") { Since = 0, Default = s_empty }],
            [first, new("b") { Since = 256, Default = s_empty }],
            [first, new("b") { Since = 3, Default = s_empty }, new("c") { Since = 2, Default = s_empty }],
            [first, new("b") { Default = s_empty }, new("c")],
            [first, new("b", 4) { Since = 2, Default = new byte[3] }],
            [new("a") { Default = s_empty }, new("b") { Since = 2, Default = s_empty }],
        ];
        foreach (TableColumn[] columns in wrong)
        {
            Assert.Throws<ArgumentException>(() => new TableSchema("t", columns));
        }

        var schema = new TableSchema("t", first, new("b") { Since = 2, Default = s_empty },
            new("c", 8) { Since = 255, Default = new byte[8] });
        Assert.Equal(255, schema.Version);
        Assert.Throws<ArgumentException>(() => schema.AddKeyIndex("k", 0, 2));
        Assert.Throws<ArgumentException>(() => schema.AddNumberIndex("n", 2));
        Assert.Throws<ArgumentException>(() => schema.AddPartitionedNumberIndex("p", 1, 2));
    }

    [Fact]
    public void Finish_LastColumnsWithTheirDefault_CostNothing()
    {
        var schema = new TableSchema("t", new("number", 8), new("body"), new("x") { Default = new byte[] { 7 } },
            new("y") { Default = s_empty });
        using var builder = new TableRowBuilder(schema);
        byte[] without = builder.AddInt64(1).Add("b"u8).Finish().ToArray();
        builder.Reset();
        byte[] with = builder.AddInt64(1).Add("b"u8).Add([7]).Add([]).Finish().ToArray();
        builder.Reset();
        byte[] inner = builder.AddInt64(1).Add("b"u8).Add([7]).Add([1]).Finish().ToArray();

        Assert.Equal(2 + 2 + 8 + 1, without.Length);
        Assert.Equal(without, with);
        var row = new TableRow(inner, RowId.None, schema);
        Assert.Equal(4, row.ColumnCount);
        Assert.Equal([7], row.GetColumn(2).ToArray());
        row = new TableRow(without, RowId.None, schema);
        Assert.Equal(2, row.ColumnCount);
        Assert.Equal([7], row.GetColumn(2).ToArray());
        Assert.Equal([], row.GetColumn(3).ToArray());
    }

    [Fact]
    public void GetColumn_OfRowWithFewerColumnsThanItsVersionHas_IsDamage()
    {
        var schema = new TableSchema(
            "t", new("number", 8), new("body"), new("x") { Since = 2, Default = s_empty });
        using var builder = new TableRowBuilder(schema);
        byte[] row = builder.AddInt64(1).Add("b"u8).Finish().ToArray();
        foreach ((byte version, byte columns) in new (byte, byte)[] { (2, 1), (1, 3), (3, 2), (0, 2), (2, 4) })
        {
            byte[] damaged = [.. row];
            (damaged[0], damaged[1]) = (version, (byte)((columns - 1) << 2));
            Assert.False(new TableRow(damaged, RowId.None, schema).IsSound());
            Assert.Throws<ArgumentException>(() => schema.View(damaged));
            Assert.Throws<ArgumentException>(() => schema.FixedColumn(damaged, 0));
        }

        row[1] = 0;
        Assert.Throws<CorruptedPageException>(() => new TableRow(row, RowId.None, schema).GetColumn(2));
        Assert.Throws<CorruptedPageException>(() => new TableRow(row, RowId.None, schema).GetColumn(1));
        Assert.Throws<CorruptedPageException>(() => default(TableRow).GetColumn(0));
    }

    [Fact]
    public void GetColumn_HeldOrDefault_AllocatesNothing()
    {
        var schema = new TableSchema(
            "t", new("number", 8), new("body"), new("x") { Since = 2, Default = new byte[] { 7 } });
        using var builder = new TableRowBuilder(schema);
        byte[] row = builder.AddInt64(1).Add("b"u8).Finish().ToArray();
        int bytes = 0;
        long before = 0;
        for (int i = 0; i < 1_000; i++)
        {
            before = i == 500 ? GC.GetAllocatedBytesForCurrentThread() : before;
            var view = new TableRow(row, RowId.None, schema);
            bytes += view.GetColumn(1).Length + view.GetColumn(2).Length;
        }

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.Equal(2_000, bytes);
    }

    [Fact]
    public void GetColumn_OfDamagedRow_NeverLeavesTheRow()
    {
        Console.WriteLine("TableRow fuzz, seed 31");
        var random = new Random(31);
        using var builder = new TableRowBuilder(s_schema);
        byte[] sound = builder.AddInt64(5).Add([1, 2, 3, 4]).Add("abc"u8).Add(new byte[300]).Finish().ToArray();
        for (int round = 0; round < 20_000; round++)
        {
            byte[] bytes = sound.AsSpan(0, random.Next(4) == 0 ? random.Next(sound.Length) : sound.Length).ToArray();
            for (int i = 0; bytes.Length > 0 && i < 3; i++)
            {
                bytes[random.Next(Math.Min(bytes.Length, 12))] ^= (byte)(1 << random.Next(8));
            }

            var row = new TableRow(bytes, RowId.None, s_schema);
            row.IsSound();
            try
            {
                row.GetColumns(random.Next(4), random.Next(1, 4));
            }
            catch (CorruptedPageException)
            {
                // Refused, as it should be: what matters is that nothing outside of the row was read.
            }
        }
    }
}
