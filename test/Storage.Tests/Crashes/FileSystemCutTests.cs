using System.Diagnostics;
using Xunit.Abstractions;

namespace Jackdaw.Storage.Tests.Crashes;

/// <summary>A file system is shut down under a root with branches without writing its log, as if the power went: what was not on the
/// disk never gets there. Half of the cuts are aimed at the moment before or after a journal is created, linked, renamed or deleted.</summary>
public sealed class FileSystemCutTests(ITestOutputHelper output)
{
    /// <summary>Exit code of a process that touched a page whose disk was gone (SIGBUS).</summary>
    private const int LostPage = 135;

    private const int Cuts = 100;
    private const int Branches = 10;

    [LoopDiskFact("ext4")]
    [Trait("Tier", "Proof")]
    [Trait("Proof", "Power")]
    public async Task FileSystem_CutAHundredTimes_LosesNothing()
    {
        long started = Stopwatch.GetTimestamp();
        int seed = Environment.TickCount;
        output.WriteLine($"seed {seed}");
        using var disk = new LoopDisk("ext4");
        var folder = new FamilyFolder(disk.Mount + "/db", Branches, seed);
        SortedDictionary<string, int> moments = [];
        for (int cut = 0; cut < Cuts; cut++)
        {
            string moment = await CutAsync(folder, seed + cut);
            disk.Detach();
            disk.Attach();
            folder.Check($"seed {seed}, cut {cut}, {moment}");
            string kind = moment.TrimEnd(' ', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9');
            moments[kind] = moments.GetValueOrDefault(kind) + 1;
        }

        output.WriteLine($"{Cuts} power cuts on ext4, root with {Branches} branches: {folder.Ledger.Acknowledged} acknowledged, 0 lost, " +
            $"{folder.Ledger.Recovered} recovered that were not acknowledged yet, {folder.Compared} storages compared, " +
            $"{folder.OpenedAlone} opened alone first, {Stopwatch.GetElapsedTime(started).TotalSeconds:0} s; " +
            string.Join(", ", moments.Select(pair => $"{pair.Value} {pair.Key}")));
    }

    /// <summary>Lets a child write until the disk goes; returns when that was.</summary>
    private static async Task<string> CutAsync(FamilyFolder folder, int seed)
    {
        using CrasherProcess child = folder.Start("cut", seed);
        string? moment = null;
        List<string> others = [];
        await folder.Ledger.ReadToEndAsync(child, line =>
        {
            others.Add(line);
            moment = line.StartsWith("cut ", StringComparison.Ordinal) ? line["cut ".Length..] : moment;
        });
        int code = await child.WaitForExitAsync();
        bool isCut = moment is not null && !others.Exists(line => line.StartsWith("failed", StringComparison.Ordinal));
        bool isRight = isCut && code is (CrasherProcess.Killed or LostPage);
        Assert.True(isRight, $"seed {seed}: exit code {code}, {string.Join("; ", others)}: {child.Errors}");
        return moment!;
    }
}
