using Jackdaw.Pal.Native;
using Jackdaw.Storage.Environments;
using Jackdaw.StorageCrasher;

namespace Jackdaw.Storage.Tests.Crashes;

/// <summary>Folder of a family that child processes write, with the ledger of what they acknowledged.</summary>
internal sealed class FamilyFolder
{
    private readonly NativePlatform _platform = new();
    private readonly int _branches;
    private readonly Random _random;

    /// <param name="path">Folder of the root; need not exist.</param>
    /// <param name="branches">How many branches.</param>
    /// <param name="seed">Decides how it is opened.</param>
    public FamilyFolder(string path, int branches, int seed)
    {
        Path = path;
        _branches = branches;
        _random = new Random(seed);
        Ledger = new Ledger(CrasherFormat.WriterCount + branches, Family.KeptRecords);
    }

    /// <summary>Folder of the root.</summary>
    public string Path { get; }

    /// <summary>What was acknowledged.</summary>
    public Ledger Ledger { get; }

    /// <summary>Branches that were opened alone, with the root out of reach.</summary>
    public int OpenedAlone { get; private set; }

    /// <summary>Storages opened and compared.</summary>
    public int Compared { get; private set; }

    /// <summary>Starts a child on the folder.</summary>
    /// <param name="mode">See the crasher.</param>
    /// <param name="seed">Decides what the mode leaves open.</param>
    public CrasherProcess Start(string mode, int seed = 0) => CrasherProcess.Start(Arguments(mode, seed));

    /// <summary>Arguments of a child on the folder.</summary>
    public string[] Arguments(string mode, int seed) => [Path, $"{_branches}", mode, $"{seed}"];

    /// <summary>Opens all and compares: the root first, or one branch alone before it. Ends in order or as a kill would.</summary>
    public void Check(string when)
    {
        if (_random.Next(2) == 0)
        {
            CheckAlone(_random.Next(_branches), when);
        }

        Family family = Family.Open(_platform, Path, _branches);
        try
        {
            CheckEach(family, when);
        }
        catch
        {
            family.Abandon();
            throw;
        }

        End(family.Dispose, family.Abandon);
    }

    /// <summary>All were closed in order: nothing is left to recover.</summary>
    public void RequireClosedInOrder()
    {
        for (int i = -1; i < _branches; i++)
        {
            string path = i < 0 ? Path : Family.PathOf(Path, i);
            Assert.True(StorageEnvironment.WasClosedInOrder(_platform, path), $"{path} was not closed in order");
        }
    }

    /// <summary>Removes it.</summary>
    public void Delete() => _platform.DeleteDirectory(Path);

    private void CheckEach(Family family, string when)
    {
        int storage = 0;
        foreach (StorageEnvironment environment in family.All)
        {
            (int first, int count) = Family.WritersOf(storage++);
            Ledger.Check(environment, first, count, when);
            Assert.True(environment.SharingProblem is null, $"{when}: {environment.Path}: {environment.SharingProblem}");
            Compared++;
        }
    }

    /// <summary>Opens one branch where it has no root: moved away and back, or a copy of it.</summary>
    private void CheckAlone(int branch, string when)
    {
        string home = Family.PathOf(Path, branch);
        if (!_platform.Exists(home))
        {
            return; // The first life ended before it was made.
        }

        string away = Path + "-away";
        bool isCopy = _random.Next(2) == 0;
        if (isCopy)
        {
            CopyFolder(home, away);
        }
        else
        {
            _platform.RenameDurable(home, away);
        }

        StorageEnvironment alone = StorageEnvironment.Open(_platform, away, Family.Options(_branches));
        try
        {
            (int first, int count) = Family.WritersOf(branch + 1);
            Ledger.Check(alone, first, count, $"{when}, alone, {(isCopy ? "copied" : "moved")}");
        }
        catch
        {
            alone.Abandon();
            throw;
        }

        End(alone.Dispose, alone.Abandon);
        OpenedAlone++;
        if (isCopy)
        {
            _platform.DeleteDirectory(away);
        }
        else
        {
            _platform.RenameDurable(away, home);
        }
    }

    private void End(Action close, Action abandon) => (_random.Next(2) == 0 ? close : abandon)();

    private static void CopyFolder(string from, string to)
    {
        Directory.CreateDirectory(to);
        foreach (string folder in Directory.GetDirectories(from))
        {
            CopyFolder(folder, System.IO.Path.Combine(to, System.IO.Path.GetFileName(folder)));
        }

        foreach (string file in Directory.GetFiles(from))
        {
            File.Copy(file, System.IO.Path.Combine(to, System.IO.Path.GetFileName(file)));
        }
    }
}
