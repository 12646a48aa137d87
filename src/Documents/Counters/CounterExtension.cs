using System.Buffers;
using System.Buffers.Binary;
using System.Buffers.Text;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Rows;
using Jackdaw.Json;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Counters;

/// <summary>Counters as documents show them: <c>"@counters":["Likes","Views"]</c>, ordered without regard to case.</summary>
internal sealed partial class CounterExtension() :
    RevisedExtension(slot: 1, "HasCounters", "@counters", "@counters-snapshot"), IWatchedExtension
{
    /// <summary>The bytes of the longest number of 64 bits.</summary>
    private const int NumberBytesMax = 20;

    public static CounterExtension Instance { get; } = new();

    public override IReadOnlyList<TableSchema> Tables => [CounterTable.Schema];

    public ExtensionWatches Watches { get; } = new("CounterChange", "counters", "counter", "document-counters", "document-counter");

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
