using System.Buffers;
using System.Text;

using Jackdaw.Server.Documents;
using Jackdaw.Server.Documents.Json;

namespace Jackdaw.Server.Http;

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

        // A stored form without content: all that is written is the splice.
        DocumentWriter.Write(output, "}}"u8, stamp);
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

    /// <summary>What a client demands of the stored version.</summary>
    /// <param name="text">Change vector without quotes; null: no demand; empty: no document may exist.</param>
    public static ExpectedVersion ToExpected(DocumentDatabase database, string? text)
    {
        if (text is null)
        {
            return ExpectedVersion.Any;
        }

        if (text.Length == 0)
        {
            return ExpectedVersion.Missing;
        }

        Span<byte> sent = stackalloc byte[ChangeVector.BytesMax];
        bool fits = Encoding.UTF8.TryGetBytes(text, sent, out int length);

        // The comparison is one of texts: what reads as this etag but is spelt in another way is another change vector. No version has the
        // etag 0: it stands for a document that does not exist.
        return fits && ChangeVector.TryReadEtag(sent[..length], database.DatabaseIdBytes, out long etag)
            && etag > 0 && IsTagOf(text, database, new Etag(etag))
            ? ExpectedVersion.Exactly(new Etag(etag), text)
            : ExpectedVersion.Unmatchable(text);
    }

    /// <param name="result">Of a write that was refused as a conflict.</param>
    public static Problem Conflict(DocumentDatabase database, string id, in ExpectedVersion expected, in WriteResult result)
    {
        string actualText = ChangeVectorOf(database, result.ActualEtag);
        string found = result.ActualEtag == Etag.None ? "does not exist" : $"has change vector '{actualText}'";
        string wanted = expected.Kind == ExpectedVersionKind.Missing ? "that it does not exist" : $"'{expected.Text}'";
        string message = result.IsChangedEarlier
            ? $"Document '{id}' is changed twice in one batch, and the later command expected {wanted}, which the earlier one ends; " +
                $"send one command for it. Nothing of this transaction was written: the stored document {found}."
            : $"Document '{id}' {found}, but the write expected {wanted}; load it again and decide. Nothing of this transaction was written.";
        return new Problem(409, ProblemTypes.Concurrency, message)
        {
            Details =
            [
                new("Id", id), new("ExpectedChangeVector", expected.Text ?? ""), new("ActualChangeVector", actualText),
            ],
        };
    }
}
