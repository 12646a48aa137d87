using System.Buffers.Binary;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Storage.Tests.Tables;

public sealed class TableRowTests
{
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

        var row = new TableRow(bytes, RowId.None);
        Assert.Equal(offsetBytes, bytes[1]);
        Assert.True(row.IsSound(4));
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

            var view = new TableRow(row, RowId.None);
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

        var row = new TableRow(builder.EndColumn().Finish().Span, RowId.None);
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

            var row = new TableRow(bytes, RowId.None);
            row.IsSound(4);
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
