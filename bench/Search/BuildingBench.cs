using System.Diagnostics;
using Jackdaw.Search;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Lucene;
using Jackdaw.Search.Segments;

namespace Jackdaw.Bench.Search;

/// <summary>What it costs to build an index with each engine: processor time, time, bytes, allocations. The time of making the orders is taken off.</summary>
internal static class BuildingBench
{
    /// <param name="folder">For the storages.</param>
    /// <param name="count">The orders.</param>
    /// <param name="rounds">0 for our engine alone, for one long round that a profiler can look at.</param>
    public static void Run(string folder, int count, int rounds)
    {
        var orders = new Orders(20_000);
        Build(folder, orders, SegmentEngine.Instance, Math.Min(count, 20_000), isPrinted: false); // the code is compiled
        if (rounds == 0)
        {
            Build(folder, orders, SegmentEngine.Instance, count, isPrinted: true, withParts: true);
            return;
        }

        Build(folder, orders, LuceneEngine.Instance, Math.Min(count, 20_000), isPrinted: false);
        for (int round = 1; round <= rounds; round++)
        {
            double lucene = Build(folder, orders, LuceneEngine.Instance, count, isPrinted: round == 1);
            double own = Build(folder, orders, SegmentEngine.Instance, count, isPrinted: true);
            Figures.Print("build", "ratio", lucene / own, "times");
        }
    }

    private static double Build(string folder, Orders orders, SearchEngine engine, int count, bool isPrinted, bool withParts = false)
    {
        (double generating, double generatingWall, double generatingBytes) = Generate(orders, count);
        using var index = new StoredIndex(folder, engine);
        TimeSpan began = Cpu();
        long wall = Stopwatch.GetTimestamp(), allocated = GC.GetTotalAllocatedBytes(precise: true);
        long source = index.Write(orders, Enumerable.Range(0, count), 0);
        double time = ((Cpu() - began).TotalSeconds - generating) * 1e6 / count;
        double wallTime = (Stopwatch.GetElapsedTime(wall).TotalSeconds - generatingWall) * 1e6 / count;
        (long journal, long direct, long data) = index.WrittenByKind;
        int segments = index.SegmentCount;
        began = Cpu();
        index.Rest();
        double rest = (Cpu() - began).TotalSeconds * 1e6 / count;
        double bytes = (GC.GetTotalAllocatedBytes(precise: true) - allocated - generatingBytes) / count;
        if (isPrinted)
        {
            string name = engine.Name;
            Figures.Print("build", name, time, "us/doc");
            Figures.Print("build-rest", name, rest, "us/doc");
            Figures.Print("build-wall", name, wallTime, "us/doc");
            Figures.Print("allocated", name, bytes, "bytes/doc");
            (long restJournal, long restDirect, long restData) = index.WrittenByKind;
            Figures.Print("journal", name, (double)restJournal / source, $"bytes/source-byte ({(double)journal / source:F3} before the rest)");
            Figures.Print("direct", name, (double)restDirect / source, $"bytes/source-byte ({(double)direct / source:F3} before the rest)");
            Figures.Print("flushed", name, (double)restData / source, $"bytes/source-byte ({(double)data / source:F3} before the rest)");
            Figures.Print("size", name, (double)index.DataBytes / source, "bytes/source-byte");
            if (engine == SegmentEngine.Instance)
            {
                Figures.Print("size-pages", name, (double)index.TreeBytes / source, "bytes/source-byte");
                Figures.Print("size-parts", name, (double)index.ListParts().Sum(part => part.Bytes) / source, "bytes/source-byte");
            }

            Figures.Print("size-used", name, (double)index.UsedBytes / source, "bytes/source-byte");
            Figures.Print("segments", name, index.SegmentCount, $"({segments} before the rest)");
        }

        foreach ((string part, long partBytes) in withParts ? index.ListParts() : [])
        {
            Figures.Print("part", part, (double)partBytes / source, "bytes/source-byte");
        }

        return time + rest;
    }

    private static (double Cpu, double Wall, double Bytes) Generate(Orders orders, int count)
    {
        var entry = new IndexEntry();
        TimeSpan began = Cpu();
        long wall = Stopwatch.GetTimestamp(), allocated = GC.GetTotalAllocatedBytes(precise: true);
        for (int i = 0; i < count; i++)
        {
            orders.Fill(entry, i, 0);
        }

        return ((Cpu() - began).TotalSeconds, Stopwatch.GetElapsedTime(wall).TotalSeconds, GC.GetTotalAllocatedBytes(precise: true) - allocated);
    }

    private static TimeSpan Cpu() => Process.GetCurrentProcess().TotalProcessorTime;
}
