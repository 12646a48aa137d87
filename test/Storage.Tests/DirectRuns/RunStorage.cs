using System.Buffers.Binary;
using Jackdaw.Pal.Simulation;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.FreeSpace;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;
using Jackdaw.Storage.Verification;

namespace Jackdaw.Storage.Tests.DirectRuns;

/// <summary>A storage with a tree of runs, on a simulated volume that lists its calls.</summary>
internal sealed class RunStorage : IDisposable
{
    public const string Path = "/db";
    public const string DataPath = Path + "/data";
    public const int RunBytes = 100_000;
    public const int RunPages = 13;

    public static readonly StorageOptions Options = new() { BackgroundFlush = false, HolePages = 1, JournalFileBytes = 256 * 1024 };

    private readonly StorageOptions _options;

    public RunStorage(StorageOptions? options = null)
    {
        _options = options ?? Options;
        Storage = StorageEnvironment.Open(Platform, Path, _options);
        Write(transaction => transaction.Trees.CreateTree("parts"u8));
    }

    public SimulatedPlatform Platform { get; private set; } = new() { RecordsOperations = true };

    public StorageEnvironment Storage { get; private set; }

    public static byte[] KeyOf(int number)
    {
        byte[] key = new byte[4];
        BinaryPrimitives.WriteInt32BigEndian(key, number);
        return key;
    }

    public static BTree Tree(WriteTransaction transaction) => transaction.Trees.CreateTree("parts"u8);

    /// <summary>Reserves a direct run, or an ordinary one, and fills it.</summary>
    public static PageNumber Put(WriteTransaction transaction, int key, byte fill, bool isDirect = true, int bytes = RunBytes)
    {
        PageNumber first;
        Span<byte> space = isDirect
            ? Tree(transaction).ReserveDirectRun(KeyOf(key), bytes, out first)
            : Tree(transaction).ReserveRun(KeyOf(key), bytes, out first);
        Assert.Equal(bytes, space.Length);
        space.Fill(fill);
        return first;
    }

    public void Write(Action<WriteTransaction> change)
    {
        using WriteTransaction transaction = Storage.BeginWrite();
        change(transaction);
        transaction.Commit();
    }

    public PageNumber Put(int key, byte fill, bool isDirect = true, int bytes = RunBytes)
    {
        PageNumber first = default;
        Write(transaction => first = Put(transaction, key, fill, isDirect, bytes));
        return first;
    }

    public void Delete(int key) => Write(transaction => Assert.True(Tree(transaction).Delete(KeyOf(key))));

    public void FlushAndSync()
    {
        Storage.Flush();
        Storage.Sync();
    }

    public static void RequireRun(ReadTransaction read, int key, byte fill, int bytes = RunBytes)
    {
        Assert.True(read.Trees.FindTree("parts"u8)!.TryGet(KeyOf(key), out ReadOnlySpan<byte> value));
        Assert.Equal(bytes, value.Length);
        Assert.False(value.ContainsAnyExcept(fill));
    }

    public void RequireRun(int key, byte fill, int bytes = RunBytes)
    {
        using ReadTransaction read = Storage.BeginRead();
        RequireRun(read, key, fill, bytes);
    }

    public void RequireNone(int key)
    {
        using ReadTransaction read = Storage.BeginRead();
        Assert.False(read.Trees.FindTree("parts"u8)!.Contains(KeyOf(key)));
    }

    public void RequireSound() => Assert.Empty(EnvironmentVerifier.Verify(Storage));

    public long CountFree()
    {
        using ReadTransaction read = Storage.BeginRead();
        long free = 0;
        FreeSpaceMap.ForEachFreeRun(read, read.State.NextPage, (_, count) => free += count);
        return free;
    }

    public void Reopen()
    {
        Storage.Dispose();
        Open();
    }

    /// <summary>As after a kill: what the cache has is there.</summary>
    public void Kill()
    {
        Storage.Abandon();
        Open();
    }

    /// <summary>As after a power cut: only what was made durable is there.</summary>
    public void CutPower()
    {
        SimulatedPlatform left = Platform.Crash(new CrashOptions { Retention = CrashRetention.None });
        Storage.Abandon();
        left.RecordsOperations = true;
        Platform = left;
        Open();
    }

    public void Open() => Storage = StorageEnvironment.Open(Platform, Path, _options);

    /// <summary>The calls that change files and that this thread makes in an action: kind and file.</summary>
    public List<string> Record(Action action)
    {
        List<string> calls = [];
        int thread = Environment.CurrentManagedThreadId;
        Platform.Inject(new SimulatedFault
        {
            Effect = FaultEffect.IoError,
            Where = call =>
            {
                bool isChange = call.Kind is PalOperationKind.WritePages or PalOperationKind.WriteJournal or PalOperationKind.Sync
                    or PalOperationKind.Allocate or PalOperationKind.FillHole or PalOperationKind.PunchHole;
                if (isChange && Environment.CurrentManagedThreadId == thread)
                {
                    calls.Add($"{call.Kind} {(call.Path == DataPath ? "data" : call.Kind == PalOperationKind.WriteJournal ? "journal" : "other")}");
                }

                return false;
            },
        });
        action();
        Platform.ClearFaults();
        return calls;
    }

    public void Dispose() => Storage.Dispose();
}
