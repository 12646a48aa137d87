using System.Collections.Concurrent;
using System.Text;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Databases;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Pal;
using Jackdaw.Pal.InMemory;
using Jackdaw.Pal.Simulation;
using Jackdaw.Storage;
using Jackdaw.TestKit;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Jackdaw.Documents.Tests.Databases;

public sealed class DatabaseCatalogTests : IAsyncLifetime
{
    private readonly MemoryPlatform _platform = new();
    private DatabaseCatalog _store = null!;

    private static ReadOnlyMemory<byte> Json => Encoding.UTF8.GetBytes("""{"DatabaseName":"x"}""");

    public async Task InitializeAsync() => _store = await OpenAsync();

    public async Task DisposeAsync() => await _store.DisposeAsync();

    [Fact]
    public async Task Put_NewName_OpensADatabaseThatIsFoundInAnyCasing()
    {
        RecordWriteResult result = await _store.PutRecordAsync("Shop-1.x", Json, null, default);

        Assert.Equal(RecordWriteStatus.Written, result.Status);
        Assert.Equal(result.CommitIndex, _store.CommitIndex);
        DatabaseLookup lookup = _store.Find("sHOP-1.X");
        Assert.Equal(DatabaseLookupStatus.Open, lookup.Status);
        Assert.Equal("Shop-1.x", lookup.Database!.Name);
        Assert.Equal(result.Record!.DatabaseId, lookup.Database.DatabaseId);
        Assert.Equal(result.Record.TopologyEtag, lookup.Database.TopologyEtag);
        Assert.True(_platform.Exists("/data/Databases/shop-1.x/headers"));
        Assert.Equal(RecordWriteStatus.AlreadyExists, (await _store.PutRecordAsync("SHOP-1.X", Json, null, default)).Status);
        Assert.Equal(DatabaseLookupStatus.Missing, _store.Find("other").Status);
    }

    [Theory]
    [InlineData("")]
    [InlineData(".")]
    [InlineData("..")]
    [InlineData("a/b")]
    [InlineData("a b")]
    [InlineData("ä")]
    public async Task Put_NameThatIsNoFolder_IsRefused(string name) =>
        await Assert.ThrowsAsync<ArgumentException>(async () => await _store.PutRecordAsync(name, Json, null, default));

    [Fact]
    public async Task Put_WithAnEtag_UpdatesExactlyThatVersion()
    {
        RecordWriteResult created = await _store.PutRecordAsync("shop", Json, 0, default);
        RecordWriteResult wrong = await _store.PutRecordAsync("shop", Json, created.Record!.Etag + 1, default);
        RecordWriteResult right = await _store.PutRecordAsync("shop", Encoding.UTF8.GetBytes("""{"a":1}"""), created.Record.Etag, default);

        Assert.Equal(RecordWriteStatus.EtagMismatch, wrong.Status);
        Assert.Equal(RecordWriteStatus.Written, right.Status);
        Assert.Equal(created.Record.TopologyEtag, right.Record!.TopologyEtag);
        Assert.Equal("""{"a":1}""", Encoding.UTF8.GetString(_store.GetRecord("SHOP")!.Json.Span));
        Assert.Equal(RecordWriteStatus.EtagMismatch, (await _store.PutRecordAsync("none", Json, 7, default)).Status);
    }

    [Fact]
    public async Task Reopen_KeepsRecordsDocumentsIdsAndTheCommitIndex()
    {
        await _store.PutRecordAsync("shop", Json, null, default);
        await _store.PutClientConfigurationAsync("shop", Json, false, default);
        await _store.PutClientConfigurationAsync(null, Json, false, default);
        Etag etag = await _store.Find("shop").Database!.PutAsync("users/1", TestCommands.Json("Users", 1));
        (Guid server, long index, DatabaseRecord record) = (_store.ServerId, _store.CommitIndex, _store.GetRecord("shop")!);
        await _store.DisposeAsync();
        _store = await OpenAsync();

        Assert.Equal((server, index), (_store.ServerId, _store.CommitIndex));
        Assert.Equal(record with { Json = default }, _store.GetRecord("shop")! with { Json = default });
        DocumentDatabase database = (await FindOpenAsync("shop")).Database!;
        Assert.Equal(etag, database.Get("users/1")!.Etag);
        Assert.Equal(record.DatabaseId, database.DatabaseId);
        Assert.Equal(index, database.ClientConfigurationEtag);
        Assert.Equal(index - 1, _store.GetClientConfiguration("shop")!.Etag);
        Assert.Equal(new Etag(etag.Value + 1), await database.PutAsync("users/2", TestCommands.Json("Users", 2)));
    }

    [Fact]
    public async Task Delete_Hard_FreesTheNameAndTheFiles()
    {
        RecordWriteResult first = await _store.PutRecordAsync("shop", Json, null, default);
        DocumentDatabase closed = _store.Find("shop").Database!;
        await closed.PutAsync("users/1", TestCommands.Json("Users", 1));
        Assert.Equal(RecordWriteStatus.Written, (await _store.DeleteAsync("SHOP", true, default)).Status);

        Assert.Equal(DatabaseLookupStatus.Missing, _store.Find("shop").Status);
        Assert.False(_platform.Exists("/data/Databases/shop"));
        Assert.Throws<ObjectDisposedException>(() => closed.BeginRead());
        Assert.Equal(WriteStatus.Closing, (await closed.WriteAsync(TestCommands.Delete("users/1"))).Status);
        Assert.Equal(RecordWriteStatus.Missing, (await _store.DeleteAsync("shop", true, default)).Status);
        RecordWriteResult second = await _store.PutRecordAsync("shop", Json, null, default);
        Assert.NotEqual(first.Record!.DatabaseId, second.Record!.DatabaseId);
        Assert.Null(_store.Find("shop").Database!.Get("users/1"));
    }

    [Fact]
    public async Task Delete_Soft_ALaterCreationFindsTheFilesAndTheirId()
    {
        RecordWriteResult first = await _store.PutRecordAsync("shop", Json, null, default);
        await _store.Find("shop").Database!.PutAsync("users/1", TestCommands.Json("Users", 1));
        await _store.DeleteAsync("shop", false, default);
        Assert.Empty(_store.ListRecords());
        RecordWriteResult second = await _store.PutRecordAsync("Shop", Json, null, default);

        Assert.Equal(first.Record!.DatabaseId, second.Record!.DatabaseId);
        Assert.NotNull(_store.Find("shop").Database!.Get("users/1"));
    }

    [Fact]
    public async Task Delete_CrashAfterTheIntention_IsFinishedAtTheStart()
    {
        await _store.PutRecordAsync("shop", Json, null, default);
        await _store.DisposeAsync();
        using (SystemStorage system = SystemStorage.Open(_platform, "/data/System", new StorageOptions()))
        {
            system.Put(_ => Assert.Single(system.ReadRecords()) with { IsBeingDeleted = true });
        }

        _store = await OpenAsync();
        Assert.Equal(DatabaseLookupStatus.Missing, _store.Find("shop").Status);
        Assert.False(_platform.Exists("/data/Databases/shop"));
    }

    /// <summary>As on a volume of its own, or where the files belong to somebody else: no server started any more.</summary>
    [Fact]
    public async Task Delete_FilesThatCannotBeDeleted_KeepNobodyElseFromServingAndDoNotComeBack()
    {
        var platform = new SimulatedPlatform();
        await using (DatabaseCatalog store = await OpenAsync(platform))
        {
            await store.PutRecordAsync("shop", Json, null, default);
            await store.PutRecordAsync("other", Json, null, default);
            await store.Find("shop").Database!.PutAsync("users/1", TestCommands.Json("Users", 1));
            RefuseDeletionOfShop(platform);
            await Assert.ThrowsAsync<PalException>(() => store.DeleteAsync("shop", true, default).AsTask());
        }

        await using DatabaseCatalog again = await OpenAsync(platform);

        Assert.Equal(DatabaseLookupStatus.Open, (await again.FindOpenAsync("other", TimeSpan.FromMinutes(1), default)).Status);
        Assert.Equal(DatabaseLookupStatus.Missing, again.Find("shop").Status);
        await Assert.ThrowsAsync<PalException>(() => again.PutRecordAsync("Shop", Json, null, default).AsTask());
        platform.ClearFaults();
        await again.PutRecordAsync("Shop", Json, null, default);
        Assert.Null(again.Find("shop").Database!.Get("users/1"));
    }

    [Fact]
    public async Task Delete_AgainAfterFilesThatCouldNotGo_FinishesIt()
    {
        var platform = new SimulatedPlatform();
        await using DatabaseCatalog store = await OpenAsync(platform);
        await store.PutRecordAsync("shop", Json, null, default);
        RefuseDeletionOfShop(platform);
        await Assert.ThrowsAsync<PalException>(() => store.DeleteAsync("shop", true, default).AsTask());
        await Assert.ThrowsAsync<PalException>(() => store.DeleteAsync("Shop", true, default).AsTask());
        Assert.Equal(RecordWriteStatus.Missing, (await store.DeleteAsync("shop", false, default)).Status);
        platform.ClearFaults();

        Assert.Equal(RecordWriteStatus.Written, (await store.DeleteAsync("Shop", true, default)).Status);

        Assert.False(platform.Exists("/data/Databases/shop"));
        Assert.Equal(RecordWriteStatus.Missing, (await store.DeleteAsync("shop", true, default)).Status);
    }

    [Fact]
    public async Task Disable_OnADiskThatFailsTheLastFlush_SaysSoAndLosesNothing()
    {
        var platform = new SimulatedPlatform();
        var log = new LogLines();
        await using DatabaseCatalog store = await OpenAsync(platform, logger: log);
        await store.PutRecordAsync("shop", Json, null, default);
        await store.Find("shop").Database!.PutAsync("users/1", TestCommands.Json("Users", 1));
        SimulatedFault fault = platform.Inject(new SimulatedFault
        {
            Effect = FaultEffect.IoError,
            Kind = PalOperationKind.WritePages,
            PathContains = "Databases/shop",
        });

        Assert.Equal(RecordWriteStatus.Written, (await store.SetDisabledAsync("shop", true, default)).Status);
        Assert.Equal(1, fault.Fired);
        Assert.Contains(log.Lines, line => line.StartsWith("Warning: Database shop was closed without its last flush", StringComparison.Ordinal));

        await store.SetDisabledAsync("shop", false, default);
        Assert.NotNull(store.Find("shop").Database!.Get("users/1"));
    }

    /// <summary>As on a disk that does not answer for a minute. The files have one owner at any time.</summary>
    [Fact]
    public async Task Disable_WhileAReaderDoesNotEnd_FailsAndIsOverWhenItEnds()
    {
        var time = new ManualTime();
        await using DatabaseCatalog store = await OpenAsync(new MemoryPlatform(), new StorageOptions { Time = time });
        await store.PutRecordAsync("slow", Json, null, default);
        await store.Find("slow").Database!.PutAsync("users/1", TestCommands.Json("Users", 1));
        using (DocumentReadScope reader = store.Find("slow").Database!.BeginRead())
        {
            await AssertTimesOutAsync(time, store.SetDisabledAsync("slow", true, default).AsTask());
            Assert.Equal(DatabaseLookupStatus.Disabled, store.Find("slow").Status);
            await AdvanceUntilDoneAsync(time, store.SetDisabledAsync("slow", false, default).AsTask());
            Assert.Equal(DatabaseLookupStatus.Idle, store.Find("slow").Status);
            Assert.Contains("a request still reads", store.Find("slow").Reason, StringComparison.Ordinal);
            Assert.True(reader.TryGet("users/1"u8, out _));
        }

        time.Advance(TimeSpan.FromSeconds(2));
        DatabaseLookup lookup = await store.FindOpenAsync("slow", TimeSpan.FromMinutes(1), default);

        Assert.Equal(DatabaseLookupStatus.Open, lookup.Status);
        Assert.NotNull(lookup.Database!.Get("users/1"));
    }

    /// <summary>The clock stands still: whoever waits for the one that cannot close waits for ever.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Changes_OfOthersWhileOneCannotClose_EndAtOnce(bool isDeletion)
    {
        var patience = TimeSpan.FromSeconds(30);
        var time = new ManualTime();
        await using DatabaseCatalog store = await OpenAsync(new MemoryPlatform(), new StorageOptions { Time = time });
        await store.PutRecordAsync("slow", Json, null, default);
        await store.PutRecordAsync("gone", Json, null, default);
        await store.PutRecordAsync("off", Json, null, default);
        await store.SetDisabledAsync("off", true, default);
        Task slow;
        Task<RecordWriteResult> again;
        using (store.Find("slow").Database!.BeginRead())
        {
            slow = isDeletion ? store.DeleteAsync("slow", true, default).AsTask() : store.SetDisabledAsync("slow", true, default).AsTask();
            again = store.PutRecordAsync("SLOW", Json, null, default).AsTask();

            await store.PutRecordAsync("new", Json, null, default).AsTask().WaitAsync(patience);
            await store.DeleteAsync("gone", true, default).AsTask().WaitAsync(patience);
            await store.SetDisabledAsync("off", false, default).AsTask().WaitAsync(patience);
            await store.PutClientConfigurationAsync(null, Json, false, default).AsTask().WaitAsync(patience);
            Assert.Equal(
                (DatabaseLookupStatus.Open, DatabaseLookupStatus.Missing, DatabaseLookupStatus.Open),
                (store.Find("new").Status, store.Find("gone").Status, store.Find("off").Status));
            Assert.False(slow.IsCompleted);
            Assert.False(again.IsCompleted, "A change of the same database does not wait.");
        }

        await slow.WaitAsync(patience);
        RecordWriteStatus expected = isDeletion ? RecordWriteStatus.Written : RecordWriteStatus.AlreadyExists;
        Assert.Equal(expected, (await again.WaitAsync(patience)).Status);
    }

    [Fact]
    public async Task Delete_WhileAReaderDoesNotEnd_DeletesNothingUntilItEnds()
    {
        var time = new ManualTime();
        var platform = new MemoryPlatform();
        await using DatabaseCatalog store = await OpenAsync(platform, new StorageOptions { Time = time });
        await store.PutRecordAsync("slow", Json, null, default);
        using (store.Find("slow").Database!.BeginRead())
        {
            await AssertTimesOutAsync(time, store.DeleteAsync("slow", true, default).AsTask());
            await AssertTimesOutAsync(time, store.DeleteAsync("slow", true, default).AsTask());
            Assert.Equal(DatabaseLookupStatus.Idle, store.Find("slow").Status);
            Assert.True(platform.Exists("/data/Databases/slow/headers"));
        }

        Assert.Equal(DatabaseLookupStatus.Open, (await store.FindOpenAsync("slow", TimeSpan.FromMinutes(1), default)).Status);
        Assert.Equal(RecordWriteStatus.Written, (await store.DeleteAsync("slow", true, default)).Status);
        Assert.False(platform.Exists("/data/Databases/slow"));
        Assert.Equal(DatabaseLookupStatus.Missing, store.Find("slow").Status);
    }

    /// <summary>A retry found no folder and removed the record: a power cut brought the folder back, and a creation found the old documents.</summary>
    [Fact]
    public async Task Delete_AgainAfterTheFolderCouldNotBeSynced_IsDurable()
    {
        var platform = new SimulatedPlatform();
        await using DatabaseCatalog store = await OpenAsync(platform);
        await store.PutRecordAsync("shop", Json, null, default);
        await store.Find("shop").Database!.PutAsync("users/1", TestCommands.Json("Users", 1));
        SimulatedFault fault = platform.Inject(new SimulatedFault
        {
            Effect = FaultEffect.IoError,
            Kind = PalOperationKind.SyncDirectory,
            Where = operation => operation.Path.EndsWith("/Databases", StringComparison.Ordinal),
        });
        await Assert.ThrowsAsync<PalException>(() => store.DeleteAsync("shop", true, default).AsTask());
        Assert.Equal(1, fault.Fired);
        Assert.Equal(RecordWriteStatus.Written, (await store.DeleteAsync("shop", true, default)).Status);

        for (int seed = 1; seed <= 8; seed++)
        {
            Assert.False(platform.Crash(seed).Exists("/data/Databases/shop"), $"The folder is back after crash {seed}.");
        }
    }

    /// <summary>It stops while a reader holds its closing up: who opens it again must see that nobody wants it.</summary>
    [Fact]
    public async Task Disable_OfOneThatStopsMeanwhileWithAReader_StaysDisabled()
    {
        var time = new ManualTime();
        await using DatabaseCatalog store = await OpenAsync(new MemoryPlatform(), new StorageOptions { Time = time });
        await store.PutRecordAsync("slow", Json, null, default);
        DocumentDatabase database = store.Find("slow").Database!;
        using (database.BeginRead())
        {
            Task disabled = store.SetDisabledAsync("slow", true, default).AsTask();
            (database).Environment.Health.Fail(new IOException("as a write that fails"));
            Assert.Throws<StoragePoisonedException>(() => database.BeginRead());
            await AssertTimesOutAsync(time, disabled);
        }

        DatabaseLookup lookup = await store.FindOpenAsync("slow", TimeSpan.FromMinutes(1), default); // waits for who would open it
        Assert.Equal(DatabaseLookupStatus.Disabled, lookup.Status);
    }

    /// <summary>Deletions come when the disk is full: one that cannot be noted leaves the database in use.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Delete_ThatFindsNoRoomToBeNoted_LeavesTheDatabaseOpen(bool hard)
    {
        var platform = new SimulatedPlatform();
        await using DatabaseCatalog store = await OpenAsync(platform);
        await store.PutRecordAsync("shop", Json, null, default);
        await FillSystemJournalAsync(store, platform);

        await Assert.ThrowsAsync<DiskFullException>(() => store.DeleteAsync("shop", hard, default).AsTask());

        Assert.Equal(DatabaseLookupStatus.Open, store.Find("shop").Status);
        await store.Find("shop").Database!.PutAsync("users/1", TestCommands.Json("Users", 1));
        platform.ClearFaults();
        Assert.Equal(RecordWriteStatus.Written, (await store.DeleteAsync("shop", hard, default)).Status);
    }

    /// <summary>A write that failed may be on the disk: the next start then deletes what is acknowledged until then.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Delete_ThatMayBeNoted_LosesNothingThatIsAcknowledgedLater(bool hard)
    {
        var platform = new SimulatedPlatform();
        DatabaseLookup afterwards;
        await using (DatabaseCatalog store = await OpenAsync(platform))
        {
            await store.PutRecordAsync("shop", Json, null, default);
            platform.Inject(new SimulatedFault
            {
                Effect = FaultEffect.WriteFailsKeepingCache,
                Kind = PalOperationKind.WriteJournal,
                PathContains = "/System/",
                Where = _ => Thread.CurrentThread.Name != "committer", // which may write a footer of the creation first
            });
            await Assert.ThrowsAsync<StoragePoisonedException>(() => store.DeleteAsync("shop", hard, default).AsTask());
            await Assert.ThrowsAsync<StoragePoisonedException>(() => store.DeleteAsync("shop", hard, default).AsTask());
            afterwards = await store.FindOpenAsync("shop", TimeSpan.FromMinutes(1), default);
            await (afterwards.Database?.PutAsync("users/1", TestCommands.Json("Users", 1)) ?? Task.CompletedTask);
        }

        await using DatabaseCatalog again = await OpenAsync(platform);
        Assert.Equal(DatabaseLookupStatus.Missing, again.Find("shop").Status);
        await again.PutRecordAsync("shop", Json, null, default);
        Assert.Equal(afterwards.Database is not null, again.Find("shop").Database!.Get("users/1") is not null);
        Assert.Equal(hard ? DatabaseLookupStatus.Faulted : DatabaseLookupStatus.Open, afterwards.Status);
        Assert.Equal(hard, afterwards.Reason?.Contains("restart the server", StringComparison.Ordinal) ?? false);
    }

    [Fact]
    public async Task Disable_ThenEnable_KeepsTheDocuments()
    {
        await _store.PutRecordAsync("shop", Json, null, default);
        await _store.Find("shop").Database!.PutAsync("users/1", TestCommands.Json("Users", 1));
        await _store.SetDisabledAsync("shop", true, default);
        Assert.Equal(DatabaseLookupStatus.Disabled, _store.Find("shop").Status);
        Assert.True(_store.GetRecord("shop")!.IsDisabled);
        await _store.SetDisabledAsync("shop", false, default);

        Assert.NotNull(_store.Find("shop").Database!.Get("users/1"));
    }

    [Fact]
    public async Task Start_OneDamagedDatabase_IsFaultedAndTheOthersServe()
    {
        await _store.PutRecordAsync("good", Json, null, default);
        await _store.PutRecordAsync("bad", Json, null, default);
        await _store.DisposeAsync();
        _platform.Delete("/data/Databases/bad/data");
        _store = await OpenAsync();

        DatabaseLookup bad = await FindOpenAsync("bad");
        Assert.Equal(DatabaseLookupStatus.Faulted, bad.Status);
        Assert.Contains("missing", bad.Reason, StringComparison.Ordinal);
        Assert.Equal(DatabaseLookupStatus.Open, (await FindOpenAsync("good")).Status);
    }

    [Fact]
    public async Task Start_DatabaseClosedInOrder_IsOpenedByItsFirstUse()
    {
        await _store.PutRecordAsync("shop", Json, null, default);
        await _store.PutRecordAsync("off", Json, null, default);
        await _store.SetDisabledAsync("off", true, default);
        await _store.DisposeAsync();
        _store = await OpenAsync();

        Assert.Equal(DatabaseLookupStatus.Idle, _store.Find("shop").Status);
        DatabaseLookup[] lookups = await Task.WhenAll(Enumerable.Range(0, 8).Select(_ => FindOpenAsync("shop").AsTask()));
        Assert.All(lookups, lookup => Assert.Same(lookups[0].Database, lookup.Database));
        Assert.Equal(DatabaseLookupStatus.Open, lookups[0].Status);
        Assert.Equal(DatabaseLookupStatus.Disabled, (await FindOpenAsync("off")).Status);
        Assert.Equal(DatabaseLookupStatus.Missing, (await FindOpenAsync("none")).Status);
    }

    /// <summary>As by `jackdaw verify`: it was out of use until somebody disabled and enabled it.</summary>
    [Fact]
    public async Task Use_WhileItsFilesAreInUseElsewhere_IsTriedAgain()
    {
        await _store.PutRecordAsync("shop", Json, null, default);
        await _store.DisposeAsync();
        _store = await OpenAsync(_platform, new StorageOptions { Time = new LeapingTime() });
        using (_platform.Lock("/data/Databases/shop/lock", "somebody else"))
        {
            DatabaseLookup inUse = await FindOpenAsync("shop");

            Assert.Equal((DatabaseLookupStatus.Idle, true), (inUse.Status, inUse.IsUnusable));
            Assert.Contains("somebody else", inUse.Reason, StringComparison.Ordinal);
        }

        Assert.Equal(DatabaseLookupStatus.Open, (await FindOpenAsync("shop")).Status);
    }

    [Fact]
    public async Task Start_DatabaseThatWasNotClosed_IsRecoveredAtOnce()
    {
        var platform = new SimulatedPlatform();
        await using DatabaseCatalog store = await OpenAsync(platform);
        await store.PutRecordAsync("shop", Json, null, default);
        await store.Find("shop").Database!.PutAsync("users/1", TestCommands.Json("Users", 1));
        await using DatabaseCatalog again = await OpenAsync(platform.Crash(1));

        Assert.NotNull(again.Find("shop").Database!.Get("users/1"));
    }

    [Fact]
    public async Task Dispose_Twice_IsOneClosingThatBothWaitFor()
    {
        await _store.PutRecordAsync("shop", Json, null, default);
        Task[] both = [_store.DisposeAsync().AsTask(), _store.DisposeAsync().AsTask()];

        await Task.WhenAll(both).WaitAsync(TimeSpan.FromSeconds(30));
        await using DatabaseCatalog again = await OpenAsync();
        Assert.NotNull(again.GetRecord("shop"));
    }

    private ValueTask<DatabaseLookup> FindOpenAsync(string name) => _store.FindOpenAsync(name, TimeSpan.FromMinutes(1), default);

    private Task<DatabaseCatalog> OpenAsync() => OpenAsync(_platform);

    private static Task AssertTimesOutAsync(ManualTime time, Task task) =>
        Assert.ThrowsAsync<TimeoutException>(() => AdvanceUntilDoneAsync(time, task));

    private static async Task AdvanceUntilDoneAsync(ManualTime time, Task task)
    {
        await time.AdvanceUntilAsync(TimeSpan.FromSeconds(10), () => Task.FromResult(task.IsCompleted), "It waits for ever.");
        await task;
    }

    // Until the next journal is needed, which finds no room.
    private static async Task FillSystemJournalAsync(DatabaseCatalog store, SimulatedPlatform platform)
    {
        platform.Inject(new SimulatedFault
        {
            Effect = FaultEffect.NoSpace,
            PathContains = "/System/",
            Where = operation => operation.Kind is PalOperationKind.Allocate or PalOperationKind.ZeroFill or PalOperationKind.SetLength,
            Repeats = true,
        });
        foreach (int bytes in new[] { 64 * 1024, 0 })
        {
            byte[] configuration = bytes == 0 ? [] : System.Text.Encoding.ASCII.GetBytes($"{{{new string(' ', bytes)}}}");
            await Assert.ThrowsAsync<DiskFullException>(async () =>
            {
                for (int i = 0; i < 100_000; i++)
                {
                    await store.PutClientConfigurationAsync(null, configuration, false, default);
                }
            });
        }
    }

    private static void RefuseDeletionOfShop(SimulatedPlatform platform) => platform.Inject(new SimulatedFault
    {
        Effect = FaultEffect.IoError,
        Kind = PalOperationKind.DeleteDirectory,
        PathContains = "Databases/shop",
        Repeats = true,
    });

    private static Task<DatabaseCatalog> OpenAsync(IPlatform platform, StorageOptions? options = null, ILogger? logger = null) =>
        DatabaseCatalog.OpenAsync(
            platform, "/data", options ?? new StorageOptions(), new Progress<RecoveryProgress>(), logger ?? NullLogger.Instance, default);

    /// <summary>A log that a test reads.</summary>
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
