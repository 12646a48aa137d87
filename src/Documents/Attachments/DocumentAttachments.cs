using System.Buffers.Binary;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Attachments;

/// <summary>The attachments as a write transaction sees them. Writer thread.</summary>
/// <remarks>Each attachment holds one reference to its content. A document's metadata is written at the end of the batch
/// (<see cref="DocumentTransaction.Extend"/>), for which callers of changes have to ask.</remarks>
internal sealed class DocumentAttachments
{
    private readonly DocumentTransaction _documents;

    private DocumentAttachments(DocumentTransaction documents)
    {
        _documents = documents;
        Contents = AttachmentContents.Of(documents);
        Table = new Table(documents.Transaction, documents.Transaction.Trees, AttachmentTable.Schema);
    }

    public AttachmentContents Contents { get; }

    private Table Table { get; }

    /// <summary>The attachments of a transaction.</summary>
    public static DocumentAttachments Of(DocumentTransaction documents) =>
        documents.OpenOnce(static inner => new DocumentAttachments(inner));

    public bool TryFind(ReadOnlySpan<byte> key, out AttachmentRow attachment)
    {
        bool isFound = Table.TryGetByKey(AttachmentTable.ByKey, key, out TableRow row);
        attachment = new AttachmentRow(row);
        return isFound;
    }

    /// <summary>The version of an attachment; missing when there is none.</summary>
    public DocumentVersion FindVersion(ReadOnlySpan<byte> key) => TryFind(key, out AttachmentRow found) ? found.Version : default;

    /// <summary>Adds an attachment, or replaces it. The caller has added the reference to its content.</summary>
    /// <param name="key">Not a view of pages.</param>
    /// <param name="row">The row, into which the etag is filled.</param>
    public Etag Put(ReadOnlySpan<byte> key, Span<byte> row)
    {
        Delete(key);
        Etag etag = _documents.TakeEtag(
            ChangeKind.ExtensionPut, AttachmentExtension.Instance, ExtensionKeys.DocumentOf(key), default, ExtensionKeys.NameOf(key), default);
        BinaryPrimitives.WriteInt64LittleEndian(AttachmentTable.Schema.FixedColumn(row, AttachmentTable.EtagColumn), etag.Value);
        Table.Insert(row);
        CountShown(new AttachmentRow(AttachmentTable.Schema.View(row)), 1);
        return etag;
    }

    /// <summary>Removes an attachment and its reference.</summary>
    /// <returns>False when there is no such attachment.</returns>
    public bool Delete(ReadOnlySpan<byte> key)
    {
        if (!TryFind(key, out AttachmentRow stored))
        {
            return false;
        }

        Span<byte> hash = stackalloc byte[ContentTable.HashBytes];
        stored.Hash.CopyTo(hash);
        CountShown(stored, -1);
        Table.Delete(stored.Row);
        Contents.RemoveReference(hash);
        return true;
    }

    /// <summary>The keys of all attachments of a document.</summary>
    public List<byte[]> ListKeys(ReadOnlySpan<byte> documentKey)
    {
        List<byte[]> keys = [];
        Span<byte> prefix = stackalloc byte[ExtensionKeys.KeyBytesMax];
        prefix = prefix[..ExtensionKeys.MakePrefix(documentKey, prefix)];
        using TableKeyCursor cursor = Open(prefix, out bool isFound);
        for (; isFound; isFound = cursor.MoveNext(prefix))
        {
            keys.Add(cursor.Key.ToArray());
        }

        return keys;
    }

    /// <summary>Removes all attachments of a document.</summary>
    /// <param name="documentKey">Not a view of pages.</param>
    public void DeleteAll(ReadOnlySpan<byte> documentKey)
    {
        Span<byte> key = stackalloc byte[ExtensionKeys.KeyBytesMax];
        while (TryFindFirst(documentKey, key, out int length))
        {
            Delete(key[..length]);
        }
    }

    /// <summary>A cursor at the first attachment of a document.</summary>
    /// <param name="prefix">The prefix of their keys: <see cref="ExtensionKeys.MakePrefix"/>.</param>
    /// <param name="isFound">Whether the document has an attachment.</param>
    public TableKeyCursor Open(ReadOnlySpan<byte> prefix, out bool isFound)
    {
        TableKeyCursor cursor = Table.OpenKeys(AttachmentTable.ByKey);
        isFound = cursor.SeekPrefix(prefix);
        return cursor;
    }

    // The document shows the change at the end of the batch, and must stay within its limit until then.
    private void CountShown(AttachmentRow attachment, int sign)
    {
        if (_documents.FindExtended(ExtensionKeys.DocumentOf(attachment.Key)) is { IsPending: true } document)
        {
            document.AddShownBytes(AttachmentExtension.Instance, sign * AttachmentExtension.CountShownBytes(attachment));
        }
    }

    // The next change makes a cursor invalid, so each attachment is looked up again.
    private bool TryFindFirst(ReadOnlySpan<byte> documentKey, Span<byte> key, out int length)
    {
        int prefix = ExtensionKeys.MakePrefix(documentKey, key);
        using TableKeyCursor cursor = Open(key[..prefix], out bool isFound);
        length = isFound ? cursor.Key.Length : 0;
        if (isFound)
        {
            cursor.Key.CopyTo(key);
        }

        return isFound;
    }
}
