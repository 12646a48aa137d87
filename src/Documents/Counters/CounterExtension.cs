using System.Buffers;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Storage;

namespace Jackdaw.Documents.Counters;

/// <summary>Counters as documents show them: <c>"@counters":["Likes","Views"]</c>, ordered without regard to case.</summary>
internal sealed partial class CounterExtension : IRevisedExtension
{
    public ExtensionKind Kind => ExtensionKind.Counters;

    public void Describe(DocumentTransaction documents, ReadOnlySpan<byte> key, IBufferWriter<byte> output)
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

    public void Delete(DocumentTransaction documents, ReadOnlySpan<byte> key) => CounterWrites.Of(documents).DeleteAll(key);
}
