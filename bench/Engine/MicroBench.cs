using System.Diagnostics;
using System.Runtime.InteropServices;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Bench.Engine;

/// <summary>Cost per page of what every commit does to each changed page, in cache.</summary>
internal static unsafe class MicroBench
{
    private const int Pages = 64;
    private const int Rounds = 4000;

    public static void Run()
    {
        byte* memory = (byte*)NativeMemory.AlignedAlloc(2 * Pages * Page.Size, 4096);
        new Random(1).NextBytes(new Span<byte>(memory, Pages * Page.Size));
        Buffer.MemoryCopy(memory, memory + (Pages * Page.Size), Pages * Page.Size, Pages * Page.Size);
        ulong sum = 0;
        Measure("checksum", page => sum += Checksum.Compute(memory + (page * Page.Size), Page.Size, 1));
        Measure("copy", page => Buffer.MemoryCopy(memory + (page * Page.Size), memory + ((Pages + page) * Page.Size), Page.Size, Page.Size));
        Measure("compare", page => sum += (ulong)new ReadOnlySpan<byte>(memory + (page * Page.Size), Page.Size)
            .CommonPrefixLength(new ReadOnlySpan<byte>(memory + ((Pages + page) * Page.Size), Page.Size)));
        NativeMemory.AlignedFree(memory);
        Figures.Print("page-sum", "value", sum & 1, "bit");
    }

    private static void Measure(string name, Action<int> work)
    {
        double best = double.MaxValue;
        for (int repetition = 0; repetition < 5; repetition++)
        {
            long started = Stopwatch.GetTimestamp();
            for (int i = 0; i < Rounds * Pages; i++)
            {
                work(i % Pages);
            }

            best = Math.Min(best, Stopwatch.GetElapsedTime(started).TotalNanoseconds / (Rounds * Pages));
        }

        Figures.Print("page-" + name, "time", best, "ns");
    }
}
