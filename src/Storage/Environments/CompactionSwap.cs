using Jackdaw.Pal;
using Jackdaw.Storage.Headers;
using Jackdaw.Storage.Journal;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Environments;

/// <summary>Replaces a storage by its compacted copy. The caller holds the lock of the folder. Only the platform knows
/// that lock, so <c>CompactionCrashTests</c> checks it instead of an assertion.</summary>
/// <remarks>
/// <code>
/// {storage}/Compacting/   being written: the next open deletes it
///          | rename: from here on the storage IS the compacted one
/// {storage}/Compacted/    complete: the next open installs it
///          1. delete old journals  2., 3. rename data and headers over the old ones  4. delete the empty folder
/// </code>
/// Each step can be interrupted and repeated, and opening finishes all steps before it does anything else. So a crash
/// leaves the old storage or the new one, and its files always exist under their names. Everything happens inside the
/// folder of the storage: its name, its lock and its branches stay as they are.
/// </remarks>
internal static class CompactionSwap
{
    /// <summary>Folder of a storage that is being written.</summary>
    public const string WorkFolder = "Compacting";

    /// <summary>Folder of a storage that is complete.</summary>
    public const string DoneFolder = "Compacted";

    /// <summary>Makes the compacted storage the valid one; the remaining steps can be done later.</summary>
    public static void Decide(IPlatform platform, string path) =>
        platform.RenameDurable(path + "/" + WorkFolder, path + "/" + DoneFolder);

    /// <summary>True when a folder has a compacted storage that is not installed yet.</summary>
    public static bool IsDecided(IPlatform platform, string path) => platform.Exists(path + "/" + DoneFolder);

    /// <summary>Deletes an unfinished compaction, and installs a finished one.</summary>
    public static void FinishOrCleanUp(IPlatform platform, string path)
    {
        DropWork(platform, path);
        string done = path + "/" + DoneFolder;
        if (!platform.Exists(done))
        {
            return;
        }

        if (platform.Exists(done + "/" + DataFile.FileName))
        {
            DeleteJournals(platform, path + "/" + JournalFormat.FolderName);
            Replace(platform, done, path, DataFile.FileName);
        }

        if (platform.Exists(done + "/" + HeaderFile.FileName))
        {
            Replace(platform, done, path, HeaderFile.FileName);
        }

        platform.DeleteDirectory(done);
        platform.SyncDirectories([path]);
    }

    /// <summary>Deletes the files that a compaction was writing.</summary>
    public static void DropWork(IPlatform platform, string path)
    {
        if (platform.Exists(path + "/" + WorkFolder))
        {
            platform.DeleteDirectory(path + "/" + WorkFolder);
            platform.SyncDirectories([path]);
        }
    }

    private static void DeleteJournals(IPlatform platform, string journals)
    {
        foreach (string name in platform.ListDirectory(journals))
        {
            platform.Delete(journals + "/" + name);
        }

        if (platform.Exists(journals))
        {
            platform.SyncDirectories([journals]);
        }
    }

    private static void Replace(IPlatform platform, string from, string to, string name)
    {
        platform.RenameDurable(from + "/" + name, to + "/" + name);
        if (platform.Exists(from + "/" + name))
        {
            // A power cut inside an earlier rename left both names of one file, and renaming one to the other does
            // nothing then.
            platform.Delete(from + "/" + name);
            platform.SyncDirectories([from]);
        }
    }
}
