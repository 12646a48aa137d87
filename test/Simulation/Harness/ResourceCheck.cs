using System.Diagnostics;
using Jackdaw.Pal.Native;
using Jackdaw.Pal.Simulation;

namespace Jackdaw.Simulation.Harness;

/// <summary>Proves that a storage gave everything back: memory outside of the collector's heap, files, threads.</summary>
internal sealed class ResourceCheck
{
    /// <summary>How long an ended thread may take to leave the process's list.</summary>
    private static readonly TimeSpan s_threadPatience = TimeSpan.FromSeconds(5);

    /// <summary>Names of the storage's threads, as the system cuts them.</summary>
    private static readonly string[] s_threadNames = ["committer", "journal prepare", "flusher"];

    private readonly SimulatedPlatform _platform;
    private readonly long _memory = PalMemory.AllocatedBytes;

    public ResourceCheck(SimulatedPlatform platform)
    {
        _platform = platform;
        platform.RecordsOperations = true;
        platform.ClearOperations();
    }

    /// <summary>Nothing is held any more; call it when the storage is closed.</summary>
    public void RequireNothingLeft()
    {
        long leaked = PalMemory.AllocatedBytes - _memory;
        if (leaked != 0)
        {
            throw new SimulationViolationException($"{leaked} bytes of memory are still allocated");
        }

        if (_platform.OpenFileCount != 0)
        {
            throw new SimulationViolationException($"{_platform.OpenFileCount} files are still open");
        }

        RequireNoThreads();
    }

    private static void RequireNoThreads()
    {
        long started = Stopwatch.GetTimestamp();
        string[] left;
        while ((left = FindThreads()).Length > 0)
        {
            if (Stopwatch.GetElapsedTime(started) > s_threadPatience)
            {
                throw new SimulationViolationException($"threads still run: {string.Join(", ", left)}");
            }

            Thread.Yield();
        }
    }

    private static string[] FindThreads()
    {
        List<string> found = [];
        foreach (string folder in Directory.GetDirectories("/proc/self/task"))
        {
            try
            {
                string name = File.ReadAllText(folder + "/comm").Trim();
                if (s_threadNames.Contains(name))
                {
                    found.Add(name);
                }
            }
            catch (IOException)
            {
                // The thread ended between the two calls.
            }
        }

        return [.. found];
    }
}
