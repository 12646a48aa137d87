using System.Buffers;
using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Storage;

namespace Jackdaw.Documents.Attachments;

/// <summary>Attachments of revisions: a revision shows those of its time, and holds a reference to the content of each.</summary>
internal sealed partial class AttachmentExtension
{
    // The current attachments are used, and not those that the document shows, because within a batch it shows them only at the end.
    public override void DescribeRevision(DocumentTransaction documents, ReadOnlySpan<byte> key, ReadOnlySpan<byte> shown, IBufferWriter<byte> output) =>
        Describe(documents, key, output);

    public override void Keep(DocumentTransaction documents, ReadOnlySpan<byte> kept)
    {
        var contents = AttachmentContents.Of(documents);
        foreach (Shown attachment in Read(kept))
        {
            AddReference(contents, attachment);
        }
    }

    public override void Release(DocumentTransaction documents, ReadOnlySpan<byte> kept)
    {
        var contents = AttachmentContents.Of(documents);
        foreach (Shown attachment in Read(kept))
        {
            contents.RemoveReference(attachment.Hash);
        }
    }

    public override void Revert(DocumentTransaction documents, byte[] key, DocumentRow document, ReadOnlySpan<byte> kept)
    {
        var attachments = DocumentAttachments.Of(documents);
        Dictionary<byte[], Shown> wanted = ByKey(key, kept);
        foreach (byte[] gone in attachments.ListKeys(key).Where(stored => !wanted.ContainsKey(stored)))
        {
            attachments.Delete(gone);
        }

        foreach ((byte[] attachmentKey, Shown attachment) in wanted)
        {
            if (!attachments.TryFind(attachmentKey, out AttachmentRow stored) || !attachment.Equals(stored))
            {
                AddReference(attachments.Contents, attachment);
                attachments.Put(attachmentKey, AttachmentTable.BuildRow(
                    attachmentKey, attachment.Name, attachment.ContentType, attachment.Hash, attachment.Size));
            }
        }
    }

    /// <summary>Finds an attachment among those that a revision shows; null when it shows none of this name.</summary>
    /// <param name="documentKey">The key of the revision's document.</param>
    /// <param name="kept">The column of the revision.</param>
    /// <param name="attachmentKey">The key of the attachment.</param>
    /// <param name="version">The version of the revision.</param>
    public static Attachment? Find(byte[] documentKey, ReadOnlySpan<byte> kept, byte[] attachmentKey, DocumentVersion version) =>
        ByKey(documentKey, kept).TryGetValue(attachmentKey, out Shown shown)
            ? new Attachment(
                Encoding.UTF8.GetString(shown.Name), Encoding.ASCII.GetString(shown.ContentType), shown.Hash, shown.Size, version.Etag,
                version.ChangeVector.IsEmpty ? null : version.ChangeVector.ToArray())
            : null;

    private static Dictionary<byte[], Shown> ByKey(byte[] key, ReadOnlySpan<byte> kept)
    {
        Dictionary<byte[], Shown> attachments = new(ByteTextComparer.Instance);
        foreach (Shown attachment in Read(kept))
        {
            if (AttachmentNames.TryMakeKey(key, attachment.Name, out byte[] attachmentKey) is { } fault)
            {
                throw new CorruptionException($"An attachment of a revision of '{Encoding.UTF8.GetString(key)}' has a name that it cannot have: {fault}");
            }

            attachments[attachmentKey] = attachment;
        }

        return attachments;
    }

    private static void AddReference(AttachmentContents contents, Shown attachment)
    {
        if (!contents.TryAddReference(attachment.Hash))
        {
            throw new CorruptionException(
                $"The content of attachment '{Encoding.UTF8.GetString(attachment.Name)}', which a revision or its document shows, is missing.");
        }
    }

    // The JSON that Write has written.
    private static List<Shown> Read(ReadOnlySpan<byte> kept)
    {
        List<Shown> attachments = [];
        if (kept.IsEmpty)
        {
            return attachments;
        }

        using JsonDocument document = JsonDocument.Parse(kept.ToArray());
        foreach (JsonElement shown in document.RootElement.EnumerateArray())
        {
            attachments.Add(new Shown(
                Encoding.UTF8.GetBytes(shown.GetProperty("Name"u8).GetString()!),
                Encoding.ASCII.GetBytes(shown.GetProperty("ContentType"u8).GetString()!),
                shown.GetProperty("Hash"u8).GetBytesFromBase64(),
                shown.GetProperty("Size"u8).GetInt64()));
        }

        return attachments;
    }

    private readonly record struct Shown(byte[] Name, byte[] ContentType, byte[] Hash, long Size)
    {
        public bool Equals(AttachmentRow row) =>
            row.Size == Size && row.Hash.SequenceEqual(Hash) && row.Name.SequenceEqual(Name) && row.ContentType.SequenceEqual(ContentType);
    }
}
