using System.Text;
using System.Text.Json;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Counters;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Json.Refusals;
using Jackdaw.Pal;
using Jackdaw.Pal.InMemory;
using Jackdaw.Pal.Simulation;
using Jackdaw.Storage;
using Jackdaw.Storage.Compaction;
using Jackdaw.Storage.Verification;

namespace Jackdaw.Documents.Tests.Counters;

/// <summary>Counters in a database's storage: beside documents, over closings, power cuts and compaction.</summary>
public sealed class CounterStorageTests
{
    private const string Document = """{"@metadata":{"@collection":"Users"}}""";

    [Fact]
    public async Task Increment_NewAndKnown_CountsFromZeroAndKeepsTheFirstSpelling()
    {
        await using DocumentDatabase database = Open(new MemoryPlatform());
        await database.PutAsync("users/1", Document);

        await database.CountAsync("USERS/1", "Likes+3");
        await database.CountAsync("users/1", "likes+4", "Äpfel+_9", "LIKES?");
        await database.CountAsync("users/1", "äPFEL=2", "b+0");

        Assert.Equal(["b=0", "Likes=7", "Äpfel=2"], database.CountersOf("users/1"));
        using DocumentReadScope read = database.BeginRead();
        Assert.Equal("""{"b":0,"Likes":7,"Äpfel":2}""", read.SnapshotOf("users/1"));
        Assert.Equal("", read.SnapshotOf("users/2"));
    }

    [Fact]
    public async Task Names_ComeAndGo_OnlyThenTheDocumentGetsAVersion()
    {
        await using DocumentDatabase database = Open(new MemoryPlatform());
        Etag put = await database.PutAsync("users/1", Document);

        CountersCommand first = await database.CountAsync("users/1", "b+1", "A+1");
        DocumentCopy shown = database.Get("users/1")!;
        CountersCommand second = await database.CountAsync("users/1", "b+1");
        DocumentCopy same = database.Get("users/1")!;
        await database.CountAsync("users/1", "b-", "none-");
        using (DocumentReadScope read = database.BeginRead())
        {
            Assert.Equal("[\"A\"]", read.Shown("users/1"));
        }

        await database.CountAsync("users/1", "A-");

        Assert.Equal((true, first.DocumentVersion.Etag), (shown.Etag.Value > put.Value, shown.Etag));
        Assert.Equal(shown, same);
        Assert.Equal(shown.Etag, second.DocumentVersion.Etag);
        using DocumentReadScope after = database.BeginRead();
        Assert.True(after.TryGet(TestCommands.Key("users/1"), out StoredDocument document));
        Assert.Equal((DocumentFlags.None, ""), (document.Flags, after.Shown("users/1")));
        Assert.Equal(0, new CounterReads(after.Transaction).Count);
    }

    [Fact]
    public async Task Delete_OfTheDocument_DeletesItsCountersAlsoThoseOfItsOwnBatch()
    {
        await using DocumentDatabase database = Open(new MemoryPlatform());
        await database.PutAsync("users/1", Document);
        await database.PutAsync("users/10", Document);
        await database.CountAsync("users/1", "a+1", "b+1");
        await database.CountAsync("users/10", "a+5");

        await database.WriteAsync(CounterCommands.Make("users/1", "c+1"), TestCommands.Delete("users/1"), TestCommands.Put("users/1", Document));

        Assert.Empty(database.CountersOf("users/1"));
        Assert.Equal(["a=5"], database.CountersOf("users/10"));
        using (DocumentReadScope again = database.BeginRead())
        {
            Assert.True(again.TryGet(TestCommands.Key("users/1"), out StoredDocument document));
            Assert.Equal(DocumentFlags.None, document.Flags);
        }

        await database.WriteAsync(TestCommands.DeletePrefix("users/"));
        using DocumentReadScope read = database.BeginRead();
        Assert.Equal(0, new CounterReads(read.Transaction).Count);
    }

    [Fact]
    public async Task Document_PutAgainOrMovedToAnotherCollection_KeepsItsCounters()
    {
        await using DocumentDatabase database = Open(new MemoryPlatform());
        await database.PutAsync("users/1", Document);
        await database.CountAsync("users/1", "a+1");

        await database.PutAsync("users/1", """{"x":1,"@metadata":{"@collection":"Users","@counters":["none"]}}""");
        await database.PutAsync("users/1", """{"x":1,"@metadata":{"@collection":"Others"}}""");

        using DocumentReadScope read = database.BeginRead();
        Assert.Equal(["a=1"], read.CountersOf("users/1"));
        Assert.Equal("[\"a\"]", read.Shown("users/1"));
    }

    [Theory]
    [InlineData("9223372036854775807", "1")]
    [InlineData("_9223372036854775808", "_1")]
    [InlineData("_2", "_9223372036854775807")]
    public async Task Increment_BeyondTheRange_RefusesTheWholeBatch(string value, string delta)
    {
        await using DocumentDatabase database = Open(new MemoryPlatform());
        await database.PutAsync("users/1", Document);
        await database.CountAsync("users/1", $"a={value}");

        CountersCommand[] commands = [CounterCommands.Make("users/1", "b+1"), CounterCommands.Make("users/1", "c+1", $"A+{delta}")];
        var batch = new WriteBatch { Commands = commands };
        WriteOutcome outcome = await database.WriteAsync(batch, default);

        Assert.Equal((WriteStatus.Refused, 1), (outcome.Status, outcome.FailedCommand));
        Refusal refusal = commands[1].MakeRefusal(batch, database);
        Assert.Equal(RefusalKind.CounterOverflow, refusal.Kind);
        Assert.Equal([$"a={value.Replace('_', '-')}"], database.CountersOf("users/1"));
        await database.CountAsync("users/1", $"a+{(delta[0] == '_' ? "1" : "_1")}");
    }

    [Fact]
    public async Task Counters_OfAMissingDocument_AreRefusedAndTheRestOfTheTransactionIsWritten()
    {
        await using DocumentDatabase database = Open(new MemoryPlatform());
        await database.PutAsync("users/1", Document);
        CountersCommand missing = CounterCommands.Make("users/2", "a-");

        Task<Written>[] written = [database.WriteAsync(missing), database.WriteAsync(CounterCommands.Make("users/1", "a+1"))];
        await Task.WhenAll(written);

        Assert.Equal([WriteStatus.Refused, WriteStatus.Applied], written.Select(one => one.Result.Status));
        Assert.Contains("There is no document 'users/2'", missing.MakeRefusal(new WriteBatch { Commands = default }, database).Message,
            StringComparison.Ordinal);
        Assert.Equal(["a=1"], database.CountersOf("users/1"));
    }

    [Fact]
    public async Task Names_MoreThanADocumentMayHave_AreRefused()
    {
        await using DocumentDatabase database = Open(new MemoryPlatform());
        await database.PutAsync("users/1", Document);
        string[] names = [.. Enumerable.Range(0, CounterWrites.NamesBytesMax / 512).Select(i => $"{i:D512}")];
        await database.CountAsync("users/1", [.. names.Select(name => name + "+1")]);

        CountersCommand more = CounterCommands.Make("users/1", "x+1");
        var batch = new WriteBatch { Commands = new[] { more } };
        Assert.Equal(WriteStatus.Refused, (await database.WriteAsync(batch, default)).Status);
        Assert.Equal(RefusalKind.InvalidOperation, more.MakeRefusal(batch, database).Kind);
        await database.CountAsync("users/1", names[0] + "-", "x+1");

        Assert.Equal(names.Length, database.CountersOf("users/1").Length);
    }

    /// <summary>Every increment is there, whatever transaction it came into.</summary>
    [Fact]
    public async Task Increments_OfManyWritersAtOnce_GiveTheExactSum()
    {
        const int writers = 64;
        const int each = 50;
        await using DocumentDatabase database = Open(new MemoryPlatform());
        await database.PutAsync("users/1", Document);

        await Task.WhenAll(Enumerable.Range(0, writers).Select(writer => Task.Run(async () =>
        {
            for (int i = 0; i < each; i++)
            {
                await database.CountAsync("users/1", "all+1", $"w{writer % 7}+{i}");
            }
        })));

        string[] counters = database.CountersOf("users/1");
        Assert.Equal($"all={writers * each}", counters[0]);
        Assert.Equal(writers * (each * (each - 1) / 2), counters[1..].Sum(counter => long.Parse(counter.Split('=')[1])));
    }

    [Fact]
    public async Task Writes_AreToldInTheFeedInTheOrderOfTheirEtags()
    {
        await using DocumentDatabase database = Open(new MemoryPlatform());
        await database.PutAsync("Users/1", Document);
        using ChangeSubscription consumer = database.Changes.Subscribe();

        await database.CountAsync("users/1", "Likes+3", "LIKES+_5", "Ä=7", "likes?");
        Assert.Equal(
            "ExtensionPut Users/1 Users Likes 3; ExtensionChange Users/1 Users Likes -2; ExtensionPut Users/1 Users Ä 7; DocumentPut Users/1 Users  0",
            Read(consumer));
        await database.CountAsync("users/1", "likes=4", "ä-", "none-");
        Assert.Equal("ExtensionPut Users/1 Users Likes 4; ExtensionDelete Users/1 Users Ä 0; DocumentPut Users/1 Users  0", Read(consumer));
        await database.CountAsync("users/1", "likes?");
        Assert.False(consumer.TryRead(out _));
        await database.WriteAsync(TestCommands.Delete("users/1"));
        Assert.Equal("DocumentDelete Users/1 Users  0", Read(consumer));
        using DocumentReadScope read = database.BeginRead();
        Assert.Equal(9, read.LastEtag.Value);
    }

    private static string Read(ChangeSubscription consumer)
    {
        Assert.True(consumer.TryRead(out FeedItem item));
        var told = new List<string>();
        Etag last = item.After;
        foreach (Change change in item)
        {
            Assert.Equal(last.Value + 1, change.Etag.Value);
            last = change.Etag;
            told.Add($"{change.Kind} {Encoding.UTF8.GetString(change.Id)} {Encoding.UTF8.GetString(change.Collection)} " +
                $"{Encoding.UTF8.GetString(change.Name)} {CounterPayload.Read(change)}");
        }

        Assert.Equal(item.Last, last);
        return string.Join("; ", told);
    }

    /// <summary>Random commands with reopening, compaction and older snapshots in between.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public Task RandomCommands_AgainstAModel_AreTheSame(int seed) => CheckRandomCommandsAsync(seed);

    [Fact]
    [Trait("Tier", "Full")]
    public async Task RandomCommands_OfManySeeds_AreTheSame()
    {
        for (int seed = 1000; seed < 1100; seed++)
        {
            await CheckRandomCommandsAsync(seed);
        }
    }

    private static async Task CheckRandomCommandsAsync(int seed)
    {
        var random = new Random(seed);
        var platform = new MemoryPlatform();
        var model = new CounterModel();
        DocumentDatabase database = Open(platform);
        for (int step = 0; step < 600; step++)
        {
            string place = $"seed {seed}, step {step}";
            DocumentReadScope? snapshot = random.Next(20) == 0 ? database.BeginRead() : null;
            string[] before = snapshot is null ? [] : model.Describe();
            await StepAsync(database, model, random, place);
            if (snapshot is not null)
            {
                Assert.Equal(before, Describe(snapshot));
                snapshot.Dispose();
            }

            if (step % 100 == 99)
            {
                Compare(database, model, place);
                Assert.Empty(EnvironmentVerifier.Verify(database.Environment, DatabaseSchemas.Standard));
                await database.DisposeAsync();
                if (random.Next(2) == 0)
                {
                    StorageCompaction.Run(platform, "/db", DatabaseSchemas.Standard);
                }

                database = Open(platform);
                Compare(database, model, place + ", reopened");
            }
        }

        await database.DisposeAsync();
    }

    [Theory]
    [InlineData(31)]
    [InlineData(32)]
    [InlineData(33)]
    [InlineData(34)]
    public Task PowerCut_AnyMoment_KeepsWhatWasAcknowledgedAndNoHalf(int seed) => CheckPowerCutAsync(seed);

    [Fact]
    [Trait("Tier", "Full")]
    public async Task PowerCut_OfManySeeds_KeepsWhatWasAcknowledgedAndNoHalf()
    {
        for (int seed = 1000; seed < 1200; seed++)
        {
            await CheckPowerCutAsync(seed);
        }
    }

    private static async Task CheckPowerCutAsync(int seed)
    {
        const int writers = 8;
        var platform = new SimulatedPlatform(seed);
        long[] acknowledged = new long[writers];
        long[] known = [];
        SimulatedPlatform? after = null;
        int cutAt = new Random(seed).Next(2, 28);
        await using (DocumentDatabase database = Open(platform))
        {
            await database.PutAsync("users/0", Document);
            await Task.WhenAll(Enumerable.Range(0, writers).Select(writer => Task.Run(async () =>
            {
                await database.PutAsync($"users/w{writer}", Document);
                for (int i = 0; i < 30; i++)
                {
                    await database.WriteAsync(
                        CounterCommands.Make($"users/w{writer}", $"n{i % 3}+1"), CounterCommands.Make("users/0", $"W{writer}+1"));
                    Interlocked.Increment(ref acknowledged[writer]);
                    if (writer == 0 && i == cutAt)
                    {
                        known = [.. acknowledged];
                        after = platform.Crash(seed);
                    }
                }
            })));
        }

        await using DocumentDatabase reopened = Open(after!);
        Assert.Empty(EnvironmentVerifier.Verify(reopened.Environment, DatabaseSchemas.Standard));
        Dictionary<string, long> sums = reopened.CountersOf("users/0").ToDictionary(one => one.Split('=')[0], one => long.Parse(one.Split('=')[1]));
        using DocumentReadScope read = reopened.BeginRead();
        for (int writer = 0; writer < writers; writer++)
        {
            long sum = sums.GetValueOrDefault($"W{writer}");
            string[] own = read.CountersOf($"users/w{writer}");
            Assert.True(sum >= known[writer], $"seed {seed}, writer {writer}: {sum} of {known[writer]}");
            Assert.Equal(sum, own.Sum(one => long.Parse(one.Split('=')[1])));
            Assert.Equal(own.Length == 0 ? "" : $"[{string.Join(',', own.Select(one => $"\"{one.Split('=')[0]}\""))}]", read.Shown($"users/w{writer}"));
        }
    }

    private static async Task StepAsync(DocumentDatabase database, CounterModel model, Random random, string place)
    {
        List<DocumentCommand> commands = [];
        CounterModel after = model.Copy();
        bool isFine = true;
        for (int i = random.Next(1, 5); i > 0 && isFine; i--)
        {
            string id = $"{(random.Next(2) == 0 ? "users" : "Users")}/{random.Next(4)}";
            switch (random.Next(8))
            {
                case 0:
                    commands.Add(TestCommands.Put(id, TestCommands.Json(random.Next(2) == 0 ? "Users" : "Others", random.Next(9))));
                    after.Put(id);
                    break;
                case 1 when random.Next(3) == 0:
                    commands.Add(TestCommands.Delete(id));
                    after.Delete(id);
                    break;
                default:
                    string[] operations = [.. Enumerable.Range(0, random.Next(1, 6)).Select(_ => MakeOperation(random))];
                    commands.Add(CounterCommands.Make(id, operations));
                    isFine = after.Count(id, operations);
                    break;
            }
        }

        Written written = await database.WriteAsync([.. commands]);
        Assert.True(written.Status == (isFine ? WriteStatus.Applied : WriteStatus.Refused), $"{place}: {written.Status}");
        Assert.True(isFine || written.FailedCommand == commands.Count - 1, $"{place}: command {written.FailedCommand}");
        if (isFine)
        {
            model.Take(after);
        }
    }

    private static string MakeOperation(Random random)
    {
        string name = $"{(random.Next(2) == 0 ? "n" : "N")}{random.Next(6)}";
        return random.Next(10) switch
        {
            0 => $"{name}-",
            1 => $"{name}={random.Next(-9, 9).ToString().Replace('-', '_')}",
            2 when random.Next(4) == 0 => $"{name}={long.MaxValue}",
            3 => $"{name}?",
            _ => $"{name}+{random.Next(-9, 99).ToString().Replace('-', '_')}",
        };
    }

    private static void Compare(DocumentDatabase database, CounterModel model, string place)
    {
        using DocumentReadScope read = database.BeginRead();
        string[] found = Describe(read);
        Assert.True(model.Describe().SequenceEqual(found), $"{place}: {string.Join(' ', found)} instead of {string.Join(' ', model.Describe())}");
        Assert.Equal(model.CountOfCounters, new CounterReads(read.Transaction).Count);
    }

    private static string[] Describe(DocumentReadScope read) => [.. Enumerable.Range(0, 4).SelectMany(i =>
    {
        string id = $"users/{i}";
        string[] counters = read.CountersOf(id);
        string[] shown = read.Shown(id) is { Length: > 0 } json ? JsonSerializer.Deserialize<string[]>(json)! : [];
        bool hasFlag = read.TryGet(TestCommands.Key(id), out StoredDocument document) && document.Flags.HasFlag(DocumentFlags.HasCounters);
        Assert.Equal(shown, counters.Select(counter => counter.Split('=')[0]));
        Assert.Equal(hasFlag, shown.Length > 0);
        return counters.Select(counter => $"{id}:{counter}");
    })];

    private static DocumentDatabase Open(IPlatform platform) => DocumentDatabase.Open(
        platform, "/db", "db", DocumentDatabase.MakeDatabaseId(), new DatabaseSettings(), new StorageOptions());
}
