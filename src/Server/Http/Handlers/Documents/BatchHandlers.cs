using System.Runtime.CompilerServices;
using System.Text.Json;
using Jackdaw.Documents;
using Jackdaw.Documents.Batches;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.ClusterWide;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Handlers.Indexes;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;
using Microsoft.Extensions.ObjectPool;

namespace Jackdaw.Server.Http.Handlers.Documents;

/// <summary>bulk_docs: the commands of one session's SaveChanges, in one transaction.</summary>
internal static class BatchHandlers
{
    /// <summary>Parsers and batches are pooled, because each has memory that the next request can use.</summary>
    private static readonly ObjectPool<BatchParser> s_parsers = ObjectPool.Create<BatchParser>();

    private static readonly ObjectPool<ParsedBatch> s_batches = ObjectPool.Create<ParsedBatch>();

    public static void Map(RouteTable routes) =>
        routes.Database("POST", "/bulk_docs", Access.ReadWrite, RouteTraits.None, PostAsync)
            .Says("Runs the commands of a batch in one transaction: puts, deletes, patches, counters, attachments.")
            .Takes(WriteWait.Inputs)
            .Takes(
                Input.Flag("noreply", "Whether the answer leaves out the results of the commands."),
                Input.Flag("disableAtomicDocumentWrites", "Whether a cluster-wide transaction leaves the guards of documents out."),
                Input.Text("numberOfReplicasToWaitFor", "How many replicas must have the batch; with one node 0 and majority are possible.", "majority"),
                Input.Flag("throwOnTimeoutInWaitForReplicas", "Whether too few replicas are an error.").Or("true"))
            .Sends(Body.Object(
                "The commands of a batch; multipart/mixed when contents of attachments follow.",
                Input.Json("Commands", "Objects with a Type (PUT, DELETE, PATCH, ...), an Id and what the type needs.",
                    """[{"Type":"PUT","Id":"shippers/9-A","Document":{"Name":"Swift","@metadata":{"@collection":"Shippers"}}}]""").Required(),
                Input.OneOf("TransactionMode", "Whether compare exchange values take part.", "SingleNode", "ClusterWide")))
            .Answers(201, "Results has an answer for each command, in order.");

    private static async ValueTask PostAsync(RequestContext context)
    {
        RefuseLaterFeatures(context);
        bool noReply = context.Query.GetFlag("noreply");
        bool isAtomic = !context.Query.GetFlag("disableAtomicDocumentWrites");
        WriteWait? wait = WriteWait.Read(context);
        BatchAttachments attachments = BatchAttachments.Open(context);
        ParsedBatch batch = s_batches.Get();
        try
        {
            await using ConfiguredAsyncDisposable received = attachments.ConfigureAwait(false);
            using RequestBody body = await attachments.ReadMainAsync().ConfigureAwait(false);
            Parse(body, batch, context.Database.CommandKinds.OfBatch);
            context.Demand(batch);
            await attachments.ReceiveAsync(body, batch.Commands).ConfigureAwait(false);
            WriteBatch write = batch.IsClusterWide
                ? ClusterWideTransaction.Make(batch.Commands.Span, isAtomic)
                : new WriteBatch { Commands = batch.Commands };
            WriteOutcome outcome = batch.HasComputed
                ? await context.WriteComputedAsync(write.Commands).ConfigureAwait(false)
                : await context.WriteAsync(write).ConfigureAwait(false);
            if (wait is not null)
            {
                await wait.WaitAsync(context, outcome.LastEtag).ConfigureAwait(false);
            }

            long? transactionIndex = batch.IsClusterWide ? ClusterWideTransaction.IndexOf(write) : null;
            ReadOnlyMemory<DocumentCommand> answered = noReply ? default : write.Commands;
            await context.Json(201, json => WriteResults(json, context.Database, answered.Span, transactionIndex)).ConfigureAwait(false);
        }
        finally
        {
            batch.Clear();
            s_batches.Return(batch);
        }
    }

    private static void RefuseLaterFeatures(RequestContext context)
    {
        // There is one node: the commit itself reaches a majority of one, and no other number of replicas can ever be reached.
        string? replicas = context.Query.GetText("numberOfReplicasToWaitFor");
        bool throws = context.Query.GetFlag("throwOnTimeoutInWaitForReplicas", absent: true);
        if (throws && replicas is not (null or "" or "0" or "majority"))
        {
            throw new RequestRefusedException(Problem.NotSupported($"Waiting for {replicas} replicas is"));
        }
    }

    private static void Parse(RequestBody body, ParsedBatch batch, CommandKinds kinds)
    {
        BatchParser parser = s_parsers.Get();
        try
        {
            parser.Parse(body.Span, batch, kinds);
            body.ReturnBytes();
        }
        finally
        {
            s_parsers.Return(parser);
        }
    }

    private static void WriteResults(
        Utf8JsonWriter json, DocumentDatabase database, ReadOnlySpan<DocumentCommand> commands, long? transactionIndex)
    {
        json.WriteStartObject();
        json.WriteStartArray("Results"u8);
        foreach (DocumentCommand command in commands)
        {
            json.WriteStartObject();
            command.WriteAnswer(json, database);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        if (transactionIndex is { } index)
        {
            json.WriteNumber("TransactionIndex"u8, index);
        }

        json.WriteEndObject();
    }
}
