using System.Collections.Concurrent;
using System.Text;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Rows;
using Jackdaw.Pal.InMemory;
using Jackdaw.Pal.Simulation;
using Jackdaw.Storage;

namespace Jackdaw.Documents.Tests.Changes;

/// <summary>Writers of documents and of compare exchange values at once, and consumers that come and go: what is told is what was answered,
/// in the order of the transactions.</summary>
public sealed class FeedUnderLoadTests
{
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(1);

    /// <summary>Number to what was written, from the answers.</summary>
    private readonly ConcurrentDictionary<long, string> _answered = [];

    [Fact]
    public async Task Writes_OfCompareExchange_AreToldWithKeyAndIndex()
    {
        await using DocumentDatabase database = Open();
        using ChangeSubscription consumer = database.Changes.Subscribe();
        await WriteAsync(database, Value("Leader", 0, isAlone: true));
        await WriteAsync(database, Value("LEADER", 1, isAlone: true));
        await database.PutAsync("users/1", TestCommands.Json("Users", 1));
        await WriteAsync(database, Value("a", 0, isAlone: false), Deletion("LEADER", 2, isAlone: false), Value("b", 0, isAlone: false));
        await WriteAsync(database, Value("a", 7, isAlone: true)); // refused
        await WriteAsync(database, Deletion("nothing", 0, isAlone: true)); // succeeds, and changes nothing

        Assert.Equal(
            [
                "CompareExchangePut Leader 1", "CompareExchangePut Leader 2", "DocumentPut users/1 3",
                "CompareExchangePut a 4", "CompareExchangeDelete Leader 5", "CompareExchangePut b 6",
            ],
            Drain(consumer).Select(change => $"{change.Kind} {change.Key} {change.Number}"));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task Commits_OfDocumentsAndCompareExchange_AreToldInTheOrderOfTransactions(int seed)
    {
        await using DocumentDatabase database = DocumentDatabase.Open(
            new SimulatedPlatform(seed), "/db", "db", DocumentDatabase.MakeDatabaseId(), new DatabaseSettings(), new StorageOptions());
        using ChangeSubscription consumer = database.Changes.Subscribe();
        await WriteAllAsync(database, seed);
        List<Told> told = Drain(consumer);

        Assert.Equal(Enumerable.Range(1, told.Count).Select(number => (long)number), told.Select(change => change.Number));
        Assert.Equal(told.Select(change => change.Transaction).Order(), told.Select(change => change.Transaction));
        Assert.Equal(LastEtag(database), told.Count);
        foreach (Told change in told)
        {
            Assert.True(_answered.TryGetValue(change.Number, out string? key) && key == change.Key, $"seed {seed}: {change}, answered {key}");
        }

        Assert.Contains(told, change => change.Kind == ChangeKind.CompareExchangeDelete);
    }

    /// <summary>Consumers die at any moment, half of them without leaving, and others take their place. From the beginning of each to its
    /// death, every number was told once and in order, or is within a gap that was told.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task Consumers_KilledAtRandom_GetEachChangeInOrderOrWithinAGap(int seed)
    {
        await using DocumentDatabase database = Open();
        database.Changes.BytesMax = 4_000;
        using var stop = new CancellationTokenSource();
        ConcurrentBag<Life> lives = [];
        Task[] consumers = [.. Enumerable.Range(0, 6).Select(i => Task.Run(() => LiveAndDieAsync(database, lives, (seed * 100) + i, stop.Token)))];
        await WriteAllAsync(database, seed);
        await stop.CancelAsync();
        await Task.WhenAll(consumers).WaitAsync(s_patience);

        Assert.Contains(lives, life => life.Gaps.Count > 0);
        Assert.Contains(lives, life => life.Told.Count > 0);
        foreach (Life life in lives)
        {
            long next = life.Start;
            foreach (Told change in life.Told)
            {
                next = SkipGap(life, next);
                Assert.True(change.Number == next + 1, $"seed {seed}: {change} after {next}");
                Assert.True(_answered[change.Number] == change.Key, $"seed {seed}: {change}, answered {_answered[change.Number]}");
                next = change.Number;
            }

            Assert.True(SkipGap(life, next) == life.End, $"seed {seed}: {next} is not the end {life.End}");
        }

        await WaitUntilAllAreFoundAsync(database);
        await database.PutAsync("users/1", TestCommands.Json("Users", 1));
        Assert.Equal(0, database.Changes.HeldBytes);
    }

    /// <summary>The thread that continues here may have the last consumer on its stack still.</summary>
    private static async Task WaitUntilAllAreFoundAsync(DocumentDatabase database)
    {
        using var patience = new CancellationTokenSource(s_patience);
        while (database.Changes.HeldBytes > 0)
        {
            Assert.False(patience.IsCancellationRequested, $"{database.Changes.HeldBytes} bytes are held for consumers that are gone");
            await Task.Yield();
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
    }

    private static long SkipGap(Life life, long number)
    {
        while (life.Gaps.TryGetValue(number, out long last))
        {
            number = last;
        }

        return number;
    }

    private static async Task LiveAndDieAsync(DocumentDatabase database, ConcurrentBag<Life> lives, int seed, CancellationToken stop)
    {
        var random = new Random(seed);
        while (!stop.IsCancellationRequested)
        {
            ChangeSubscription consumer = database.Changes.Subscribe();
            var life = new Life(consumer.Start.Value);
            lives.Add(life);
            using var kill = CancellationTokenSource.CreateLinkedTokenSource(stop);
            try
            {
                for (int items = random.Next(1, 60); items > 0; items--)
                {
                    if (random.Next(20) == 0)
                    {
                        kill.CancelAfter(random.Next(1, 10)); // maybe while it waits
                    }

                    FeedItem item = await consumer.ReadAsync(kill.Token);
                    if (random.Next(10) == 0)
                    {
                        await FallBehindAsync(database, item.Last.Value + 300, kill.Token);
                    }

                    if (item.Kind == FeedItemKind.Gap)
                    {
                        life.Gaps.Add(item.After.Value, item.Last.Value);
                    }

                    Add(life.Told, item);
                    life.End = item.Last.Value;
                }
            }
            catch (OperationCanceledException)
            {
                // It dies here: what it took and did not note is lost with it.
            }

            if (random.Next(2) == 0)
            {
                consumer.Dispose();
            }
        }
    }

    private static async Task FallBehindAsync(DocumentDatabase database, long last, CancellationToken stop)
    {
        using ChangeSubscription clock = database.Changes.Subscribe();
        while ((await clock.ReadAsync(stop)).Last.Value < last)
        {
        }
    }

    private async Task WriteAllAsync(DocumentDatabase database, int seed)
    {
        int[] writers = [0, 1, 2, 3, 4, 5];
        await Task.WhenAll(writers.Select(i => Task.Run(() => i < 3
            ? WriteDocumentsAsync(database, i, new Random((seed * 10) + i))
            : WriteValuesAsync(database, i, new Random((seed * 10) + i))))).WaitAsync(s_patience);
    }

    private async Task WriteDocumentsAsync(DocumentDatabase database, int writer, Random random)
    {
        for (int i = 0; i < 300; i++)
        {
            string[] ids = [.. Enumerable.Range(0, random.Next(1, 5)).Select(j => $"users/{writer}/{random.Next(50)}/{j}")];
            bool isPut = random.Next(4) > 0;
            Written written = await database.WriteAsync([.. ids.Select<string, DocumentCommand>(id =>
                isPut ? TestCommands.Put(id, TestCommands.Json("Users", i)) : TestCommands.Delete(id))]);
            foreach ((string id, WrittenCommand result) in ids.Zip(written.Results!))
            {
                Note(result.Etag.Value, id);
            }
        }
    }

    /// <summary>Values of its own, so that it knows their indexes.</summary>
    private async Task WriteValuesAsync(DocumentDatabase database, int writer, Random random)
    {
        var indexes = new Dictionary<string, long>();
        for (int i = 0; i < 300; i++)
        {
            bool isAlone = random.Next(2) == 0;
            string[] names = [.. Enumerable.Range(0, isAlone ? 1 : random.Next(1, 5)).Select(j => $"value/{writer}/{random.Next(20)}/{j}")];
            CompareExchangeCommand[] commands = [.. names.Select<string, CompareExchangeCommand>(name =>
                indexes.TryGetValue(name, out long index) && random.Next(3) == 0
                    ? Deletion(name, index, isAlone)
                    : Value(name, index, isAlone))];
            Assert.Equal(WriteStatus.Applied, (await WriteAsync(database, commands)).Status);
            foreach ((string name, CompareExchangeCommand command, int place) in names.Zip(commands, Enumerable.Range(0, names.Length)))
            {
                Note(command.Index + place, name); // its index is the first etag of the batch
                indexes[name] = command is PutCompareExchangeCommand ? command.Index : 0;
                if (indexes[name] == 0)
                {
                    indexes.Remove(name);
                }
            }
        }
    }

    private void Note(long number, string key)
    {
        if (number != 0)
        {
            Assert.True(_answered.TryAdd(number, key), $"{number} was answered twice, for {_answered[number]} and {key}");
        }
    }

    private static List<Told> Drain(ChangeSubscription consumer)
    {
        List<Told> told = [];
        while (consumer.TryRead(out FeedItem item))
        {
            Assert.Equal(FeedItemKind.Changes, item.Kind);
            Add(told, item);
        }

        return told;
    }

    private static void Add(List<Told> told, in FeedItem item)
    {
        foreach (Change change in item)
        {
            bool isDocument = change.Kind is ChangeKind.DocumentPut or ChangeKind.DocumentDelete or ChangeKind.DocumentMove;
            Assert.Equal(isDocument, !change.Collection.IsEmpty);
            told.Add(new Told(item.TransactionId, change.Etag.Value, change.Kind, Encoding.UTF8.GetString(change.Id)));
        }
    }

    private static long LastEtag(DocumentDatabase database)
    {
        using DocumentReadScope read = database.BeginRead();
        return read.LastEtag.Value;
    }

    private static async Task<WriteOutcome> WriteAsync(DocumentDatabase database, params CompareExchangeCommand[] commands) =>
        await database.WriteAsync(new WriteBatch { Commands = commands }, default);

    private static PutCompareExchangeCommand Value(string name, long expected, bool isAlone)
    {
        var put = new PutCompareExchangeCommand { IsAlone = isAlone };
        put.SetValue("""{"Object":1}"""u8.ToArray());
        return Named(put, name, expected);
    }

    private static DeleteCompareExchangeCommand Deletion(string name, long expected, bool isAlone) =>
        Named(new DeleteCompareExchangeCommand { IsAlone = isAlone }, name, expected);

    private static TCommand Named<TCommand>(TCommand command, string name, long expected)
        where TCommand : CompareExchangeCommand
    {
        command.SetKey(Encoding.UTF8.GetBytes(name), Encoding.UTF8.GetBytes(name.ToLowerInvariant()));
        command.ExpectedIndex = expected;
        return command;
    }

    private static DocumentDatabase Open() => DocumentDatabase.Open(
        new MemoryPlatform(), "/db", "db", DocumentDatabase.MakeDatabaseId(), new DatabaseSettings(), new StorageOptions());

    private sealed record Told(long Transaction, long Number, ChangeKind Kind, string Key);

    /// <summary>What one consumer got until it died. Gaps: number before to last number.</summary>
    private sealed record Life(long Start)
    {
        public long End { get; set; } = Start;

        public List<Told> Told { get; } = [];

        public Dictionary<long, long> Gaps { get; } = [];
    }
}
