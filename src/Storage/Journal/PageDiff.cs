using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics.X86;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Journal;

/// <summary>Differences of two versions of a page as runs of absolute bytes, so that replaying all of them in order heals
/// any torn mix of older versions.</summary>
/// <remarks>
/// Format: runs of {u16 offset, u16 length, bytes}. Compared in 8-byte words; a gap of up to <see cref="GapWordsMax"/> equal
/// words is copied along, because a run's header costs as much and decoding costs more.
/// </remarks>
internal static unsafe class PageDiff
{
    /// <summary>Bytes before a run's data.</summary>
    private const int RunHeader = 4;

    private const int GapWordsMax = 2;

    /// <summary>Most bytes that a diff of one page takes: one run of the whole page, plus a run header for each gap of three words.</summary>
    public const int BytesMax = Page.Size + (RunHeader * (PageChanges.Words / (GapWordsMax + 1)));

    /// <summary>Writes the differences and returns their bytes.</summary>
    /// <param name="changes">Changed words.</param>
    /// <param name="after">New version, one page.</param>
    /// <param name="output">At least <see cref="BytesMax"/> bytes.</param>
    public static int Write(in PageChanges changes, byte* after, byte* output)
    {
        byte* start = output;
        int word = changes.NextChanged(0);
        while (word < PageChanges.Words)
        {
            int end = FindRunEnd(changes, word, out int next);
            int bytes = (end - word) * sizeof(ulong);
            Unsafe.WriteUnaligned(output, (ushort)(word * sizeof(ulong)));
            Unsafe.WriteUnaligned(output + 2, (ushort)bytes);
            Unsafe.CopyBlockUnaligned(output + RunHeader, after + (word * sizeof(ulong)), (uint)bytes);
            output += RunHeader + bytes;
            word = next;
        }

        Debug.Assert(output - start <= BytesMax);
        return (int)(output - start);
    }

    /// <summary>Bytes that <see cref="Write"/> would write.</summary>
    public static int Measure(in PageChanges changes)
    {
        int measured = 0;
        int word = changes.NextChanged(0);
        while (word < PageChanges.Words)
        {
            measured += RunHeader + ((FindRunEnd(changes, word, out int next) - word) * sizeof(ulong));
            word = next;
        }

        return measured;
    }

    /// <summary>Applies a diff to a page; false when it is not one (its bytes come from a disk).</summary>
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

    /// <summary>Has the processor fetch the lines that a diff changes; a diff that is none fetches something else, harmlessly.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)] // see RecoveredPages
    public static void Fetch(ReadOnlySpan<byte> diff, byte* page)
    {
        while (diff.Length >= RunHeader)
        {
            int offset = BitConverter.ToUInt16(diff);
            int length = BitConverter.ToUInt16(diff[2..]);
            for (int line = offset & ~(LineSum.LineBytes - 1); line < offset + length; line += LineSum.LineBytes)
            {
                Sse.Prefetch0(page + line);
            }

            diff = diff[Math.Min(diff.Length, RunHeader + length)..];
        }
    }

    /// <summary>End of the run that begins at a changed word, and where the next one begins.</summary>
    private static int FindRunEnd(in PageChanges changes, int word, out int next)
    {
        int end;
        next = word;
        do
        {
            end = changes.NextEqual(next);
            next = changes.NextChanged(end);
        }
        while (next - end <= GapWordsMax && next < PageChanges.Words);

        return end;
    }
}
