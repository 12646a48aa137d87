using System.Buffers;
using System.Text;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Reading;
using Jackdaw.Scripting;

namespace Jackdaw.Documents.Patching;

/// <summary>A document as a patch sees it. It owns its bytes.</summary>
internal sealed class ViewedDocument
{
    /// <summary>The id in the casing of the first write.</summary>
    public required string Id { get; init; }

    /// <summary>The stored form.</summary>
    public required ParsedDocument Form { get; init; }

    /// <summary>False when the batch itself writes the document, which has no version yet.</summary>
    public bool IsStored => Write is null;

    /// <summary>The write of the batch that makes the document; null when it is stored.</summary>
    public PutCommand? Write { get; init; }

    /// <summary>The change vector; empty when there is none yet.</summary>
    public string ChangeVector { get; init; } = "";

    public ExpectedVersion Version { get; init; }

    /// <summary>Null when there is none yet.</summary>
    public Etag? Etag { get; init; }

    public long LastModifiedTicks { get; init; }

    public DocumentFlags Flags { get; init; }

    /// <summary>The texts of its extensions in the metadata, by slot; null for none.</summary>
    public byte[]?[]? Extensions { get; init; }

    /// <summary>The kinds of extensions that are shown.</summary>
    public DocumentExtensions? Known { get; init; }

    public static ViewedDocument Of(in StoredDocument stored, IReadableDatabase database) => Of(
        stored, database, new ParsedDocument(stored.Body.ToArray(), stored.MetadataOffset, stored.Collection.ToArray()));

    /// <summary>Everything except the text of a stored document.</summary>
    public static ViewedDocument WithoutForm(in StoredDocument stored, IReadableDatabase database) => Of(stored, database, default);

    /// <summary>Makes a document that the batch writes.</summary>
    /// <param name="before">The document before, whose extensions and casing of the id do not change; null when there is none.</param>
    public static ViewedDocument Of(PutCommand write, ViewedDocument? before) => new()
    {
        Id = before?.Id ?? Encoding.UTF8.GetString(write.Id.Span),
        Form = write.Document,
        Write = write,
        Flags = before?.Flags ?? DocumentFlags.None,
        Extensions = before?.Extensions,
        Known = before?.Known,
    };

    private static ViewedDocument Of(in StoredDocument stored, IReadableDatabase database, ParsedDocument form) => new()
    {
        Id = Encoding.UTF8.GetString(stored.Id),
        Form = form,
        ChangeVector = database.Replica.TextOf(stored.Version),
        Version = ExpectedVersion.Exactly(stored.Etag, database.Replica.TextOf(stored.Version)),
        Etag = stored.Etag,
        LastModifiedTicks = stored.LastModifiedTicks,
        Flags = stored.Flags,
        Extensions = stored.Extensions.Detach(),
        Known = database.Extensions,
    };

    /// <summary>The part of it that an answer without the document needs.</summary>
    public ViewedDocument WithoutForm() => new()
    {
        Id = Id,
        Form = default,
        Write = Write,
        ChangeVector = ChangeVector,
        LastModifiedTicks = LastModifiedTicks,
    };

    /// <summary>The form that scripts get, with the server's members in its metadata.</summary>
    public ScriptDocument ToScript() => new()
    {
        Id = Id,
        Json = IsStored ? WithStamp(Form, Id, ChangeVector, LastModifiedTicks, Flags, this) : Form.Bytes,
        ChangeVector = IsStored ? ChangeVector : null,
        Etag = Etag?.Value,
        LastModified = IsStored ? new DateTime(LastModifiedTicks, DateTimeKind.Utc) : null,
    };

    /// <summary>The form of a document in answers.</summary>
    /// <param name="before">The document before, which has the extensions; null when there are none.</param>
    public static ReadOnlyMemory<byte> WithStamp(
        ParsedDocument form, string id, string changeVector, long ticks, DocumentFlags flags, ViewedDocument? before)
    {
        var output = new ArrayBufferWriter<byte>(form.Bytes.Length + 256);
        var stamp = new DocumentStamp(
            Encoding.UTF8.GetBytes(id), Encoding.ASCII.GetBytes(changeVector), new DateTime(ticks, DateTimeKind.Utc), flags)
        {
            Extensions = new ShownExtensions(before?.Extensions),
            Known = before?.Known,
        };
        DocumentWriter.Write(output, form.Bytes.Span, stamp);
        return output.WrittenMemory;
    }

    /// <summary>Copies the document into memory of its own.</summary>
    public static ParsedDocument Detach(in ParsedDocument document) =>
        document with { Bytes = document.Bytes.ToArray(), Collection = document.Collection.ToArray() };
}
