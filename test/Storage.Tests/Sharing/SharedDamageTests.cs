using System.Runtime.InteropServices;
using Jackdaw.Pal.Simulation;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Headers;
using Jackdaw.Storage.Journal;
using Jackdaw.TestKit;
using Xunit.Abstractions;

namespace Jackdaw.Storage.Tests.Sharing;

/// <summary>Damage at rest to a journal that several storages share: only the one whose entry it is may notice.</summary>
public sealed class SharedDamageTests(ITestOutputHelper output)
{
    private const int Branches = 2;
    private const int Rounds = 4;
    private static readonly CrashOptions s_keepAll = new() { Retention = CrashRetention.All };
    private static readonly int[] s_headerOffsets = [0, 10, 12, 16, 32, 48, 64, 72, 80, 184];

    public static TheoryData<bool> SyncedOrNot => [false, true];

    /// <summary>Every entry of everybody, in its payload or in fields of its header; at night in each of them.</summary>
    [Theory]
    [MemberData(nameof(SyncedOrNot))]
    public void Damage_ToOneEntry_ConcernsItsOwnerAlone(bool isSynced) => DamageEntries(isSynced, oneOf: 2);

    [Theory]
    [Trait("Tier", "Full")]
    [MemberData(nameof(SyncedOrNot))]
    public void Damage_ToAnyFieldOfOneEntry_ConcernsItsOwnerAlone(bool isSynced) => DamageEntries(isSynced, oneOf: 1);

    // With half of the fields in one entry, the other half comes in the next one.
    private void DamageEntries(bool isSynced, int oneOf)
    {
        SimulatedPlatform image = MakeImage(isSynced, out string journal);
        List<(Guid Owner, long Transaction, long Offset, JournalEntryOptions Flags)> entries = ListEntries(image, journal);
        int opened = 0, refused = 0, shorter = 0;
        foreach ((int number, (Guid owner, long transaction, long offset, JournalEntryOptions flags)) in entries.Index())
        {
            IEnumerable<long> places = s_headerOffsets.Select(field => offset + field).Append(offset + JournalEntryHeader.SizeOf + 5);
            foreach (long place in places.Where((_, i) => (number + i) % oneOf == 0))
            {
                SimulatedPlatform damaged = image.Crash(s_keepAll);
                damaged.FlipBit(journal, (place * 8) + 1);
                for (int i = 0; i <= Branches; i++)
                {
                    string path = i == 0 ? BranchFamily.RootPath : BranchFamily.PathOf(i - 1);
                    bool isMine = OwnerOf(image, path) == owner && flags is not (JournalEntryOptions.Footer or JournalEntryOptions.Links);
                    bool isLast = !entries.Exists(entry => entry.Owner == owner && entry.Flags == flags && entry.Transaction > transaction);
                    long? found = Open(damaged, path);
                    if (i > 0)
                    {
                        Assert.Equal(found, OpenWithRoot(damaged, path));
                    }

                    opened++;
                    refused += found is null ? 1 : 0;
                    shorter += found is Rounds - 1 ? 1 : 0;
                    string what = $"{path} with byte {place - offset} of entry {transaction} ({flags}) of {owner} flipped";
                    Assert.True(isSynced || !isMine ? found == Rounds : found is null || (isLast && found == Rounds - 1), $"{what}: {found}");
                }
            }
        }

        output.WriteLine($"{entries.Count} entries, {opened} opened over damage: {refused} refused, {shorter} without their last transaction");
        Assert.True(isSynced ? refused == 0 : refused > 20, $"{refused} refused");
    }

    [Fact]
    public void Names_ThatAreSwapped_AreRefusedByTheirBranchAlone()
    {
        var platform = new SimulatedPlatform();
        using (var family = new BranchFamily(platform, Branches))
        {
            for (int round = 0; round < 25; round++)
            {
                family.All.ToList().ForEach(storage => BranchFamily.Commit(storage, 1, 3000));
            }

            family.Abandon();
        }

        string folder = BranchFamily.PathOf(0) + "/Journals/";
        platform.Swap(folder + JournalFormat.FileName(1), folder + JournalFormat.FileName(2));
        Assert.Throws<CorruptedJournalException>(() => StorageEnvironment.Open(platform, BranchFamily.PathOf(0)));
        using StorageEnvironment other = StorageEnvironment.Open(platform, BranchFamily.PathOf(1));
        Assert.Equal(25, BranchFamily.Check(other, 3000));
        using StorageEnvironment root = StorageEnvironment.Open(platform, BranchFamily.RootPath);
        Assert.Equal(25, BranchFamily.Check(root, 3000));
    }

    /// <summary>A root and its branches, killed after some transactions of each, in turns and in one journal.</summary>
    private static SimulatedPlatform MakeImage(bool isSynced, out string journal)
    {
        var platform = new SimulatedPlatform();
        using var family = new BranchFamily(platform, Branches, BranchFamily.OneJournal);
        for (int round = 0; round < Rounds; round++)
        {
            family.All.ToList().ForEach(storage => BranchFamily.Commit(storage));
        }

        foreach (StorageEnvironment storage in family.All.Where(_ => isSynced))
        {
            storage.Flush();
            storage.Sync();
        }

        journal = Assert.Single(family.Journals(BranchFamily.RootPath));
        SimulatedPlatform image = platform.Crash(s_keepAll);
        family.Abandon();
        return image;
    }

    private static List<(Guid Owner, long Transaction, long Offset, JournalEntryOptions Flags)> ListEntries(SimulatedPlatform image, string journal)
    {
        byte[] bytes = image.ReadAll(journal);
        Guid incarnation = MemoryMarshal.Read<JournalFileHeader>(bytes).Incarnation;
        long blocks = bytes.Length / JournalFormat.BlockSize;
        List<(Guid, long, long, JournalEntryOptions)> entries = [];
        for (long block = 1; block < blocks;)
        {
            JournalEntryHeader header = MemoryMarshal.Read<JournalEntryHeader>(bytes.AsSpan((int)(block * JournalFormat.BlockSize)));
            if (!header.IsValid(incarnation, block, blocks))
            {
                break;
            }

            entries.Add((header.StorageId, header.TransactionId, block * JournalFormat.BlockSize, header.Flags));
            block += header.BlockCount;
        }

        Assert.True(entries.Count >= Rounds * (Branches + 1));
        return entries;
    }

    private static Guid OwnerOf(SimulatedPlatform image, string path) =>
        MemoryMarshal.Read<StorageHeader>(image.ReadAll(path + "/headers")).StorageId is var id && id != Guid.Empty
            ? id
            : MemoryMarshal.Read<StorageHeader>(image.ReadAll(path + "/headers").AsSpan(HeaderFile.CopyBytes)).StorageId;

    /// <summary>The same, with the root opened before, whose recovery tells where the branch's entries stand.</summary>
    private static long? OpenWithRoot(SimulatedPlatform damaged, string path)
    {
        SimulatedPlatform copy = damaged.Crash(s_keepAll);
        StorageEnvironment root;
        try
        {
            root = StorageEnvironment.Open(copy, BranchFamily.RootPath, BranchFamily.OneJournal);
        }
        catch (CorruptedJournalException)
        {
            return Open(damaged, path);
        }

        using (root)
        {
            return Check(() => StorageEnvironment.OpenBranch(root, path, BranchFamily.OneJournal));
        }
    }

    /// <summary>The transactions found, all checked; null when the storage refuses to open.</summary>
    private static long? Open(SimulatedPlatform damaged, string path) =>
        Check(() => StorageEnvironment.Open(damaged.Crash(s_keepAll), path, BranchFamily.OneJournal));

    private static long? Check(Func<StorageEnvironment> open)
    {
        try
        {
            using StorageEnvironment storage = open();
            return BranchFamily.Check(storage);
        }
        catch (CorruptedJournalException)
        {
            return null;
        }
    }
}
