using System.Diagnostics;
using Xunit.Abstractions;

namespace Jackdaw.Storage.Tests.Crashes;

/// <summary>The kernel ends a process that has no memory left, under load.</summary>
public sealed class OutOfMemoryTests(ITestOutputHelper output)
{
    /// <summary>A family of this size works in half of it.</summary>
    private const long MemoryBytes = 400L << 20;

    private const int Kills = 20;
    private const int Branches = 20;

    [MemoryCgroupFact]
    [Trait("Tier", "Proof")]
    [Trait("Proof", "Memory")]
    public async Task Process_EndedByTheKernelTwentyTimes_LosesNothing()
    {
        long started = Stopwatch.GetTimestamp();
        int seed = Environment.TickCount;
        output.WriteLine($"seed {seed}");
        var folder = new FamilyFolder(Path.Combine(Path.GetTempPath(), $"jackdaw-memory-{Guid.NewGuid():N}"), Branches, seed);
        for (int i = 0; i < Kills; i++)
        {
            using MemoryCgroup group = MemoryCgroup.Create(MemoryBytes);
            using CrasherProcess child = CrasherProcess.StartThrough(group.Enter, folder.Arguments("hungry", seed + i));
            await child.ExpectAsync("opening");
            await child.ExpectAsync("ready");
            await folder.Ledger.ReadToEndAsync(child);
            int code = await child.WaitForExitAsync();
            Assert.True(code == CrasherProcess.Killed && group.OutOfMemoryKills == 1,
                $"kill {i}: exit code {code}, {group.OutOfMemoryKills} kills by the kernel: {child.Errors}");
            folder.Check($"seed {seed}, kill {i}");
        }

        Assert.True(folder.Ledger.Acknowledged > 0, "nothing was written before the memory was out");
        output.WriteLine($"{Kills} kills by the kernel, root with {Branches} branches in {MemoryBytes >> 20} MB: " +
            $"{folder.Ledger.Acknowledged} acknowledged, 0 lost, {folder.Ledger.Recovered} recovered that were not acknowledged yet, " +
            $"{folder.Compared} storages compared, {Stopwatch.GetElapsedTime(started).TotalSeconds:0} s");
        folder.Delete();
    }

    /// <summary>Skipped, with the reason, where memory cannot be limited.</summary>
    [AttributeUsage(AttributeTargets.Method)]
    private sealed class MemoryCgroupFactAttribute : FactAttribute
    {
        public MemoryCgroupFactAttribute() => Skip = MemoryCgroup.Problem!;
    }
}
