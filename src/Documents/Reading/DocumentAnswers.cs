using System.Buffers;
using System.Diagnostics;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;

namespace Jackdaw.Documents.Reading;

/// <summary>Writes stored documents, change vectors and conflicts as clients read them.</summary>
internal static class DocumentAnswers
{
    /// <summary>Bytes of the members that <see cref="WriteForPaths"/> adds.</summary>
    private const int KeptBytesMax = 64;

    private static ReadOnlySpan<byte> EmptyCollection => "@empty"u8;

    /// <param name="moreMetadata">Members of the metadata, each with a comma before it.</param>
    /// <param name="changeVector">Empty for that of the version.</param>
    public static void Write(
        IBufferWriter<byte> output, IReadableDatabase database, in StoredDocument document, bool metadataOnly,
        ReadOnlySpan<byte> moreMetadata = default, ReadOnlySpan<byte> changeVector = default)
    {
        Span<byte> buffer = stackalloc byte[ChangeVector.EntryBytesMax];
        scoped ReadOnlySpan<byte> shown = changeVector.IsEmpty ? database.Replica.VectorOf(document.Version, buffer) : changeVector;
        DocumentStamp stamp = StampOf(database, document, shown, moreMetadata);
        if (metadataOnly)
        {
            DocumentWriter.WriteMetadataOnly(output, document.Body, document.MetadataOffset, stamp);
        }
        else
        {
            DocumentWriter.Write(output, document.Body, stamp);
        }
    }

    /// <summary>Writes a document with all metadata that the server keeps, for paths that name some of it: what answers show, the etag, and
    /// the collection of a document without one.</summary>
    public static void WriteForPaths(IBufferWriter<byte> output, IReadableDatabase database, in StoredDocument document)
    {
        Span<byte> buffer = stackalloc byte[KeptBytesMax];
        bool isIn = System.Text.Unicode.Utf8.TryWrite(buffer, $",\"@etag\":{document.Etag.Value}", out int length);
        Debug.Assert(isIn);
        if (CollectionNameComparer.AreSame(document.Collection, EmptyCollection))
        {
            ReadOnlySpan<byte> member = ",\"@collection\":\"@empty\""u8;
            member.CopyTo(buffer[length..]);
            length += member.Length;
        }

        Write(output, database, document, metadataOnly: false, buffer[..length]);
    }

    /// <summary>Writes only the part that is inserted before the last two braces of the body, with the braces, because its length is not known
    /// otherwise.</summary>
    public static void WriteSplice(IBufferWriter<byte> output, IReadableDatabase database, in StoredDocument document)
    {
        Span<byte> buffer = stackalloc byte[ChangeVector.EntryBytesMax];
        ReadOnlySpan<byte> changeVector = database.Replica.VectorOf(document.Version, buffer);
        DocumentStamp stamp = StampOf(database, document, changeVector, default);
        DocumentWriter.WriteSplice(output, document.Body, stamp);
    }

    private static DocumentStamp StampOf(
        IReadableDatabase database, in StoredDocument document, ReadOnlySpan<byte> changeVector, ReadOnlySpan<byte> moreMetadata) =>
        new(document.Id, changeVector, new DateTime(document.LastModifiedTicks, DateTimeKind.Utc), document.Flags)
        {
            Extensions = document.Extensions,
            Known = database.Extensions,
            More = moreMetadata,
        };
}
