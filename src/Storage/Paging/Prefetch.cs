using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics.X86;

namespace Jackdaw.Storage.Paging;

/// <summary>Hints to the processor, where it supports them: they cost almost nothing and change no data.</summary>
internal static unsafe class Prefetch
{
    private const int LineBytes = 64;

    /// <summary>Starts loading the line of 64 bytes that contains an address. Any address is allowed: a hint never
    /// faults.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Line(byte* address)
    {
        if (Sse.IsSupported)
        {
            Sse.Prefetch0(address);
        }
    }

    /// <summary>Starts loading some bytes of a page.</summary>
    public static void Lines(Page page, int offset, int bytes) => Lines(new ReadOnlySpan<byte>(page.Address + offset, bytes));

    /// <summary>Starts loading some bytes.</summary>
    public static void Lines(ReadOnlySpan<byte> bytes)
    {
        fixed (byte* start = bytes)
        {
            for (int at = 0; at < bytes.Length; at += LineBytes)
            {
                Line(start + at);
            }
        }
    }
}
