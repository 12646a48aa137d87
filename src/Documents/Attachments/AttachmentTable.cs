using System.Text;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Documents.Attachments;

/// <summary>The table of attachments: which content a document has under which name.</summary>
/// <remarks>
/// <code>
/// column              bytes  content
/// etag                    8  little-endian; filled by the writer thread
/// size                    8  little-endian; bytes of the content
/// key                        document key, 0, name in lower case
/// name                       the name as given; empty when it equals its lower case
/// content type               as given; may be empty
/// hash                   32  SHA-256 of the content
/// change vector              empty, and not in the row, when it is only the local replica's entry for the etag
/// </code>
/// The same table is in docs/formats/attachments.md.
/// </remarks>
internal static class AttachmentTable
{
    public const int EtagColumn = 0;
    public const int SizeColumn = 1;
    public const int KeyColumn = 2;
    public const int NameColumn = 3;
    public const int ContentTypeColumn = 4;
    public const int HashColumn = 5;
    public const int ChangeVectorColumn = 6;

    static AttachmentTable()
    {
        Schema = new TableSchema(
            "Attachments",
            new TableColumn("etag", sizeof(long)),
            new TableColumn("size", sizeof(long)),
            new TableColumn("key"),
            new TableColumn("name"),
            new TableColumn("content type"),
            new TableColumn("hash"),
            new TableColumn("change vector") { Default = ReadOnlyMemory<byte>.Empty });
        ByKey = Schema.AddKeyIndex("key", KeyColumn);
        ByEtag = Schema.AddNumberIndex("etag", EtagColumn);
    }

    public static TableSchema Schema { get; }

    public static TableIndex ByKey { get; }

    /// <summary>Unique, because each write of an attachment takes an etag of its own.</summary>
    public static TableIndex ByEtag { get; }

    /// <summary>The attachments of a snapshot.</summary>
    public static Table Open(ReadTransaction read) => new(read, read.Trees, Schema);

    /// <summary>Builds a row whose etag is blank.</summary>
    public static byte[] BuildRow(
        ReadOnlySpan<byte> key, ReadOnlySpan<byte> name, ReadOnlySpan<byte> contentType, ReadOnlySpan<byte> hash, long size)
    {
        using var builder = new TableRowBuilder(Schema, key.Length + name.Length + contentType.Length + hash.Length + (2 * sizeof(long)));
        return builder.AddBlank().AddInt64(size).Add(key).Add(DocumentRow.Given(name, ExtensionKeys.NameOf(key))).Add(contentType).Add(hash).Finish().ToArray();
    }
}

/// <summary>A row of <see cref="AttachmentTable"/>, read. A view: valid as long as the row.</summary>
internal readonly ref struct AttachmentRow(TableRow row)
{
    public TableRow Row { get; } = row;

    public Etag Etag => new(Row.GetInt64(AttachmentTable.EtagColumn));

    public DocumentVersion Version => new(Etag, Row.GetColumn(AttachmentTable.ChangeVectorColumn));

    /// <summary>Bytes.</summary>
    public long Size => Row.GetInt64(AttachmentTable.SizeColumn);

    public ReadOnlySpan<byte> Key => Row.GetColumn(AttachmentTable.KeyColumn);

    /// <summary>The name in the spelling of the last write.</summary>
    public ReadOnlySpan<byte> Name => DocumentRow.GivenOr(Row.GetColumn(AttachmentTable.NameColumn), ExtensionKeys.NameOf(Key));

    public ReadOnlySpan<byte> ContentType => Row.GetColumn(AttachmentTable.ContentTypeColumn);

    public ReadOnlySpan<byte> Hash => Row.GetColumn(AttachmentTable.HashColumn);

    /// <summary>A copy of the row that outlives the snapshot.</summary>
    public Attachment ToAttachment() => new(
        Encoding.UTF8.GetString(Name), Encoding.ASCII.GetString(ContentType), Hash.ToArray(), Size, Etag,
        Version.ChangeVector.IsEmpty ? null : Version.ChangeVector.ToArray());
}

/// <summary>An attachment without its content, in memory of its own.</summary>
/// <param name="Name">The name in the spelling of the last write.</param>
/// <param name="ContentType">May be empty.</param>
/// <param name="Hash">SHA-256 of the content: 32 bytes.</param>
/// <param name="Size">The size in bytes.</param>
/// <param name="Etag">The etag of the write.</param>
/// <param name="StoredVector">Null when the change vector follows from the etag.</param>
internal sealed record Attachment(string Name, string ContentType, byte[] Hash, long Size, Etag Etag, byte[]? StoredVector)
{
    public DocumentVersion Version => new(Etag, StoredVector);

    /// <summary>44 characters of base64, as clients see it.</summary>
    public string HashText => Convert.ToBase64String(Hash);
}
