using Jackdaw.Pal;
using Jackdaw.Pal.Native;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Tests.Crashes;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Verification;

namespace Jackdaw.Storage.Tests.Sharing;

/// <summary>What a real file system has to do with shared journals, on the one of the temporary folder and, in nightly, on others in a file.</summary>
public sealed class FileSystemTests : IDisposable
{
    private const int LinksOfExt4 = 65_000;

    private readonly NativePlatform _platform = new();
    private readonly string _folder = Path.Combine(Path.GetTempPath(), $"jackdaw-sharing-{Guid.NewGuid():N}");
    private static readonly StorageOptions s_options = new() { BackgroundFlush = false, JournalFileBytes = 1 << 20 };

    [Fact]
    public void TemporaryFolder_KeepsAllRows() => RunAll(_folder);

    [LoopDiskFact("xfs")]
    [Trait("Tier", "Proof")]
    [Trait("Proof", "FileSystem")]
    public void Xfs_KeepsAllRows() => RunOn("xfs");

    [LoopDiskFact("btrfs")]
    [Trait("Tier", "Proof")]
    [Trait("Proof", "FileSystem")]
    public void Btrfs_KeepsAllRows() => RunOn("btrfs");

    [LoopDiskFact("ext4")]
    [Trait("Tier", "Proof")]
    [Trait("Proof", "FileSystem")]
    public void Ext4_WithAllItsLinksTaken_GivesTheBranchJournalsOfItsOwn()
    {
        using var disk = new LoopDisk("ext4");
        using StorageEnvironment root = StorageEnvironment.Open(_platform, disk.Mount + "/db", s_options);
        using StorageEnvironment first = StorageEnvironment.OpenBranch(root, disk.Mount + "/db/Indexes/1", s_options);
        BranchFamily.Commit(first);
        string journal = Assert.Single(Journals(root.Path));
        Directory.CreateDirectory(disk.Mount + "/links");
        for (int i = 2; i < LinksOfExt4; i++)
        {
            _platform.Link(journal, $"{disk.Mount}/links/{i}");
        }

        using StorageEnvironment second = StorageEnvironment.OpenBranch(root, disk.Mount + "/db/Indexes/2", s_options);
        BranchFamily.Commit(second, 3);
        Assert.Contains("links", second.SharingProblem, StringComparison.OrdinalIgnoreCase);
        Assert.Null(first.SharingProblem);
        Assert.Equal(3, BranchFamily.Check(second));
    }

    [LoopDiskFact("ext4")]
    [Trait("Tier", "Proof")]
    [Trait("Proof", "FileSystem")]
    public void Branch_OnAnotherVolume_HasJournalsOfItsOwn()
    {
        using var disk = new LoopDisk("ext4");
        string path = disk.Mount + "/branch";
        using (StorageEnvironment root = StorageEnvironment.Open(_platform, _folder, s_options))
        {
            StorageEnvironment branch = StorageEnvironment.OpenBranch(root, path, s_options);
            BranchFamily.Commit(root, 2);
            BranchFamily.Commit(branch, 3);
            Assert.NotNull(branch.SharingProblem);
            branch.Abandon();
        }

        using StorageEnvironment again = StorageEnvironment.Open(_platform, path, s_options);
        Assert.Equal(3, BranchFamily.Check(again));
    }

    /// <summary>Folders of journals may be links to another place: they still share, are found again, and move with their storage.</summary>
    [Fact]
    public void Journals_InAnotherFolder_AreShared() => RunWithJournalsElsewhere(_folder + "/data", _folder + "/journals");

    [LoopDiskFact("ext4")]
    [Trait("Tier", "Proof")]
    [Trait("Proof", "FileSystem")]
    public void Journals_OnAnotherVolume_AreShared()
    {
        using var disk = new LoopDisk("ext4");
        RunWithJournalsElsewhere(_folder, disk.Mount + "/journals");
    }

    public void Dispose()
    {
        if (Directory.Exists(_folder))
        {
            Directory.Delete(_folder, recursive: true);
        }
    }

    private void RunOn(string fileSystem)
    {
        using var disk = new LoopDisk(fileSystem);
        RunAll(disk.Mount + "/db");
    }

    private void RunAll(string folder)
    {
        string first = folder + "/Indexes/1";
        string moved = folder + "/Indexes/moved/1";
        string copied = folder + "/Indexes/copied";
        using (StorageEnvironment root = StorageEnvironment.Open(_platform, folder, s_options))
        {
            StorageEnvironment branch = StorageEnvironment.OpenBranch(root, first, s_options);
            BranchFamily.Commit(root, 2);
            BranchFamily.Commit(branch, 3);
            Assert.Null(branch.SharingProblem);
            Assert.Equal(Identity(Journals(folder)[^1]), Identity(Journals(first)[^1]));
            branch.MoveTo(moved);
            BranchFamily.Commit(branch, 2);
            Assert.Equal(Identity(Journals(folder)[^1]), Identity(Journals(moved)[^1]));
            branch.Abandon();
            BranchFamily.Copy(_platform, moved, copied);
            root.Abandon();
        }

        Assert.False(Directory.Exists(first));
        CheckMovedAndCopied(folder, moved, copied);
        CheckHoles(folder);
    }

    private void RunWithJournalsElsewhere(string data, string elsewhere)
    {
        string first = data + "/Indexes/1";
        string moved = data + "/Indexes/2";
        LinkJournals(data, elsewhere + "/root");
        LinkJournals(first, elsewhere + "/1");
        using (StorageEnvironment root = StorageEnvironment.Open(_platform, data, s_options))
        {
            StorageEnvironment branch = StorageEnvironment.OpenBranch(root, first, s_options);
            BranchFamily.Commit(root, 2);
            BranchFamily.Commit(branch, 3);
            Assert.Null(branch.SharingProblem);
            Assert.Equal(Identity(Files(elsewhere + "/root")[^1]), Identity(Files(elsewhere + "/1")[^1]));
            branch.MoveTo(moved);
            BranchFamily.Commit(branch);
            branch.Abandon();
            root.Abandon();
        }

        using StorageEnvironment again = StorageEnvironment.Open(_platform, data, s_options);
        using StorageEnvironment found = StorageEnvironment.OpenBranch(again, moved, s_options);
        Assert.Equal(2, BranchFamily.Check(again));
        Assert.Equal(4, BranchFamily.Check(found));
        BranchFamily.Commit(found);
        Assert.Null(found.SharingProblem);
        found.Flush();
        found.Sync();
        Assert.Empty(EnvironmentVerifier.Verify(found));
    }

    private static void LinkJournals(string storage, string target)
    {
        Directory.CreateDirectory(storage);
        Directory.CreateDirectory(target);
        Directory.CreateSymbolicLink(storage + "/Journals", target);
    }

    private void CheckMovedAndCopied(string folder, string moved, string copied)
    {
        using (StorageEnvironment alone = StorageEnvironment.Open(_platform, moved, s_options))
        {
            Assert.Equal(5, BranchFamily.Check(alone));
            alone.Abandon();
        }

        Directory.Delete(moved, recursive: true);
        using StorageEnvironment root = StorageEnvironment.Open(_platform, folder, s_options);
        Assert.Equal(2, BranchFamily.Check(root));
        using StorageEnvironment copy = StorageEnvironment.OpenBranch(root, copied, s_options);
        Assert.Equal(5, BranchFamily.Check(copy));
        BranchFamily.Commit(copy);
        Assert.Equal(Identity(Journals(folder)[^1]), Identity(Journals(copied)[^1]));
        Assert.Equal(6, BranchFamily.Check(copy));
    }

    private void CheckHoles(string folder)
    {
        using StorageEnvironment storage = StorageEnvironment.Open(_platform, folder + "/Holes", s_options);
        for (int i = 0; i < 200; i++)
        {
            BranchFamily.Commit(storage, 1, 100_000);
        }

        using (WriteTransaction transaction = storage.BeginWrite())
        {
            transaction.Trees.DeleteTree("t"u8);
            transaction.Commit();
        }

        storage.Flush();
        storage.Sync();
        Assert.True(storage.PunchHoles());
        Assert.Null(storage.HoleProblem);
        Assert.InRange(storage.HoleBytes, 10L << 20, long.MaxValue);
        Assert.Empty(EnvironmentVerifier.Verify(storage));
    }

    private static FileIdentity Identity(string path) => new NativePlatform().GetIdentity(path);

    private static List<string> Journals(string storage) => Files(storage + "/Journals");

    private static List<string> Files(string folder) => [.. Directory.EnumerateFiles(folder, "*.journal").Order(StringComparer.Ordinal)];
}
