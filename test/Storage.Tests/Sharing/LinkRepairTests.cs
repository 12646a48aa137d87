using System.Runtime.InteropServices;
using Jackdaw.Pal;
using Jackdaw.Pal.Simulation;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Journal;
using Jackdaw.TestKit;

namespace Jackdaw.Storage.Tests.Sharing;

/// <summary>Names of branches for the root's journals that got lost: told by the branch, made again by the
/// root.</summary>
public sealed class LinkRepairTests
{
    private readonly SimulatedPlatform _platform = new();

    [Fact]
    public void Name_ThatIsGone_IsMissedByTheBranchAlone_AndMadeAgainByTheRoot()
    {
        string name = Crash(out string path);
        FileIdentity shared = _platform.GetIdentity(name);
        _platform.Delete(name);
        var alone = Assert.Throws<CorruptedJournalException>(() => StorageEnvironment.Open(_platform, path));
        Assert.Contains("missing", alone.Message, StringComparison.Ordinal);

        using var family = new BranchFamily(_platform, 3);
        Assert.Equal(3, BranchFamily.Check(family.Branches[1]));
        Assert.Equal(shared, _platform.GetIdentity(name));
        Assert.Contains(family.Root.Warnings, warning => warning.Contains(name, StringComparison.Ordinal));
    }

    [Fact]
    public void Name_ThatIsGone_OfABranchThatNeedsItNoMore_StaysGone()
    {
        string name;
        using (var family = new BranchFamily(_platform, 1))
        {
            BranchFamily.Commit(family.Root);
            BranchFamily.Commit(family.Branches[0], 3);
            name = Assert.Single(family.Journals(BranchFamily.PathOf(0)));
            family.Branches[0].Dispose();
            Assert.False(_platform.Exists(name));
            family.Abandon();
        }

        using var again = new BranchFamily(_platform, 1);
        Assert.False(_platform.Exists(name));
        Assert.Empty(again.Root.Warnings);
    }

    [Fact]
    public void Name_OfAFileThatWasCut_IsMadeAgain_AndTheFileKept()
    {
        string name = Crash(out _);
        ReplaceByCopy(name, cutBytes: 8192);
        using var family = new BranchFamily(_platform, 3);
        Assert.Equal(3, BranchFamily.Check(family.Branches[1]));
        Assert.Contains(family.Root.Warnings, warning => warning.Contains(".damaged-", StringComparison.Ordinal));
        Assert.Contains(_platform.ListDirectory(BranchFamily.PathOf(1) + "/Journals"), file => file.Contains(".damaged-", StringComparison.Ordinal));
    }

    [Fact]
    public void Name_OfAWholeCopy_IsLeftAlone()
    {
        string name = Crash(out _);
        ReplaceByCopy(name, cutBytes: 0);
        FileIdentity copy = _platform.GetIdentity(name);
        using var family = new BranchFamily(_platform, 3);
        Assert.Empty(family.Root.Warnings);
        Assert.Equal(copy, _platform.GetIdentity(name));
        Assert.Equal(3, BranchFamily.Check(family.Branches[1]));
    }

    [Fact]
    public void Name_InAFolderThatAnotherStorageHasNow_IsNotMade()
    {
        string name = Crash(out string path);
        _platform.RenameDurable(path, "/away");
        using (StorageEnvironment other = StorageEnvironment.Open(_platform, path))
        {
            BranchFamily.Commit(other);
        }

        using var family = new BranchFamily(_platform, 1);
        Assert.False(_platform.Exists(name));
    }

    [Fact]
    public void Record_ThatIsDamaged_TakesNothingWithIt()
    {
        string name = Crash(out string path);
        string journal = DamageLinkRecords();
        _platform.Delete(name);
        using (var family = new BranchFamily(_platform, 1))
        {
            Assert.Equal(2, BranchFamily.Check(family.Root));
            Assert.Equal(3, BranchFamily.Check(family.Branches[0]));
        }

        Assert.NotEmpty(journal);
        Assert.Throws<CorruptedJournalException>(() => StorageEnvironment.Open(_platform, path));
    }

    [Fact]
    public void Names_OfABranchThatIsOpenElsewhere_AreLeftAlone()
    {
        string name = Crash(out string path);
        _platform.Delete(name);
        using IDisposable held = _platform.Lock(path + "/lock", "another process");
        using var family = new BranchFamily(_platform, 1);
        Assert.False(_platform.Exists(name));
        Assert.Contains(family.Root.Warnings, warning => warning.Contains("could not be checked", StringComparison.Ordinal));
    }

    [Fact]
    public void Records_AreReadAsTheyWereWritten()
    {
        LinkRecord[] records = [new(Guid.NewGuid(), 1, "Indexes/a"), new(Guid.NewGuid(), long.MaxValue, "../höher/" + new string('x', 3000))];
        byte[] payload = new byte[records.Sum(record => record.Bytes)];
        int first = records[0].Write(payload);
        records[1].Write(payload.AsSpan(first));
        Assert.Equal(records, LinkRecord.ReadAll(payload));
        for (int cut = 0; cut < payload.Length; cut++)
        {
            Assert.Equal(records.Take(cut < first ? 0 : 1), LinkRecord.ReadAll(payload.AsSpan(0, cut)));
        }
    }

    /// <summary>A root with three branches is killed; returns the name that the second has for the only
    /// journal.</summary>
    private string Crash(out string path)
    {
        path = BranchFamily.PathOf(1);
        using var family = new BranchFamily(_platform, 3, BranchFamily.OneJournal);
        BranchFamily.Commit(family.Root, 2);
        family.Branches.ForEach(branch => BranchFamily.Commit(branch, 3));
        string name = Assert.Single(family.Journals(path));
        family.Abandon();
        return name;
    }

    private void ReplaceByCopy(string name, int cutBytes)
    {
        byte[] bytes = _platform.ReadAll(name);
        _platform.Delete(name);
        _platform.Create(name, bytes.AsSpan(0, bytes.Length - cutBytes));
    }

    /// <summary>Flips a bit of each link record's payload; returns the file.</summary>
    private string DamageLinkRecords()
    {
        string path = BranchFamily.RootPath + "/Journals/" + JournalFormat.FileName(1);
        byte[] bytes = _platform.ReadAll(path);
        int damaged = 0;
        for (int offset = JournalFormat.BlockSize; offset < bytes.Length; offset += JournalFormat.BlockSize)
        {
            JournalEntryHeader header = MemoryMarshal.Read<JournalEntryHeader>(bytes.AsSpan(offset));
            if (header.Magic == JournalEntryHeader.MagicValue && header.Flags == JournalEntryOptions.Links)
            {
                _platform.FlipBit(path, (offset + JournalEntryHeader.SizeOf + 3) * 8L);
                damaged++;
            }
        }

        Assert.Equal(3, damaged);
        return path;
    }
}
