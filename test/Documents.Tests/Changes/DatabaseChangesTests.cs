using System.Collections.Concurrent;
using System.Text;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Pal;
using Jackdaw.Pal.InMemory;
using Jackdaw.Pal.Simulation;
using Jackdaw.Storage;

namespace Jackdaw.Documents.Tests.Changes;

/// <summary>The feed of a database: what writes tell, in which order, beside consumers of all kinds.</summary>
public sealed class DatabaseChangesTests
{
    private static readonly string[] s_collections = ["Users", "Orders", "@empty", "Straße"];

    [Fact]
    public async Task Writes_OfEveryKind_AreToldWhenTheyAreAnswered()
    {
        await using DocumentDatabase database = Open(new MemoryPlatform());
        using ChangeSubscription consumer = database.Changes.Subscribe();
        await database.WriteAsync(
            TestCommands.Put("Users/1", TestCommands.Json("Users", 1)),
            TestCommands.Put("users/2", TestCommands.Json("Users", 2)),
            TestCommands.Check("users/2", ExpectedVersion.Any));
        Assert.Equal("DocumentPut Users/1 Users 1; DocumentPut users/2 Users 2", Read(consumer));
        await database.WriteAsync(TestCommands.Put("USERS/1", TestCommands.Json("Orders", 1)));
        Assert.Equal("DocumentMove Users/1 Users 3; DocumentPut Users/1 Orders 4", Read(consumer));
        await database.WriteAsync(TestCommands.Put("users/2", TestCommands.Json("users", 3)), TestCommands.DeletePrefix("users/"));
        Assert.Equal("DocumentPut users/2 users 5; DocumentDelete Users/1 Orders 6; DocumentDelete users/2 users 7", Read(consumer));
        await database.NextHiLoAsync(new HiLoRequest("users", 32, 0), default);
        Assert.Equal("DocumentPut Raven/Hilo/users @hilo 8", Read(consumer));
        await database.WriteAsync(TestCommands.Put("users|", TestCommands.Json("Users", 4)), TestCommands.Put("users/", TestCommands.Json("Users", 4)));
        Assert.Equal("DocumentPut users/1 Users 9; DocumentPut users/0000000000000000010-A Users 10", Read(consumer));
    }

    [Fact]
    public async Task Writes_ThatChangeNothing_AreNotTold()
    {
        await using DocumentDatabase database = Open(new MemoryPlatform());
        await database.PutAsync("users/1", TestCommands.Json("Users", 1));
        using ChangeSubscription consumer = database.Changes.Subscribe();
        await database.WriteAsync(TestCommands.Delete("users/7"), TestCommands.Check("users/1", ExpectedVersion.Any));
        await database.WriteAsync(TestCommands.Put("users/1", TestCommands.Json("Users", 2), ExpectedVersion.Missing));
        await database.WriteAsync(
            TestCommands.Put("orders|", TestCommands.Json("Users", 2)), TestCommands.Put("orders/1", TestCommands.Json("Users", 3), ExpectedVersion.Missing));
        await database.NextIdentityAsync("users|", default);

        Assert.False(consumer.TryRead(out _));
        Assert.Equal(new Etag(1), consumer.Start);
    }

    /// <summary>Consumers of all kinds: those that keep up, pause, die with and without leaving, and go on where they stopped. What each was
    /// told and what it read by etag is the database; of those that never stopped, each etag once and in order.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task ConsumersUnderLoad_SomeKilled_EndWithTheDatabase(int seed)
    {
        await using DocumentDatabase database = Open(new MemoryPlatform());
        database.Changes.BytesMax = 20_000;
        using var stop = new CancellationTokenSource();
        var steady = new ConcurrentBag<Follower>();
        Task[] consumers = [.. Enumerable.Range(0, 6).Select(i => Task.Run(() =>
            i < 2 ? FollowAsync(database, steady, i, seed, stop.Token) : DieAndResumeAsync(database, i, seed, stop.Token)))];
        var told = new ConcurrentBag<(DocumentCommand[] Commands, WrittenCommand[] Results)>();
        await Task.WhenAll(Enumerable.Range(0, 5).Select(writer => Task.Run(() => WriteAsync(database, told, (seed * 100) + writer))));
        long last;
        using (DocumentReadScope read = database.BeginRead())
        {
            last = read.LastEtag.Value;
        }

        await stop.CancelAsync();
        await Task.WhenAll(consumers);
        Assert.Equal(2, steady.Count);
        foreach (Follower follower in steady)
        {
            Assert.True(follower.Gaps > 0, $"seed {seed}: it did not fall behind");
            Assert.Equal(last, follower.Position.Value);
            Assert.Equal(follower.Told.Order().Distinct(), follower.Told);
        }
    }

    /// <summary>With room for everything there is no gap: every etag once, in order, with the id and the collection that were answered.</summary>
    [Theory]
    [InlineData(4)]
    [InlineData(5)]
    public async Task Feed_WithRoomForAll_TellsEveryChangeOfTheAnswers(int seed)
    {
        await using DocumentDatabase database = Open(new SimulatedPlatform(seed));
        using ChangeSubscription consumer = database.Changes.Subscribe();
        var told = new ConcurrentBag<(DocumentCommand[] Commands, WrittenCommand[] Results)>();
        await Task.WhenAll(Enumerable.Range(0, 5).Select(writer => Task.Run(() => WriteAsync(database, told, (seed * 100) + writer))));
        Dictionary<long, (ChangeKind Kind, string Id, string Collection)> changes = [];
        long transaction = 0;
        while (consumer.TryRead(out FeedItem item))
        {
            Assert.True(item.Kind == FeedItemKind.Changes && item.TransactionId > transaction, $"seed {seed}: {item.Kind} {item.TransactionId}");
            transaction = item.TransactionId;
            foreach (Change change in item)
            {
                Assert.True(change.Etag.Value == changes.Count + 1, $"seed {seed}: {change.Etag} after {changes.Count}");
                changes.Add(change.Etag.Value,
                    (change.Kind, Encoding.UTF8.GetString(change.Id), Encoding.UTF8.GetString(change.Collection)));
            }
        }

        using DocumentReadScope read = database.BeginRead();
        Assert.Equal(read.LastEtag.Value, changes.Count);
        foreach ((DocumentCommand command, WrittenCommand result) in told.SelectMany(batch => batch.Commands.Zip(batch.Results)))
        {
            if (result.Etag != Etag.None)
            {
                (ChangeKind kind, string id, string collection) = changes[result.Etag.Value];
                bool isPut = command is PutCommand;
                Assert.True(isPut == (kind == ChangeKind.DocumentPut), $"seed {seed}, etag {result.Etag.Value}: {kind}");
                Assert.Equal(isPut ? result.Id : result.Id.ToLowerInvariant(), isPut ? id : id.ToLowerInvariant()[..result.Id.Length]);
                Assert.True(!isPut || collection == Encoding.UTF8.GetString(((PutCommand)command).Document.Collection.Span));
            }
        }

        Assert.All(changes.Where(change => change.Value.Kind == ChangeKind.DocumentMove),
            move => Assert.Equal((ChangeKind.DocumentPut, move.Value.Id), (changes[move.Key + 1].Kind, changes[move.Key + 1].Id)));
    }

    [Fact]
    public async Task Consumer_ThatNeverReads_HoldsNeitherTheWriterNorMemory()
    {
        const int documents = 400;
        await using DocumentDatabase database = Open(new MemoryPlatform());
        database.Changes.BytesMax = 50_000;
        using ChangeSubscription idle = database.Changes.Subscribe();
        string longId = new('x', 200);
        for (int i = 0; i < documents; i++)
        {
            // Answered although nothing is read: more bytes by far than may wait.
            await database.WriteAsync([.. Enumerable.Range(0, 10).Select(j => TestCommands.Put($"{longId}/{i % 50}/{j}", TestCommands.Json("Users", i)))]);
            Assert.InRange(database.Changes.HeldBytes, 0, 50_000 + (2 * ChangeLog.SegmentBytes));
        }

        Assert.True(idle.TryRead(out FeedItem gap));
        Assert.Equal((FeedItemKind.Gap, 0L), (gap.Kind, gap.After.Value));
        var follower = new Follower(database);
        Assert.True(follower.Take(gap));
        Assert.Equal(Follower.Contents(database), follower.Documents);
    }

    [Fact]
    public async Task Consumer_BeforeTheAnswer_FindsTheDocument()
    {
        await using DocumentDatabase database = Open(new MemoryPlatform());
        using ChangeSubscription consumer = database.Changes.Subscribe();
        for (int i = 0; i < 200; i++)
        {
            Task<FeedItem> read = consumer.ReadAsync().AsTask();
            Task<Written> write = database.WriteAsync(TestCommands.Put($"users/{i}", TestCommands.Json("Users", i)));
            await read;
            Assert.NotNull(database.Get($"users/{i}"));
            await write;
        }
    }

    [Fact]
    public async Task Closing_WithConsumers_TellsThemTheReasonAfterTheLastChange()
    {
        DocumentDatabase database = Open(new MemoryPlatform());
        using ChangeSubscription behind = database.Changes.Subscribe();
        await database.PutAsync("users/1", TestCommands.Json("Users", 1));
        using ChangeSubscription waiting = database.Changes.Subscribe();
        ValueTask<FeedItem> read = waiting.ReadAsync();
        await database.CloseAsync(FeedEndReason.DatabaseDeleted);

        Assert.Equal((FeedItemKind.End, FeedEndReason.DatabaseDeleted), End(await read));
        Assert.Equal("DocumentPut users/1 Users 1", Read(behind));
        Assert.Equal((FeedItemKind.End, FeedEndReason.DatabaseDeleted), End(await behind.ReadAsync()));
        Assert.Equal((FeedItemKind.End, FeedEndReason.DatabaseDeleted), End(await database.Changes.Subscribe().ReadAsync()));
    }

    [Fact]
    public async Task Closing_OfAStorageThatStopped_TellsThat()
    {
        var platform = new SimulatedPlatform();
        DocumentDatabase database = Open(platform);
        await database.PutAsync("users/1", TestCommands.Json("Users", 1));
        using ChangeSubscription consumer = database.Changes.Subscribe();
        database.Environment.Abandon();
        await database.DisposeAsync();

        Assert.Equal((FeedItemKind.End, FeedEndReason.StorageFailed), End(await consumer.ReadAsync()));
    }

    private static (FeedItemKind Kind, FeedEndReason Reason) End(in FeedItem item) => (item.Kind, item.Reason);

    private static DocumentDatabase Open(IPlatform platform) => DocumentDatabase.Open(
        platform, "/db", "db", DocumentDatabase.MakeDatabaseId(), new DatabaseSettings(), new StorageOptions());

    private static string Read(ChangeSubscription consumer)
    {
        Assert.True(consumer.TryRead(out FeedItem item));
        List<string> texts = [];
        foreach (Change change in item)
        {
            texts.Add($"{change.Kind} {Encoding.UTF8.GetString(change.Id)} {Encoding.UTF8.GetString(change.Collection)} {change.Etag.Value}");
        }

        return string.Join("; ", texts);
    }

    private static async Task WriteAsync(
        DocumentDatabase database, ConcurrentBag<(DocumentCommand[] Commands, WrittenCommand[] Results)> told, int seed)
    {
        var random = new Random(seed);
        for (int i = 0; i < 300; i++)
        {
            DocumentCommand[] commands = [.. Enumerable.Range(0, random.Next(1, 6)).Select(_ => MakeCommand(random))];
            Written result = await database.WriteAsync(commands);
            if (result.Status == WriteStatus.Applied)
            {
                told.Add((commands, result.Results!));
            }
        }
    }

    private static DocumentCommand MakeCommand(Random random)
    {
        string id = $"users/{random.Next(60)}";
        return random.Next(12) switch
        {
            0 or 1 or 2 => TestCommands.Delete(id),
            3 when random.Next(8) == 0 => TestCommands.DeletePrefix($"users/{random.Next(6)}"),
            4 => TestCommands.Put("users/", TestCommands.Json("Users", 1)),
            5 => TestCommands.Put(id, TestCommands.Json("Users", 1), ExpectedVersion.Missing),
            _ => TestCommands.Put(id, TestCommands.Json(s_collections[random.Next(4)], random.Next())),
        };
    }

    /// <summary>Follows from the beginning to the end, with pauses.</summary>
    private static async Task FollowAsync(
        DocumentDatabase database,
        ConcurrentBag<Follower> steady,
        int index,
        int seed,
        CancellationToken stop)
    {
        var random = new Random((seed * 1000) + index);
        using ChangeSubscription consumer = database.Changes.Subscribe();
        var follower = new Follower(database, index == 0 ? null : "users");
        follower.ReadStorage();
        Etag told = consumer.Start;
        try
        {
            while (true)
            {
                FeedItem item = await consumer.ReadAsync(stop);
                Assert.True(item.After == told, $"seed {seed}, consumer {index}: after {item.After}, told {told}");
                told = item.Last;
                follower.Take(item);
                if (item.After == consumer.Start || random.Next(300) == 0)
                {
                    await PauseAsync(database, item.Last.Value + 1000, stop);
                }
            }
        }
        catch (OperationCanceledException)
        {
            // The writers are done; what they wrote was told before they were answered.
        }

        while (consumer.TryRead(out FeedItem item))
        {
            Assert.True(item.After == told, $"seed {seed}, consumer {index}: after {item.After}, told {told}");
            told = item.Last;
            follower.Take(item);
        }

        Assert.Equal(Follower.Contents(database, index == 0 ? null : "users"), follower.Documents);
        steady.Add(follower);
    }

    /// <summary>Until so much was written that the feed drops what the caller has not read.</summary>
    private static async Task PauseAsync(DocumentDatabase database, long last, CancellationToken stop)
    {
        using ChangeSubscription clock = database.Changes.Subscribe();
        while ((await clock.ReadAsync(stop)).Last.Value < last)
        {
        }
    }

    /// <summary>Lives of some items each: the next one goes on where the one before died, which may not have said that it leaves.</summary>
    private static async Task DieAndResumeAsync(DocumentDatabase database, int index, int seed, CancellationToken stop)
    {
        var random = new Random((seed * 1000) + index);
        string? collection = index % 2 == 0 ? null : "orders";
        var follower = new Follower(database, collection);
        while (!stop.IsCancellationRequested)
        {
            ChangeSubscription consumer = database.Changes.Subscribe();
            using var kill = CancellationTokenSource.CreateLinkedTokenSource(stop);
            kill.CancelAfter(random.Next(1, 40));
            try
            {
                follower.ReadStorage(random.Next(4) == 0 ? random.Next(100) : int.MaxValue);
                follower.ReadStorage();
                while (true)
                {
                    follower.Take(await consumer.ReadAsync(kill.Token));
                }
            }
            catch (OperationCanceledException)
            {
                follower = Follower.Resume(database, follower);
            }

            if (random.Next(3) > 0)
            {
                consumer.Dispose();
            }
        }

        follower.ReadStorage();
        Assert.Equal(Follower.Contents(database, collection), follower.Documents);
    }
}
