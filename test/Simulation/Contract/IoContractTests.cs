using System.Text;
using System.Text.RegularExpressions;
using Jackdaw.Pal.Simulation;
using Jackdaw.Simulation.Harness;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Jackdaw.TestKit;

namespace Jackdaw.Simulation.Contract;

/// <summary>The exact calls that each step of a storage makes, against committed lists: a change of the order of writes and syncs is
/// a change of what survives a power cut, and is to be reviewed as such.</summary>
/// <remarks>To accept a change, copy the list from the failure's message into the file that it names.</remarks>
public sealed partial class IoContractTests(ITestOutputHelper output)
{
    /// <summary>Large enough that one of them takes more than half of a journal.</summary>
    private const int LargeBytes = 44 * 1024;

    private readonly SimulatedPlatform _platform = new() { RecordsOperations = true };
    private StorageEnvironment? _storage;
    private int _value;
    private long _beforeCommit;

    [Fact]
    public void Create_MakesExactlyTheseCalls() => Check("create", () => { }, Open);

    [Fact]
    public void Commit_MakesExactlyTheseCalls() => Check("commit", () =>
    {
        Open();
        Commit(1);
        WaitForFooter();
    }, () =>
    {
        Commit(1);
        WaitForFooter();
    });

    [Fact]
    public void CommitOfADirectRun_MakesExactlyTheseCalls() => Check("commit-direct", () =>
    {
        Open();
        CommitDirect();
        WaitForFooter();
    }, () =>
    {
        CommitDirect();
        WaitForFooter();
    });

    [Fact]
    public void FirstCommitOfADirectRun_OpensTheDataFileAgain() => Check("first-commit-direct", () =>
    {
        Open();
        Commit(1);
        WaitForFooter();
    }, () =>
    {
        CommitDirect();
        WaitForFooter();
    });

    [Fact]
    public void FirstCommit_PreparesAJournal() => Check("first-commit", Open, () =>
    {
        Commit(1);
        WaitForFooter();
    });

    [Fact]
    public void JournalSwitch_MakesExactlyTheseCalls() => Check("journal-switch", () =>
    {
        Open();
        Commit(1);
        WaitForFooter();
        Commit(LargeBytes);
        WaitForNextJournal();
        WaitForFooter();
    }, () =>
    {
        Commit(LargeBytes);
        WaitForFooter();
    });

    [Fact]
    public void Flush_MakesExactlyTheseCalls() => Check("flush", OpenAndCommit, () => _storage!.Flush());

    [Fact]
    public void Sync_MakesExactlyTheseCalls() => Check("sync", () =>
    {
        OpenAndCommit();
        _storage!.Flush();
    }, () => _storage!.Sync());

    [Fact]
    public void SyncThatRetiresAJournal_MakesExactlyTheseCalls() => Check("sync-and-recycle", () =>
    {
        OpenAndCommit();
        Commit(LargeBytes);
        WaitForNextJournal();
        Commit(LargeBytes);
        WaitForFooter();
        _storage!.Flush();
    }, () => _storage!.Sync());

    [Fact]
    public void SyncAfterWhichHolesArePunched_MakesExactlyTheseCalls() => Check("sync-and-punch", () =>
    {
        Open();
        Commit(4 << 20);
        WaitForFooter();
        using (WriteTransaction transaction = _storage!.BeginWrite())
        {
            transaction.Trees.DeleteTree("contract");
            transaction.Commit();
        }

        _storage.Flush();
    }, () =>
    {
        _storage!.Sync();
        _storage.PunchHoles();
    });

    [Fact]
    public void Close_MakesExactlyTheseCalls() => Check("close", OpenAndCommit, () => _storage!.Dispose());

    [Fact]
    public void Recovery_MakesExactlyTheseCalls() => Check("recovery", () =>
    {
        OpenAndCommit();
        _storage!.Flush();
        _storage.Sync();
        Commit(1);
        WaitForFooter();
        _storage.Abandon();
    }, Open);

    private void Check(string name, Action before, Action step)
    {
        before();
        _platform.ClearOperations();
        step();
        string actual = Describe(_platform.Operations);
        string file = Path.Combine(AppContext.BaseDirectory, "Contract", name + ".txt");
        string expected = File.Exists(file) ? File.ReadAllText(file).ReplaceLineEndings("\n") : "";
        output.WriteLine($"Contract/{name}.txt:\n{actual}");
        _storage?.Dispose();
        Assert.Equal(expected, actual);
    }

    private void Open() => _storage = StorageEnvironment.Open(_platform, SmallStorage.Path, SmallStorage.Options with { HolePages = 128 });

    private void OpenAndCommit()
    {
        Open();
        Commit(1);
        WaitForFooter();
    }

    private void Commit(int bytes)
    {
        _beforeCommit = _platform.OperationCount;
        using WriteTransaction transaction = _storage!.BeginWrite();
        byte[] value = new ModelValue(++_value, bytes).ToBytes();
        transaction.Trees.CreateTree("contract").Put(BitConverter.GetBytes(_value), value);
        transaction.Commit();
    }

    private void CommitDirect()
    {
        _beforeCommit = _platform.OperationCount;
        using WriteTransaction transaction = _storage!.BeginWrite();
        byte[] value = new ModelValue(++_value, LargeBytes).ToBytes();
        value.CopyTo(transaction.Trees.CreateTree("contract").ReserveDirectRun(BitConverter.GetBytes(_value), value.Length, out _));
        transaction.Commit();
    }

    /// <summary>The footer follows a moment after the entry of the last commit.</summary>
    private void WaitForFooter() => WaitFor(call => call is { Kind: PalOperationKind.WriteJournal, Offset: > 0 }, 2);

    /// <summary>The sync of the header is the last call of preparing the next journal.</summary>
    private void WaitForNextJournal() => WaitFor(call => call is { Kind: PalOperationKind.Sync, Path: SmallStorage.HeaderPath }, 1);

    private void WaitFor(Func<PalOperation, bool> isWanted, int count) => Eventually.IsTrue(
        () => _platform.Operations.Count(call => call.Sequence > _beforeCommit && isWanted(call)) >= count);

    /// <summary>One line per call: kind and the role of its file. Looks that change nothing stay out, and reads of one file are one.</summary>
    private static string Describe(IReadOnlyList<PalOperation> operations)
    {
        var text = new StringBuilder();
        string last = "";
        foreach (PalOperation operation in operations)
        {
            string other = operation.OtherPath.Length > 0 ? " -> " + RoleOf(operation.OtherPath) : "";
            string record = operation is { Kind: PalOperationKind.WriteJournal, Offset: 0 } ? " (header record)" : "";
            string line = $"{operation.Kind} {RoleOf(operation.Path)}{other}{record}";
            if (operation.Kind is not PalOperationKind.Stat && !(operation.Kind is PalOperationKind.Read && line == last))
            {
                text.Append(line).Append('\n');
            }

            last = operation.Kind is PalOperationKind.Stat ? last : line;
        }

        return text.ToString();
    }

    private static string RoleOf(string path) =>
        JournalName().Replace(PoolName().Replace(path, "{pool}"), "{number}.journal").Replace(SmallStorage.Path, "{storage}", StringComparison.Ordinal);

    [GeneratedRegex("pool-[0-9a-f]{32}")]
    private static partial Regex PoolName();

    [GeneratedRegex("[0-9]{19}\\.journal")]
    private static partial Regex JournalName();
}
