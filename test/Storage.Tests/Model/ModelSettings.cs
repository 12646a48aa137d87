using Jackdaw.Pal;
using Jackdaw.Pal.InMemory;
using Jackdaw.Pal.Native;
using Jackdaw.TestKit;

namespace Jackdaw.Storage.Tests.Model;

/// <summary>Where and how a script runs.</summary>
/// <param name="Seed">Seed of the script.</param>
/// <param name="IsNative">On a real folder instead of memory.</param>
/// <param name="HasBackground">With the flusher's thread and limits so small that it works all the time.</param>
/// <param name="VerifiesCommits">The whole storage is verified after each commit.</param>
/// <param name="IsBranch">As a branch of another storage, which writes its journals.</param>
/// <param name="HolePages">Pages that are given back to the file system together.</param>
internal sealed record ModelSettings(
    int Seed, bool IsNative, bool HasBackground, bool VerifiesCommits = false, bool IsBranch = false, int HolePages = 128)
{
    /// <summary>Each seed has its place, so that a seed alone says how to run it again: every fifth on a real folder,
    /// every second with background flushes.</summary>
    public static ModelSettings Of(int seed) => new(seed, seed % 5 == 4, seed % 2 == 0);

    /// <summary>For scripts of runs: holes of single pages, and every third a branch.</summary>
    public static ModelSettings OfRuns(int seed) => Of(seed) with { IsBranch = seed % 3 == 1, HolePages = 1 };

    public IPlatform CreatePlatform() => IsNative ? new NativePlatform() : new MemoryPlatform();

    public StorageOptions CreateOptions() => new()
    {
        BackgroundFlush = HasBackground,
        JournalFileBytes = 64 * 1024 << (Seed % 3),
        FlushAtScratchBytes = 256 * 1024,
        FlushAtJournalBytes = 128 * 1024,
        IdleFlushMs = 3,
        HolePages = HolePages,
        Time = new LeapingTime(),
    };
}
