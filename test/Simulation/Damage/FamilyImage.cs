using System.Runtime.InteropServices;
using Jackdaw.Pal.Simulation;
using Jackdaw.Simulation.Harness;
using Jackdaw.Storage.Headers;
using Jackdaw.Storage.Journal;
using Jackdaw.TestKit;

namespace Jackdaw.Simulation.Damage;

/// <summary>The files of a killed root and its branches, with what each should hold. Damage is done to copies.</summary>
internal sealed class FamilyImage
{
    private const int Steps = 60;
    private const int FooterPatienceMs = 200;

    private static readonly CrashOptions s_keepAll = new() { Retention = CrashRetention.All };

    private readonly SimulatedPlatform _platform;

    private FamilyImage(SimulatedPlatform platform, IReadOnlyList<OracleView> views, IReadOnlyList<string> paths)
    {
        _platform = platform;
        Members = [.. views.Select((view, i) => FamilyMember.Read(platform, paths[i], view))];
        Journals = [.. Members.SelectMany(member => ListJournals(platform, member))
            .GroupBy(name => name.Identity, (_, names) => SharedJournal.Read(platform, [.. names.Select(name => (name.Member, name.Path))]))];
    }

    /// <summary>The root, then its branches.</summary>
    public IReadOnlyList<FamilyMember> Members { get; }

    /// <summary>Each file once, whatever names it has.</summary>
    public IReadOnlyList<SharedJournal> Journals { get; }

    /// <summary>Random life of a family, until it is killed.</summary>
    /// <param name="branches">How many branches.</param>
    /// <param name="isIdle">True when a footer had time to follow the last entries.</param>
    /// <param name="seed">Decides the life.</param>
    public static FamilyImage Create(int branches, bool isIdle, int seed)
    {
        var platform = new SimulatedPlatform(seed);
        Oracle[] oracles = [.. Enumerable.Range(0, branches + 1).Select(_ => new Oracle())];
        var workload = new FamilyWorkload(platform, oracles, seed);
        workload.Open();
        workload.Commit();
        for (int i = 0; i < Steps; i++)
        {
            workload.Step();
        }

        workload.WaitForAll();
        workload.Commit();
        if (isIdle)
        {
            long calls = platform.OperationCount;
            SpinWait.SpinUntil(() => platform.OperationCount > calls, FooterPatienceMs); // the footer may be there already
        }

        SimulatedPlatform left = platform.Crash(s_keepAll);
        OracleView[] views = [.. oracles.Select(oracle => oracle.View)];
        string[] paths = [SmallStorage.Path, .. Enumerable.Range(1, branches).Select(workload.FindPath)];
        workload.GiveUp();
        return new FamilyImage(left, views, paths);
    }

    /// <summary>A copy to damage.</summary>
    public SimulatedPlatform Copy() => _platform.Crash(s_keepAll);

    private static IEnumerable<(FamilyMember Member, string Path, Pal.FileIdentity Identity)> ListJournals(
        SimulatedPlatform platform, FamilyMember member)
    {
        string folder = $"{member.Path}/{JournalFormat.FolderName}";
        return platform.ListDirectory(folder).Where(name => JournalFormat.TryParseFileName(name, out _))
            .Select(name => (member, $"{folder}/{name}", platform.GetIdentity($"{folder}/{name}")));
    }
}

/// <summary>One storage of an image.</summary>
/// <param name="Path">Its folder.</param>
/// <param name="Id">Its identity, in entries.</param>
/// <param name="Synced">Last transaction that needs no journal.</param>
/// <param name="DataBytes">Bytes of its data file.</param>
/// <param name="Allowed">What it must hold.</param>
internal sealed record FamilyMember(string Path, Guid Id, long Synced, long DataBytes, OracleView Allowed)
{
    public string HeaderPath => Path + "/headers";

    public string DataPath => Path + "/data";

    /// <summary>Its last transaction.</summary>
    public long Last => Allowed.Acknowledged;

    public static FamilyMember Read(SimulatedPlatform platform, string path, OracleView allowed)
    {
        byte[] headers = platform.ReadAll(path + "/headers");
        StorageHeader first = MemoryMarshal.Read<StorageHeader>(headers);
        StorageHeader second = MemoryMarshal.Read<StorageHeader>(headers.AsSpan(HeaderFile.CopyBytes));
        StorageHeader current = first.Revision > second.Revision ? first : second;
        return new FamilyMember(path, current.StorageId, current.SyncedTransaction, current.NextPage.Offset, allowed);
    }
}

/// <summary>A journal with entries of several storages.</summary>
/// <param name="Names">Who has a name for it, and the name.</param>
/// <param name="Bytes">Its length.</param>
/// <param name="Entries">Transactions, footers and records of links, in order.</param>
/// <param name="Proven">Transactions that footers of the file name as durable.</param>
internal sealed record SharedJournal(
    IReadOnlyList<(FamilyMember Member, string Path)> Names, long Bytes, IReadOnlyList<SharedEntry> Entries, IReadOnlyList<DurableBranch> Proven)
{
    public static SharedJournal Read(SimulatedPlatform platform, IReadOnlyList<(FamilyMember Member, string Path)> names)
    {
        ReadOnlySpan<byte> bytes = platform.ReadAll(names[0].Path);
        Guid incarnation = MemoryMarshal.Read<JournalFileHeader>(bytes).Incarnation;
        List<SharedEntry> entries = [];
        List<DurableBranch> proven = [];
        long blocks = bytes.Length / JournalFormat.BlockSize;
        for (long block = 1; block < blocks;)
        {
            ReadOnlySpan<byte> at = bytes[(int)(block * JournalFormat.BlockSize)..];
            JournalEntryHeader header = MemoryMarshal.Read<JournalEntryHeader>(at);
            if (!header.IsValid(incarnation, block, blocks))
            {
                break;
            }

            bool isFooter = header.Flags.HasFlag(JournalEntryOptions.Footer);
            long start = block * JournalFormat.BlockSize;
            bool isTransaction = (header.Flags & (JournalEntryOptions.Footer | JournalEntryOptions.Links)) == 0;
            long length = JournalEntryHeader.SizeOf + header.StoredBytes;
            entries.Add(new SharedEntry(header.StorageId, header.TransactionId, start, length, isTransaction));
            if (isFooter)
            {
                proven.Add(new DurableBranch(header.StorageId, header.TransactionId));
                proven.AddRange(MemoryMarshal.Cast<byte, DurableBranch>(at.Slice(JournalEntryHeader.SizeOf, (int)header.StoredBytes)));
            }

            block += header.BlockCount;
        }

        return new SharedJournal(names, bytes.Length, entries, proven);
    }
}

/// <summary>An entry of a shared journal: its bytes without the zeros that fill its last block.</summary>
internal sealed record SharedEntry(Guid Owner, long Transaction, long Offset, long Bytes, bool IsTransaction);
