using System.Diagnostics;
using Jackdaw.Pal;
using Jackdaw.Pal.Measurement;
using Jackdaw.Pal.Native;
using Microsoft.Win32.SafeHandles;

namespace Jackdaw.Bench.Writes;

/// <summary>Ways to write a flush, one after the other in each round, so that a slow minute of the machine hits all of
/// them.</summary>
internal static unsafe class FlushComparison
{
    // The same pages in every run of the program.
    private const int Seed = 20261121;

    private const string Unsorted = "unsorted pwrite";
    private const string Sorted = "sorted pwrite";

    /// <summary>Names of the ways: two controls, then the modes.</summary>
    public static readonly string[] Ways = [Unsorted, Sorted, .. PageWriteModes.Names];

    /// <summary>Costs by way, one for each round.</summary>
    public static Dictionary<string, List<FlushCost>> Run(FlushFile file, FlushRow row, int rounds)
    {
        var random = new Random(Seed);
        var costs = Ways.ToDictionary(way => way, _ => new List<FlushCost>());

        // The round before the first one warms code, cache and disk, and does not count.
        for (int round = -1; round < rounds; round++)
        {
            for (int i = 0; i < Ways.Length; i++)
            {
                string way = Ways[(i + round + 1) % Ways.Length];
                FlushCost cost = RunOnce(file, way, row.Choose(random, file.Pages));
                if (round >= 0)
                {
                    costs[way].Add(cost);
                }
            }
        }

        return costs;
    }

    private static FlushCost RunOnce(FlushFile file, string way, long[] pages)
    {
        if (way != Unsorted)
        {
            Array.Sort(pages);
        }

        return PageWriteModes.Find(way) is { } mode ? RunMode(file, mode, pages) : RunControl(file, pages);
    }

    /// <summary>One pwrite for each page, as they come, and nothing that goes before the sync.</summary>
    private static FlushCost RunControl(FlushFile file, long[] pages)
    {
        using PalFile synced = new NativePlatform().OpenFile(file.FilePath, FileOpening.Existing, FileUse.Data);
        using SafeFileHandle handle =
            File.OpenHandle(file.FilePath, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite);
        return Measure(file, synced, () =>
        {
            for (int i = 0; i < pages.Length; i++)
            {
                var page = new ReadOnlySpan<byte>(file.Memory + ((long)i * FlushFile.PageBytes), FlushFile.PageBytes);
                RandomAccess.Write(handle, page, pages[i] * FlushFile.PageBytes);
            }

            return pages.Length;
        });
    }

    private static FlushCost RunMode(FlushFile file, PageWriteMode mode, long[] pages)
    {
        var platform = new NativePlatform(mode);
        if (platform.WriteMode != mode)
        {
            throw new InvalidOperationException($"This system offers no {PageWriteModes.NameOf(mode)}.");
        }

        using PalFile opened = platform.OpenFile(file.FilePath, FileOpening.Existing, FileUse.Data);
        var writes = new PalPageWrite[pages.Length];
        for (int i = 0; i < pages.Length; i++)
        {
            writes[i] = new PalPageWrite
            {
                Base = file.Memory + ((long)i * FlushFile.PageBytes),
                Offset = pages[i] * FlushFile.PageBytes,
                Length = FlushFile.PageBytes,
            };
        }

        return Measure(file, opened, () => opened.WritePages(writes).Calls);
    }

    private static FlushCost Measure(FlushFile file, PalFile synced, Func<long> write)
    {
        file.Prepare(synced);
        long deviceWrites = file.DeviceWrites();
        long started = Stopwatch.GetTimestamp();
        long calls = write();
        double writeMs = Stopwatch.GetElapsedTime(started).TotalMilliseconds;
        started = Stopwatch.GetTimestamp();
        synced.Sync(SyncKind.Data);
        double syncMs = Stopwatch.GetElapsedTime(started).TotalMilliseconds;
        return new FlushCost(writeMs, syncMs, calls, file.DeviceWrites() - deviceWrites);
    }
}
