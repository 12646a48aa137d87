using Jackdaw.Documents.Attachments;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Rows;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Handlers.Documents;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Server.Http.Handlers.Attachments;

/// <summary>One attachment: PUT, GET, HEAD, DELETE.</summary>
internal static class AttachmentHandlers
{
    public static void Map(RouteTable routes)
    {
        routes.Database("PUT", "/attachments", Access.ReadWrite, RouteTraits.None, PutAsync)
            .Says("Stores an attachment. The header If-Match names the version that it replaces, Attachment-Hash its SHA-256.")
            .Takes(AttachmentTarget.Inputs)
            .Takes(
                Input.Text("contentType", "What the content is.", "text/plain"),
                Input.Later("remoteIdentifier", "Attachments in remote storage are", "bucket"),
                Input.Later("remoteAt", "Attachments in remote storage are", "2026-01-31T10:00:00Z"))
            .Sends(Body.Bytes("The content.", "a text"))
            .Answers(201, "Its details.");
        routes.Database("GET", "/attachments", Access.Read, RouteTraits.InMultiGet, GetAsync)
            .Says("Reads an attachment, or a part of it (Range).")
            .Takes(AttachmentTarget.Inputs)
            .Answers(200, "The content.", MediaTypes.Any)
            .Answers(206, "The part that was asked for.", MediaTypes.Any)
            .AnswersEmpty(304, "The client has it already (If-None-Match).")
            .AnswersEmpty(404, "There is none.")
            .AnswersEmpty(416, "It is shorter than the part that was asked for.");
        routes.Database("HEAD", "/attachments", Access.Read, RouteTraits.None, Head)
            .Says("Tells whether an attachment exists, and its details in headers.")
            .Takes(AttachmentTarget.Inputs)
            .AnswersEmpty(200, "It exists.")
            .AnswersEmpty(304, "The client has it already (If-None-Match).")
            .AnswersEmpty(404, "There is none.");
        routes.Database("POST", "/attachments", Access.Read, RouteTraits.None, PostAsync)
            .Says("Reads an attachment of a document or of a revision.")
            .Takes(AttachmentTarget.Inputs)
            .Sends(Body.Object(
                "Which version of the document is meant.",
                Input.OneOf("Type", "What has the attachment.", "Document", "Revision"),
                Input.Text("ChangeVector", "The change vector of the revision.", "A:1-AAAAAAAAAAAAAAAAAAAAAA")))
            .Answers(200, "The content.", MediaTypes.Any)
            .Answers(206, "The part that was asked for.", MediaTypes.Any)
            .AnswersEmpty(304, "The client has it already (If-None-Match).")
            .AnswersEmpty(404, "There is none.")
            .AnswersEmpty(416, "It is shorter than the part that was asked for.");
        routes.Database("DELETE", "/attachments", Access.ReadWrite, RouteTraits.None, DeleteAsync)
            .Says("Deletes an attachment. The header If-Match names the version that is deleted.")
            .Takes(AttachmentTarget.Inputs)
            .AnswersEmpty(204, "It is deleted, or was not there.");
    }

    private static async ValueTask PutAsync(RequestContext context)
    {
        AttachmentTarget target = AttachmentTarget.Read(context);
        var command = new PutAttachmentCommand { ContentType = ReadContentType(context), ChangeVectorText = DocumentWriteHandlers.ExpectedText(context) };
        target.SetTo(command);
        RefuseRemote(context);
        AttachmentBodies.CheckSize(context.Request.ContentLength);
        ContentReceiver receiver = AttachmentBodies.NewReceiver(context.Database);
        await using (receiver.ConfigureAwait(false))
        {
            await ReceiveAsync(context, receiver, target).ConfigureAwait(false);
            command.Content = await receiver.FinishAsync(AttachmentLimits.ChunkBytes, context.Aborted).ConfigureAwait(false);
            CheckHash(context, command.Content);
            await context.WriteAsync(command).ConfigureAwait(false);
        }

        await context.Json(201, json =>
        {
            json.WriteStartObject();
            json.WriteString("DocumentId"u8, target.Id);
            command.WriteDetails(json, context.Database);
            json.WriteNull("RemoteParameters"u8);
            json.WriteEndObject();
        }).ConfigureAwait(false);
    }

    private static async ValueTask ReceiveAsync(RequestContext context, ContentReceiver receiver, AttachmentTarget target)
    {
        try
        {
            Stream body = RequestBodyReader.Open(context);
            await using (body.ConfigureAwait(false))
            {
                await AttachmentBodies.ReceiveAsync(context, body, receiver, () => CheckDocument(context, target)).ConfigureAwait(false);
            }
        }
        catch (Exception failure) when (AttachmentBodies.Explain(context, failure) is { } refusal)
        {
            throw refusal;
        }
    }

    // Checked here, before gigabytes are received in vain. The write itself checks it again.
    private static void CheckDocument(RequestContext context, AttachmentTarget target)
    {
        using DocumentReadScope read = context.Database.BeginRead(ReaderKind.Load);
        if (!read.TryGet(target.DocumentKey, out _))
        {
            throw new RequestRefusedException(new Problem(500, ProblemTypes.DocumentMissing,
                $"Document '{System.Text.Encoding.UTF8.GetString(target.Id)}' does not exist, so it can have no attachment; store the document first. " +
                "Nothing was written.")
            {
                CloseConnection = true,
            });
        }
    }

    private static async ValueTask GetAsync(RequestContext context)
    {
        using ContentReader? reader = AttachmentAnswers.Open(context.Database, AttachmentTarget.Read(context).Key);
        await SendAsync(context, reader).ConfigureAwait(false);
    }

    private static async ValueTask SendAsync(RequestContext context, ContentReader? reader)
    {
        if (reader is null)
        {
            await context.Empty(404).ConfigureAwait(false);
            return;
        }

        Attachment attachment = reader.Attachment;
        AttachmentAnswers.WriteHeaders(context, attachment);
        if (AttachmentAnswers.IsTagOf(context.Request.Headers.IfNoneMatch, context.Database, attachment))
        {
            await context.Empty(304).ConfigureAwait(false);
            return;
        }

        (long First, long Count)? range = AttachmentAnswers.RangeOf(context, attachment);
        if (range is { Count: 0 })
        {
            context.Response.Headers.ContentRange = $"bytes */{attachment.Size}";
            await context.Empty(416).ConfigureAwait(false);
            return;
        }

        (long first, long count) = range ?? (0, attachment.Size);
        Prepare(context, attachment, range is null ? 200 : 206, count);
        if (range is not null)
        {
            context.Response.Headers.ContentRange = $"bytes {first}-{first + count - 1}/{attachment.Size}";
        }

        await context.Response.StartAsync(context.Aborted).ConfigureAwait(false);
        await AttachmentAnswers.SendAsync(context, reader, first, count).ConfigureAwait(false);
    }

    // Official clients wait forever for the text of an error answer to HEAD, so there is none.
    private static ValueTask Head(RequestContext context)
    {
        AttachmentTarget target = AttachmentTarget.Read(context);
        if (AttachmentAnswers.Find(context.Database, target.Key) is not { } attachment)
        {
            return context.Empty(404);
        }

        AttachmentAnswers.WriteHeaders(context, attachment);
        if (AttachmentAnswers.IsTagOf(context.Request.Headers.IfNoneMatch, context.Database, attachment))
        {
            return context.Empty(304);
        }

        Prepare(context, attachment, 200, attachment.Size);
        return ValueTask.CompletedTask;
    }

    // The body says which version of the document is meant: {"Type":"Document"}, or {"Type":"Revision","ChangeVector":"..."}.
    private static async ValueTask PostAsync(RequestContext context)
    {
        string? vector = null;
        using (JsonBody body = await JsonBody.ReadObjectAsync(context, "The body").ConfigureAwait(false))
        {
            string? type = body.Root.TextMember("Type");
            if (IsRevision(type))
            {
                vector = body.Root.TextMember("ChangeVector") ?? throw new RequestRefusedException(
                    Problem.Argument("ChangeVector is missing: it names the revision whose attachment is wanted."));
            }
            else
            {
                RefuseOtherTypes(type);
            }
        }

        if (vector is null)
        {
            await GetAsync(context).ConfigureAwait(false);
            return;
        }

        using ContentReader? reader =
            AttachmentAnswers.OpenRevision(context.Database, AttachmentTarget.Read(context), System.Text.Encoding.UTF8.GetBytes(vector));
        await SendAsync(context, reader).ConfigureAwait(false);
    }

    private static async ValueTask DeleteAsync(RequestContext context)
    {
        var command = new DeleteAttachmentCommand { ChangeVectorText = DocumentWriteHandlers.ExpectedText(context) };
        AttachmentTarget.Read(context).SetTo(command);
        await context.WriteAsync(command).ConfigureAwait(false);
        await context.Empty(204).ConfigureAwait(false);
    }

    /// <exception cref="RequestRefusedException">The type is not one of documents.</exception>
    public static void RefuseOtherTypes(string? type)
    {
        if (type is not null && !type.Equals("Document", StringComparison.OrdinalIgnoreCase))
        {
            throw new RequestRefusedException(IsRevision(type)
                ? Problem.NotSupported("Several attachments of revisions in one request are")
                : Problem.Argument($"Type is '{type}'; use Document."));
        }
    }

    private static bool IsRevision(string? type) => "Revision".Equals(type, StringComparison.OrdinalIgnoreCase);

    private static void Prepare(RequestContext context, Attachment attachment, int status, long count)
    {
        context.PrepareBody(status, count, attachment.ContentType);
        if (attachment.ContentType.Length == 0)
        {
            context.Response.ContentType = null;
        }
    }

    private static string ReadContentType(RequestContext context)
    {
        string contentType = context.Query.GetText("contentType") ?? "";
        return AttachmentNames.CheckContentType(contentType) is { } fault
            ? throw new RequestRefusedException(Problem.Argument(fault))
            : contentType;
    }

    private static void RefuseRemote(RequestContext context)
    {
        if (!string.IsNullOrEmpty(context.Query.GetText("remoteIdentifier")) || !string.IsNullOrEmpty(context.Query.GetText("remoteAt")))
        {
            throw new RequestRefusedException(Problem.NotSupported("Attachments in remote storage are"));
        }
    }

    // Clients that compute the SHA-256 themselves can check that the body arrived as they sent it.
    private static void CheckHash(RequestContext context, ReceivedContent content)
    {
        string actual = Convert.ToBase64String(content.Hash);
        if (context.Request.Headers.TryGetValue("Attachment-Hash", out var expected) && expected.ToString() != actual)
        {
            throw new RequestRefusedException(Problem.Argument(
                $"The body has the SHA-256 '{actual}', and the header Attachment-Hash says '{expected}'; nothing was written. " +
                "Send it again, or leave the header out."));
        }
    }
}
