using System.Buffers;
using System.Text;
using Jackdaw.Server.Documents;
using Jackdaw.Server.Documents.Identity;
using Jackdaw.Server.Documents.Parsing;
using Jackdaw.Server.Documents.Store;

namespace Jackdaw.Server.Http.Reading;

/// <summary>Stored documents, change vectors and conflicts as clients read them.</summary>
internal static class DocumentAnswers
{
    public static void Write(
        IBufferWriter<byte> output, DocumentDatabase database, in StoredDocument document, bool metadataOnly)
    {
        Span<byte> changeVector = stackalloc byte[ChangeVector.BytesMax];
        int length = ChangeVector.Format(document.Etag.Value, database.DatabaseIdBytes, changeVector);
        var stamp = new DocumentStamp(
            document.Id, changeVector[..length], new DateTime(document.LastModifiedTicks, DateTimeKind.Utc), document.Flags);
        if (metadataOnly)
        {
            DocumentWriter.WriteMetadataOnly(output, document.Body, document.MetadataOffset, stamp);
        }
        else
        {
            DocumentWriter.Write(output, document.Body, stamp);
        }
    }

    /// <summary>Only what goes before the last two braces of the body, and the braces: its length is not known
    /// otherwise.</summary>
    public static void WriteSplice(IBufferWriter<byte> output, DocumentDatabase database, in StoredDocument document)
    {
        Span<byte> changeVector = stackalloc byte[ChangeVector.BytesMax];
        int length = ChangeVector.Format(document.Etag.Value, database.DatabaseIdBytes, changeVector);
        var stamp = new DocumentStamp(
            document.Id, changeVector[..length], new DateTime(document.LastModifiedTicks, DateTimeKind.Utc), document.Flags);
        DocumentWriter.WriteSplice(output, document.Body, stamp);
    }

    /// <summary>Text of a version's change vector; empty for "no document".</summary>
    public static string ChangeVectorOf(DocumentDatabase database, Etag etag)
    {
        if (etag == Etag.None)
        {
            return "";
        }

        Span<byte> changeVector = stackalloc byte[ChangeVector.BytesMax];
        return Encoding.ASCII.GetString(
            changeVector[..ChangeVector.Format(etag.Value, database.DatabaseIdBytes, changeVector)]);
    }

    /// <summary>Value of the header ETag for one version.</summary>
    public static string TagOf(DocumentDatabase database, Etag etag)
    {
        Span<byte> changeVector = stackalloc byte[ChangeVector.BytesMax];
        return ETagHeader.Quote(
            changeVector[..ChangeVector.Format(etag.Value, database.DatabaseIdBytes, changeVector)]);
    }

    /// <summary>Whether a conditional header names exactly this version. Allocates nothing.</summary>
    public static bool IsTagOf(string? header, DocumentDatabase database, Etag etag)
    {
        if (string.IsNullOrEmpty(header))
        {
            return false;
        }

        Span<byte> changeVector = stackalloc byte[ChangeVector.BytesMax];
        return ETagHeader.Matches(
            header, changeVector[..ChangeVector.Format(etag.Value, database.DatabaseIdBytes, changeVector)]);
    }
}
