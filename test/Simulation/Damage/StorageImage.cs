using System.Runtime.InteropServices;
using Jackdaw.Pal.Simulation;
using Jackdaw.Simulation.Harness;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.FreeSpace;
using Jackdaw.Storage.Journal;
using Jackdaw.Storage.Transactions;
using Jackdaw.TestKit;

namespace Jackdaw.Simulation.Damage;

/// <summary>The files of a stopped storage, with what they should hold. Damage is done to copies.</summary>
internal sealed class StorageImage
{
    private const int CommitsBeforeSync = 8;
    private const int CommitsAfterSync = 26;
    private const int FooterPatienceMs = 1000;

    private static readonly CrashOptions s_keepAll = new() { Retention = CrashRetention.All };

    private StorageImage(SimulatedPlatform platform, OracleView allowed, long synced, byte[] olderHeaders, long usedDataBytes)
    {
        UsedDataBytes = usedDataBytes;
        Platform = platform;
        Allowed = allowed;
        Synced = synced;
        OlderHeaders = olderHeaders;
        Entries = FindEntries();
    }

    public SimulatedPlatform Platform { get; }

    public OracleView Allowed { get; }

    /// <summary>Last transaction of the image.</summary>
    public long Last => Allowed.Acknowledged;

    /// <summary>Transaction of the last sync before the end of the work.</summary>
    public long Synced { get; }

    /// <summary>The header file as it was before that sync.</summary>
    public byte[] OlderHeaders { get; }

    /// <summary>Bytes of the data file that pages are in.</summary>
    public long UsedDataBytes { get; }

    /// <summary>All entries of all journals, footers included.</summary>
    public List<JournalEntryPlace> Entries { get; }

    /// <summary>Journals in order of their numbers.</summary>
    public List<string> Journals => [.. Platform.ListDirectory(SmallStorage.JournalFolder)
        .Where(name => JournalFormat.TryParseFileName(name, out _)).Select(name => SmallStorage.JournalFolder + "/" + name)];

    /// <summary>The journal where the last transaction is.</summary>
    public string LastJournal => Entries.Last(entry => !entry.IsFooter).Path;

    public static StorageImage Create(ImageKind kind, int seed)
    {
        var platform = new SimulatedPlatform(seed);
        var workload = new Workload(platform, new Oracle(), seed);
        workload.Open();
        Commit(workload, CommitsBeforeSync);
        workload.Storage.Flush();
        byte[] olderHeaders = platform.ReadAll(SmallStorage.HeaderPath);
        workload.Storage.Sync();
        long synced = workload.Storage.Current.TransactionId;
        Commit(workload, CommitsAfterSync);
        StorageImage image;
        long used;
        do
        {
            workload.Commit();
            WaitForFooter(platform, kind == ImageKind.KilledIdle);
            SimulatedPlatform left = platform.Crash(s_keepAll);
            used = workload.Storage.Current.NextPage.Offset;
            image = new StorageImage(left, workload.Oracle.View, synced, olderHeaders, used);
        }
        while (image.Entries[^1].IsFooter != (kind == ImageKind.KilledIdle));
        if (kind == ImageKind.Closed)
        {
            workload.Close();
            OracleView view = workload.Oracle.View;
            image = new StorageImage(WithJournalsOf(image, platform.Crash(s_keepAll)), view, view.Acknowledged, olderHeaders, used);
        }

        workload.GiveUp();
        return image;
    }

    /// <summary>Pages that hold nothing, as the storage itself says; damage to all others must show.</summary>
    public HashSet<long> FindFreePages()
    {
        using StorageEnvironment storage = StorageEnvironment.Open(Copy(), SmallStorage.Path, SmallStorage.Options);
        using ReadTransaction read = storage.BeginRead();
        HashSet<long> free = [];
        FreeSpaceMap.ForEachFreeRun(read, read.State.NextPage, (first, count) =>
        {
            for (int i = 0; i < count; i++)
            {
                free.Add(first.Value + i);
            }
        });
        return free;
    }

    /// <summary>A copy to damage.</summary>
    public SimulatedPlatform Copy() => Platform.Crash(s_keepAll);

    private static void WaitForFooter(SimulatedPlatform platform, bool isWanted)
    {
        if (isWanted)
        {
            long calls = platform.OperationCount;
            SpinWait.SpinUntil(() => platform.OperationCount > calls, FooterPatienceMs); // the footer may be there already
        }
    }

    /// <summary>Closing lets all journals go; a power cut may bring their names back.</summary>
    private static SimulatedPlatform WithJournalsOf(StorageImage before, SimulatedPlatform closed)
    {
        Assert.Empty(closed.ListDirectory(SmallStorage.JournalFolder));
        before.Journals.ForEach(path => closed.Create(path, before.Platform.ReadAll(path)));
        return closed;
    }

    private static void Commit(Workload workload, int count)
    {
        for (int i = 0; i < count; i++)
        {
            workload.Commit();
        }
    }

    private List<JournalEntryPlace> FindEntries()
    {
        List<JournalEntryPlace> entries = [];
        foreach (string path in Journals)
        {
            ReadOnlySpan<byte> bytes = Platform.ReadAll(path);
            Guid incarnation = MemoryMarshal.Read<JournalFileHeader>(bytes).Incarnation;
            long blocks = bytes.Length / JournalFormat.BlockSize;
            for (long block = 1; block < blocks;)
            {
                JournalEntryHeader header = MemoryMarshal.Read<JournalEntryHeader>(bytes[(int)(block * JournalFormat.BlockSize)..]);
                if (!header.IsValid(incarnation, block, blocks))
                {
                    break;
                }

                bool isFooter = header.Flags.HasFlag(JournalEntryOptions.Footer);
                entries.Add(new JournalEntryPlace(path, block, header.BlockCount, header.TransactionId, isFooter));
                block += header.BlockCount;
            }
        }

        return entries;
    }
}

/// <summary>Where an entry of a journal stands.</summary>
internal sealed record JournalEntryPlace(string Path, long Block, long BlockCount, long Transaction, bool IsFooter)
{
    public long Offset => Block * JournalFormat.BlockSize;

    public long Bytes => BlockCount * JournalFormat.BlockSize;
}
