using System.Diagnostics;
using Jackdaw.Pal;
using Spectre.Console;

namespace Jackdaw.Server.SelfTest;

/// <summary>Runs all stages of the self test, one after the other, in a folder of their own that is removed at the end.</summary>
internal sealed class SelfTestRun
{
    /// <summary>Time of the whole test unless the user says otherwise.</summary>
    public const int SecondsDefault = 300;

    /// <summary>The most space that the stages need at one time, with some room: a file of 64 MB, or storages of some megabytes.</summary>
    public const long FreeBytesMin = 192L << 20;

    private static readonly TimeSpan s_progressPeriod = TimeSpan.FromMilliseconds(200);

    private readonly IAnsiConsole _console;
    private readonly IPlatform _platform;
    private readonly CancellationToken _stop;

    /// <param name="console">Shows progress and findings.</param>
    /// <param name="platform">The platform of the test's own folder.</param>
    /// <param name="stop">Is cancelled when the user stops the test.</param>
    public SelfTestRun(IAnsiConsole console, IPlatform platform, CancellationToken stop)
    {
        _console = console;
        _platform = platform;
        _stop = stop;
    }

    /// <summary>Runs everything.</summary>
    /// <param name="folder">An existing folder.</param>
    /// <param name="seconds">The time of the whole test.</param>
    /// <param name="seed">The seed of every random choice.</param>
    /// <returns>The findings, in their order.</returns>
    /// <exception cref="IOException">The test could not be run: there is no right to write, no room, or the disk fails.</exception>
    /// <exception cref="OperationCanceledException">The user stopped it.</exception>
    public IReadOnlyList<Finding> Run(string folder, int seconds, int seed)
    {
        string own = Path.Combine(folder, $"jackdaw-selftest-{Guid.NewGuid():N}");
        _platform.CreateDirectory(own);
        try
        {
            CheckRoom(own);
            SelfTestStage[] parts =
            [
                new CrashTest(Path.Combine(own, "crash"), seed),
                new BitFlipTest(Path.Combine(own, "flips"), seed),
                new DurabilityTest(Path.Combine(own, "durability"), seed),
                new LatencyTest(Path.Combine(own, "latency"), seed),
            ];
            return _console.Progress().AutoClear(true).Start(progress => RunParts(progress.AddTask(parts[0].Activity, maxValue: seconds), parts));
        }
        finally
        {
            _platform.DeleteDirectory(own);
        }
    }

    private void CheckRoom(string folder)
    {
        long free = _platform.GetFreeSpace(folder);
        if (free < FreeBytesMin)
        {
            throw new IOException($"The self test needs {FreeBytesMin >> 20} MB of free space; there are {free >> 20} MB.");
        }
    }

    private List<Finding> RunParts(ProgressTask task, SelfTestStage[] parts)
    {
        long started = Stopwatch.GetTimestamp();
        using var ticks = new Timer(
            _ => task.Value = Math.Min(Stopwatch.GetElapsedTime(started).TotalSeconds, task.MaxValue), null, TimeSpan.Zero, s_progressPeriod);
        List<Finding> findings = [];
        foreach (SelfTestStage part in parts)
        {
            task.Description = part.Activity;
            findings.Add(part.Run(TimeSpan.FromSeconds(task.MaxValue * part.Share), _stop));
            _stop.ThrowIfCancellationRequested();
        }

        return findings;
    }
}
