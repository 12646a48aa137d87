using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Storing;

namespace Jackdaw.Search.Segments.Writing;

/// <summary>Writes columns.</summary>
internal static unsafe class ColumnWriter
{
    /// <param name="entries">The entries that have a number, in order.</param>
    /// <param name="values">Their numbers.</param>
    /// <param name="head">What the head has besides; width, bounds and rows are filled in.</param>
    public static void Write(
        SegmentWriter writer, int field, PartKind headKind, PartKind rowsKind, ReadOnlySpan<int> entries, ReadOnlySpan<long> values, ColumnHead head)
    {
        (long least, long greatest) = BoundsOf(values);
        head.Width = WidthOf((ulong)greatest - (ulong)least);
        (head.Least, head.Greatest, head.Rows) = (least, greatest, values.Length);
        PartBuilder part = writer.Open(field, headKind);
        *(ColumnHead*)part.Bytes.Extend(ColumnHead.SizeOf) = head;
        if (!entries.IsEmpty)
        {
            EntrySet.Write(part.Bytes, entries, writer.Entries);
        }

        writer.Close(part);
        if (head.Width == 0)
        {
            return;
        }

        PartBuilder rows = writer.Open(field, rowsKind);
        for (int from = 0; from < values.Length; from += ColumnHead.ChunkRows)
        {
            ReadOnlySpan<long> chunk = values[from..Math.Min(values.Length, from + ColumnHead.ChunkRows)];
            WriteRows(rows.Bytes.Extend(chunk.Length * head.Width), chunk, least, head.Width);
            EndChunk(rows, from + chunk.Length < values.Length);
        }

        writer.Close(rows);
    }

    /// <summary>Ends a chunk that has as many rows as a chunk must have.</summary>
    public static void EndChunk(PartBuilder rows, bool isMore)
    {
        if (isMore)
        {
            rows.WriteChunk();
        }
    }

    /// <summary>The bytes of numbers from 0 to the largest one.</summary>
    public static int WidthOf(ulong largest) => largest switch
    {
        0 => 0,
        <= byte.MaxValue => 1,
        <= ushort.MaxValue => 2,
        <= uint.MaxValue => 4,
        _ => 8,
    };

    private static (long Least, long Greatest) BoundsOf(ReadOnlySpan<long> values)
    {
        if (values.IsEmpty)
        {
            return (0, 0);
        }

        long least = values[0], greatest = values[0];
        foreach (long value in values)
        {
            least = Math.Min(least, value);
            greatest = Math.Max(greatest, value);
        }

        return (least, greatest);
    }

    // Decides once about the width: three times as fast as for each value.
    private static void WriteRows(byte* target, ReadOnlySpan<long> values, long least, int width)
    {
        switch (width)
        {
            case 1:
                for (int i = 0; i < values.Length; i++)
                {
                    target[i] = (byte)(values[i] - least);
                }

                break;
            case 2:
                for (int i = 0; i < values.Length; i++)
                {
                    ((ushort*)target)[i] = (ushort)(values[i] - least);
                }

                break;
            case 4:
                for (int i = 0; i < values.Length; i++)
                {
                    ((uint*)target)[i] = (uint)(values[i] - least);
                }

                break;
            default:
                for (int i = 0; i < values.Length; i++)
                {
                    ((long*)target)[i] = values[i] - least;
                }

                break;
        }
    }
}
