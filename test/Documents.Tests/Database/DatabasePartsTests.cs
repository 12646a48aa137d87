using System.Collections.Concurrent;
using System.Text;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Databases;
using Jackdaw.Pal;
using Jackdaw.Pal.InMemory;
using Jackdaw.Pal.Simulation;
using Jackdaw.Storage;
using Jackdaw.TestKit;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Xunit.Abstractions;

namespace Jackdaw.Documents.Tests.Database;

/// <summary>What lives with a database: opened after its storage, stopped by one token, closed before its merger.</summary>
public sealed class DatabasePartsTests(ITestOutputHelper output)
{
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(1);
    private readonly ConcurrentQueue<string> _log = [];

    private static ReadOnlyMemory<byte> Json => Encoding.UTF8.GetBytes("{}");

    [Fact]
    public async Task Parts_OpenInOrderAndCloseInReverse_AfterAllWereToldToStop()
    {
        var first = new RecordedKind("first", host => [Part("a", host), Part("b", host)]);
        var second = new RecordedKind("second", host => [Part("c", host)]);
        await using DatabaseCatalog store = await OpenAsync(new MemoryPlatform(), [first, second]);
        await store.PutRecordAsync("shop", Json, null, default);
        Assert.Equal(["open a", "open b", "open c"], _log);
        _log.Clear();

        await store.SetDisabledAsync("shop", true, default);
        Assert.Equal(["stop a", "stop b", "stop c"], _log.Take(3).Order());
        Assert.Equal(["close c", "close b", "close a"], _log.Skip(3));
        _log.Clear();

        await store.SetDisabledAsync("shop", false, default);
        Assert.Equal(["open a", "open b", "open c"], _log);
    }

    [Fact]
    public async Task Part_UsesItsDatabase_WhenItIsOpenedAndUntilItIsClosed()
    {
        var kind = new RecordedKind("writers", host =>
        [
            Part("writer", host,
                async part => Assert.NotEqual(default, await part.Host.Database.PutAsync("part/open", TestCommands.Json("Part", 1))),
                async part =>
                {
                    Assert.True(part.Stop.IsCancellationRequested);
                    Assert.NotEqual(default, await part.Host.Database.PutAsync("part/close", TestCommands.Json("Part", 2)));
                }),
        ]);
        await using DatabaseCatalog store = await OpenAsync(new MemoryPlatform(), [kind]);
        await store.PutRecordAsync("shop", Json, null, default);
        await store.SetDisabledAsync("shop", true, default);
        await store.SetDisabledAsync("shop", false, default);
        Assert.NotNull(store.Find("shop").Database!.Get("part/open"));
        Assert.NotNull(store.Find("shop").Database!.Get("part/close"));
    }

    [Fact]
    public async Task Part_ThatFailsToOpen_NamesItselfAndItsDatabaseAndLeavesNothingOpen()
    {
        bool fails = false;
        var kind = new RecordedKind("indexes", host =>
            [Part("a", host), Part("index Orders", host, _ => fails ? throw new InvalidDataException("its definition is damaged") : default), Part("c", host)]);
        var log = new LogLines();
        await using DatabaseCatalog store = await OpenAsync(new MemoryPlatform(), [kind], logger: log);
        await store.PutRecordAsync("Shop", Json, null, default);
        await store.PutRecordAsync("other", Json, null, default);
        await store.SetDisabledAsync("shop", true, default);
        _log.Clear();
        fails = true;
        await store.SetDisabledAsync("shop", false, default);

        DatabaseLookup lookup = store.Find("shop");
        Assert.Equal(DatabaseLookupStatus.Faulted, lookup.Status);
        Assert.Contains("index Orders of database 'Shop'", lookup.Reason, StringComparison.Ordinal);
        Assert.Contains("its definition is damaged", lookup.Reason, StringComparison.Ordinal);
        Assert.Contains(log.Lines, line => line.StartsWith("Error:", StringComparison.Ordinal) && line.Contains("index Orders", StringComparison.Ordinal));
        Assert.Equal(["open a", "open index Orders", "stop a", "close a"], _log);
        Assert.Equal(DatabaseLookupStatus.Open, store.Find("other").Status);

        fails = false;
        await store.SetDisabledAsync("shop", true, default);
        await store.SetDisabledAsync("shop", false, default);
        Assert.Equal(DatabaseLookupStatus.Open, store.Find("shop").Status);
    }

    [Fact]
    public async Task Part_ThatFailsForWantOfWhatComesBack_IsTriedAgainByALaterRequest()
    {
        bool fails = false;
        var kind = new RecordedKind("indexes", host =>
            [Part("index", host, _ => fails ? throw new DiskFullException("/data", new IOException("full")) : default)]);
        await using DatabaseCatalog store = await OpenAsync(new MemoryPlatform(), [kind], new StorageOptions { Time = new LeapingTime() });
        await store.PutRecordAsync("shop", Json, null, default);
        await store.SetDisabledAsync("shop", true, default);
        fails = true;
        await store.SetDisabledAsync("shop", false, default);
        Assert.Equal((DatabaseLookupStatus.Idle, true), (store.Find("shop").Status, store.Find("shop").IsUnusable));
        fails = false;
        Assert.Equal(DatabaseLookupStatus.Open, (await store.FindOpenAsync("shop", s_patience, default)).Status);
    }

    [Fact]
    public async Task Kind_ThatCannotMakeItsParts_IsNamed()
    {
        bool fails = false;
        var kind = new RecordedKind("indexes", host => fails ? throw new InvalidDataException("the list is damaged") : [Part("a", host)]);
        await using DatabaseCatalog store = await OpenAsync(new MemoryPlatform(), [kind]);
        await store.PutRecordAsync("shop", Json, null, default);
        await store.SetDisabledAsync("shop", true, default);
        fails = true;
        await store.SetDisabledAsync("shop", false, default);
        Assert.Contains("indexes of database 'shop'", store.Find("shop").Reason, StringComparison.Ordinal);
    }

    /// <summary>Its files and the storage's stay as they are until it has stopped: nothing is pulled from under it.</summary>
    [Fact]
    public async Task Part_ThatDoesNotStop_IsReportedAndHoldsOnlyItsDatabase()
    {
        var time = new ManualTime();
        var release = new TaskCompletionSource();
        var kind = new RecordedKind("indexes", host => [Part("index Stuck", host, null, _ => host.Database.Name == "slow" ? new(release.Task) : default)]);
        var log = new LogLines();
        var platform = new MemoryPlatform();
        await using DatabaseCatalog store = await OpenAsync(platform, [kind], new StorageOptions { Time = time }, log);
        await store.PutRecordAsync("slow", Json, null, default);
        await store.PutRecordAsync("other", Json, null, default);
        DocumentDatabase slow = store.Find("slow").Database!;

        TimeoutException told = await Assert.ThrowsAsync<TimeoutException>(
            () => AdvanceUntilDoneAsync(time, store.DeleteAsync("slow", true, default).AsTask()));
        Assert.Contains("index Stuck", told.Message, StringComparison.Ordinal);
        Assert.Contains("'slow'", told.Message, StringComparison.Ordinal);
        Assert.Single(log.Lines, line => line.StartsWith("Warning: The index Stuck of database slow has not stopped", StringComparison.Ordinal));
        Assert.True(platform.Exists("/data/Databases/slow/headers"), "files were deleted under a part that runs");
        Assert.Equal(WriteStatus.Closing, (await slow.WriteAsync(TestCommands.Delete("users/1"))).Status);
        Assert.Equal(RecordWriteStatus.Written, (await store.DeleteAsync("other", true, default)).Status);

        release.SetResult();
        Assert.Equal(RecordWriteStatus.Written, (await store.DeleteAsync("slow", true, default)).Status);
        Assert.False(platform.Exists("/data/Databases/slow"));
    }

    [Fact]
    public async Task Part_ThatTakesLongToOpen_IsStoppedByTheClosing()
    {
        var begun = new TaskCompletionSource();
        bool isSlow = false;
        var kind = new RecordedKind("indexes", host => [Part("index", host, async part =>
        {
            if (isSlow)
            {
                begun.TrySetResult();
                await Task.Delay(Timeout.Infinite, part.Stop); // until it is stopped
            }
        })]);
        var platform = new MemoryPlatform();
        await using (DatabaseCatalog before = await OpenAsync(platform, [kind]))
        {
            await before.PutRecordAsync("shop", Json, null, default);
        }

        isSlow = true;
        DatabaseCatalog store = await OpenAsync(platform, [kind]);
        Task<DatabaseLookup> request = store.FindOpenAsync("shop", s_patience, default).AsTask();
        await begun.Task.WaitAsync(s_patience);
        Assert.Equal(DatabaseLookupStatus.Loading, store.Find("shop").Status);
        await store.DisposeAsync().AsTask().WaitAsync(s_patience);
        Assert.NotEqual(DatabaseLookupStatus.Open, (await request).Status);
    }

    [Fact]
    public async Task Storage_ThatStops_GetsNewPartsWithItsNextOpening()
    {
        ConcurrentBag<RecordedPart> parts = [];
        var kind = new RecordedKind("indexes", host =>
        {
            RecordedPart part = Part("index", host);
            parts.Add(part);
            return [part];
        });
        var platform = new SimulatedPlatform();
        await using DatabaseCatalog store = await OpenAsync(platform, [kind]);
        await store.PutRecordAsync("shop", Json, null, default);
        platform.Inject(new SimulatedFault { Effect = FaultEffect.IoError, Kind = PalOperationKind.WriteJournal, PathContains = "Databases/shop" });
        await Assert.ThrowsAsync<StoragePoisonedException>(async () =>
        {
            for (int i = 0; i < 100; i++)
            {
                await store.Find("shop").Database!.PutAsync("users/1", TestCommands.Json("Users", i));
            }
        });
        await Eventually.IsTrueAsync(() => parts.Count == 2 && store.Find("shop").Status == DatabaseLookupStatus.Open);
        Assert.Single(parts, part => part.IsOpen);
        Assert.Equal(["open index", "stop index", "close index", "open index"], _log);
    }

    [Fact]
    public async Task Add_AndRemove_WhileTheDatabaseIsOpen()
    {
        await using DatabaseCatalog store = await OpenAsync(new MemoryPlatform(), []);
        await store.PutRecordAsync("shop", Json, null, default);
        var database = (Jackdaw.Documents.Database.DocumentDatabase)store.Find("shop").Database!;
        var host = new PartHost(database, database.Environment);
        RecordedPart kept = Part("kept", host);
        RecordedPart removed = Part("removed", host);
        await database.Parts.AddAsync(kept);
        await database.Parts.AddAsync(removed);
        await Assert.ThrowsAsync<DatabasePartException>(() => database.Parts.AddAsync(Part("kept", host)));
        await Assert.ThrowsAsync<DatabasePartException>(() => database.Parts.AddAsync(Part("bad", host, _ => throw new IOException("no"))));
        Assert.True(await database.Parts.RemoveAsync(removed));
        Assert.False(await database.Parts.RemoveAsync(removed));
        Assert.Equal((true, false), (kept.IsOpen, removed.IsOpen));
        await store.SetDisabledAsync("shop", true, default);
        Assert.False(kept.IsOpen);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => database.Parts.AddAsync(removed));
    }

    /// <summary>Whatever comes between whatever, each part that was opened is closed once, before its storage, and none runs afterwards.</summary>
    [Fact]
    public async Task Parts_UnderLoad_AreClosedWhateverBecomesOfTheirDatabase()
    {
        int seed = Environment.TickCount;
        output.WriteLine($"seed {seed}");
        ConcurrentBag<RecordedPart> parts = [];
        var kind = new RecordedKind("writers", host => Enumerable.Range(0, 3).Select(i =>
        {
            var part = new RecordedPart($"writer {i}", host, []) { WhenOpened = WriteUntilStoppedAsync, WhenClosed = WaitForWriterAsync };
            parts.Add(part);
            return part;
        }));
        var platform = new MemoryPlatform();
        await using (DatabaseCatalog store = await OpenAsync(platform, [kind]))
        {
            string[] names = ["a", "b", "c", "d"];
            await Task.WhenAll(names.Select((name, i) => Task.Run(() => ChangeAsync(store, name, new Random(seed + i)))));
        }

        output.WriteLine($"{parts.Count} parts, {_written} documents");
        Assert.All(parts, part => Assert.False(part.IsOpen, $"{part.Name} is open, seed {seed}"));
        Assert.All(parts, part => Assert.True(_writers[part].IsCompletedSuccessfully, $"{part.Name} runs, seed {seed}"));
        Assert.True(_written > 0);
    }

    private readonly ConcurrentDictionary<DatabasePart, Task> _writers = [];
    private long _written;

    private ValueTask WriteUntilStoppedAsync(RecordedPart part)
    {
        _writers[part] = Task.Run(async () =>
        {
            for (int i = 0; !part.Stop.IsCancellationRequested; i++)
            {
                // Until the part is closed, its writes are taken: nobody may close the merger under it.
                Written written = await part.Host.Database.WriteAsync(TestCommands.Put($"{part.Name}/{i % 100}", TestCommands.Json("Part", i)));
                Assert.Equal(WriteStatus.Applied, written.Status);
                Interlocked.Increment(ref _written);
            }
        });
        return default;
    }

    private async ValueTask WaitForWriterAsync(RecordedPart part) => await _writers[part];

    private static async Task ChangeAsync(DatabaseCatalog store, string name, Random random)
    {
        for (int i = 0; i < 25; i++)
        {
            await store.PutRecordAsync(name, Json, null, default);
            await Task.Delay(random.Next(4)); // so that changes meet writers at any point
            switch (random.Next(4))
            {
                case 0:
                    await store.DeleteAsync(name, hard: random.Next(2) == 0, default);
                    break;
                case 1:
                    await store.SetDisabledAsync(name, true, default);
                    break;
                case 2:
                    await store.SetDisabledAsync(name, true, default);
                    await store.SetDisabledAsync(name, false, default);
                    break;
                default:
                    break;
            }
        }
    }

    private static async Task AdvanceUntilDoneAsync(ManualTime time, Task task)
    {
        await time.AdvanceUntilAsync(TimeSpan.FromSeconds(1), () => Task.FromResult(task.IsCompleted), "It waits for ever.");
        await task;
    }

    private RecordedPart Part(
        string name, PartHost host, Func<RecordedPart, ValueTask>? whenOpened = null, Func<RecordedPart, ValueTask>? whenClosed = null) =>
        new(name, host, _log)
        {
            WhenOpened = whenOpened ?? (_ => ValueTask.CompletedTask),
            WhenClosed = whenClosed ?? (_ => ValueTask.CompletedTask),
        };

    private static Task<DatabaseCatalog> OpenAsync(
        IPlatform platform, IReadOnlyList<DatabasePartKind> kinds, StorageOptions? options = null, ILogger? logger = null) => DatabaseCatalog.OpenAsync(
        platform, "/data", options ?? new StorageOptions(), kinds, new Progress<RecoveryProgress>(), logger ?? NullLogger.Instance, default);

    private sealed class LogLines : ILogger
    {
        public ConcurrentQueue<string> Lines { get; } = [];

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
            Lines.Enqueue($"{logLevel}: {formatter(state, exception)}");
    }
}
