using System.Buffers.Binary;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Documents.Schedules;
using Jackdaw.Json;
using Jackdaw.Storage;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Revisions;

/// <summary>A row of <see cref="RevisionTable"/>, read. A view: valid as long as the row.</summary>
internal readonly ref struct RevisionRow(TableRow row)
{
    public TableRow Row { get; } = row;

    public Etag Etag => new(Row.GetInt64(RevisionTable.EtagColumn));

    public long LastModifiedTicks => Row.GetInt64(RevisionTable.LastModifiedColumn);

    public DocumentFlags Flags =>
        (DocumentFlags)BinaryPrimitives.ReadInt32LittleEndian(Row.GetColumn(RevisionTable.FlagsColumn));

    /// <summary>Whether the revision records that the document was deleted.</summary>
    public bool IsDelete => (Flags & DocumentFlags.DeleteRevision) != 0;

    public bool IsForced => (Flags & DocumentFlags.ForceCreated) != 0;

    /// <summary>Key of the document.</summary>
    public ReadOnlySpan<byte> DocumentKey
    {
        get
        {
            ReadOnlySpan<byte> key = Row.GetColumn(RevisionTable.KeyColumn);
            return key.Length >= RevisionTable.KeySuffixBytes
                ? key[..^RevisionTable.KeySuffixBytes]
                : throw new CorruptionException($"A revision has a key of {key.Length} bytes.");
        }
    }

    public ReadOnlySpan<byte> Id => DocumentRow.GivenOr(Row.GetColumn(RevisionTable.IdColumn), DocumentKey);

    public ReadOnlySpan<byte> CollectionKey => Row.GetColumn(RevisionTable.CollectionKeyColumn);

    /// <summary>The text; that of an archived document is decompressed into memory of its own.</summary>
    public ReadOnlySpan<byte> Body
    {
        get
        {
            ReadOnlySpan<byte> stored = Row.GetColumn(RevisionTable.BodyColumn);
            return (Flags & DocumentFlags.Archived) == 0 ? stored : ArchivedBody.Unpack(stored, DocumentLimits.DocumentBytesMax);
        }
    }

    /// <summary>The offset at which the metadata begins in the text.</summary>
    public int MetadataOffset => BinaryPrimitives.ReadInt32LittleEndian(Row.GetColumn(RevisionTable.MetadataOffsetColumn));

    public ReadOnlySpan<byte> ChangeVector => Row.GetColumn(RevisionTable.ChangeVectorColumn);

    public DocumentVersion Version => new(Etag, ChangeVector);

    /// <summary>The JSON that it keeps of a kind of extensions; empty for none.</summary>
    public ReadOnlySpan<byte> Extension(DocumentExtension extension) => Row.GetColumn(RevisionTable.ExtensionsColumn + extension.Slot);

    /// <summary>The revision as a document, with the texts by which revisions show extensions.</summary>
    /// <exception cref="CorruptionException">The row is damaged.</exception>
    public StoredDocument ToStored()
    {
        ReadOnlySpan<byte> body = Body;
        int metadataOffset = MetadataOffset;
        if ((uint)metadataOffset >= (uint)body.Length)
        {
            throw new CorruptionException(
                $"The revision {Etag.Value} of a document is damaged: its metadata is not at byte {metadataOffset}.");
        }

        return new StoredDocument
        {
            Id = Id,
            Key = DocumentKey,
            Etag = Etag,
            ChangeVector = ChangeVector,
            LastModifiedTicks = LastModifiedTicks,
            Collection = DocumentRow.GivenOr(Row.GetColumn(RevisionTable.CollectionColumn), CollectionKey),
            Flags = Flags,
            Body = body,
            MetadataOffset = metadataOffset,
            Extensions = new ShownExtensions(Row, RevisionTable.ExtensionsColumn, Flags, isOfRevision: true),
        };
    }
}
