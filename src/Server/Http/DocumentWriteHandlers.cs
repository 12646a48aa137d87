using System.Runtime.CompilerServices;
using System.Text.Json;

using Jackdaw.Server.Documents;
using Jackdaw.Server.Documents.Json;

using Microsoft.Extensions.ObjectPool;
using Microsoft.Extensions.Primitives;

namespace Jackdaw.Server.Http;

/// <summary>PUT and DELETE of one document.</summary>
internal static class DocumentWriteHandlers
{
    /// <summary>Kept for the next requests: each is held until its write is durable, so busy connections need many.</summary>
    private const int IdlePutsMax = 1024;

    private static readonly DefaultObjectPool<Put> s_puts = new(new DefaultPooledObjectPolicy<Put>(), IdlePutsMax);

    private static readonly Action<Utf8JsonWriter, (DocumentDatabase Database, WriteCommandResult Written)> s_writeAnswer =
        static (json, state) =>
        {
            Span<byte> changeVector = stackalloc byte[ChangeVector.BytesMax];
            int length = ChangeVector.Format(state.Written.Etag.Value, state.Database.DatabaseIdBytes, changeVector);
            json.WriteStartObject();
            json.WriteString("Id"u8, state.Written.Id);
            json.WriteString("ChangeVector"u8, changeVector[..length]);
            json.WriteEndObject();
        };

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
        using RequestBody body = await RequestBodyReader.ReadAsync(context, DocumentParser.DocumentBytesMax, "A document")
            .ConfigureAwait(false);
        Put put = s_puts.Get();
        try
        {
            put.Prepare(id, key, Expected(context), body);
            WriteResult result = await context.Database.WriteAsync(put.Batch, context.Aborted).ConfigureAwait(false);
            WriteCommandResult written = Applied(context, result, put.Batch);
            await context.Json(201, (context.Database, written), s_writeAnswer).ConfigureAwait(false);
        }
        finally
        {
            put.Clear();
            s_puts.Return(put);
        }
    }

    private static async ValueTask DeleteAsync(RequestContext context)
    {
        context.Query.TryGet("id", out QueryParameter parameter);
        (byte[] id, byte[] key) = DocumentKey.ForDelete(parameter);
        var batch = new WriteBatch
        {
            Commands = new[]
            {
                new WriteCommand { Kind = WriteCommandKind.Delete, Id = id, Key = key, Expected = Expected(context) },
            },
        };
        WriteResult result = await context.Database.WriteAsync(batch, context.Aborted).ConfigureAwait(false);
        Applied(context, result, batch);
        await context.Empty(204).ConfigureAwait(false);
    }

    private static ExpectedVersion Expected(RequestContext context) =>
        context.Request.Headers.TryGetValue("If-Match", out StringValues sent)
            ? DocumentAnswers.ToExpected(context.Database, ETagHeader.Unquote(sent.ToString()).ToString())
            : ExpectedVersion.Any;

    /// <summary>The outcome of a batch of one command; refuses the request when it was not applied.</summary>
    private static WriteCommandResult Applied(RequestContext context, in WriteResult result, WriteBatch batch)
    {
        context.Cost = result.Cost;
        WriteProblems.Check(result, batch, context.Database);
        return result.Results![0];
    }

    /// <summary>What one PUT needs until its write is durable.</summary>
    private sealed class Put
    {
        private readonly DocumentParser _parser = new();
        private readonly WriteCommand[] _command = new WriteCommand[1];

        public Put() => Batch = new WriteBatch { Commands = _command };

        public WriteBatch Batch { get; }

        /// <summary>Parses the document. What was sent is not needed any more then: it goes back before the write is waited for.</summary>
        public void Prepare(byte[] id, byte[] key, in ExpectedVersion expected, RequestBody body)
        {
            ParsedDocument document = _parser.Parse(body.Span);
            body.ReturnBytes();
            _command[0] = new WriteCommand
            {
                Kind = WriteCommandKind.Put,
                Id = id,
                Key = key,
                Expected = expected,
                Body = document.Bytes,
                MetadataOffset = document.MetadataOffset,
                Collection = document.Collection,
            };
        }

        public void Clear()
        {
            _command[0] = default;
            _parser.Clear();
        }
    }
}
