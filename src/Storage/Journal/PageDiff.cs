using System.Diagnostics;
using System.Runtime.CompilerServices;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Journal;

/// <summary>Differences of two versions of a page as runs of absolute bytes, so that replaying all of them in order
/// gives the right page even from a torn mix of older versions.</summary>
/// <remarks>
/// Format: runs of {u16 offset, u16 length, bytes}. Compared in 8-byte words; a gap of up to <see cref="GapWordsMax"/>
/// equal words is included in a run, because another run's header takes as much space and decoding it costs more.
/// </remarks>
internal static unsafe class PageDiff
{
    /// <summary>Bytes before a run's data.</summary>
    private const int RunHeader = 4;

    private const int GapWordsMax = 2;

    /// <summary>Most bytes that a diff of one page takes: one run of the whole page, plus a run header for each gap of
    /// three words.</summary>
    public const int BytesMax = Page.Size + (RunHeader * (PageChanges.Words / (GapWordsMax + 1)));

    /// <summary>Writes the differences and returns their bytes.</summary>
    /// <param name="changes">Changed words.</param>
    /// <param name="after">New version, one page.</param>
    /// <param name="output">At least <see cref="BytesMax"/> bytes.</param>
    public static int Write(in PageChanges changes, byte* after, byte* output)
    {
        byte* start = output;
        for (int next = changes.NextChanged(0); TryTakeRun(changes, ref next, out int word, out int end);)
        {
            int bytes = (end - word) * sizeof(ulong);
            Unsafe.WriteUnaligned(output, (ushort)(word * sizeof(ulong)));
            Unsafe.WriteUnaligned(output + 2, (ushort)bytes);
            Unsafe.CopyBlockUnaligned(output + RunHeader, after + (word * sizeof(ulong)), (uint)bytes);
            output += RunHeader + bytes;
        }

        Debug.Assert(output - start <= BytesMax);
        return (int)(output - start);
    }

    /// <summary>Bytes that <see cref="Write"/> would write.</summary>
    public static int Measure(in PageChanges changes)
    {
        int measured = 0;
        for (int next = changes.NextChanged(0); TryTakeRun(changes, ref next, out int word, out int end);)
        {
            measured += RunHeader + ((end - word) * sizeof(ulong));
        }

        return measured;
    }

    /// <summary>Applies a diff to a page; false when it is not a valid diff (its bytes come from a disk).</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)] // see RecoveredPages
    public static bool TryApply(ReadOnlySpan<byte> diff, byte* page)
    {
        while (diff.Length >= RunHeader)
        {
            int offset = BitConverter.ToUInt16(diff);
            int length = BitConverter.ToUInt16(diff[2..]);
            if (offset + length > Page.Size || RunHeader + length > diff.Length)
            {
                return false;
            }

            diff.Slice(RunHeader, length).CopyTo(new Span<byte>(page + offset, length));
            diff = diff[(RunHeader + length)..];
        }

        return diff.IsEmpty;
    }

    /// <summary>Prefetches the lines that a diff changes; for an invalid diff it prefetches something else, which is
    /// harmless.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)] // see RecoveredPages
    public static void Fetch(ReadOnlySpan<byte> diff, byte* page)
    {
        while (diff.Length >= RunHeader)
        {
            int offset = BitConverter.ToUInt16(diff);
            int length = BitConverter.ToUInt16(diff[2..]);
            for (int line = offset & ~(LineSum.LineBytes - 1); line < offset + length; line += LineSum.LineBytes)
            {
                Prefetch.Line(page + line);
            }

            diff = diff[Math.Min(diff.Length, RunHeader + length)..];
        }
    }

    /// <summary>One run of changed words, small gaps included.</summary>
    /// <param name="changes">Changed words.</param>
    /// <param name="next">First word of the run; becomes that of the following run.</param>
    /// <param name="word">First word of the run.</param>
    /// <param name="end">First word after it.</param>
    private static bool TryTakeRun(in PageChanges changes, ref int next, out int word, out int end)
    {
        word = end = next;
        while (next < PageChanges.Words && next - end <= GapWordsMax)
        {
            end = changes.NextEqual(next);
            next = changes.NextChanged(end);
        }

        return word < PageChanges.Words;
    }
}
