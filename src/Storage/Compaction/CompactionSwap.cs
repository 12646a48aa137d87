using Jackdaw.Pal;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Journal;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Compaction;

/// <summary>Puts a compacted storage in the place of the one it was made from. Caller holds the lock of the folder.</summary>
/// <remarks>
/// <code>
/// {storage}/Compacting/   being written: worth nothing, the next open deletes it
///          | rename: from here on the storage IS the compacted one
/// {storage}/Compacted/    whole: the next open brings it in
///          1. old journals go  2. data  3. headers: each renamed over the old one  4. the empty folder goes
/// </code>
/// Each step can be cut off and done again, and no open looks at anything else before all are done: so a crash leaves the old
/// storage or the new one, and the names that lead to it never stop to exist. Everything happens inside the folder of the
/// storage: its own name, its lock and what else lies in it (branches) stay as they are.
/// </remarks>
internal static class CompactionSwap
{
    /// <summary>Folder of a storage that is being written.</summary>
    public const string WorkFolder = "Compacting";

    /// <summary>Folder of a whole one.</summary>
    public const string DoneFolder = "Compacted";

    /// <summary>Makes the compacted storage the one of the folder: the rest can be done later.</summary>
    public static void Decide(IPlatform platform, string path) =>
        platform.RenameDurable(path + "/" + WorkFolder, path + "/" + DoneFolder);

    /// <summary>Drops what an earlier compaction did not finish, and brings in what it did.</summary>
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

    /// <summary>Deletes what a compaction was writing.</summary>
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
            // A power cut inside an earlier rename left both names of one file, and renaming one to the other does nothing then.
            platform.Delete(from + "/" + name);
            platform.SyncDirectories([from]);
        }
    }
}
