using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Json;
using Jackdaw.Json.Refusals;

namespace Jackdaw.Documents.Attachments;

/// <summary>Copies or moves an attachment to another document or name, where there must be no attachment yet. The content is not copied.</summary>
internal abstract class TransferAttachmentCommand : AttachmentCommand
{
    private static readonly byte[] s_nothing = [];

    private byte[] _destinationDocumentKey = s_nothing;
    private byte[] _destinationKey = s_nothing;
    private ExtendedDocument? _destination;
    private bool _isDestinationMissing;

    /// <summary>As sent.</summary>
    public byte[] DestinationId { get; private set; } = s_nothing;

    /// <summary>As sent.</summary>
    public byte[] DestinationName { get; private set; } = s_nothing;

    protected abstract bool IsMove { get; }

    protected override string FaultyId => Encoding.UTF8.GetString(_isDestinationMissing ? DestinationId : Id.Span);

    private Attachment? Result { get; set; }

    private Etag NewEtag { get; set; }

    /// <summary>Sets the destination of a command that was not parsed.</summary>
    public void SetDestination(byte[] id, byte[] documentKey, byte[] name, byte[] key) =>
        (DestinationId, _destinationDocumentKey, DestinationName, _destinationKey) = (id, documentKey, name, key);

    protected static void ReadTransfer<TCommand>(ref CommandText text)
        where TCommand : TransferAttachmentCommand, new()
    {
        byte[] id = AttachmentNames.Encode(text.ReadText("DestinationId", out int position) ?? "");
        Span<byte> documentKey = stackalloc byte[DocumentIds.KeyBytesMax];
        DocumentIdFault fault = DocumentIds.TryMakeKey(id, documentKey, out int length);
        if (fault != DocumentIdFault.None)
        {
            text.Throw(position, DocumentFormatError.InvalidRequest, $"Command {text.Index}, DestinationId: {DocumentIds.Describe(fault)}");
        }

        byte[] ownedKey = documentKey[..length].ToArray();
        (byte[] name, byte[] key) = ReadName(ref text, "DestinationName", ownedKey);
        Take<TCommand>(ref text).SetDestination(id, ownedKey, name, key);
    }

    protected override AttachmentFault Change(DocumentTransaction documents, DocumentAttachments attachments)
    {
        _isDestinationMissing = false;
        if (!documents.TryFind(DocumentKey, out DocumentRow source))
        {
            return AttachmentFault.DocumentMissing;
        }

        Keep(source);
        _isDestinationMissing = true;
        AttachmentFault fault = CheckDocument(documents, _destinationDocumentKey);
        if (fault != AttachmentFault.None)
        {
            return fault;
        }

        bool isFound = attachments.TryFind(Key.Span, out AttachmentRow stored);
        if (!TryMeet(isFound ? stored.Version : default))
        {
            return AttachmentFault.OtherVersion;
        }

        if (!isFound)
        {
            return AttachmentFault.AttachmentMissing;
        }

        if (IsTaken(attachments))
        {
            return AttachmentFault.PlaceTaken;
        }

        Write(documents, attachments, stored.ToAttachment());
        return AttachmentFault.None;
    }

    internal override Refusal MakeRefusal(WriteBatch batch, INamedDatabase database)
    {
        if (Fault != AttachmentFault.PlaceTaken)
        {
            return base.MakeRefusal(batch, database);
        }

        string id = Encoding.UTF8.GetString(DestinationId);
        return new Refusal(RefusalKind.Conflict,
            $"Document '{id}' has an attachment '{Encoding.UTF8.GetString(DestinationName)}' already, and a copied or moved attachment never replaces "
            + "another one; delete that one first, or choose another name. Nothing of this transaction was written.")
        {
            Facts = Refusal.ConflictFacts(id, "", ""),
        };
    }

    internal override void Clear()
    {
        base.Clear();
        SetDestination(s_nothing, s_nothing, s_nothing, s_nothing);
        (_destination, Result) = (null, null);
    }

    /// <summary>Writes the facts about the new attachment that the answers to both commands have in common.</summary>
    protected void WriteResult(Utf8JsonWriter json, INamedDatabase database)
    {
        WriteVector(json, "ChangeVector"u8, database, new DocumentVersion(NewEtag, default));
        json.WriteString("Hash"u8, Result!.HashText);
        json.WriteString("ContentType"u8, Result.ContentType);
        json.WriteNumber("Size"u8, Result.Size);
    }

    protected void WriteDestinationVector(Utf8JsonWriter json, ReadOnlySpan<byte> member, INamedDatabase database) =>
        WriteVector(json, member, database, _destination!.Version);

    // A move to its own place gives the name another casing.
    private bool IsTaken(DocumentAttachments attachments) =>
        !(IsMove && Key.Span.SequenceEqual(_destinationKey)) && attachments.TryFind(_destinationKey, out _);

    // The new reference is added first, because source and destination may be the same attachment.
    private void Write(DocumentTransaction documents, DocumentAttachments attachments, Attachment source)
    {
        _destination = documents.Extend(_destinationDocumentKey, AttachmentExtension.Instance);
        if (IsMove)
        {
            Extend(documents);
        }

        bool isReferenced = attachments.Contents.TryAddReference(source.Hash);
        if (!isReferenced)
        {
            throw new Jackdaw.Storage.CorruptionException($"The content of attachment '{source.Name}' of document '{FaultyId}' is missing.");
        }

        if (IsMove)
        {
            attachments.Delete(Key.Span);
        }

        byte[] row = AttachmentTable.BuildRow(
            _destinationKey, DestinationName, Encoding.ASCII.GetBytes(source.ContentType), source.Hash, source.Size);
        NewEtag = attachments.Put(_destinationKey, row);
        Result = source;
    }
}

/// <summary>Copies an attachment.</summary>
internal sealed class CopyAttachmentCommand : TransferAttachmentCommand
{
    protected override bool IsMove => false;

    /// <summary>Reads a command of a batch.</summary>
    public static void Read(ref CommandText text)
    {
        string? type = text.ReadText("AttachmentType", out int position);
        if (type is not null && !type.Equals("Document", StringComparison.OrdinalIgnoreCase))
        {
            text.Throw(position, DocumentFormatError.NotSupportedYet,
                $"Command {text.Index}: copying attachments of revisions is not supported yet by this server; leave AttachmentType out.");
        }

        ReadTransfer<CopyAttachmentCommand>(ref text);
    }

    internal override void WriteAnswer(Utf8JsonWriter json, INamedDatabase database)
    {
        json.WriteString("Type"u8, "AttachmentCOPY"u8);
        json.WriteString("Id"u8, DestinationId);
        json.WriteString("Name"u8, DestinationName);
        WriteResult(json, database);
        WriteDestinationVector(json, "DocumentChangeVector"u8, database);
    }
}

/// <summary>Moves an attachment. Within one document, it gets a new name.</summary>
internal sealed class MoveAttachmentCommand : TransferAttachmentCommand
{
    protected override bool IsMove => true;

    /// <summary>Reads a command of a batch.</summary>
    public static void Read(ref CommandText text) => ReadTransfer<MoveAttachmentCommand>(ref text);

    internal override void WriteAnswer(Utf8JsonWriter json, INamedDatabase database)
    {
        json.WriteString("Type"u8, "AttachmentMOVE"u8);
        json.WriteString("Id"u8, Id.Span);
        json.WriteString("Name"u8, Name);
        json.WriteString("DestinationId"u8, DestinationId);
        json.WriteString("DestinationName"u8, DestinationName);
        WriteResult(json, database);
        WriteDocumentVector(json, database);
        WriteDestinationVector(json, "DestinationDocumentChangeVector"u8, database);
    }
}
