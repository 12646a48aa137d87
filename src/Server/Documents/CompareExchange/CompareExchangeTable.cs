using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Server.Documents.CompareExchange;

/// <summary>The table of compare exchange values: small JSON objects; replacing one requires its current
/// index.</summary>
/// <remarks>
/// <code>
/// column              bytes  content
/// index                   8  little-endian; etag of the write, filled by the writer thread
/// key                        in lower case
/// name                       the key as first given; empty when it equals the key
/// value                      {"Object":any JSON} or {"Object":any JSON,"@metadata":{...}}, without whitespace
/// </code>
/// The same table is in docs/formats/documents.md.
/// </remarks>
internal static class CompareExchangeTable
{
    public const int IndexColumn = 0;
    public const int KeyColumn = 1;
    public const int NameColumn = 2;
    public const int ValueColumn = 3;

    static CompareExchangeTable()
    {
        Schema = new TableSchema(
            "CompareExchange",
            new TableColumn("index", sizeof(long)),
            new TableColumn("key"),
            new TableColumn("name"),
            new TableColumn("value"));
        ByKey = Schema.AddKeyIndex("key", KeyColumn);
        ByIndex = Schema.AddNumberIndex("index", IndexColumn);
    }

    public static TableSchema Schema { get; }

    public static TableIndex ByKey { get; }

    /// <summary>Unique: each write of a value takes an etag of its own.</summary>
    public static TableIndex ByIndex { get; }

    /// <summary>The values of a snapshot.</summary>
    public static Table Open(ReadTransaction read) => new(read, read.Trees, Schema);

    /// <summary>Builds a row whose index is blank.</summary>
    /// <param name="name">The key as given.</param>
    public static byte[] BuildRow(ReadOnlySpan<byte> key, ReadOnlySpan<byte> name, ReadOnlySpan<byte> value)
    {
        using var builder = new TableRowBuilder(Schema, key.Length + name.Length + value.Length + sizeof(long));
        return builder.AddBlank().Add(key).Add(name.SequenceEqual(key) ? default : name).Add(value).Finish().ToArray();
    }
}

/// <summary>A row of <see cref="CompareExchangeTable"/>, read. A view: valid as long as the row.</summary>
internal readonly ref struct CompareExchangeRow(TableRow row)
{
    public TableRow Row { get; } = row;

    public long Index => Row.GetInt64(CompareExchangeTable.IndexColumn);

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
