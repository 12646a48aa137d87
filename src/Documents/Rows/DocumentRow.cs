using System.Buffers.Binary;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Schedules;
using Jackdaw.Json;
using Jackdaw.Storage;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Rows;

/// <summary>A row of <see cref="DocumentTable"/>, read. A view: valid as long as the row.</summary>
internal readonly ref struct DocumentRow(TableRow row)
{
    public TableRow Row { get; } = row;

    public Etag Etag => new(Row.GetInt64(DocumentTable.EtagColumn));

    public long LastModifiedTicks => Row.GetInt64(DocumentTable.LastModifiedColumn);

    public DocumentFlags Flags =>
        (DocumentFlags)BinaryPrimitives.ReadInt32LittleEndian(Row.GetColumn(DocumentTable.FlagsColumn));

    public ReadOnlySpan<byte> Key => Row.GetColumn(DocumentTable.KeyColumn);

    public ReadOnlySpan<byte> Id => GivenOr(Row.GetColumn(DocumentTable.IdColumn), Key);

    public ReadOnlySpan<byte> CollectionKey => Row.GetColumn(DocumentTable.CollectionKeyColumn);

    public ReadOnlySpan<byte> Collection => GivenOr(Row.GetColumn(DocumentTable.CollectionColumn), CollectionKey);

    /// <summary>The text; that of an archived document is decompressed into memory of its own.</summary>
    public ReadOnlySpan<byte> Body
    {
        get
        {
            ReadOnlySpan<byte> stored = Row.GetColumn(DocumentTable.BodyColumn);
            return (Flags & DocumentFlags.Archived) == 0 ? stored : ArchivedBody.Unpack(stored, DocumentLimits.DocumentBytesMax);
        }
    }

    /// <summary>The change vector; empty when it is only the local replica's entry for the etag.</summary>
    public ReadOnlySpan<byte> ChangeVector => Row.GetColumn(DocumentTable.ChangeVectorColumn);

    public DocumentVersion Version => new(Etag, ChangeVector);

    public int MetadataOffset =>
        BinaryPrimitives.ReadInt32LittleEndian(Row.GetColumn(DocumentTable.MetadataOffsetColumn));

    /// <summary>The view of a row that is not stored yet.</summary>
    public static DocumentRow Of(ReadOnlySpan<byte> row) => new(DocumentTable.Schema.View(row));

    /// <summary>The texts of the document's extensions. The flags of most documents say that there are none.</summary>
    public ShownExtensions Extensions => new(Row, DocumentTable.ExtensionsColumn, Flags);

    /// <summary>The document as requests see it.</summary>
    /// <exception cref="CorruptionException">The row is damaged.</exception>
    public StoredDocument ToStored()
    {
        ReadOnlySpan<byte> body = Body;
        int metadataOffset = MetadataOffset;

        // The body itself is not read, because it may be on other cache lines, which a caller that wants only the etag does not need.
        if ((uint)metadataOffset >= (uint)body.Length)
        {
            throw new CorruptionException(
                $"The row {Row.Id} of a document is damaged: its metadata is not at byte {metadataOffset}.");
        }

        ReadOnlySpan<byte> key = Key;
        DocumentFlags flags = Flags;
        return new StoredDocument
        {
            Id = GivenOr(Row.GetColumn(DocumentTable.IdColumn), key),
            Key = key,
            Etag = Etag,
            ChangeVector = ChangeVector,
            LastModifiedTicks = LastModifiedTicks,
            Collection = Collection,
            Flags = flags,
            Body = body,
            MetadataOffset = metadataOffset,
            Extensions = new ShownExtensions(Row, DocumentTable.ExtensionsColumn, flags),
        };
    }

    /// <summary>The stored form of a text that is stored beside its lower-case key: empty when the two are equal.</summary>
    public static ReadOnlySpan<byte> Given(ReadOnlySpan<byte> text, ReadOnlySpan<byte> key) =>
        text.SequenceEqual(key) ? default : text;

    /// <summary>The text of such a stored form.</summary>
    public static ReadOnlySpan<byte> GivenOr(ReadOnlySpan<byte> given, ReadOnlySpan<byte> key) =>
        given.IsEmpty ? key : given;
}
