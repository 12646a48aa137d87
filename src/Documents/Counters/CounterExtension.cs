using System.Buffers;
using System.Buffers.Binary;
using System.Buffers.Text;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Includes;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Patching;
using Jackdaw.Documents.Reading;
using Jackdaw.Documents.Rows;
using Jackdaw.Json;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Documents.Counters;

/// <summary>Counters as documents show them: <c>"@counters":["Likes","Views"]</c>, ordered without regard to case.</summary>
internal sealed partial class CounterExtension() :
    RevisedExtension(slot: 1, "HasCounters", "@counters", "@counters-snapshot"), IWatchedExtension, ICommandedExtension, ICountedExtension,
    IPatchedExtension, IIncludedExtension
{
    /// <summary>The bytes of the longest number of 64 bits.</summary>
    private const int NumberBytesMax = 20;

    public static CounterExtension Instance { get; } = new();

    public override IReadOnlyList<TableSchema> Tables => [CounterTable.Schema];

    public ExtensionWatches Watches { get; } = new("CounterChange", "counters", "counter", "document-counters", "document-counter");

    public IEnumerable<CommandKind> BatchCommands => [new CommandKind("Counters", Access.ReadWrite, CountersCommand.Read)];

    public IEnumerable<CommandKind> InsertCommands => BatchCommands;

    public string ProcessedMember => "CountersProcessed";

    public IEnumerable<(string Member, long Count)> Count(ReadTransaction read) => [("CountOfCounterEntries", new CounterReads(read).Count)];

    public IEnumerable<(string Member, long Count)> CountInDetail(ReadTransaction read) => [("CountOfCounters", new CounterReads(read).Count)];

    public string LoadParameter => "counter";

    public string AllName => "@all_counters";

    public string QueryMethod => "counters";

    public IInclude Include(IReadOnlyList<ExtensionInclude> includes) => new IncludedCounters(includes);

    public IReadOnlyList<string> Functions => CounterView.Functions;

    public ExtensionView View(IReadableDatabase database, DocumentReadScope read) => new CounterView(database, read);

    public string NameOf(ChangeKind kind) => kind switch
    {
        ChangeKind.ExtensionPut => "Put",
        ChangeKind.ExtensionDelete => "Delete",
        _ => "Increment",
    };

    public void WriteValue(ReadOnlySpan<byte> payload, PooledBuffer output)
    {
        Utf8Formatter.TryFormat(BinaryPrimitives.ReadInt64LittleEndian(payload), output.Reserve(NumberBytesMax), out int digits);
        output.Advance(digits);
    }

    public override void Describe(DocumentTransaction documents, ReadOnlySpan<byte> key, IBufferWriter<byte> output)
    {
        using CounterList counters = CounterWrites.Of(documents).List(key);
        bool any = false;
        while (counters.MoveNext())
        {
            output.Write(any ? ","u8 : "["u8);
            DocumentWriter.WriteString(output, counters.Current.Name);
            any = true;
        }

        output.Write(any ? "]"u8 : default);
    }

    public override void Delete(DocumentTransaction documents, ReadOnlySpan<byte> key) => CounterWrites.Of(documents).DeleteAll(key);
}
