using System.Text;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Batches;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Counters;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Reading;
using Jackdaw.Json;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Handlers.Documents;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Reading;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Storage.Transactions;
using Microsoft.Extensions.ObjectPool;

namespace Jackdaw.Server.Http.Handlers.Counters;

/// <summary>Counters of documents: reads, and operations that change them.</summary>
internal static class CounterHandlers
{
    /// <summary>Batches are pooled, because each has memory and commands that the next request can use.</summary>
    private static readonly ObjectPool<ParsedBatch> s_batches = ObjectPool.Create<ParsedBatch>();

    public static void Map(RouteTable routes)
    {
        routes.Database("GET", "/counters", Access.Read, RouteTraits.InMultiGet, GetAsync)
            .Says("Reads counters of a document.")
            .Takes(
                Input.Text("docId", "The id of the document.", "orders/1-A").Required(),
                Input.Text("counter", "The name of a counter; without it all of them.", "Likes").Repeated(),
                Input.Flag("full", "Whether the answer has the shares of all nodes."))
            .Answers(200, "Counters has their values, null where there is none.");

        // Requests that only read many counters are sent this way too; operations that change something need more access.
        routes.Database("POST", "/counters", Access.Read, RouteTraits.None, PostAsync)
            .Says("Reads and changes counters of many documents; changes need the access ReadWrite.")
            .Sends(Body.Object(
                "The operations.",
                Input.Json("Documents", "The documents, each with its operations.",
                    """[{"DocumentId":"orders/1-A","Operations":[{"Type":"Increment","CounterName":"Likes","Delta":1}]}]""").Required(),
                Input.Json("ReplyWithAllNodesValues", "Whether the answer has the shares of all nodes.", "false")))
            .Answers(200, "Counters has their values after it.");
    }

    private static async ValueTask GetAsync(RequestContext context)
    {
        string id = context.Query.GetRequiredText("docId");
        byte[] key = DocumentKey.Make(id);
        List<string> names = context.Query.GetAll("counter");
        bool isFull = context.Query.GetFlag("full");
        using var body = new ResponseBuffer(context.Server.Answers);
        using (RenewedRead read = context.OpenRead(ReaderKind.Load))
        using (var answer = new CounterAnswer(context.Database, body, isFull))
        {
            if (names.Count == 0)
            {
                answer.WriteAll(read.Scope, key);
            }

            foreach (string name in names)
            {
                answer.Write(read.Scope, key, Encoding.UTF8.GetBytes(name));
                answer.Renew(read);
            }
        }

        await context.Send(200, body).ConfigureAwait(false);
    }

    private static async ValueTask PostAsync(RequestContext context)
    {
        ParsedBatch batch = s_batches.Get();
        try
        {
            await AnswerAsync(context, batch).ConfigureAwait(false);
        }
        finally
        {
            batch.Clear();
            s_batches.Return(batch);
        }
    }

    private static async ValueTask AnswerAsync(RequestContext context, ParsedBatch batch)
    {
        bool isFull;
        using (RequestBody sent = await RequestBodyReader.ReadAsync(context, BatchParser.BatchBytesMax, "A list of counter operations")
            .ConfigureAwait(false))
        {
            isFull = Parse(sent.Span, batch);
        }

        using var body = new ResponseBuffer(context.Server.Answers);
        DocumentCommand[] commands = batch.Commands.ToArray();
        if (Array.TrueForAll(commands, command => ((CountersCommand)command).IsRead))
        {
            Read(context, commands, body, isFull);
            await context.Send(200, body).ConfigureAwait(false);
            return;
        }

        context.Demand(Access.ReadWrite, "An operation that changes counters");
        if (Array.Exists(commands, command => ((CountersCommand)command).ReadsAll))
        {
            throw new RequestRefusedException(Problem.BadRequest(CountersCommand.ReadsAllProblem));
        }

        await context.WriteAsync(new WriteBatch { Commands = commands }).ConfigureAwait(false);
        using (var answer = new CounterAnswer(context.Database, body, isFull))
        {
            foreach (CountersCommand command in commands.Cast<CountersCommand>())
            {
                answer.Write(command);
            }
        }

        await context.Send(200, body).ConfigureAwait(false);
    }

    private static void Read(RequestContext context, DocumentCommand[] commands, ResponseBuffer body, bool isFull)
    {
        using RenewedRead read = context.OpenRead(ReaderKind.Load);
        using var answer = new CounterAnswer(context.Database, body, isFull);
        foreach (CountersCommand command in commands.Cast<CountersCommand>())
        {
            foreach (CounterOperation operation in command.Operations)
            {
                if (operation.Kind == CounterOperationKind.GetAll)
                {
                    answer.WriteAll(read.Scope, command.Key.Span);
                }
                else
                {
                    answer.Write(read.Scope, command.Key.Span, operation.Name);
                }

                answer.Renew(read);
            }
        }
    }

    /// <returns>Whether the shares of all nodes are wanted.</returns>
    private static bool Parse(ReadOnlySpan<byte> body, ParsedBatch batch)
    {
        using var values = new DocumentParser(DocumentExtensions.None);
        var cursor = new JsonCursor(body, DocumentParser.SkipToText(body), values);
        bool isFull = false;
        bool hasDocuments = false;
        for (bool has = cursor.OpenObject("The body of counter operations"); has; has = cursor.NextMember())
        {
            ReadOnlySpan<byte> name = cursor.ReadName();
            if (Ascii.EqualsIgnoreCase(name, "Documents"u8))
            {
                cursor.CheckOnce(!hasDocuments, "Documents");
                hasDocuments = true;
                ReadDocuments(ref cursor, batch);
            }
            else if (Ascii.EqualsIgnoreCase(name, "ReplyWithAllNodesValues"u8))
            {
                isFull = cursor.ReadBoolean("ReplyWithAllNodesValues");
            }
            else
            {
                cursor.SkipValue(batch.Buffer);
            }
        }

        cursor.ExpectEnd();
        return hasDocuments ? isFull : throw new RequestRefusedException(Problem.BadRequest(
            "The body has no Documents; send {\"Documents\":[{\"DocumentId\":\"users/1\",\"Operations\":[" +
            "{\"Type\":\"Increment\",\"CounterName\":\"Likes\",\"Delta\":1}]}]}."));
    }

    private static void ReadDocuments(ref JsonCursor cursor, ParsedBatch batch)
    {
        for (bool has = cursor.OpenArray("Documents"); has; has = cursor.NextElement())
        {
            if (batch.Count == ParsedBatch.CommandsMax)
            {
                JsonFault.Throw(cursor.Json, cursor.Position, DocumentFormatError.TooLarge,
                    $"There are more than {ParsedBatch.CommandsMax} documents; send several requests.");
            }

            cursor.Peek();
            int start = cursor.Position;
            (TextExtent id, int operations) = CounterText.ReadMembers(ref cursor, batch.Buffer, "Counters of a document");
            Span<byte> key = batch.Buffer.Reserve(DocumentIds.KeyBytesMax);
            DocumentIdFault fault = DocumentIds.TryMakeKey(id.SpanIn(batch.Buffer), key, out int length);
            if (fault != DocumentIdFault.None)
            {
                JsonFault.Throw(cursor.Json, start, DocumentFormatError.InvalidRequest, $"DocumentId: {DocumentIds.Describe(fault)}");
            }

            var keyExtent = new TextExtent(batch.Buffer.Length, length);
            batch.Buffer.Advance(length);
            JsonCursor at = cursor;
            at.Position = operations;
            batch.Add<CountersCommand>().Take(ref at, batch.Buffer, id, keyExtent);
        }
    }
}
