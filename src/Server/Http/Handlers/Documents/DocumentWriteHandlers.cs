using System.Runtime.CompilerServices;
using System.Text.Json;
using Jackdaw.Documents;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Json;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Queries;
using Jackdaw.Server.Http.Routing;
using Microsoft.Extensions.ObjectPool;
using Microsoft.Extensions.Primitives;

namespace Jackdaw.Server.Http.Handlers.Documents;

/// <summary>PUT and DELETE of one document.</summary>
internal static class DocumentWriteHandlers
{
    /// <summary>The most objects that are pooled for the next requests. Each is in use until its write is durable, so busy connections need many.</summary>
    private const int IdlePutsMax = 1024;

    private static readonly DefaultObjectPool<Put> s_puts = new(new DefaultPooledObjectPolicy<Put>(), IdlePutsMax);

    private static readonly Action<Utf8JsonWriter, (DocumentDatabase Database, PutCommand Written)> s_writeAnswer =
        static (json, state) =>
        {
            json.WriteStartObject();
            state.Written.WriteStoredId(json, "Id"u8);
            state.Written.WriteChangeVector(json, "ChangeVector"u8, state.Database);
            json.WriteEndObject();
        };

    public static void Map(RouteTable routes)
    {
        routes.Database("PUT", "/docs", Access.ReadWrite, RouteTraits.None, PutAsync)
            .Says("Stores a document. The header If-Match names the version that it replaces.")
            .Takes(Input.Text("id", "The id; the server completes one that ends with / or |, and makes one where there is none.", "orders/900-A"))
            .Sends(Body.Json("The document.", """{"Company":"companies/1-A","@metadata":{"@collection":"Orders"}}"""))
            .Answers(201, "Its id and change vector.");
        routes.Database("DELETE", "/docs", Access.ReadWrite, RouteTraits.None, DeleteAsync)
            .Says("Deletes a document. The header If-Match names the version that is deleted.")
            .Takes(Input.Text("id", "The id of the document.", "orders/900-A").Required())
            .AnswersEmpty(204, "It is deleted, or was not there.");
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private static async ValueTask PutAsync(RequestContext context)
    {
        context.Query.TryGet("id", out QueryParameter parameter);
        (byte[] id, byte[] key) = ParameterKeys.ForPut(parameter);
        using RequestBody body = await RequestBodyReader.ReadAsync(context, DocumentLimits.DocumentBytesMax, "A document")
            .ConfigureAwait(false);
        Put put = s_puts.Get();
        try
        {
            put.Prepare(id, key, Expected(context), body, context.Database.Extensions);
            WriteOutcome outcome = await context.Database.WriteAsync(put.Batch, mayRunHere: true, context.Aborted).ConfigureAwait(false);
            context.Cost = outcome.Cost;
            outcome.ThrowUnlessWritten(put.Batch, context.Database);
            await context.Json(201, (context.Database, put.Command), s_writeAnswer).ConfigureAwait(false);
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
        (byte[] id, byte[] key) = ParameterKeys.ForDelete(parameter);
        var command = new DeleteCommand { Expected = Expected(context) };
        command.SetId(id, key);
        await context.WriteAsync(command).ConfigureAwait(false);
        await context.Empty(204).ConfigureAwait(false);
    }

    /// <summary>The change vector that a request demands of the stored document; null when it demands none.</summary>
    public static string? ExpectedText(RequestContext context) =>
        context.Request.Headers.TryGetValue("If-Match", out StringValues sent) ? VersionTag.Unquote(sent.ToString()).ToString() : null;

    private static ExpectedVersion Expected(RequestContext context) =>
        ExpectedVersion.Parse(ExpectedText(context), context.Database.Replica);

    /// <summary>The memory that one PUT needs until its write is durable.</summary>
    private sealed class Put
    {
        private readonly DocumentParser _parser = new(DocumentExtensions.None);

        public Put() => Batch = new WriteBatch { Commands = new DocumentCommand[] { Command } };

        public PutCommand Command { get; } = new();

        public WriteBatch Batch { get; }

        /// <summary>Parses the document. The received bytes are not needed afterwards: they are released before waiting
        /// for the write.</summary>
        public void Prepare(byte[] id, byte[] key, in ExpectedVersion expected, RequestBody body, DocumentExtensions extensions)
        {
            _parser.Extensions = extensions;
            ParsedDocument document = _parser.Parse(body.Span);
            body.ReturnBytes();
            Command.SetId(id, key);
            Command.Expected = expected;
            Command.Document = document;
        }

        public void Clear()
        {
            Command.Clear();
            _parser.Clear();
        }
    }
}
