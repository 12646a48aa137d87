using Jackdaw.Search.Results;
using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Fields;
using Jackdaw.Search.Segments.Reading;
using Jackdaw.Search.Segments.Storing;

namespace Jackdaw.Search.Segments.Answers;

/// <summary>Reads the values that are stored with an entry.</summary>
internal static unsafe class EntryValues
{
    /// <summary>The values in the order in which they were added; empty when the entry stores none.</summary>
    public static IReadOnlyList<StoredValue> Read(SegmentView segment, int entry, FieldTable fields)
    {
        if (!BlobReader.Open(segment, FieldRecord.OfEntries, PartKind.Stored).TryRead(entry, out ReadOnlySpan<byte> bytes))
        {
            return [];
        }

        List<StoredValue> values = [];
        fixed (byte* start = bytes)
        {
            byte* next = start, end = start + bytes.Length;
            while (next < end)
            {
                int field = (int)VarInt.Read(ref next, end), length = VarInt.ReadLength(ref next, end);
                values.Add(new StoredValue(fields.NameOf(field), new ReadOnlySpan<byte>(next, length).ToArray()));
                next += length;
            }
        }

        return values;
    }
}
