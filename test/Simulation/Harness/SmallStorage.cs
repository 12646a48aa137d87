using Jackdaw.Storage;

namespace Jackdaw.Simulation.Harness;

/// <summary>A storage so small that a few transactions fill a journal and a few values fill a page.</summary>
internal static class SmallStorage
{
    /// <summary>Folder of the storage under test.</summary>
    public const string Path = "/db";

    public const string DataPath = Path + "/data";
    public const string HeaderPath = Path + "/headers";
    public const string JournalFolder = Path + "/Journals";

    /// <summary>Flushes only when told; journals of 64 KB; holes of one page.</summary>
    public static StorageOptions Options { get; } = new()
    {
        BackgroundFlush = false,
        JournalFileBytes = 64 * 1024,
        HolePages = 1,
        Time = new SteadyTime(),
    };
}
