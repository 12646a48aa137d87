using System.Text.Json;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Rows;
using Jackdaw.Json;

namespace Jackdaw.Documents.Attachments;

/// <summary>Puts an attachment of a document, or replaces it.</summary>
/// <remarks>The content comes beside the command: the request sets it before the batch is written.</remarks>
internal sealed class PutAttachmentCommand : AttachmentCommand
{
    private byte[] _row = [];
    private Etag _etag;
    private long _contentLength;

    /// <summary>The content type as it was sent; it may be empty.</summary>
    public string ContentType { get; set; } = "";


    /// <summary>The new content of the attachment.</summary>
    public ReceivedContent? Content { get; set; }

    internal override long ContentLength => _contentLength;

    internal override int SizeBytes => FixedBytes + Name.Length + Content!.Bytes.Length;

    /// <summary>Reads a command of a batch.</summary>
    public static void Read(ref CommandText text) => Take(ref text);

    /// <summary>Reads an element of a bulk insert: the bytes of its content follow it.</summary>
    public static void ReadInserted(ref CommandText text)
    {
        long? length = text.ReadCount("ContentLength");
        if (length is null)
        {
            text.Throw(-1, DocumentFormatError.InvalidRequest,
                $"Command {text.Index} is an AttachmentPUT without ContentLength; say how many bytes follow it.");
        }

        if (length > AttachmentLimits.AttachmentBytesMax)
        {
            text.Throw(-1, DocumentFormatError.TooLarge,
                $"Command {text.Index} is an attachment of {length} bytes; one may have {AttachmentLimits.AttachmentBytesMax}.");
        }

        Take(ref text)._contentLength = length.GetValueOrDefault();
    }

    private static PutAttachmentCommand Take(ref CommandText text)
    {
        string contentType = text.ReadText("ContentType", out int position) ?? "";
        if (AttachmentNames.CheckContentType(contentType) is { } fault)
        {
            text.Throw(position, DocumentFormatError.InvalidRequest, $"Command {text.Index}: {fault}");
        }

        if (text.TryOpen("RemoteParameters", out JsonCursor remote))
        {
            text.Throw(remote.Position, DocumentFormatError.NotSupportedYet,
                $"Command {text.Index}: attachments in remote storage are not supported yet by this server; leave RemoteParameters out.");
        }

        PutAttachmentCommand command = Take<PutAttachmentCommand>(ref text);
        command.ContentType = contentType;
        return command;
    }

    internal override void Prepare(CommandPreparation preparation)
    {
        base.Prepare(preparation);
        _row = AttachmentTable.BuildRow(Key.Span, Name, AttachmentNames.Encode(ContentType), Content!.Hash, Content.Size);
    }

    protected override AttachmentFault Change(DocumentTransaction documents, DocumentAttachments attachments)
    {
        AttachmentFault fault = CheckDocument(documents, DocumentKey);
        if (fault != AttachmentFault.None)
        {
            return fault;
        }

        if (!TryMeet(attachments.FindVersion(Key.Span)))
        {
            return AttachmentFault.OtherVersion;
        }

        Extend(documents);

        // This happens before the old content loses its reference, because it may be the same content.
        if (!attachments.Contents.TryAddReference(Content!))
        {
            return AttachmentFault.ContentGone;
        }

        _etag = attachments.Put(Key.Span, _row);
        return AttachmentFault.None;
    }

    /// <summary>Writes the facts about the attachment that was put.</summary>
    public void WriteDetails(Utf8JsonWriter json, INamedDatabase database)
    {
        WriteVector(json, "ChangeVector"u8, database, new DocumentVersion(_etag, default));
        json.WriteString("Name"u8, Name);
        json.WriteString("ContentType"u8, ContentType);
        json.WriteString("Hash"u8, Convert.ToBase64String(Content!.Hash));
        json.WriteNumber("Size"u8, Content.Size);
    }

    internal override void WriteAnswer(Utf8JsonWriter json, INamedDatabase database)
    {
        json.WriteString("Type"u8, "AttachmentPUT"u8);
        json.WriteString("Id"u8, Id.Span);
        WriteDetails(json, database);
        WriteDocumentVector(json, database);
    }

    internal override void Clear()
    {
        base.Clear();
        (ContentType, _contentLength, Content, _row) = ("", 0, null, []);
    }
}
