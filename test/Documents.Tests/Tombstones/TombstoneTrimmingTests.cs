using System.Text;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Documents.Tests.Changes;
using Jackdaw.Documents.Tombstones;
using Jackdaw.Pal;
using Jackdaw.Pal.InMemory;
using Jackdaw.Pal.Simulation;
using Jackdaw.Storage;
using Jackdaw.Storage.Verification;
using Jackdaw.TestKit;

namespace Jackdaw.Documents.Tests.Tombstones;

/// <summary>When tombstones go, and that nobody misses them.</summary>
public sealed class TombstoneTrimmingTests
{
    private static readonly string[] s_collections = ["users", "orders", "@empty"];

    private readonly ManualTime _time = new();

    [Fact]
    public async Task WithoutHolders_AfterFiveMinutes_TombstonesGo()
    {
        await using DocumentDatabase database = Open(new MemoryPlatform());
        await PutAndDeleteAsync(database, 3);
        await AdvanceAsync(TimeSpan.FromMinutes(4));
        await database.WriteAsync(TestCommands.Put("late/1", TestCommands.Json("Late", 1)), TestCommands.Delete("late/1"));
        Assert.Equal(4, Count(database));
        await AdvanceUntilCountAsync(database, 1);
        Assert.Equal(new Etag(6), Trimmed(database));
        await AdvanceUntilCountAsync(database, 0);

        Assert.Equal(new Etag(8), Trimmed(database));
        Assert.InRange(_time.GetUtcNow() - DateTimeOffset.UnixEpoch, TimeSpan.FromMinutes(9), TimeSpan.FromMinutes(11));
    }

    [Fact]
    public async Task WithHolders_UntilAllHavePassed_TombstonesStay()
    {
        await using DocumentDatabase database = Open(new MemoryPlatform());
        var fast = new Holder { PassedEtag = Etag.Maximum };
        var slow = new Holder();
        Assert.Equal(Etag.None, database.TombstoneHolders.Add(fast));
        Assert.Equal(Etag.None, database.TombstoneHolders.Add(slow));
        await PutAndDeleteAsync(database, 3); // tombstones 4, 5, 6
        await AdvanceAsync(TimeSpan.FromMinutes(30));
        Assert.Equal(3, Count(database));
        Assert.Same(slow, database.TombstoneHolders.Slowest);
        slow.PassedEtag = new Etag(5);
        await AdvanceUntilCountAsync(database, 1);
        Assert.Equal(new Etag(5), database.TombstoneHolders.Add(new Holder { PassedEtag = new Etag(5) }));
        database.TombstoneHolders.Remove(slow);
        Assert.False(await database.TrimAsync(default));

        Assert.Equal(1, Count(database));
    }

    [Fact]
    public async Task Trimming_OfMany_IsDoneInCommandsOfABoundedSize()
    {
        const int max = TrimTombstonesCommand.TombstonesMax;
        await using DocumentDatabase database = Open(new MemoryPlatform());
        database.TombstoneHolders.Add(new Holder { PassedEtag = Etag.Maximum });
        await PutAndDeleteAsync(database, (3 * max) + 7);
        for (int left = (2 * max) + 7; left > 0; left -= max)
        {
            Assert.True(await database.TrimAsync(default));
            Assert.Equal(left, Count(database));
        }

        Assert.False(await database.TrimAsync(default));
        Assert.Equal(0, Count(database));
        long commands = database.MergerStatistics.Commands;
        Assert.False(await database.TrimAsync(default));
        Assert.Equal(commands, database.MergerStatistics.Commands);
    }

    [Fact]
    public async Task Trimming_OfEverything_LeavesStatisticsAndEtagsRight()
    {
        var platform = new MemoryPlatform();
        DocumentDatabase database = Open(platform);
        await database.PutAsync("users/0", TestCommands.Json("Users", 0));
        await PutAndDeleteAsync(database, 50);
        database.TombstoneHolders.Add(new Holder { PassedEtag = Etag.Maximum });
        await database.TrimAsync(default);
        Check(database, "before");
        using (DocumentReadScope read = database.BeginRead())
        {
            Assert.Equal((new DocumentCounts(1, 0, 0), new Etag(101)), (read.Counts, read.LastEtag));
            Assert.Equal(0, Assert.Single(read.GetCollections()).TombstoneBytes);
        }

        await database.DisposeAsync();
        await using DocumentDatabase reopened = Open(platform);
        Check(reopened, "after");
        Assert.Equal(new Etag(101), Trimmed(reopened));
        Assert.Equal(new Etag(101), reopened.TombstoneHolders.Add(new Holder()));
        Assert.Equal(new Etag(102), await reopened.PutAsync("users/0", TestCommands.Json("Users", 1)));
    }

    [Fact]
    public async Task Holder_ThatComesBeforeTheCommand_KeepsWhatItNeeds()
    {
        var holders = new TombstoneHolders(new Etag(3));
        Assert.Null(holders.FindPassed());
        Assert.True(holders.TryGiveUp(new Etag(7)));
        Assert.Equal(new Etag(7), holders.Add(new Holder { PassedEtag = new Etag(8) }));
        Assert.False(holders.TryGiveUp(new Etag(9)));
        Assert.True(holders.TryGiveUp(new Etag(8)));
        Assert.Equal(new Etag(8), holders.Add(new Holder { PassedEtag = new Etag(5) }));
        await Task.CompletedTask;

        Assert.Equal(new Etag(5), holders.FindPassed());
    }

    /// <summary>The clock was set back by an hour after a deletion: its tombstone does not stay for an hour.</summary>
    [Fact]
    public async Task Tombstone_OfTheFuture_Goes()
    {
        var platform = new MemoryPlatform();
        await AdvanceAsync(TimeSpan.FromHours(1));
        await using (DocumentDatabase database = Open(platform))
        {
            await PutAndDeleteAsync(database, 1);
        }

        await using DocumentDatabase earlier = Open(platform, new ManualTime());
        Assert.False(await earlier.TrimAsync(default));
        Assert.Equal(0, Count(earlier));
    }

    [Fact]
    public async Task Closing_WhileTombstonesAreTrimmed_EndsAndKeepsTheRest()
    {
        var platform = new MemoryPlatform();
        for (int round = 0; round < 5; round++)
        {
            DocumentDatabase database = Open(platform);
            database.TrimmingFailed += (_, failure) => Assert.Fail(failure.ToString());
            await PutAndDeleteAsync(database, 2000);
            database.TombstoneHolders.Add(new Holder { PassedEtag = Etag.Maximum });
            _time.Advance(TombstoneTrimmer.Pause);
            await database.DisposeAsync();
            await using DocumentDatabase reopened = Open(platform);
            Check(reopened, $"round {round}");
        }

        await _time.AdvanceUntilAsync(
            TimeSpan.Zero, () => Task.FromResult(_time.TimerCount == 0), $"{_time.TimerCount} timers are left");
    }

    [Fact]
    public async Task Trimming_ThatFails_IsToldAndTriedAgain()
    {
        await using DocumentDatabase database = Open(new MemoryPlatform());
        await PutAndDeleteAsync(database, 1);
        List<Exception> told = [];
        database.TrimmingFailed += (_, failure) => told.Add(failure);
        var holder = new Holder { Fails = true };
        database.TombstoneHolders.Add(holder);
        await _time.AdvanceUntilAsync(TombstoneTrimmer.Pause, () => Task.FromResult(told.Count > 1), "nothing was told twice");
        holder.Fails = false;
        holder.PassedEtag = Etag.Maximum;
        await AdvanceUntilCountAsync(database, 0);
    }

    /// <summary>Its tombstone comes before it, wherever a reader of all documents stands: it ends with the document.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task MoveToAnotherCollection_ForReadersOfAll_IsATombstoneAndThenTheDocument(bool andBack)
    {
        await using DocumentDatabase database = Open(new MemoryPlatform());
        await database.PutAsync("users/1", TestCommands.Json("A", 1));
        using ChangeSubscription consumer = database.Changes.Subscribe();
        await database.PutAsync("users/1", TestCommands.Json("B", 2));
        if (andBack)
        {
            await database.PutAsync("users/1", TestCommands.Json("A", 3));
        }

        // In A: what the way back has replaced is gone, and its tombstone with it.
        Assert.Equal(andBack ? ["DocumentDelete B 4", "DocumentPut A 5"] : ["DocumentDelete A 2", "DocumentPut B 3"], ReadChanges(database, ""));
        Assert.Equal(andBack ? ["DocumentPut A 5"] : ["DocumentDelete A 2"], ReadChanges(database, "a"));
        Assert.Equal(andBack ? ["DocumentDelete B 4"] : ["DocumentPut B 3"], ReadChanges(database, "b"));
        Assert.True(consumer.TryRead(out FeedItem item));
        Assert.Equal(["DocumentMove A 2", "DocumentPut B 3"], Texts(item));
        var reader = new Follower(database);
        reader.Take(item);
        reader.ReadStorage();
        Assert.Equal(Follower.Contents(database), reader.Documents);
    }

    /// <summary>Random writes, moves and trims, beside readers that hold tombstones, stop, and go on where they were: each ends with the
    /// contents of its collection, or of all.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public async Task RandomWritesAndTrims_FromAnyHoldersPosition_EndWithTheDatabase(int seed)
    {
        var random = new Random(seed);
        var platform = new MemoryPlatform();
        DocumentDatabase database = Open(platform);
        string?[] kinds = [null, null, .. s_collections];
        Follower[] followers = [.. kinds.Select(kind => new Follower(database, kind))];
        Holder[] holders = [.. followers.Select(_ => new Holder())];
        Array.ForEach(holders, holder => database.TombstoneHolders.Add(holder));
        long trimmed = 0;
        for (int step = 0; step < 600; step++)
        {
            await database.WriteAsync([.. Enumerable.Range(0, random.Next(1, 6)).Select(_ => MakeCommand(random))]);
            int i = random.Next(followers.Length);
            switch (random.Next(8))
            {
                case 0: // it reads a little and stops in the middle
                    followers[i].ReadStorage(random.Next(20));
                    holders[i].PassedEtag = followers[i].Position;
                    break;
                case 1:
                    followers[i].ReadStorage();
                    holders[i].PassedEtag = followers[i].Position;
                    break;
                case 2 or 3:
                    long before = Count(database);
                    await database.TrimAsync(default);
                    trimmed += before - Count(database);
                    break;
                case 4 when random.Next(20) == 0:
                    await database.DisposeAsync();
                    database = Open(platform);
                    followers = [.. followers.Select(follower => Follower.Resume(database, follower))];
                    Array.ForEach(holders, holder => Assert.True(database.TombstoneHolders.Add(holder).Value <= holder.PassedEtag.Value));
                    break;
                default:
                    break;
            }

            if (step % 20 == 0)
            {
                Check(database, $"seed {seed}, step {step}");
                Assert.All(followers, follower => CheckFollower(database, Follower.Resume(database, follower), $"seed {seed}, step {step}"));
            }
        }

        Assert.True(trimmed > 100, $"seed {seed}: only {trimmed} tombstones were trimmed");
        await database.DisposeAsync();
    }

    /// <summary>The power goes while tombstones are written and trimmed: what is left is whole, and a holder goes on from its position.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    [InlineData(6)]
    public async Task PowerCut_WhileTrimming_LosesNothingThatIsHeld(int seed)
    {
        var random = new Random(seed);
        var platform = new SimulatedPlatform(seed);
        SimulatedPlatform after;
        Follower stopped;
        await using (DocumentDatabase database = Open(platform))
        {
            var holder = new Holder();
            database.TombstoneHolders.Add(holder);
            var reader = new Follower(database);
            using var stop = new CancellationTokenSource();
            var trimming = Task.Run(async () =>
            {
                while (!stop.IsCancellationRequested)
                {
                    await database.TrimAsync(default);
                }
            });
            Task[] writing = [.. Enumerable.Range(0, 3).Select(writer => Task.Run(() => WriteAsync(database, (seed * 10) + writer, stop.Token)))];
            // Who runs first is up to the machine: there is no power cut before something was trimmed.
            using var patience = new CancellationTokenSource(TimeSpan.FromMinutes(1));
            for (int i = random.Next(10, 40); i > 0 || Trimmed(database) == Etag.None; i--)
            {
                patience.Token.ThrowIfCancellationRequested();
                reader.ReadStorage();
                holder.PassedEtag = reader.Position;
                await database.PutAsync("clock/1", TestCommands.Json("Clock", i));
            }

            stopped = reader;
            for (int i = random.Next(5); i > 0; i--)
            {
                await database.PutAsync("clock/1", TestCommands.Json("Clock", i));
            }

            after = platform.Crash(seed);
            await stop.CancelAsync();
            await Task.WhenAll([trimming, .. writing]);
        }

        await using DocumentDatabase reopened = Open(after);
        Check(reopened, $"seed {seed}");
        Assert.True(Trimmed(reopened).Value > 0, $"seed {seed}: nothing was trimmed");
        Assert.True(Trimmed(reopened).Value <= stopped.Position.Value);
        CheckFollower(reopened, Follower.Resume(reopened, stopped), $"seed {seed}");
    }

    private static List<string> ReadChanges(DocumentDatabase database, string collection)
    {
        using DocumentReadScope read = database.BeginRead();
        ChangeCursor changes = read.OpenChanges(Encoding.UTF8.GetBytes(collection), new Etag(1));
        List<string> texts = [];
        while (changes.MoveNext())
        {
            texts.Add(Text(changes.Current));
        }

        return texts;
    }

    private static List<string> Texts(in FeedItem item)
    {
        List<string> texts = [];
        foreach (Change change in item)
        {
            texts.Add(Text(change));
        }

        return texts;
    }

    private static string Text(in Change change) => $"{change.Kind} {Encoding.UTF8.GetString(change.Collection)} {change.Etag.Value}";

    private static async Task WriteAsync(DocumentDatabase database, int seed, CancellationToken stop)
    {
        var random = new Random(seed);
        while (!stop.IsCancellationRequested)
        {
            await database.WriteAsync([.. Enumerable.Range(0, random.Next(1, 6)).Select(_ => MakeCommand(random))]);
        }
    }

    private static DocumentCommand MakeCommand(Random random)
    {
        string id = $"docs/{random.Next(50)}";
        return random.Next(10) < 4
            ? TestCommands.Delete(id)
            : TestCommands.Put(id, TestCommands.Json(s_collections[random.Next(s_collections.Length)], random.Next()));
    }

    private static void CheckFollower(DocumentDatabase database, Follower follower, string script)
    {
        follower.ReadStorage();
        Dictionary<string, (string, long)> contents = Follower.Contents(database, follower.Collection);
        Assert.True(contents.OrderBy(entry => entry.Key).SequenceEqual(follower.Documents.OrderBy(entry => entry.Key)),
            $"{script}, collection {follower.Collection}: {contents.Count} documents, followed {follower.Documents.Count}");
    }

    /// <summary>Counts and sizes are those of the rows, and the storage is whole.</summary>
    private static void Check(DocumentDatabase database, string script)
    {
        using (DocumentReadScope read = database.BeginRead())
        {
            var tombstones = new List<long>();
            TombstoneCursor cursor = read.OpenTombstones(default, Etag.None);
            while (cursor.MoveNext())
            {
                tombstones.Add(cursor.CurrentEtag.Value);
            }

            Assert.True(tombstones.Count == read.Counts.Tombstones, $"{script}: {tombstones.Count}, counted {read.Counts.Tombstones}");
            foreach (CollectionCount collection in read.GetCollections())
            {
                bool hasTombstones = read.OpenTombstones(Encoding.UTF8.GetBytes(collection.Name), Etag.None).MoveNext();
                Assert.True(hasTombstones == collection.TombstoneBytes > 0, $"{script}: {collection}");
            }
        }

        Assert.Empty(EnvironmentVerifier.Verify(database.Environment, DatabaseSchemas.Standard));
    }

    private static async Task PutAndDeleteAsync(DocumentDatabase database, int documents)
    {
        await database.WriteAsync([.. Enumerable.Range(1, documents).Select(i => TestCommands.Put($"users/{i}", TestCommands.Json("Users", i)))]);
        await database.WriteAsync([.. Enumerable.Range(1, documents).Select(i => TestCommands.Delete($"users/{i}"))]);
    }

    private static long Count(DocumentDatabase database)
    {
        using DocumentReadScope read = database.BeginRead();
        return read.Counts.Tombstones;
    }

    private static Etag Trimmed(DocumentDatabase database)
    {
        using DocumentReadScope read = database.BeginRead();
        return read.TrimmedEtag;
    }

    private DocumentDatabase Open(IPlatform platform) => Open(platform, _time);

    private static DocumentDatabase Open(IPlatform platform, TimeProvider time) => DocumentDatabase.Open(
        platform, "/db", "db", DocumentDatabase.MakeDatabaseId(), new DatabaseSettings(), new StorageOptions { Time = time });

    private Task AdvanceUntilCountAsync(DocumentDatabase database, long count) => _time.AdvanceUntilAsync(
        TimeSpan.FromSeconds(10), () => Task.FromResult(Count(database) == count), $"there are {Count(database)} tombstones instead of {count}");

    /// <summary>In steps in which a timer that fires is set again.</summary>
    private async Task AdvanceAsync(TimeSpan by)
    {
        for (TimeSpan done = TimeSpan.Zero; done < by; done += TimeSpan.FromSeconds(30))
        {
            _time.Advance(TimeSpan.FromSeconds(30));
            await Task.Yield();
        }
    }

    private sealed class Holder : ITombstoneHolder
    {
        private Etag _passed;

        public string Name => "a test";

        public bool Fails { get; set; }

        public Etag PassedEtag
        {
            get => Fails ? throw new InvalidOperationException("The holder fails.") : _passed;
            set => _passed = value;
        }
    }
}
