using System.Globalization;
using Jackdaw.Pal;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;

namespace Jackdaw.StorageCrasher;

/// <summary>A root and branches that share its journals, as the crasher writes them and the tests check them.</summary>
/// <remarks>The root has the writers 0 to 3, behind a merger; branch b, from 0, has the writer 4 + b.</remarks>
public sealed class Family : IDisposable
{
    /// <summary>Records that each writer keeps: a hundred storages are read after each kill.</summary>
    public const int KeptRecords = 25;

    /// <summary>Journal bytes for each storage: about four transactions of each fit in a file, so that files change and are linked
    /// all the time.</summary>
    private const int JournalBytesPerStorage = 16 * 1024;

    private Family(StorageEnvironment root) => Root = root;

    /// <summary>Writes the journals.</summary>
    public StorageEnvironment Root { get; }

    /// <summary>In order of their numbers; while the family opens, those that are open.</summary>
    public List<StorageEnvironment> Branches { get; } = [];

    /// <summary>The root, then the branches.</summary>
    public IEnumerable<StorageEnvironment> All => [Root, .. Branches];

    /// <summary>Opens the root, then the branches.</summary>
    /// <param name="platform">Where the files are.</param>
    /// <param name="path">Folder of the root.</param>
    /// <param name="branches">How many, 0 to 251.</param>
    public static Family Open(IPlatform platform, string path, int branches)
    {
        StorageOptions options = Options(branches);
        var family = new Family(StorageEnvironment.Open(platform, path, options));
        try
        {
            for (int i = 0; i < branches; i++)
            {
                family.Branches.Add(StorageEnvironment.OpenBranch(family.Root, PathOf(path, i), options));
            }
        }
        catch
        {
            family.Abandon();
            throw;
        }

        return family;
    }

    /// <summary>Limits so small that flush, sync, links and the recycling of journals never stop.</summary>
    public static StorageOptions Options(int branches) => CrasherFormat.Options() with
    {
        JournalFileBytes = (branches + 1) * JournalBytesPerStorage,
    };

    /// <summary>Folder of a branch.</summary>
    public static string PathOf(string rootPath, int branch) =>
        rootPath + "/Indexes/" + branch.ToString("D3", CultureInfo.InvariantCulture);

    /// <summary>Writers of a storage: the first and how many.</summary>
    /// <param name="storage">0 = root, else the number of the branch + 1.</param>
    public static (int First, int Count) WritersOf(int storage) =>
        storage == 0 ? (0, CrasherFormat.WriterCount) : (CrasherFormat.WriterCount + storage - 1, 1);

    /// <summary>Stops everything as a kill would.</summary>
    public void Abandon()
    {
        Branches.ForEach(branch => branch.Abandon());
        Root.Abandon();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Branches.ForEach(branch => branch.Dispose());
        Root.Dispose();
    }
}
