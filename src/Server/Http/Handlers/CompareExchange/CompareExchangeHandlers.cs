using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.CompareExchange;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Reading;
using Jackdaw.Json;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Handlers.Documents;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Server.Http.Handlers.CompareExchange;

/// <summary>Answers requests for compare exchange values, which are replaced only by requests that name their current index.</summary>
internal static class CompareExchangeHandlers
{
    /// <summary>The most bytes of a body: whitespace and escapes are removed before the value is stored.</summary>
    private const int BodyBytesMax = 2 * CompareExchangeFormat.ValueBytesMax;

    private static readonly Input s_key = Input.Text("key", "The key of the value.", "a").Required();

    private static readonly Input s_index = Input.Count("index", "The index that the value must have; 0 where there must be none.", "0").Required();

    public static void Map(RouteTable routes)
    {
        routes.Database("PUT", "/cmpxchg", Access.ReadWrite, RouteTraits.None, PutAsync)
            .Says("Stores a compare exchange value, if its index is still the one that is named.")
            .Takes(s_key, s_index)
            .Sends(Body.Object("The value.", Input.Json("Object", "Any JSON.", "1").Required()))
            .Answers(200, "Successful says whether it was stored; Index and Value are what holds now.");
        routes.Database("DELETE", "/cmpxchg", Access.ReadWrite, RouteTraits.None, DeleteAsync)
            .Says("Deletes a compare exchange value, if its index is still the one that is named.")
            .Takes(s_key, s_index)
            .Answers(200, "Successful says whether it was deleted; Index and Value are what was there.");
        routes.Database("GET", "/cmpxchg", Access.Read, RouteTraits.InMultiGet, GetAsync)
            .Says("Reads compare exchange values by their keys, or a page of them.")
            .Takes(Input.Text("key", "The key of a value that is wanted.", "none").Repeated(), Input.Text("startsWith", "Only keys that begin so.", "a"))
            .Takes(Inputs.Page)
            .Answers(200, "Results has them.")
            .AnswersEmpty(404, "The only value that was asked for does not exist.");
    }

    private static async ValueTask PutAsync(RequestContext context)
    {
        (byte[] name, byte[] key) = Key(context);
        var command = new PutCompareExchangeCommand { IsAlone = true, ExpectedIndex = Index(context) };
        command.SetKey(name, key);
        using RequestBody body = await RequestBodyReader.ReadAsync(context, BodyBytesMax, "A compare exchange value").ConfigureAwait(false);
        byte[] value = Parse(body.Span, out long expiresTicks);
        command.SetValue(value, expiresTicks);
        await WriteAsync(context, command).ConfigureAwait(false);
    }

    private static async ValueTask DeleteAsync(RequestContext context)
    {
        (byte[] name, byte[] key) = Key(context);
        var command = new DeleteCompareExchangeCommand { IsAlone = true, ExpectedIndex = Index(context) };
        command.SetKey(name, key);
        await WriteAsync(context, command).ConfigureAwait(false);
    }

    private static async ValueTask WriteAsync(RequestContext context, CompareExchangeCommand command)
    {
        await context.WriteAsync(command).ConfigureAwait(false);
        await context.Json(200, json =>
        {
            json.WriteStartObject();
            json.WriteNumber("Index"u8, command.Index);
            CompareExchangeEntries.WriteValue(json, command.Value);
            json.WriteBoolean("Successful"u8, command.IsSuccessful);
            json.WriteEndObject();
        }).ConfigureAwait(false);
    }

    private static async ValueTask GetAsync(RequestContext context)
    {
        using var body = new ResponseBuffer(context.Server.Answers);
        if (TryWriteResults(context, body))
        {
            await context.Send(200, body).ConfigureAwait(false);
            return;
        }

        await context.Empty(404).ConfigureAwait(false);
    }

    // False: one value was requested, and there is none.
    private static bool TryWriteResults(RequestContext context, ResponseBuffer body)
    {
        List<string> names = context.Query.GetAll("key");
        using RenewedRead read = context.OpenRead(names.Count > 0 ? ReaderKind.Load : ReaderKind.List);
        using var json = new Utf8JsonWriter(body, JsonAnswers.WriterOptions);
        json.WriteStartObject();
        json.WriteStartArray("Results"u8);
        if (names.Count > 0 && !TryWriteNamed(read, names, json))
        {
            return false;
        }

        if (names.Count == 0)
        {
            WriteList(context, read, json);
        }

        json.WriteEndArray();
        json.WriteEndObject();
        return true;
    }

    private static bool TryWriteNamed(RenewedRead read, List<string> names, Utf8JsonWriter json)
    {
        Span<byte> key = stackalloc byte[DocumentIds.KeyBytesMax];
        foreach (string name in names)
        {
            int length = MakeKey(name, key);
            bool isFound = CompareExchangeTable.Open(read.Scope.Transaction).TryGetByKey(key[..length], out TableRow row);
            if (!isFound && names.Count == 1)
            {
                return false;
            }

            if (isFound)
            {
                var found = new CompareExchangeRow(row);
                CompareExchangeEntries.Write(json, found.Name, found);
            }
            else
            {
                CompareExchangeEntries.WriteMissing(json, name);
            }

            json.Flush();
            if (read.IsSpentAfter(isFound ? row.Bytes.Length : 0))
            {
                read.Renew();
            }
        }

        return true;
    }

    private static void WriteList(RequestContext context, RenewedRead read, Utf8JsonWriter json)
    {
        string? startsWith = context.Query.GetText("startsWith");
        Span<byte> buffer = stackalloc byte[DocumentIds.KeyBytesMax];
        byte[] prefix = string.IsNullOrEmpty(startsWith) ? [] : buffer[..MakeKey(startsWith, buffer)].ToArray();
        long toSkip = context.Query.GetCount("start", 0);
        long toWrite = context.Query.GetCount("pageSize", long.MaxValue);
        byte[] next = prefix;
        while (WriteStep(read, json, prefix, ref next, ref toSkip, ref toWrite))
        {
            read.Renew();
        }
    }

    // Writes the values of one step, from one snapshot. Returns false when there are no more; next is the key at which the next step begins.
    private static bool WriteStep(
        RenewedRead read, Utf8JsonWriter json, byte[] prefix, ref byte[] next, ref long toSkip, ref long toWrite)
    {
        using TableKeyCursor cursor = CompareExchangeTable.Open(read.Scope.Transaction).OpenKeys(CompareExchangeTable.ByKey);
        for (bool on = cursor.Seek(next) && cursor.Key.StartsWith(prefix); on && toWrite > 0; on = cursor.MoveNext(prefix))
        {
            int bytes = 0;
            if (toSkip-- <= 0)
            {
                var row = new CompareExchangeRow(cursor.Row);
                CompareExchangeEntries.Write(json, row.Name, row);
                json.Flush();
                toWrite--;
                bytes = row.Row.Bytes.Length;
            }

            if (read.IsSpentAfter(bytes))
            {
                next = [.. cursor.Key, 0]; // Keys hold no NUL, so this is the first possible key after it.
                return true;
            }
        }

        return false;
    }

    private static byte[] Parse(ReadOnlySpan<byte> body, out long expiresTicks)
    {
        using var buffer = new PooledBuffer();
        using var values = new DocumentParser(DocumentExtensions.None);
        var cursor = new JsonCursor(body, DocumentParser.SkipToText(body), values);
        TextExtent value = CompareExchangeFormat.ReadValue(ref cursor, buffer, out expiresTicks);
        cursor.ExpectEnd();
        return value.SpanIn(buffer).ToArray();
    }

    private static long Index(RequestContext context)
    {
        context.Query.GetRequiredText("index");
        return context.Query.GetCount("index", 0);
    }

    private static (byte[] Name, byte[] Key) Key(RequestContext context)
    {
        string name = context.Query.GetRequiredText("key");
        Span<byte> key = stackalloc byte[DocumentIds.KeyBytesMax];
        return (Encoding.UTF8.GetBytes(name), key[..MakeKey(name, key)].ToArray());
    }

    private static int MakeKey(string name, Span<byte> key)
    {
        DocumentIdFault fault = DocumentIds.TryMakeKey(name, key, out int length);
        return fault == DocumentIdFault.None
            ? length
            : throw new RequestRefusedException(new Problem(
                400, fault == DocumentIdFault.TooLong ? ProblemTypes.CompareExchangeKeyTooBig : ProblemTypes.Argument,
                CompareExchangeFormat.DescribeKey(fault)));
    }
}
