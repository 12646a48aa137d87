using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics.X86;

namespace Jackdaw.Storage.Paging;

/// <summary>Hints to the processor, where it takes them: they cost next to nothing and change nothing.</summary>
internal static unsafe class Prefetch
{
    /// <summary>Starts loading the line of 64 bytes that an address lies in. Any address: a hint never faults.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Line(byte* address)
    {
        if (Sse.IsSupported)
        {
            Sse.Prefetch0(address);
        }
    }
}
