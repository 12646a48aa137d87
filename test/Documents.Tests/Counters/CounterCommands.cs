using System.Buffers;
using System.Text;
using System.Text.Json;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Batches;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Counters;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Rows;

namespace Jackdaw.Documents.Tests.Counters;

/// <summary>Operations on counters as a request would make them, and what is stored.</summary>
internal static class CounterCommands
{
    /// <summary>A command with operations <c>name+5</c> (increment), <c>name=5</c> (put), <c>name-</c> (delete), <c>name?</c>
    /// (get).</summary>
    public static string Json(string id, params string[] operations)
    {
        IEnumerable<string> all = operations.Select(operation =>
        {
            int at = operation.AsSpan().LastIndexOfAny("+=-?");
            string type = operation[at] switch { '+' => "Increment", '=' => "Put", '-' => "Delete", _ => "Get" };
            string delta = operation[(at + 1)..] is { Length: > 0 } number ? $",\"Delta\":{number.Replace('_', '-')}" : "";
            return $$$"""{"Type":"{{{type}}}","CounterName":{{{JsonSerializer.Serialize(operation[..at])}}}{{{delta}}}}""";
        });
        string quoted = JsonSerializer.Serialize(id);
        return $$$"""{"Type":"Counters","Id":{{{quoted}}},"Counters":{"DocumentId":{{{quoted}}},"Operations":[{{{string.Join(',', all)}}}]}}""";
    }

    public static CountersCommand Make(string id, params string[] operations)
    {
        using var parser = new BatchParser();
        var batch = new ParsedBatch();
        parser.Parse(Encoding.UTF8.GetBytes($$"""{"Commands":[{{Json(id, operations)}}]}"""), batch, Commands.Kinds.OfBatch);
        return Assert.IsType<CountersCommand>(batch[0]);
    }

    public static async Task<CountersCommand> CountAsync(this DocumentDatabase database, string id, params string[] operations)
    {
        CountersCommand command = Make(id, operations);
        Written written = await database.WriteAsync(command);
        Assert.Equal(WriteStatus.Applied, written.Status);
        return command;
    }

    /// <summary>Names and values of the counters of a document, in their order.</summary>
    public static string[] CountersOf(this DocumentDatabase database, string id)
    {
        using DocumentReadScope read = database.BeginRead();
        return CountersOf(read, id);
    }

    public static string[] CountersOf(this DocumentReadScope read, string id) =>
        [.. new CounterReads(read.Transaction).All(TestCommands.Key(id)).Select(counter => $"{Encoding.UTF8.GetString(counter.Name.Span)}={counter.Value}")];

    /// <summary>What a revision of a document would keep; empty for nothing.</summary>
    public static string SnapshotOf(this DocumentReadScope read, string id)
    {
        var output = new ArrayBufferWriter<byte>();
        using CounterList counters = new CounterReads(read.Transaction).List(TestCommands.Key(id));
        bool any = CounterAnswers.WriteSnapshot(output, counters);
        Assert.Equal(any, output.WrittenCount > 0);
        return Encoding.UTF8.GetString(output.WrittenSpan);
    }

    /// <summary>What the metadata of a document shows; empty for nothing.</summary>
    public static string Shown(this DocumentReadScope read, string id) =>
        read.TryGet(TestCommands.Key(id), out StoredDocument document) ? Encoding.UTF8.GetString(document.Extensions[CounterExtension.Instance]) : "";
}
