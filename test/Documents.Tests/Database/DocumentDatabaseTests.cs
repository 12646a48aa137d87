using System.Text;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Pal;
using Jackdaw.Pal.InMemory;
using Jackdaw.Pal.Simulation;
using Jackdaw.Storage;

namespace Jackdaw.Documents.Tests.Database;

/// <summary>What only the store on the engine has: tombstones, rollbacks, failing disks, power cuts.</summary>
public sealed class DocumentDatabaseTests
{
    [Fact]
    public async Task Put_OtherCollection_LeavesATombstoneOnlyWhereTheDocumentIsGone()
    {
        await using DocumentDatabase database = Open(new MemoryPlatform());
        await database.PutAsync("x/1", TestCommands.Json("A", 1));
        Etag inB = await database.PutAsync("x/1", TestCommands.Json("B", 2));
        Assert.Equal(new Etag(3), inB);
        Assert.Equal(["A 2"], Tombstones(database));
        await database.PutAsync("x/1", TestCommands.Json("a", 3));

        Assert.Equal(["B 4"], Tombstones(database));
        using DocumentReadScope read = database.BeginRead();
        Assert.Equal(["a"], read.OpenByEtag("A"u8, EtagOrder.Ascending, default).ToList().Select(document => document.Collection));
        Assert.Equal("A", Assert.Single(read.GetCollections()).Name);
    }

    [Fact]
    public async Task Put_IdentityWhoseNumbersAreTaken_TakesTheFirstBehindThem()
    {
        await using DocumentDatabase database = Open(new MemoryPlatform());
        await database.WriteAsync([.. Enumerable.Range(1, 137).Select(i => TestCommands.Put($"users/{i}", TestCommands.Json("Users", i)))]);
        Written result = await database.WriteAsync(TestCommands.Put("users|", TestCommands.Json("Users", 0)));

        Assert.Equal("users/138", Assert.Single(result.Results!).Id);
        Assert.Equal(139, (await database.NextIdentityAsync("users|", default)).Value);
    }

    /// <summary>The steps of the search end at the largest number, also when that leaves less than a step.</summary>
    [Fact]
    public async Task Put_IdentityWhoseLastNumbersAreTaken_TakesTheLastFreeOneOrNone()
    {
        await using DocumentDatabase database = Open(new MemoryPlatform());
        await database.SeedIdentityAsync("users|", long.MaxValue - 5, false, default);
        await database.WriteAsync(
            TestCommands.Put($"users/{long.MaxValue - 4}", TestCommands.Json("Users", 1)),
            TestCommands.Put($"users/{long.MaxValue - 2}", TestCommands.Json("Users", 2)));
        Written last = await database.WriteAsync(TestCommands.Put("users|", TestCommands.Json("Users", 3)));
        await database.SeedIdentityAsync("users|", long.MaxValue - 1, true, default);
        await database.PutAsync($"users/{long.MaxValue}", TestCommands.Json("Users", 4));
        Written none = await database.WriteAsync(TestCommands.Put("users|", TestCommands.Json("Users", 5)));

        Assert.Equal($"users/{long.MaxValue - 1}", Assert.Single(last.Results!).Id);
        Assert.Equal(WriteStatus.NumbersExhausted, none.Status);
    }

    [Fact]
    public async Task Batch_ConflictAfterItWrote_IsRolledBackAndTheOthersAreNot()
    {
        await using DocumentDatabase database = Open(new MemoryPlatform());
        Task<Written>[] writes = [.. Enumerable.Range(0, 60).Select(i => i % 6 == 5
            ? database.WriteAsync(
                TestCommands.Put("users|", TestCommands.Json("Users", i)),
                TestCommands.Put("orders/", TestCommands.Json("Orders", i), TestCommands.Exactly(new Etag(7))))
            : database.WriteAsync(TestCommands.Put($"x/{i}", TestCommands.Json("X", i))))];
        Written[] results = await Task.WhenAll(writes);

        Assert.All(results.Where((_, i) => i % 6 == 5), result => Assert.Equal((WriteStatus.Conflict, 1), (result.Status, result.FailedCommand)));
        Written[] applied = [.. results.Where(result => result.Status == WriteStatus.Applied)];
        Assert.Equal(Enumerable.Range(1, 50).Select(i => (long)i), applied.Select(result => result.Results![0].Etag.Value).Order());
        using DocumentReadScope read = database.BeginRead();
        Assert.Equal(new DocumentCounts(50, 0, 0), read.Counts);
        Assert.Equal(new Etag(50), read.LastEtag);
    }

    /// <summary>What the batch itself wrote is rolled back: no answer may name it.</summary>
    [Fact]
    public async Task Batch_ConflictWithWhatItWrote_NamesTheStoredVersion()
    {
        await using DocumentDatabase database = Open(new MemoryPlatform());
        Etag stored = await database.PutAsync("users/1", TestCommands.Json("Users", 1));
        Written numbered = await database.WriteAsync(
            TestCommands.Put("orders/", TestCommands.Json("Users", 2)),
            TestCommands.Put("Orders/0000000000000000002-A", TestCommands.Json("Users", 3), ExpectedVersion.Missing));
        Written identity = await database.WriteAsync(
            TestCommands.Put("users|", TestCommands.Json("Users", 2)),
            TestCommands.Put("users/2", TestCommands.Json("Users", 3), ExpectedVersion.Missing));

        Assert.All([numbered, identity], result => Assert.Equal((WriteStatus.Conflict, 1, Etag.None, true), Conflict(result)));
        using DocumentReadScope read = database.BeginRead();
        Assert.Equal((new DocumentCounts(1, 0, 0), stored), (read.Counts, read.LastEtag));

        static (WriteStatus, int, Etag, bool) Conflict(Written result) =>
            (result.Status, result.FailedCommand, result.ActualEtag, result.IsChangedEarlier);
    }

    [Theory]
    [InlineData("\"many\"")]
    [InlineData("32.0")]
    [InlineData("1e2")]
    [InlineData("9223372036854775808")]
    [InlineData("null")]
    [InlineData("[5]")]
    public async Task HiLo_AnotherDocumentInItsPlace_IsRefusedInsteadOfGuessed(string max)
    {
        await using DocumentDatabase database = Open(new MemoryPlatform());
        string stored = $$$"""{"Max":{{{max}}},"@metadata":{"@collection":"@hilo"}}""";
        await database.PutAsync("Raven/Hilo/users", stored);

        HiLoRange range = await database.NextHiLoAsync(new HiLoRequest("users", 32, 0), default);
        Assert.Equal(WriteStatus.HiLoUnreadable, range.Status);
        Assert.Equal(WriteStatus.HiLoUnreadable, await database.ReturnHiLoAsync("users", 32, 5, default));
        Assert.Equal(stored, database.Get("Raven/Hilo/users")!.Body);
    }

    [Fact]
    public async Task HiLo_NamesThatCannotBe_AreRefused()
    {
        await using DocumentDatabase database = Open(new MemoryPlatform());
        await Assert.ThrowsAsync<ArgumentException>(
            async () => await database.NextHiLoAsync(new HiLoRequest(new string('x', 600), 32, 0), default));
        await Assert.ThrowsAsync<ArgumentException>(async () => await database.NextIdentityAsync("users", default));
    }

    [Theory]
    [InlineData("""{"Max":7,"@metadata":{}}""", "@empty")]
    [InlineData("""{"Max":7,"@metadata":{"@collection":"@hilo","Raven-Node-Type":"HiLo"}}""", "@hilo")]
    [InlineData("""{"o":{"Max":1},"\u004dax":7,"note":[{"Max":2}],"@metadata":{"@collection":"Mine","Max":3,"x":null}}""", "Mine")]
    public async Task HiLo_RaisingMax_KeepsEverythingElseOfTheDocument(string stored, string collection)
    {
        await using DocumentDatabase database = Open(new MemoryPlatform());
        await database.PutAsync("Raven/Hilo/Users", stored);

        HiLoRange range = await database.NextHiLoAsync(new HiLoRequest("users", 1000, 0), default);
        Assert.Equal((8, 1007), (range.Low, range.High));
        Assert.Equal(stored.Replace(":7", ":1007", StringComparison.Ordinal), database.Get("raven/hilo/users")!.Body);

        await database.ReturnHiLoAsync("users", 1007, 9, default);
        Assert.Equal(stored.Replace(":7", ":9", StringComparison.Ordinal), database.Get("Raven/Hilo/users")!.Body);
        Assert.Equal("Raven/Hilo/Users", database.Get("Raven/Hilo/users")!.Id);
        Assert.Equal(collection, database.Get("Raven/Hilo/users")!.Collection);
        using DocumentReadScope read = database.BeginRead();
        Assert.True(read.TryGet(TestCommands.Key("Raven/Hilo/users"), out StoredDocument document));
        Assert.Equal(stored.LastIndexOf("\"@metadata\":", StringComparison.Ordinal) + 12, document.MetadataOffset);
    }

    [Fact]
    public async Task HiLo_InADeepDocument_IsFound()
    {
        await using DocumentDatabase database = Open(new MemoryPlatform());
        string deep = new string('[', 200) + new string(']', 200);
        await database.PutAsync("Raven/Hilo/users", $$$"""{"deep":{{{deep}}},"Max":7,"@metadata":{}}""");

        Assert.Equal(8, (await database.NextHiLoAsync(new HiLoRequest("users", 32, 0), default)).Low);
    }

    [Fact]
    public async Task TryGet_SteadyState_AllocatesNothing()
    {
        await using DocumentDatabase database = Open(new MemoryPlatform());
        await database.WriteAsync([.. Enumerable.Range(1, 500).Select(i => TestCommands.Put($"users/{i}", TestCommands.Json("Users", i)))]);
        byte[] key = TestCommands.Key("users/250");
        long allocated = 0;
        for (int round = 0; round < 3; round++)
        {
            allocated = GC.GetAllocatedBytesForCurrentThread();
            for (int i = 0; i < 100; i++)
            {
                using DocumentReadScope read = database.BeginRead();
                Assert.True(read.TryGet(key, out StoredDocument document) && document.Body.Length > 0);
            }

            allocated = GC.GetAllocatedBytesForCurrentThread() - allocated;
        }

        Assert.Equal(0, allocated);
    }

    [Fact]
    public async Task Write_DiskFull_IsAnOutcomeAndReadsGoOn()
    {
        var platform = new SimulatedPlatform();
        await using DocumentDatabase database = Open(platform);
        await database.PutAsync("users/1", TestCommands.Json("Users", 1));
        platform.CapacityBytes = platform.UsedBytes;
        string large = $$"""{"T":"{{new string('t', 3_000_000)}}"}""";
        WriteStatus status = WriteStatus.Applied;
        for (int i = 0; i < 100 && status == WriteStatus.Applied; i++)
        {
            status = (await database.WriteAsync(TestCommands.Put($"large/{i}", large))).Status;
        }

        Assert.Equal(WriteStatus.DiskFull, status);
        Assert.NotNull(database.Get("users/1"));
        platform.CapacityBytes = 1L << 40;
        Assert.Equal(WriteStatus.Applied, (await database.WriteAsync(TestCommands.Put("large/x", large))).Status);
        using DocumentReadScope read = database.BeginRead();
        Assert.Equal(read.Counts.Documents, read.OpenByEtag(default, EtagOrder.Ascending, default).ToList().Count);
    }

    [Theory]
    [InlineData(11)]
    [InlineData(12)]
    [InlineData(13)]
    public async Task PowerCut_AnyMoment_KeepsWhatWasAcknowledged(int seed)
    {
        var platform = new SimulatedPlatform(seed);
        var acknowledged = new System.Collections.Concurrent.ConcurrentDictionary<string, long>();
        SimulatedPlatform? after = null;
        Dictionary<string, long> known = [];
        await using (DocumentDatabase database = Open(platform))
        {
            await Task.WhenAll(Enumerable.Range(0, 8).Select(writer => Task.Run(async () =>
            {
                for (int i = 0; i < 30; i++)
                {
                    string id = $"w{writer}/{i}";
                    acknowledged[id] = (await database.PutAsync(id, TestCommands.Json("Things", i))).Value;
                    if (writer == 0 && i == 20)
                    {
                        known = new Dictionary<string, long>(acknowledged);
                        after = platform.Crash(seed);
                    }
                }
            })));
        }

        await using DocumentDatabase reopened = Open(after!);
        Assert.All(known, entry => Assert.Equal(entry.Value, reopened.Get(entry.Key)!.Etag.Value));
        using DocumentReadScope read = reopened.BeginRead();
        List<DocumentCopy> all = read.OpenByEtag(default, EtagOrder.Ascending, default).ToList();
        Assert.Equal(Enumerable.Range(1, all.Count).Select(i => (long)i), all.Select(document => document.Etag.Value));
        Assert.Equal(new Etag(all.Count), read.LastEtag);
    }

    [Fact]
    public async Task Close_WhileRequestsRun_WaitsForThem()
    {
        DocumentDatabase database = Open(new MemoryPlatform());
        await database.PutAsync("users/1", TestCommands.Json("Users", 1));
        DocumentReadScope read = database.BeginRead();
        Task closing = database.DisposeAsync().AsTask();
        Task<WriteStatus>[] writes = [.. Enumerable.Range(0, 20).Select(async i =>
            (await database.WriteAsync(TestCommands.Put($"x/{i}", TestCommands.Json("X", i)))).Status)];
        Assert.All(await Task.WhenAll(writes), status => Assert.True(status is WriteStatus.Applied or WriteStatus.Closing));
        Assert.False(closing.IsCompleted);
        Assert.NotNull(read.Get("users/1"));
        read.Dispose();
        await closing;

        Assert.Throws<ObjectDisposedException>(() => database.BeginRead());
        Assert.Equal(WriteStatus.Closing, (await database.NextIdentityAsync("x|", default)).Status);
    }

    [Fact]
    public async Task Write_RefusedForAConflictDuringTheClosing_IsAConflict()
    {
        using var held = new ManualResetEventSlim();
        using var release = new ManualResetEventSlim();
        var time = new HeldTime();
        DocumentDatabase database = DocumentDatabase.Open(new MemoryPlatform(), "/db", "db", DocumentDatabase.MakeDatabaseId(), new DatabaseSettings(),
            new StorageOptions { Time = time });
        time.BeforeLook = () =>
        {
            held.Set();
            release.Wait();
        };

        // The identity is raised before the version of its document can be looked at: such a batch is rolled back.
        // A lone write may run on the thread of its caller.
        Task<Written> refused = Task.Run(() => database.WriteAsync(TestCommands.Put("users|", "{}", TestCommands.Exactly(new Etag(77)))));
        held.Wait();
        time.BeforeLook = null;

        Task closing = database.DisposeAsync().AsTask();
        while (CanBeRead(database))
        {
            await Task.Yield();
        }

        release.Set();
        await closing;
        Assert.Equal((WriteStatus.Conflict, Etag.None), ((await refused).Status, (await refused).ActualEtag));
    }

    [Fact]
    public void CollectionKey_LongestNameOfGrowingLetters_Fits()
    {
        // U+023A has 2 bytes, its lower case 3.
        byte[] name = Encoding.UTF8.GetBytes(new string('\u023A', 256));
        Span<byte> key = stackalloc byte[DocumentRowBuilding.CollectionKeyBytesMax];

        Assert.Equal(768, DocumentRowBuilding.MakeCollectionKey(name, key));
    }

    private static bool CanBeRead(DocumentDatabase database)
    {
        try
        {
            database.BeginRead().Dispose();
            return true;
        }
        catch (ObjectDisposedException)
        {
            return false;
        }
    }

    private static DocumentDatabase Open(IPlatform platform) => DocumentDatabase.Open(
        platform, "/db", "db", DocumentDatabase.MakeDatabaseId(), new DatabaseSettings(), new StorageOptions());

    private static List<string> Tombstones(DocumentDatabase database)
    {
        using DocumentReadScope read = database.BeginRead();
        TombstoneCursor cursor = read.OpenTombstones(default, Etag.None);
        var texts = new List<string>();
        while (cursor.MoveNext())
        {
            texts.Add($"{Encoding.UTF8.GetString(cursor.Current.Collection)} {cursor.Current.Etag.Value}");
        }

        return texts;
    }

    /// <summary>A clock at which the writer's thread can be held, when it asks for the time of a transaction.</summary>
    private sealed class HeldTime : TimeProvider
    {
        public Action? BeforeLook { get; set; }

        public override DateTimeOffset GetUtcNow()
        {
            BeforeLook?.Invoke();
            return base.GetUtcNow();
        }
    }
}
