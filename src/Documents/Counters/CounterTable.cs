using System.Buffers.Binary;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Documents.Counters;

/// <summary>The table of counters: 64-bit numbers that belong to documents.</summary>
/// <remarks>
/// <code>
/// column              bytes  content
/// etag                    8  little-endian; of the last write
/// value                   8  little-endian, signed
/// key                        key of the document, 00, the name in lower case
/// name                       as first given; empty when it equals the one in the key
/// change vector              empty, and not in the row, when it is only the local replica's entry for the etag
/// </code>
/// The same table is in docs/formats/documents.md.
/// </remarks>
internal static class CounterTable
{
    public const int EtagColumn = 0;
    public const int ValueColumn = 1;
    public const int KeyColumn = 2;
    public const int NameColumn = 3;
    public const int ChangeVectorColumn = 4;

    static CounterTable()
    {
        Schema = new TableSchema(
            "Counters",
            new TableColumn("etag", sizeof(long)),
            new TableColumn("value", sizeof(long)),
            new TableColumn("key"),
            new TableColumn("name"),
            new TableColumn("change vector") { Default = ReadOnlyMemory<byte>.Empty });
        ByKey = Schema.AddKeyIndex("key", KeyColumn);
        ByEtag = Schema.AddNumberIndex("etag", EtagColumn);
    }

    public static TableSchema Schema { get; }

    public static TableIndex ByKey { get; }

    /// <summary>Unique, because each write of a counter takes an etag of its own.</summary>
    public static TableIndex ByEtag { get; }

    /// <summary>The counters of a transaction.</summary>
    public static Table Open(PageReader pages, TreeCatalog trees) => new(pages, trees, Schema);

    /// <summary>Builds the row of a new counter.</summary>
    public static byte[] BuildRow(ReadOnlySpan<byte> key, ReadOnlySpan<byte> name, Etag etag, long value)
    {
        using var builder = new TableRowBuilder(Schema, key.Length + name.Length + (4 * sizeof(long)));
        return builder.AddInt64(etag.Value).AddInt64(value).Add(key).Add(DocumentRow.Given(name, ExtensionKeys.NameOf(key))).Finish().ToArray();
    }

    /// <summary>Sets the columns of a row that a write changes.</summary>
    public static void SetValue(Span<byte> row, Etag etag, long value)
    {
        BinaryPrimitives.WriteInt64LittleEndian(Schema.FixedColumn(row, EtagColumn), etag.Value);
        BinaryPrimitives.WriteInt64LittleEndian(Schema.FixedColumn(row, ValueColumn), value);
    }
}

/// <summary>A row of <see cref="CounterTable"/>, read. A view: valid as long as the row.</summary>
internal readonly ref struct CounterRow(TableRow row)
{
    public TableRow Row { get; } = row;

    public Etag Etag => new(Row.GetInt64(CounterTable.EtagColumn));

    public long Value => Row.GetInt64(CounterTable.ValueColumn);

    /// <summary>Key of the document, zero, name in lower case.</summary>
    public ReadOnlySpan<byte> Key => Row.GetColumn(CounterTable.KeyColumn);

    /// <summary>The name in the spelling of its first write.</summary>
    public ReadOnlySpan<byte> Name => DocumentRow.GivenOr(Row.GetColumn(CounterTable.NameColumn), ExtensionKeys.NameOf(Key));
}
