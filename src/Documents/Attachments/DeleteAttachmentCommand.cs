using System.Text.Json;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;

namespace Jackdaw.Documents.Attachments;

/// <summary>Deletes one attachment; deleting a missing one succeeds and changes nothing.</summary>
internal sealed class DeleteAttachmentCommand : AttachmentCommand
{
    /// <summary>Reads a command of a batch.</summary>
    public static void Read(ref CommandText text) => Take<DeleteAttachmentCommand>(ref text);

    protected override AttachmentFault Change(DocumentTransaction documents, DocumentAttachments attachments)
    {
        if (!TryMeet(attachments.FindVersion(Key.Span)))
        {
            return AttachmentFault.OtherVersion;
        }

        if (attachments.TryFind(Key.Span, out _))
        {
            Extend(documents);
            attachments.Delete(Key.Span);
        }
        else if (documents.TryFind(DocumentKey, out DocumentRow document))
        {
            Keep(document);
        }

        return AttachmentFault.None;
    }

    internal override void WriteAnswer(Utf8JsonWriter json, INamedDatabase database)
    {
        json.WriteString("Type"u8, "AttachmentDELETE"u8);
        json.WriteString("@id"u8, Id.Span);
        json.WriteString("Name"u8, Name);
        WriteDocumentVector(json, database);
    }
}
