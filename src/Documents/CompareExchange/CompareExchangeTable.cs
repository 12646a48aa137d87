using System.Buffers.Binary;
using Jackdaw.Storage;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Documents.CompareExchange;

/// <summary>The table of compare exchange values: small JSON objects, which can be replaced only with their current index.</summary>
/// <remarks>
/// <code>
/// column              bytes  content
/// etag                    8  little-endian; of the write, filled by the writer thread
/// key                        in lower case
/// name                       the key as first given; empty when it equals the key
/// value                      {"Object":any JSON} or {"Object":any JSON,"@metadata":{...}}, without whitespace
/// transaction                8 bytes, little-endian: index of the cluster-wide transaction that wrote it; empty when it is the etag
/// </code>
/// The index of a value, by which clients name its version, is that of the transaction or, without one, the etag.
/// The same table is in docs/formats/documents.md.
/// </remarks>
internal static class CompareExchangeTable
{
    public const int EtagColumn = 0;
    public const int KeyColumn = 1;
    public const int NameColumn = 2;
    public const int ValueColumn = 3;
    public const int TransactionColumn = 4;

    static CompareExchangeTable()
    {
        Schema = new TableSchema(
            "CompareExchange",
            new TableColumn("etag", sizeof(long)),
            new TableColumn("key"),
            new TableColumn("name"),
            new TableColumn("value"),
            new TableColumn("transaction") { Default = ReadOnlyMemory<byte>.Empty, Since = 2 });
        ByKey = Schema.AddKeyIndex("key", KeyColumn);
        ByEtag = Schema.AddNumberIndex("index", EtagColumn);
    }

    public static TableSchema Schema { get; }

    public static TableIndex ByKey { get; }

    /// <summary>Unique, because each write of a value takes an etag of its own.</summary>
    public static TableIndex ByEtag { get; }

    /// <summary>The values of a snapshot.</summary>
    public static Table Open(ReadTransaction read) => new(read, read.Trees, Schema);

    /// <summary>Builds a row whose etag is blank.</summary>
    /// <param name="name">The key as given.</param>
    /// <param name="transaction">The index of the transaction; 0 when it is the etag.</param>
    public static byte[] BuildRow(ReadOnlySpan<byte> key, ReadOnlySpan<byte> name, ReadOnlySpan<byte> value, long transaction = 0)
    {
        using var builder = new TableRowBuilder(Schema, key.Length + name.Length + value.Length + (2 * sizeof(long)));
        builder.AddBlank().Add(key).Add(name.SequenceEqual(key) ? default : name).Add(value);
        if (transaction > 0)
        {
            Span<byte> index = stackalloc byte[sizeof(long)];
            BinaryPrimitives.WriteInt64LittleEndian(index, transaction);
            builder.Add(index);
        }

        return builder.Finish().ToArray();
    }
}

/// <summary>A row of <see cref="CompareExchangeTable"/>, read. A view: valid as long as the row.</summary>
internal readonly ref struct CompareExchangeRow(TableRow row)
{
    public TableRow Row { get; } = row;

    /// <summary>The index by which clients name the version of the value.</summary>
    public long Index
    {
        get
        {
            ReadOnlySpan<byte> transaction = Row.GetColumn(CompareExchangeTable.TransactionColumn);
            return transaction.Length switch
            {
                0 => Etag,
                sizeof(long) => BinaryPrimitives.ReadInt64LittleEndian(transaction),
                _ => throw new CorruptionException($"A compare exchange value names its transaction in {transaction.Length} bytes."),
            };
        }
    }

    public long Etag => Row.GetInt64(CompareExchangeTable.EtagColumn);

    public ReadOnlySpan<byte> Key => Row.GetColumn(CompareExchangeTable.KeyColumn);

    /// <summary>The key in the spelling of its first write.</summary>
    public ReadOnlySpan<byte> Name
    {
        get
        {
            ReadOnlySpan<byte> given = Row.GetColumn(CompareExchangeTable.NameColumn);
            return given.IsEmpty ? Key : given;
        }
    }

    public ReadOnlySpan<byte> Value => Row.GetColumn(CompareExchangeTable.ValueColumn);
}
