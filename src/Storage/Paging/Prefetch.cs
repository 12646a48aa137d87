using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics.X86;

namespace Jackdaw.Storage.Paging;

/// <summary>Hints to the processor, where it supports them: they cost almost nothing and change no data.</summary>
internal static unsafe class Prefetch
{
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
}
