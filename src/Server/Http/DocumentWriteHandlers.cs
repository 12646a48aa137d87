using System.Runtime.CompilerServices;
using System.Text;

using Jackdaw.Server.Documents;
using Jackdaw.Server.Documents.Json;

using Microsoft.Extensions.ObjectPool;
using Microsoft.Extensions.Primitives;

namespace Jackdaw.Server.Http;

/// <summary>PUT and DELETE of one document.</summary>
internal static class DocumentWriteHandlers
{
    /// <summary>Parsers kept for the next requests: each is held until its write is durable, so busy connections need many.</summary>
    private const int IdleParsersMax = 1024;

    private static readonly DefaultObjectPool<DocumentParser> s_parsers =
        new(new DefaultPooledObjectPolicy<DocumentParser>(), IdleParsersMax);

    public static void Map(RouteTable routes)
    {
        routes.Database("PUT", "/docs", PutAsync);
        routes.Database("DELETE", "/docs", DeleteAsync);
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private static async ValueTask PutAsync(RequestContext context)
    {
        context.Query.TryGet("id", out QueryParameter parameter);
        (byte[] id, byte[] key) = DocumentKey.ForPut(parameter);
        RequestBody body = await RequestBodyReader.ReadAsync(context, DocumentParser.DocumentBytesMax, "A document")
            .ConfigureAwait(false);
        DocumentParser parser = s_parsers.Get();
        try
        {
            ParsedDocument document = Parse(parser, body);
            WriteCommandResult result = await WriteAsync(context, new WriteCommand
            {
                Kind = WriteCommandKind.Put,
                Id = id,
                Key = key,
                Expected = Expected(context),
                Body = document.Bytes,
                MetadataOffset = document.MetadataOffset,
                Collection = document.Collection,
            }).ConfigureAwait(false);
            await context.Json(201, json =>
            {
                json.WriteStartObject();
                json.WriteString("Id"u8, result.Id);
                json.WriteString("ChangeVector"u8, DocumentAnswers.ChangeVectorOf(context.Database, result.Etag));
                json.WriteEndObject();
            }).ConfigureAwait(false);
        }
        finally
        {
            parser.Clear();
            s_parsers.Return(parser);
        }
    }

    // What was sent is not needed any more once it is parsed: it goes back before the write is waited for.
    private static ParsedDocument Parse(DocumentParser parser, RequestBody body)
    {
        using (body)
        {
            return parser.Parse(body.Span);
        }
    }

    private static async ValueTask DeleteAsync(RequestContext context)
    {
        context.Query.TryGet("id", out QueryParameter parameter);
        (byte[] id, byte[] key) = DocumentKey.ForDelete(parameter);
        await WriteAsync(context, new WriteCommand
        {
            Kind = WriteCommandKind.Delete,
            Id = id,
            Key = key,
            Expected = Expected(context),
        }).ConfigureAwait(false);
        await context.Empty(204).ConfigureAwait(false);
    }

    private static ExpectedVersion Expected(RequestContext context) =>
        context.Request.Headers.TryGetValue("If-Match", out StringValues sent)
            ? DocumentAnswers.ToExpected(context.Database, ETagHeader.Unquote(sent.ToString()).ToString())
            : ExpectedVersion.Any;

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private static async ValueTask<WriteCommandResult> WriteAsync(RequestContext context, WriteCommand command)
    {
        WriteResult result = await context.Database
            .WriteAsync(new WriteBatch { Commands = new[] { command } }, context.Aborted).ConfigureAwait(false);
        context.Cost = result.Cost;
        WriteProblems.Check(result.Status, context.Database);
        return result.Status == WriteStatus.Applied
            ? result.Results![0]
            : throw new RequestRefusedException(DocumentAnswers.Conflict(
                context.Database, Encoding.UTF8.GetString(command.Id.Span), command.Expected, result.ActualEtag));
    }
}
