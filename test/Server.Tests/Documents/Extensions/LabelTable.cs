using System.Text;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Server.Tests.Documents.Extensions;

/// <summary>A label as it is stored.</summary>
internal sealed record Label(string Name, string Text, Etag Etag);

/// <summary>The table of labels: short texts that documents have under names.</summary>
internal static class LabelTable
{
    private const int EtagColumn = 0;
    private const int KeyColumn = 1;
    private const int NameColumn = 2;
    private const int TextColumn = 3;

    static LabelTable()
    {
        Schema = new TableSchema("Labels", new TableColumn("etag", sizeof(long)), new TableColumn("key"), new TableColumn("name"), new TableColumn("text"));
        ByKey = Schema.AddKeyIndex("key", KeyColumn);
    }

    public static TableSchema Schema { get; }

    private static TableIndex ByKey { get; }

    public static Table Open(PageReader pages, TreeCatalog trees) => new(pages, trees, Schema);

    public static Table Open(ReadTransaction read) => new(read, read.Trees, Schema);

    public static byte[] BuildRow(byte[] key, string name, string text, Etag etag)
    {
        using var builder = new TableRowBuilder(Schema);
        return builder.AddInt64(etag.Value).Add(key).Add(Encoding.UTF8.GetBytes(name)).Add(Encoding.UTF8.GetBytes(text)).Finish().ToArray();
    }

    /// <summary>The key of a label; null when none can have the name.</summary>
    public static byte[]? KeyOf(ReadOnlySpan<byte> document, string name)
    {
        byte[] key = new byte[ExtensionKeys.KeyBytesMax];
        return ExtensionKeys.TryMake(document, Encoding.UTF8.GetBytes(name), key, out int length) == DocumentIdFault.None ? key[..length] : null;
    }

    public static Label? Find(Table labels, byte[] key) => labels.TryGetByKey(key, out TableRow row) ? Read(row) : null;

    /// <summary>The labels of a document by their keys.</summary>
    public static List<(byte[] Key, Label Label)> List(Table labels, ReadOnlySpan<byte> document)
    {
        byte[] prefix = new byte[document.Length + 1];
        ExtensionKeys.MakePrefix(document, prefix);
        List<(byte[], Label)> found = [];
        using TableKeyCursor cursor = labels.OpenKeys(ByKey);
        for (bool has = cursor.SeekPrefix(prefix); has; has = cursor.MoveNext(prefix))
        {
            found.Add((cursor.Key.ToArray(), Read(cursor.Row)));
        }

        return found;
    }

    /// <summary>Keys of the documents that have labels.</summary>
    public static IEnumerable<byte[]> Documents(Table labels)
    {
        using TableKeyCursor cursor = labels.OpenKeys(ByKey);
        for (bool has = cursor.SeekFirst(); has; has = cursor.MoveNext())
        {
            yield return ExtensionKeys.DocumentOf(cursor.Key).ToArray();
        }
    }

    private static Label Read(TableRow row) => new(
        Encoding.UTF8.GetString(row.GetColumn(NameColumn)), Encoding.UTF8.GetString(row.GetColumn(TextColumn)), new Etag(row.GetInt64(EtagColumn)));
}

/// <summary>The labels as one write transaction sees them.</summary>
internal sealed class LabelWrites
{
    private readonly DocumentTransaction _documents;

    private LabelWrites(DocumentTransaction documents)
    {
        _documents = documents;
        Table = LabelTable.Open(documents.Transaction, documents.Transaction.Trees);
    }

    public Table Table { get; }

    public static LabelWrites Of(DocumentTransaction documents) => documents.OpenOnce(static inner => new LabelWrites(inner));

    /// <summary>Sets a label, or removes it when there is no text.</summary>
    public void Set(DocumentRow document, byte[] key, string name, string? text)
    {
        ChangeKind kind = text is null ? ChangeKind.ExtensionDelete : ChangeKind.ExtensionPut;
        Etag etag = _documents.TakeEtag(
            kind, LabelExtension.Instance, document.Id, document.Collection, Encoding.UTF8.GetBytes(name), Encoding.UTF8.GetBytes(text ?? ""));
        if (text is null)
        {
            Table.DeleteByKey(key);
        }
        else
        {
            Table.Upsert(LabelTable.BuildRow(key, name, text, etag));
        }
    }
}
