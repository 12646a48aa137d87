using System.Buffers.Binary;
using System.Text;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Search;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Indexing.Records;

/// <summary>The table of the indexes of a database, in the storage of its documents.</summary>
/// <remarks>
/// <code>
/// column              bytes  content
/// created                 8  UTC ticks, little-endian
/// settings                8  byte 0: IndexState, byte 1: IndexLockMode, byte 2: IndexPriority, byte 3: 1 if it is
///                            a replacement that moves its index to another engine, the others 0
/// key                        the name in lower case
/// name                       the name as given
/// folder                     name of its folder below Indexes/
/// definition                 JSON
/// engine                     name of the search engine; added later, empty by default: Lucene
/// history                    earlier definitions in JSON; added later, empty by default
/// </code>
/// The same table is in docs/formats/documents.md.
/// </remarks>
internal static class IndexRecordTable
{
    private const int CreatedColumn = 0;
    private const int SettingsColumn = 1;
    private const int KeyColumn = 2;
    private const int NameColumn = 3;
    private const int FolderColumn = 4;
    private const int DefinitionColumn = 5;
    private const int EngineColumn = 6;
    private const int HistoryColumn = 7;

    static IndexRecordTable()
    {
        Schema = new TableSchema(
            "Indexes",
            new TableColumn("created", sizeof(long)),
            new TableColumn("settings", sizeof(long)),
            new TableColumn("key"),
            new TableColumn("name"),
            new TableColumn("folder"),
            new TableColumn("definition"),
            new TableColumn("engine") { Since = 2, Default = ReadOnlyMemory<byte>.Empty },
            new TableColumn("history") { Since = 3, Default = ReadOnlyMemory<byte>.Empty });
        ByKey = Schema.AddKeyIndex("key", KeyColumn);
    }

    public static TableSchema Schema { get; }

    public static TableIndex ByKey { get; }

    /// <summary>The table in a write transaction.</summary>
    public static Table Open(DocumentTransaction documents) => documents.OpenOnce(static inner =>
        new Opened(new Table(inner.Transaction, inner.Transaction.Trees, Schema))).Records;

    /// <summary>All records of a snapshot, ordered by key.</summary>
    public static List<IndexRecord> ReadAll(ReadTransaction read)
    {
        var records = new List<IndexRecord>();
        using TableKeyCursor cursor = new Table(read, read.Trees, Schema).OpenKeys(ByKey);
        for (bool on = cursor.Seek([]); on; on = cursor.MoveNext([]))
        {
            records.Add(Read(cursor.Row));
        }

        return records;
    }

    public static byte[] BuildRow(IndexRecord record)
    {
        using var builder = new TableRowBuilder(Schema, record.Definition.Length + record.History.Length + 256);
        Span<byte> settings = stackalloc byte[sizeof(long)];
        settings.Clear();
        settings[0] = (byte)record.State;
        settings[1] = (byte)record.LockMode;
        settings[2] = (byte)record.Priority;
        settings[3] = record.IsMove ? (byte)1 : (byte)0;
        return builder
            .AddInt64(record.CreatedTicks)
            .AddInt64(BinaryPrimitives.ReadInt64LittleEndian(settings))
            .Add(IndexRecord.KeyOf(record.Name))
            .Add(Encoding.UTF8.GetBytes(record.Name))
            .Add(Encoding.UTF8.GetBytes(record.Folder))
            .Add(record.Definition.Span)
            .Add(Encoding.UTF8.GetBytes(record.Engine))
            .Add(record.History.Span)
            .Finish().ToArray();
    }

    public static IndexRecord Read(TableRow row)
    {
        long settings = row.GetInt64(SettingsColumn);
        return new IndexRecord
        {
            CreatedTicks = row.GetInt64(CreatedColumn),
            State = (IndexState)(byte)settings,
            LockMode = (IndexLockMode)(byte)(settings >> 8),
            Priority = (IndexPriority)(byte)(settings >> 16),
            IsMove = (byte)(settings >> 24) != 0,
            Name = Encoding.UTF8.GetString(row.GetColumn(NameColumn)),
            Folder = Encoding.UTF8.GetString(row.GetColumn(FolderColumn)),
            Definition = row.GetColumn(DefinitionColumn).ToArray(),
            Engine = row.GetColumn(EngineColumn) is { IsEmpty: false } engine ? Encoding.UTF8.GetString(engine) : SearchEngines.Unnamed,
            History = row.GetColumn(HistoryColumn).ToArray(),
        };
    }

    private sealed record Opened(Table Records);
}
