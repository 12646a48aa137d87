using System.Globalization;
using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Attachments;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Revisions;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Storage.Transactions;
using Microsoft.Net.Http.Headers;

namespace Jackdaw.Server.Http.Handlers.Attachments;

/// <summary>Attachments as answers: headers, details, and contents in steps.</summary>
internal static class AttachmentAnswers
{
    /// <summary>The bytes that are copied from one snapshot, and held in memory until the client has taken them.</summary>
    private const int StepBytes = 256 * 1024;

    /// <summary>Opens an attachment for reading; null when there is none.</summary>
    public static ContentReader? Open(DocumentDatabase database, byte[] key) =>
        ContentReader.Open(() => database.BeginRead(ReaderKind.Stream), database.ContentHolds, key);

    /// <summary>Opens an attachment of a revision for reading; null when there is none.</summary>
    /// <param name="vector">The change vector of the revision.</param>
    public static ContentReader? OpenRevision(DocumentDatabase database, AttachmentTarget target, byte[] vector) =>
        ContentReader.Open(() => database.BeginRead(ReaderKind.Stream), database.ContentHolds, read =>
            new RevisionReader(read.Transaction, database.Replica).TryGet(vector, out RevisionRow revision)
                && revision.DocumentKey.SequenceEqual(target.DocumentKey)
                ? AttachmentExtension.Find(target.DocumentKey, revision.Extension(AttachmentExtension.Instance), target.Key, revision.Version)
                : null);

    /// <summary>Finds an attachment; null when there is none.</summary>
    public static Attachment? Find(DocumentDatabase database, byte[] key)
    {
        using var read = database.BeginRead(ReaderKind.Load);
        return ContentReader.Find(read, key);
    }

    /// <summary>Writes the headers that name and describe an attachment.</summary>
    public static void WriteHeaders(RequestContext context, Attachment attachment)
    {
        IHeaderDictionary headers = context.Response.Headers;
        headers.ETag = TagOf(context.Database, attachment);
        headers["Attachment-Hash"] = attachment.HashText;
        headers["Attachment-Size"] = attachment.Size.ToString(CultureInfo.InvariantCulture);
        headers.ContentDisposition = Disposition(attachment.Name);
        headers.AcceptRanges = "bytes";
    }

    /// <summary>The change vector in quotes.</summary>
    public static string TagOf(DocumentDatabase database, Attachment attachment)
    {
        Span<byte> buffer = stackalloc byte[ChangeVector.EntryBytesMax];
        return VersionTag.Quote(database.Replica.VectorOf(attachment.Version, buffer));
    }

    /// <summary>Whether a header names the version of the attachment.</summary>
    public static bool IsTagOf(string? header, DocumentDatabase database, Attachment attachment)
    {
        Span<byte> buffer = stackalloc byte[ChangeVector.EntryBytesMax];
        return header is not null && VersionTag.Matches(header, database.Replica.VectorOf(attachment.Version, buffer));
    }

    /// <summary>Writes what official clients call the details of an attachment.</summary>
    public static void WriteDetails(Utf8JsonWriter json, DocumentDatabase database, ReadOnlySpan<byte> id, Attachment attachment)
    {
        json.WriteStartObject();
        json.WriteString("ChangeVector"u8, database.Replica.TextOf(attachment.Version));
        json.WriteString("DocumentId"u8, id);
        json.WriteString("Name"u8, attachment.Name);
        json.WriteString("ContentType"u8, attachment.ContentType);
        json.WriteString("Hash"u8, attachment.HashText);
        json.WriteNumber("Size"u8, attachment.Size);
        json.WriteNull("RemoteParameters"u8);
        json.WriteEndObject();
    }

    /// <summary>Sends a part of a content at the speed of the client, each step from a snapshot of its own.</summary>
    public static async ValueTask SendAsync(RequestContext context, ContentReader reader, long offset, long count)
    {
        using var step = new ResponseBuffer(memory: null); // bounded by its size
        while (count > 0)
        {
            context.Aborted.ThrowIfCancellationRequested();
            int wanted = (int)Math.Min(count, StepBytes);
            int copied = reader.Read(offset, step.GetSpan(wanted)[..wanted]);
            step.Advance(copied);
            await step.CopyToAsync(context.Response.BodyWriter, context.Aborted).ConfigureAwait(false);
            step.Clear();
            offset += copied;
            count -= copied;
        }
    }

    // RFC 6266 has two forms of the name: visible ASCII for old readers, and the name itself.
    private static string Disposition(string name)
    {
        var plain = new StringBuilder(name.Length);
        foreach (char character in name)
        {
            plain.Append(character is '"' or '\\' ? '\'' : character is >= ' ' and < '\u007f' ? character : '_');
        }

        return $"attachment; filename=\"{plain}\"; filename*=UTF-8''{Uri.EscapeDataString(name)}";
    }

    /// <summary>The part of a content that a request asks for.</summary>
    /// <returns>Null for everything, because the request asks for no range, for several, or for one of an old version. An empty part when the range lies
    /// outside the content.</returns>
    public static (long First, long Count)? RangeOf(RequestContext context, Attachment attachment)
    {
        string? header = context.Request.Headers.Range;
        string? condition = context.Request.Headers.IfRange;
        if (header is null || (condition is not null && !IsTagOf(condition, context.Database, attachment))
            || !RangeHeaderValue.TryParse(header, out RangeHeaderValue? parsed) || parsed.Unit != "bytes" || parsed.Ranges.Count != 1)
        {
            return null;
        }

        RangeItemHeaderValue range = parsed.Ranges.First();
        long size = attachment.Size;
        if (range.From is not { } first)
        {
            long last = Math.Min(range.To!.Value, size);
            return (size - last, last);
        }

        return first < size ? (first, Math.Min(range.To ?? long.MaxValue, size - 1) - first + 1) : (0, 0);
    }
}
