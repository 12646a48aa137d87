using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Json;
using Jackdaw.Json.Refusals;

namespace Jackdaw.Documents.Attachments;

/// <summary>A command about one attachment, which may demand a version of it.</summary>
/// <remarks>Its document gets a new version at the end of the batch. The write itself checks a demand, and not a check before the batch, because only the
/// writes can know whether an earlier command deletes the document, or moves another attachment to this place. Clients rarely send a demand.</remarks>
internal abstract class AttachmentCommand : ExtensionCommand
{
    private static readonly byte[] s_nothing = [];

    private byte[] _id = s_nothing;
    private byte[] _key = s_nothing;
    private string? _changeVector;
    private byte[]? _actualVector;
    private ExtendedDocument? _document;
    private byte[]? _documentVector;
    private Etag _documentEtag;

    public override DocumentExtension Extension => AttachmentExtension.Instance;

    public override DocumentVersion DocumentVersion =>
        _document is null ? new DocumentVersion(_documentEtag, _documentVector) : _document.Version;

    /// <summary>The id of the document as it was sent.</summary>
    public override ReadOnlyMemory<byte> Id => _id;

    /// <summary>The key of the attachment.</summary>
    internal override ReadOnlyMemory<byte> Key => _key;

    /// <summary>The key of its document.</summary>
    public byte[] DocumentKey { get; private set; } = s_nothing;

    /// <summary>The name as it was sent, in UTF-8.</summary>
    public byte[] Name { get; private set; } = s_nothing;

    /// <summary>The change vector that the client demands of the attachment; null for any, empty when the attachment must not exist.</summary>
    public string? ChangeVectorText
    {
        get => _changeVector;
        set => (_changeVector, Expected) = (value, ExpectedVersion.Any);
    }

    /// <summary>Why the command was refused.</summary>
    public AttachmentFault Fault { get; private set; }

    private ExpectedVersion Expected { get; set; }

    private Etag ActualEtag { get; set; }

    /// <summary>Names the attachment of a command that was not parsed.</summary>
    /// <param name="id">The id of the document as it was sent.</param>
    /// <param name="documentKey">The key of the document.</param>
    /// <param name="name">The name of the attachment as it was sent.</param>
    /// <param name="key">The key of the attachment.</param>
    public void SetTarget(byte[] id, byte[] documentKey, byte[] name, byte[] key) => (_id, DocumentKey, Name, _key) = (id, documentKey, name, key);

    internal override void Prepare(CommandPreparation preparation)
    {
        if (_changeVector is not null)
        {
            Expected = ExpectedVersion.Parse(_changeVector, preparation.Database.Replica);
        }
    }

    internal sealed override WriteStatus Apply(DocumentTransaction documents)
    {
        (Fault, _document, _documentEtag, _documentVector) = (AttachmentFault.None, null, Etag.None, null);
        Fault = Change(documents, DocumentAttachments.Of(documents));
        return Fault == AttachmentFault.None ? WriteStatus.Applied : WriteStatus.Conflict;
    }

    internal override void ReadActual(DocumentReadScope read)
    {
        if (Fault == AttachmentFault.OtherVersion)
        {
            bool isFound = AttachmentTable.Open(read.Transaction).TryGetByKey(_key, out Jackdaw.Storage.Tables.TableRow row);
            SetActual(isFound ? new AttachmentRow(row).Version : default);
        }
    }

    internal override Refusal MakeRefusal(WriteBatch batch, INamedDatabase database)
    {
        const string nothing = "Nothing of this transaction was written.";
        string id = Encoding.UTF8.GetString(Id.Span);
        string name = Encoding.UTF8.GetString(Name);
        switch (Fault)
        {
            case AttachmentFault.DocumentMissing:
                return new Refusal(RefusalKind.DocumentMissing,
                    $"Document '{FaultyId}' does not exist, so it can have no attachment; store the document first. {nothing}");
            case AttachmentFault.AttachmentMissing:
                return new Refusal(RefusalKind.AttachmentMissing,
                    $"Document '{id}' has no attachment '{name}' to copy or move; check the names in its @attachments. {nothing}");
            case AttachmentFault.TooMany:
                return new Refusal(RefusalKind.InvalidOperation,
                    $"Document '{FaultyId}' has as many attachments as it may have: their entries in its metadata have more than " +
                    $"{AttachmentLimits.ShownBytesMax >> 20} MB. Spread them over several documents. {nothing}");
            case AttachmentFault.ContentGone:
                return new Refusal(RefusalKind.ContentGone,
                    $"The content that was sent for attachment '{name}' of document '{id}' does not exist any more; send it again. {nothing}");
            default:
                return MakeConflict(database, id, name, nothing);
        }
    }

    /// <summary>The document that the fault is about.</summary>
    protected virtual string FaultyId => Encoding.UTF8.GetString(Id.Span);

    /// <summary>Changes the transaction, or returns why it cannot. Then a batch that has already written is undone.</summary>
    protected abstract AttachmentFault Change(DocumentTransaction documents, DocumentAttachments attachments);

    internal override void Clear()
    {
        SetTarget(s_nothing, s_nothing, s_nothing, s_nothing);
        ChangeVectorText = null;
        (_document, _documentVector, _actualVector) = (null, null, null);
    }

    /// <summary>Reads the members that all these commands have in a batch, and adds the command.</summary>
    protected static TCommand Take<TCommand>(ref CommandText text)
        where TCommand : AttachmentCommand, new()
    {
        (TextExtent id, TextExtent key) = text.ReadId();
        byte[] documentKey = key.SpanIn(text.Target.Buffer).ToArray();
        (byte[] name, byte[] attachmentKey) = ReadName(ref text, "Name", documentKey);
        TCommand command = text.Target.Add<TCommand>();
        command.SetTarget(id.SpanIn(text.Target.Buffer).ToArray(), documentKey, name, attachmentKey);
        command.ChangeVectorText = text.ChangeVector.IsNull ? null : Encoding.UTF8.GetString(text.ChangeVector.SpanIn(text.Target.Buffer));
        return command;
    }

    /// <summary>Reads a name and makes the key.</summary>
    protected static (byte[] Name, byte[] Key) ReadName(ref CommandText text, string member, ReadOnlySpan<byte> documentKey)
    {
        byte[] name = AttachmentNames.Encode(text.ReadText(member, out int position) ?? "");
        if (AttachmentNames.TryMakeKey(documentKey, name, out byte[] key) is { } fault)
        {
            text.Throw(position, DocumentFormatError.InvalidRequest, $"Command {text.Index}, {member}: {fault}");
        }

        return (name, key);
    }

    /// <summary>Whether an attachment has the demanded version. If not, the found version is noted.</summary>
    protected bool TryMeet(DocumentVersion stored)
    {
        if (Expected.IsSatisfiedBy(stored))
        {
            return true;
        }

        Fault = AttachmentFault.OtherVersion;
        SetActual(stored);
        return false;
    }

    /// <summary>Makes the document show its attachments again. It is called before they change, because the stored version may have to be kept as a
    /// revision.</summary>
    protected void Extend(DocumentTransaction documents) => _document = documents.Extend(DocumentKey, AttachmentExtension.Instance);

    /// <summary>Is called when nothing is changed, so that the answer names the version that the document has.</summary>
    protected void Keep(DocumentRow document) =>
        (_documentEtag, _documentVector) = (document.Etag, document.Version.ChangeVector.IsEmpty ? null : document.Version.ChangeVector.ToArray());

    /// <summary>Whether a document may have one more attachment.</summary>
    protected static AttachmentFault CheckDocument(DocumentTransaction documents, ReadOnlySpan<byte> documentKey)
    {
        if (!documents.TryFind(documentKey, out DocumentRow document))
        {
            return AttachmentFault.DocumentMissing;
        }

        long added = documents.FindExtended(documentKey)?.ShownBytesAdded(AttachmentExtension.Instance) ?? 0;
        return document.Extensions[AttachmentExtension.Instance].Length + added > AttachmentLimits.ShownBytesMax
            ? AttachmentFault.TooMany
            : AttachmentFault.None;
    }

    /// <summary>Writes a change vector; null when there is no version.</summary>
    protected static void WriteVector(Utf8JsonWriter json, ReadOnlySpan<byte> member, INamedDatabase database, DocumentVersion version)
    {
        json.WritePropertyName(member);
        if (version.IsMissing)
        {
            json.WriteNullValue();
            return;
        }

        Span<byte> buffer = stackalloc byte[ChangeVector.EntryBytesMax];
        json.WriteStringValue(database.Replica.VectorOf(version, buffer));
    }

    /// <summary>Writes the version that the document has after the batch.</summary>
    protected void WriteDocumentVector(Utf8JsonWriter json, INamedDatabase database) =>
        WriteVector(json, "DocumentChangeVector"u8, database, DocumentVersion);

    private void SetActual(DocumentVersion stored)
    {
        ActualEtag = stored.Etag;
        _actualVector = stored.ChangeVector.IsEmpty ? null : stored.ChangeVector.ToArray();
    }

    private Refusal MakeConflict(INamedDatabase database, string id, string name, string nothing)
    {
        string actual = database.Replica.TextOf(new DocumentVersion(ActualEtag, _actualVector));
        string found = ActualEtag == Etag.None ? "does not exist" : $"has change vector '{actual}'";
        string expected = Expected.Text ?? "";
        string wanted = Expected.Kind == ExpectedVersionKind.Missing ? "that it does not exist" : $"'{expected}'";
        return new Refusal(RefusalKind.Conflict,
            $"Attachment '{name}' of document '{id}' {found}, but the write expected {wanted}; get it again and decide. {nothing}")
        {
            Facts = Refusal.ConflictFacts(id, expected, actual),
        };
    }
}

/// <summary>Why a command about an attachment is refused.</summary>
internal enum AttachmentFault
{
    None,

    /// <summary>The attachment does not have the demanded version.</summary>
    OtherVersion,

    /// <summary>The document of the attachment does not exist.</summary>
    DocumentMissing,

    /// <summary>The attachment to be copied or moved does not exist.</summary>
    AttachmentMissing,

    /// <summary>An attachment exists where another one is to be copied or moved.</summary>
    PlaceTaken,

    /// <summary>The document has as many attachments as it may have.</summary>
    TooMany,

    /// <summary>The chunks that were sent for the content have been removed.</summary>
    ContentGone,
}
