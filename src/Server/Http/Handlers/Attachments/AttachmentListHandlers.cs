using System.Text.Json;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Attachments;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Rows;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Handlers.Documents;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Server.Http.Handlers.Attachments;

/// <summary>Answers requests for several attachments, and for the number of attachments that use a content.</summary>
internal static class AttachmentListHandlers
{
    /// <summary>The most attachments of one request: none of them can be removed before it was sent.</summary>
    private const int AttachmentsMax = 10_000;

    private static readonly Body s_list = Body.Object(
        "The attachments.",
        Input.Json("Attachments", "Documents and names.", """[{"DocumentId":"employees/1-A","Name":"photo.png"}]""").Required(),
        Input.OneOf("Type", "What has the attachments.", "Document"));

    private static readonly Input s_hash =
        Input.Text("hash", "The SHA-256 of the content, in base64.", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=").Required();

    public static void Map(RouteTable routes)
    {
        routes.Database("POST", "/attachments/bulk", Access.Read, RouteTraits.None, GetAsync)
            .Says("Reads several attachments.")
            .Sends(s_list)
            .Answers(200, "JSON with their details, and directly after it their contents, one after the other.", MediaTypes.Bytes);
        routes.Database("DELETE", "/attachments/bulk", Access.ReadWrite, RouteTraits.None, DeleteAsync)
            .Says("Deletes several attachments in one transaction.")
            .Sends(Body.Object(
                "The attachments.",
                Input.Json("Attachments", "Documents and names.", """[{"DocumentId":"employees/2-A","Name":"none"}]""").Required()))
            .AnswersEmpty(204, "They are deleted, or were not there.");
        routes.Database("GET", "/attachments/exists", Access.Read, RouteTraits.InMultiGet, Count)
            .Says("Counts the attachments that have a content.")
            .Takes(s_hash)
            .Answers(200, "Count says how many.");
        routes.Database("GET", "/attachments/hash", Access.Read, RouteTraits.InMultiGet, Count)
            .Says("Counts the attachments that have a content; an older name of attachments/exists.")
            .Takes(s_hash)
            .Answers(200, "Count says how many.");
    }

    // The details of those that exist, as JSON, and directly after it their contents, one after the other.
    private static async ValueTask GetAsync(RequestContext context)
    {
        List<AttachmentTarget> targets = await ReadAsync(context).ConfigureAwait(false);
        var readers = new List<(AttachmentTarget Target, ContentReader Reader)>(targets.Count);
        try
        {
            foreach (AttachmentTarget target in targets)
            {
                if (AttachmentAnswers.Open(context.Database, target.Key) is { } reader)
                {
                    readers.Add((target, reader));
                }
            }

            await SendAsync(context, readers).ConfigureAwait(false);
        }
        finally
        {
            readers.ForEach(static one => one.Reader.Dispose());
        }
    }

    private static async ValueTask SendAsync(RequestContext context, List<(AttachmentTarget Target, ContentReader Reader)> readers)
    {
        using var head = new ResponseBuffer(context.Server.Answers);
        using (var json = new Utf8JsonWriter(head, JsonAnswers.WriterOptions))
        {
            json.WriteStartObject();
            json.WriteStartArray("AttachmentsMetadata"u8);
            foreach ((AttachmentTarget target, ContentReader reader) in readers)
            {
                AttachmentAnswers.WriteDetails(json, context.Database, target.Id, reader.Attachment);
            }

            json.WriteEndArray();
            json.WriteEndObject();
        }

        context.PrepareBody(200, head.Length + readers.Sum(static one => one.Reader.Attachment.Size), "application/octet-stream");
        await context.Response.StartAsync(context.Aborted).ConfigureAwait(false);
        await head.CopyToAsync(context.Response.BodyWriter, context.Aborted).ConfigureAwait(false);
        foreach ((_, ContentReader reader) in readers)
        {
            await AttachmentAnswers.SendAsync(context, reader, 0, reader.Attachment.Size).ConfigureAwait(false);
        }
    }

    // Deletes them in one transaction; missing ones are skipped.
    private static async ValueTask DeleteAsync(RequestContext context)
    {
        List<AttachmentTarget> targets = await ReadAsync(context).ConfigureAwait(false);
        if (targets.Count > 0)
        {
            DocumentCommand[] commands = [.. targets.Select(static target =>
            {
                var command = new DeleteAttachmentCommand();
                target.SetTo(command);
                return command;
            })];
            await context.WriteAsync(new WriteBatch { Commands = commands }).ConfigureAwait(false);
        }

        await context.Empty(204).ConfigureAwait(false);
    }

    private static ValueTask Count(RequestContext context)
    {
        string text = context.Query.GetRequiredText("hash").Replace(' ', '+'); // a plus that a client did not encode
        Span<byte> hash = stackalloc byte[ContentTable.HashBytes];
        if (!Convert.TryFromBase64String(text, hash, out int length) || length != hash.Length)
        {
            throw new RequestRefusedException(Problem.Argument($"hash is '{text}', which is not {ContentTable.HashBytes} bytes in base64 (44 characters)."));
        }

        long count;
        using (DocumentReadScope read = context.Database.BeginRead(ReaderKind.Load))
        {
            count = ContentReader.CountReferences(read, hash);
        }

        return context.Json(200, count, static (json, references) =>
        {
            json.WriteStartObject();
            json.WriteNumber("Count"u8, references);
            json.WriteEndObject();
        });
    }

    private static async ValueTask<List<AttachmentTarget>> ReadAsync(RequestContext context)
    {
        using JsonBody body = await JsonBody.ReadObjectAsync(context, "A list of attachments").ConfigureAwait(false);
        AttachmentHandlers.RefuseOtherTypes(body.Root.TextMember("Type"));
        JsonElement? list = body.Root.Member("Attachments");
        if (list is not { ValueKind: JsonValueKind.Array } attachments || attachments.EnumerateArray().Any(static one => one.ValueKind != JsonValueKind.Object))
        {
            throw new RequestRefusedException(Problem.BadRequest(
                """Attachments is missing, or is not an array of objects; send {"Attachments":[{"DocumentId":"users/1","Name":"photo.png"}]}."""));
        }

        int count = attachments.GetArrayLength();
        if (count > AttachmentsMax)
        {
            throw new RequestRefusedException(Problem.Argument($"The request names {count} attachments, and may name {AttachmentsMax}; send several."));
        }

        return [.. attachments.EnumerateArray().Select(static one =>
            AttachmentTarget.Make(one.TextMember("DocumentId") ?? "", one.TextMember("Name") ?? ""))];
    }
}
