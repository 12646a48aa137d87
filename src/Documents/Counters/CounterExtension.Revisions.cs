using System.Buffers;
using System.Diagnostics;
using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;

namespace Jackdaw.Documents.Counters;

/// <summary>Counters of revisions: <c>"@counters-snapshot":{"Likes":3}</c>, the values of their time.</summary>
internal sealed partial class CounterExtension
{
    public override void DescribeRevision(DocumentTransaction documents, ReadOnlySpan<byte> key, ReadOnlySpan<byte> shown, IBufferWriter<byte> output)
    {
        using CounterList counters = CounterWrites.Of(documents).List(key);
        CounterAnswers.WriteSnapshot(output, counters);
    }

    public override void Keep(DocumentTransaction documents, ReadOnlySpan<byte> kept)
    {
        // The text has everything; there is nothing else to keep.
    }

    public override void Release(DocumentTransaction documents, ReadOnlySpan<byte> kept)
    {
        // The text is removed with its revision.
    }

    public override void Revert(DocumentTransaction documents, byte[] key, DocumentRow document, ReadOnlySpan<byte> kept)
    {
        var counters = CounterWrites.Of(documents);
        Dictionary<byte[], (byte[] Name, long Value)> wanted = Read(key, kept);
        foreach (byte[] gone in Stored(counters, key).Where(counter => !wanted.ContainsKey(counter)))
        {
            if (counters.TryFind(gone, out CounterRow row))
            {
                counters.Delete(document, row);
            }
        }

        foreach ((byte[] counter, (byte[] name, long value)) in wanted)
        {
            Set(counters, document, counter, name, value);
        }
    }

    private static void Set(CounterWrites counters, DocumentRow document, byte[] counter, byte[] name, long value)
    {
        if (!counters.TryFind(counter, out CounterRow row))
        {
            bool fits = counters.TryAdd(document, counter, name, value, ChangeKind.ExtensionPut, out _);
            Debug.Assert(fits, "the document had all of them before");
        }
        else if (row.Value != value)
        {
            counters.Set(document, row, value, ChangeKind.ExtensionPut);
        }
    }

    private static List<byte[]> Stored(CounterWrites counters, ReadOnlySpan<byte> key)
    {
        List<byte[]> keys = [];
        using CounterList list = counters.List(key);
        while (list.MoveNext())
        {
            keys.Add(list.Current.Key.ToArray());
        }

        return keys;
    }

    // Ordered by the key of the counter.
    private static Dictionary<byte[], (byte[] Name, long Value)> Read(ReadOnlySpan<byte> key, ReadOnlySpan<byte> kept)
    {
        Dictionary<byte[], (byte[] Name, long Value)> counters = new(ByteTextComparer.Instance);
        if (kept.IsEmpty)
        {
            return counters;
        }

        Span<byte> place = stackalloc byte[ExtensionKeys.KeyBytesMax];
        using JsonDocument document = JsonDocument.Parse(kept.ToArray());
        foreach (JsonProperty counter in document.RootElement.EnumerateObject())
        {
            byte[] name = Encoding.UTF8.GetBytes(counter.Name);
            DocumentIdFault fault = ExtensionKeys.TryMake(key, name, place, out int length);
            Debug.Assert(fault == DocumentIdFault.None);
            counters[place[..length].ToArray()] = (name, counter.Value.GetInt64());
        }

        return counters;
    }
}
