using System.Text.Json;

using Jackdaw.Server.Documents;
using Jackdaw.Server.Documents.Json;

using Microsoft.Extensions.ObjectPool;

namespace Jackdaw.Server.Http;

/// <summary>bulk_docs: the commands of one session's save, in one transaction.</summary>
internal static class BatchHandlers
{
    /// <summary>Parsers and batches are kept: each holds pooled memory that the next request can use.</summary>
    private static readonly ObjectPool<BatchParser> s_parsers = ObjectPool.Create<BatchParser>();

    private static readonly ObjectPool<CommandBatch> s_batches = ObjectPool.Create<CommandBatch>();

    public static void Map(RouteTable routes) => routes.Database("POST", "/bulk_docs", PostAsync);

    private static async ValueTask PostAsync(RequestContext context)
    {
        RefuseLaterFeatures(context);
        bool noReply = context.Query.GetFlag("noreply");
        CommandBatch batch = s_batches.Get();
        try
        {
            using RequestBody body = await RequestBodyReader.ReadAsync(context, BatchParser.BatchBytesMax, "A batch")
                .ConfigureAwait(false);
            Parse(body, batch);
            WriteCommand[] commands = CommandConversion.ToCommands(context.Database, batch, batch.Count);
            var write = new WriteBatch { Commands = commands };
            WriteResult result = await context.Database.WriteAsync(write, context.Aborted).ConfigureAwait(false);
            context.Cost = result.Cost;
            WriteProblems.Check(result, write, context.Database);
            await context.Json(
                201, json => WriteResults(json, context.Database, commands, noReply ? [] : result.Results!))
                .ConfigureAwait(false);
        }
        finally
        {
            batch.Clear();
            s_batches.Return(batch);
        }
    }

    private static void RefuseLaterFeatures(RequestContext context)
    {
        string contentType = context.Request.ContentType ?? "";
        if (contentType.StartsWith("multipart/", StringComparison.OrdinalIgnoreCase))
        {
            throw new RequestRefusedException(Problem.NotSupported("Attachments in a batch (multipart bodies) are"));
        }

        // One node: a majority of one is reached with the commit, any other number of replicas never.
        string? replicas = context.Query.GetText("numberOfReplicasToWaitFor");
        if (replicas is not (null or "" or "0" or "majority")
            && context.Query.GetFlag("throwOnTimeoutInWaitForReplicas", absent: true))
        {
            throw new RequestRefusedException(Problem.NotSupported($"Waiting for {replicas} replicas is"));
        }

        if (context.Query.Has("waitForSpecificIndex"))
        {
            throw new RequestRefusedException(Problem.NotSupported("Waiting for an index is"));
        }
    }

    private static void Parse(RequestBody body, CommandBatch batch)
    {
        BatchParser parser = s_parsers.Get();
        try
        {
            parser.Parse(body.Span, batch);
            body.ReturnBytes();
        }
        finally
        {
            s_parsers.Return(parser);
        }
    }

    private static void WriteResults(
        Utf8JsonWriter json, DocumentDatabase database, WriteCommand[] commands, WriteCommandResult[] results)
    {
        json.WriteStartObject();
        json.WriteStartArray("Results"u8);
        for (int i = 0; i < results.Length; i++)
        {
            json.WriteStartObject();
            if (commands[i].Kind == WriteCommandKind.Put)
            {
                WritePut(json, database, commands[i], results[i]);
            }
            else
            {
                WriteDelete(json, database, results[i]);
            }

            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    // Clients copy every member but Type into the metadata of their entity: nothing else may stand here.
    private static void WritePut(
        Utf8JsonWriter json, DocumentDatabase database, in WriteCommand command, in WriteCommandResult result)
    {
        json.WriteString("Type"u8, "PUT"u8);
        json.WriteString("@id"u8, result.Id);
        json.WriteString("@collection"u8, command.Collection.Span);
        json.WriteString("@change-vector"u8, DocumentAnswers.ChangeVectorOf(database, result.Etag));
        json.WriteString("@last-modified"u8, JsonAnswers.Date(result.LastModifiedTicks));
        if (result.Flags != DocumentFlags.None)
        {
            json.WriteString("@flags"u8, result.Flags.ToString());
        }
    }

    private static void WriteDelete(Utf8JsonWriter json, DocumentDatabase database, in WriteCommandResult result)
    {
        json.WriteString("Type"u8, "DELETE"u8);
        json.WriteString("Id"u8, result.Id);
        json.WriteBoolean("Deleted"u8, result.Deleted);
        if (result.Deleted)
        {
            json.WriteString("ChangeVector"u8, DocumentAnswers.ChangeVectorOf(database, result.Etag));
        }
    }
}
