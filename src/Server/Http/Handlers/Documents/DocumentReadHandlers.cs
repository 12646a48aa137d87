using System.Buffers;
using System.Text;
using Jackdaw.Documents;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Reading;
using Jackdaw.Documents.Rows;
using Jackdaw.Server.Http.Answers;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Limits;
using Jackdaw.Server.Http.Queries;
using Jackdaw.Server.Http.Reading;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Server.Http.Handlers.Documents;

/// <summary>GET, HEAD and the long GET (POST) of documents.</summary>
internal static class DocumentReadHandlers
{
    public static void Map(RouteTable routes)
    {
        routes.Database("GET", "/docs", Access.Read, RouteTraits.InMultiGet, Get)
            .Says("Reads documents by id, by the beginning of their ids, or the newest ones.")
            .Takes(Input.Text("id", "The id of a document that is wanted.", "orders/1-A").Repeated())
            .TakesWith(
                Inputs.DocumentId,
                [
                    .. DocumentQuery.LoadInputs,
                    Input.Text("loadHash", "Sent by clients; changes nothing.", "1"),
                    Input.Text("nodeTag", "Sent by clients; changes nothing.", "A"),
                ])
            .Takes(DocumentQuery.Inputs)
            .Answers(200, "Results has the documents in order, null where there is none; Includes has what they bring along.")
            .AnswersEmpty(304, "The client has the newest answer already (If-None-Match).")
            .AnswersEmpty(404, "The only document that was asked for does not exist.");
        routes.Database("HEAD", "/docs", Access.Read, RouteTraits.None, Head)
            .Says("Tells whether a document exists, and its version.")
            .Takes(Inputs.DocumentId)
            .AnswersEmpty(200, "It exists; ETag has its change vector.")
            .AnswersEmpty(304, "The client has its newest version already (If-None-Match).")
            .AnswersEmpty(404, "It does not exist.");
        routes.Database("POST", "/docs", Access.Read, RouteTraits.InMultiGet, PostAsync)
            .Says("Reads documents by ids that are too many for an address.")
            .Takes(DocumentQuery.LoadInputs)
            .Takes(DocumentQuery.Inputs)
            .Sends(Body.Object("The ids.", Input.Text("Ids", "The ids of the documents.", "orders/1-A").Repeated().Required()))
            .Answers(200, "Results has the documents in order, null where there is none; Includes has what they bring along.")
            .AnswersEmpty(304, "The client has the newest answer already (If-None-Match).")
            .AnswersEmpty(404, "The only document that was asked for does not exist.");
        routes.Database("GET", "/docs/size", Access.Read, RouteTraits.InMultiGet, Size)
            .Says("Tells how large a document is.")
            .Takes(Inputs.DocumentId)
            .Answers(200, "Its size in bytes.")
            .AnswersEmpty(404, "It does not exist.");
    }

    private static ReadOnlySpan<byte> OneBefore => "{\"Results\":["u8;

    private static ReadOnlySpan<byte> OneAfter => "],\"Includes\":{}}"u8;

    private static ValueTask Get(RequestContext context) =>
        IsPlainLoad(context.Query, out QueryParameter id) ? GetOne(context, id) : GetManyAsync(context);

    // A single id, and no parameter that changes the answer.
    private static bool IsPlainLoad(QueryParameters query, out QueryParameter id)
    {
        id = default;
        bool found = false;
        foreach (QueryParameter parameter in query)
        {
            if (parameter.Is("id") && !found)
            {
                id = parameter;
                found = true;
            }
            else if (!parameter.Is("loadHash") && !parameter.Is("nodeTag"))
            {
                return false;
            }
        }

        return found;
    }

    // The hottest path of the server: document bytes are copied once, from the page into the connection's pipe; only
    // the text of the ETag is allocated.
    private static ValueTask GetOne(RequestContext context, in QueryParameter id)
    {
        Span<byte> key = stackalloc byte[DocumentIds.KeyBytesMax];
        int length = ParameterKeys.Make(id, key);
        string? ifNoneMatch = context.Request.Headers.IfNoneMatch;
        using DocumentReadScope read = context.Database.BeginRead(ReaderKind.Load);
        if (length == 0 || !read.TryGet(key[..length], out StoredDocument document))
        {
            bool isKnown = VersionTag.Unquote(ifNoneMatch).SequenceEqual(DocumentTags.NotFoundMark);
            return context.Empty(isKnown ? 304 : 404);
        }

        if (DocumentTags.IsTagOf(ifNoneMatch, context.Database, document.Version))
        {
            context.Response.Headers.ETag =
                ifNoneMatch![0] == '"' ? ifNoneMatch : DocumentTags.TagOf(context.Database, document.Version);
            return context.Empty(304);
        }

        // The connection would hold a large document completely, and uncounted, until the client has read all of it.
        return document.Body.Length > HttpLimits.LargeBodyBytes ? GetManyAsync(context) : WriteOne(context, document);
    }

    private static ValueTask WriteOne(RequestContext context, in StoredDocument document)
    {
        SpliceBuffer splice = context.Splice;
        splice.Clear();
        DocumentAnswers.WriteSplice(splice, context.Database, document);
        ReadOnlySpan<byte> head = document.Body[..^2];
        context.Response.Headers.ETag = DocumentTags.TagOf(context.Database, document.Version);
        context.PrepareBody(200, OneBefore.Length + head.Length + splice.Written.Length + OneAfter.Length);

        // Starting the answer first lets the writer use the connection's own memory; this only waits when a callback
        // was registered.
        Task start = context.Response.StartAsync(context.Aborted);
        if (!start.IsCompletedSuccessfully)
        {
            return WriteCopyAsync(context, start, [.. OneBefore, .. head, .. splice.Written, .. OneAfter]);
        }

        IBufferWriter<byte> writer = context.Response.BodyWriter;
        writer.Append(OneBefore);
        writer.Append(head);
        writer.Append(splice.Written);
        writer.Append(OneAfter);
        return ValueTask.CompletedTask;
    }

    private static async ValueTask WriteCopyAsync(RequestContext context, Task start, byte[] body)
    {
        await start.ConfigureAwait(false);
        await context.Response.BodyWriter.WriteAsync(body, context.Aborted).ConfigureAwait(false);
    }

    private static ValueTask GetManyAsync(RequestContext context) => AnswerAsync(context, context.Query.GetAll("id"));

    private static async ValueTask PostAsync(RequestContext context)
    {
        IReadOnlyList<string> ids;
        using (RequestBody body = await RequestBodyReader.ReadAsync(context, IdListParser.BodyBytesMax, "A list of ids")
            .ConfigureAwait(false))
        {
            ids = DocumentReads.ParseIds(body.Memory);
        }

        await AnswerAsync(context, ids).ConfigureAwait(false);
    }

    private static async ValueTask AnswerAsync(RequestContext context, IReadOnlyList<string> ids)
    {
        using var body = new ResponseBuffer(context.Server.Answers);
        ReadAnswer answer;
        ReaderKind kind = ids.Count > 0 ? ReaderKind.Load : ReaderKind.List;
        using (RenewedRead read = context.OpenRead(kind))
        {
            answer = DocumentReads.Read(
                context.Database, read, ids, context.Query, context.Request.Headers.IfNoneMatch, body);
        }

        if (answer.Tag is not null)
        {
            context.Response.Headers.ETag = answer.Tag;
        }

        if (answer.Status == 200)
        {
            await context.Send(200, body).ConfigureAwait(false);
            return;
        }

        await context.Empty(answer.Status).ConfigureAwait(false);
    }

    // A text that cannot be an id has no document. With any other error status for a HEAD, official clients would wait forever for the text of the answer.
    private static ValueTask Head(RequestContext context)
    {
        Span<byte> key = stackalloc byte[DocumentIds.KeyBytesMax];
        if (ParameterKeys.TryMake(RequireId(context), key, out int length) != DocumentIdFault.None)
        {
            return context.Empty(404);
        }

        using DocumentReadScope read = context.Database.BeginRead(ReaderKind.Load);
        if (!read.TryGet(key[..length], out StoredDocument document))
        {
            return context.Empty(404);
        }

        context.Response.Headers.ETag = DocumentTags.TagOf(context.Database, document.Version);
        string? ifNoneMatch = context.Request.Headers.IfNoneMatch;
        return context.Empty(DocumentTags.IsTagOf(ifNoneMatch, context.Database, document.Version) ? 304 : 200);
    }

    private static ValueTask Size(RequestContext context)
    {
        Span<byte> key = stackalloc byte[DocumentIds.KeyBytesMax];
        int length = ParameterKeys.Make(RequireId(context), key);
        if (length == 0 || !TryFind(context, key[..length], out long size, out string id))
        {
            return context.Empty(404);
        }

        return context.Json(200, json =>
        {
            json.WriteStartObject();
            json.WriteString("DocId"u8, id);
            json.WriteNumber("ActualSize"u8, size);
            json.WriteString("HumaneActualSize"u8, JsonAnswers.HumaneSize(size));
            json.WriteNumber("AllocatedSize"u8, size);
            json.WriteString("HumaneAllocatedSize"u8, JsonAnswers.HumaneSize(size));
            json.WriteEndObject();
        });
    }

    private static QueryParameter RequireId(RequestContext context)
    {
        if (!context.Query.TryGet("id", out QueryParameter id))
        {
            context.Query.GetRequiredText("id");
        }

        return id;
    }

    private static bool TryFind(RequestContext context, ReadOnlySpan<byte> key, out long size, out string id)
    {
        (size, id) = (0, "");
        using DocumentReadScope read = context.Database.BeginRead(ReaderKind.Load);
        if (!read.TryGet(key, out StoredDocument document))
        {
            return false;
        }

        (size, id) = (document.Body.Length, Encoding.UTF8.GetString(document.Id));
        return true;
    }
}
