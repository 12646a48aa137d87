using System.Runtime.InteropServices;
using Jackdaw.Search.Segments.Storing;

namespace Jackdaw.Search.Segments.Writing;

/// <summary>Writes numbers of one kind: a column of the first ones, and all of them in their order.</summary>
/// <remarks>
/// <code>
/// column  as of ColumnHead
/// order   the entries by value, and those of one value in their order: 2 bytes each in segments of up to 65,536 entries, else 4
/// samples every 256th value of the order (8 each), if there are more than 256
/// values  the values of the order (8 each), if an entry has several values or is ordered by a number of another kind
/// </code>
/// Chunks of order and values have 65,536 of them.
/// </remarks>
internal static unsafe class NumberWriter
{
    /// <summary>The values from one sample to the next.</summary>
    public const int SampleInterval = 1 << SampleShift;

    public const int SampleShift = 8;

    /// <param name="entries">The entries whose first number is of this kind, in order.</param>
    /// <param name="firsts">These numbers.</param>
    /// <param name="ordered">The entries of all values, by value and entry.</param>
    /// <param name="values">All values, in their order.</param>
    public static void Write(
        SegmentWriter writer, int field, PartKind kind, ReadOnlySpan<int> entries, ReadOnlySpan<long> firsts, ReadOnlySpan<int> ordered,
        ReadOnlySpan<long> values)
    {
        bool hasValues = ordered.Length != entries.Length || HasOthers(entries, ordered, writer.Entries);
        ColumnWriter.Write(
            writer, field, kind.Of(NumberPart.Column), kind.Of(NumberPart.Rows), entries, firsts,
            new ColumnHead { Values = values.Length, HasSeveral = hasValues ? 1 : 0 });
        WriteOrder(writer, field, kind, ordered);
        if (values.Length > SampleInterval)
        {
            PartBuilder samples = writer.Open(field, kind.Of(NumberPart.Samples));
            for (int i = 0; i < values.Length; i += SampleInterval)
            {
                samples.Bytes.AddUInt64((ulong)values[i]);
            }

            writer.Close(samples);
        }

        if (hasValues)
        {
            PartBuilder part = writer.Open(field, kind.Of(NumberPart.Values));
            for (int from = 0; from < values.Length; from += ColumnHead.ChunkRows)
            {
                int count = Math.Min(ColumnHead.ChunkRows, values.Length - from);
                part.Bytes.AddBytes(MemoryMarshal.AsBytes(values.Slice(from, count)));
                ColumnWriter.EndChunk(part, from + count < values.Length);
            }

            writer.Close(part);
        }
    }

    /// <summary>The bytes of an entry in an order.</summary>
    public static int OrderWidth(int entries) => entries <= ushort.MaxValue + 1 ? sizeof(ushort) : sizeof(int);

    // As many values as entries with a first one: they are the same entries unless one has none and another has two.
    private static bool HasOthers(ReadOnlySpan<int> entries, ReadOnlySpan<int> ordered, int count)
    {
        if (entries.Length == count)
        {
            return HasTwice(ordered, count);
        }

        Span<ulong> seen = new ulong[(count + 63) / 64];
        foreach (int entry in entries)
        {
            seen[entry >> 6] |= 1UL << (entry & 63);
        }

        foreach (int entry in ordered)
        {
            ulong bit = 1UL << (entry & 63);
            if ((seen[entry >> 6] & bit) == 0)
            {
                return true;
            }

            seen[entry >> 6] &= ~bit;
        }

        return false;
    }

    private static bool HasTwice(ReadOnlySpan<int> ordered, int count)
    {
        Span<ulong> seen = new ulong[(count + 63) / 64];
        foreach (int entry in ordered)
        {
            ulong bit = 1UL << (entry & 63);
            if ((seen[entry >> 6] & bit) != 0)
            {
                return true;
            }

            seen[entry >> 6] |= bit;
        }

        return false;
    }

    private static void WriteOrder(SegmentWriter writer, int field, PartKind kind, ReadOnlySpan<int> ordered)
    {
        PartBuilder part = writer.Open(field, kind.Of(NumberPart.Order));
        bool isShort = OrderWidth(writer.Entries) == sizeof(ushort);
        for (int from = 0; from < ordered.Length; from += ColumnHead.ChunkRows)
        {
            ReadOnlySpan<int> chunk = ordered[from..Math.Min(ordered.Length, from + ColumnHead.ChunkRows)];
            if (isShort)
            {
                ushort* target = (ushort*)part.Bytes.Extend(chunk.Length * sizeof(ushort));
                for (int i = 0; i < chunk.Length; i++)
                {
                    target[i] = (ushort)chunk[i];
                }
            }
            else
            {
                part.Bytes.AddBytes(MemoryMarshal.AsBytes(chunk));
            }

            ColumnWriter.EndChunk(part, from + chunk.Length < ordered.Length);
        }

        writer.Close(part);
    }
}
