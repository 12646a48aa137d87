using System.Collections.Concurrent;
using System.Text;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Pal;
using Jackdaw.Pal.InMemory;
using Jackdaw.Pal.Simulation;
using Jackdaw.Storage;
using Jackdaw.Storage.Compaction;
using Jackdaw.Storage.Verification;

namespace Jackdaw.Documents.Tests.Database;

/// <summary>Random batches against the model, with reopening in between and readers beside.</summary>
public sealed class DocumentDatabaseModelTests
{
    private const int Steps = 400;

    private static readonly string[] s_collections = ["Users", "users", "Orders", "@empty", "Straße"];

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public async Task RandomBatches_AgainstTheModel_AreTheSame(int seed)
    {
        var random = new Random(seed);
        var platform = new MemoryPlatform();
        var model = new DocumentModel();
        string databaseId = DocumentDatabase.MakeDatabaseId();
        DocumentDatabase database = Open(platform, databaseId);
        try
        {
            for (int step = 0; step < Steps; step++)
            {
                string script = $"seed {seed}, step {step}";
                model = await StepAsync(database, model, random, script);
                if (step % 40 == 39)
                {
                    Compare(database, model, script);
                    if (random.Next(3) == 0)
                    {
                        await CloseAsync(database, abandon: random.Next(2) == 0);
                        if (random.Next(2) == 0)
                        {
                            StorageCompaction.Run(platform, "/db", DatabaseSchemas.Standard);
                            script += ", compacted";
                        }

                        database = Open(platform, databaseId);
                        Compare(database, model, script + ", reopened");
                    }
                }
            }
        }
        finally
        {
            await database.DisposeAsync();
        }
    }

    /// <summary>Batches that fail after they wrote, that wait for a full disk, and that get their ids from the writer: what was told
    /// applied, in the order of its etags, is what is there.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task ConcurrentBatches_SomeRefused_AreTheModelInTheOrderOfTheirEtags(int seed)
    {
        var platform = new SimulatedPlatform(seed);
        string databaseId = DocumentDatabase.MakeDatabaseId();
        var told = new ConcurrentBag<(DocumentCommand[] Commands, WrittenCommand[] Results)>();
        var statuses = new ConcurrentDictionary<WriteStatus, int>();
        await using (DocumentDatabase database = Open(platform, databaseId))
        {
            await Task.WhenAll(Enumerable.Range(0, 12).Select(writer => Task.Run(async () =>
            {
                var random = new Random((seed * 100) + writer);
                for (int i = 0; i < Steps; i++)
                {
                    if (writer == 0 && i % 50 == 0)
                    {
                        platform.CapacityBytes = i % 100 == 0 ? 1L << 40 : platform.UsedBytes;
                    }

                    DocumentCommand[] commands = MakeConcurrentBatch(random, database);
                    Written result = await database.WriteAsync(commands);
                    statuses.AddOrUpdate(result.Status, 1, (_, count) => count + 1);
                    if (result.Status == WriteStatus.Applied)
                    {
                        told.Add((commands, result.Results!));
                    }
                }
            })));
        }

        var model = new DocumentModel();
        foreach ((DocumentCommand[] commands, WrittenCommand[] results) in told
            .Where(batch => batch.Results.Any(result => result.Etag != Etag.None)).OrderBy(batch => batch.Results.Max(result => result.Etag)))
        {
            model = model.Apply(commands.Select((command, i) => WithId(command, results[i].Id)), out _)!;
            Assert.NotNull(model);
            Assert.Equal(model.LastEtag, results.Max(result => result.Etag.Value));
        }

        Assert.True(statuses.ContainsKey(WriteStatus.Conflict) && statuses.ContainsKey(WriteStatus.Applied), string.Join(", ", statuses));
        await using DocumentDatabase reopened = Open(platform, databaseId);
        Compare(reopened, model, $"seed {seed}");
    }

    [Fact]
    public async Task Compaction_OfDocumentsTombstonesAndIdentities_ChangesOnlyTheSize()
    {
        const int documents = 3000;
        var platform = new MemoryPlatform();
        DocumentDatabase database = Open(platform, DocumentDatabase.MakeDatabaseId());
        string id = database.DatabaseId;
        string filler = new('x', 2000);
        await database.WriteAsync([.. Enumerable.Range(0, documents).Select(i => TestCommands.Put(
            $"Users/{i}", $$$"""{"N":{{{i}}},"F":"{{{filler}}}","@metadata":{"@collection":"{{{s_collections[i % 5]}}}"}}"""))]);
        await database.WriteAsync([.. Enumerable.Range(0, documents).Where(i => i % 10 != 0).Select(i => TestCommands.Delete($"users/{i}"))]);
        long identity = (await database.NextIdentityAsync("users|", default)).Value;
        long hilo = (await database.NextHiLoAsync(new HiLoRequest("users", 32, 0), default)).High;
        Contents before = Contents.Of(database);
        await database.DisposeAsync();

        CompactionResult result = StorageCompaction.Run(platform, "/db", DatabaseSchemas.Standard);

        await using DocumentDatabase compacted = Open(platform, DocumentDatabase.MakeDatabaseId());
        Contents after = Contents.Of(compacted);
        Assert.Equal(before.Documents, after.Documents);
        Assert.Equal(before.ByEtag, after.ByEtag);
        Assert.Equal(before.Tombstones, after.Tombstones);
        Assert.Equal(before.Collections, after.Collections);
        Assert.Equal((before.Counts, before.LastEtag), (after.Counts, after.LastEtag));
        Assert.Equal(id, compacted.DatabaseId);
        Assert.Equal(identity + 1, (await compacted.NextIdentityAsync("users|", default)).Value);
        Assert.Equal(hilo + 32, (await compacted.NextHiLoAsync(new HiLoRequest("users", 32, 0), default)).High);
        Assert.Empty(EnvironmentVerifier.Verify(compacted.Environment, DatabaseSchemas.Standard));
        Assert.InRange(result.BytesAfter, 1, result.BytesBefore / 3);
    }

    [Fact]
    public async Task Readers_BesideWriters_SeeWholeTransactions()
    {
        const int accounts = 20;
        await using DocumentDatabase database = Open(new MemoryPlatform(), DocumentDatabase.MakeDatabaseId());
        await database.WriteAsync([.. Enumerable.Range(0, accounts).Select(i => Put(i, 100))]);
        using var stop = new CancellationTokenSource();
        // On threads of their own: on the pool's they would keep it from the servers of other tests for seconds.
        Task[] readers = [.. Enumerable.Range(0, 2).Select(_ => Task.Factory.StartNew(Read, TaskCreationOptions.LongRunning))];
        void Read()
        {
            while (!stop.IsCancellationRequested)
            {
                using DocumentReadScope read = database.BeginRead();
                List<DocumentCopy> byId = read.OpenByIdPrefix(default, default).ToList();
                List<DocumentCopy> byEtag = read.OpenByEtag("ACCOUNTS"u8, EtagOrder.Ascending, Etag.None).ToList();
                Assert.Equal(100 * accounts, byId.Sum(document => Amount(document.Body)));
                Assert.Equal(byId.OrderBy(document => document.Etag), byEtag);
                Assert.Equal(byEtag[^1].Etag, read.LastEtag);
            }
        }

        var random = new Random(5);
        for (int i = 0; i < 500; i++)
        {
            (int from, int to) = (random.Next(accounts), random.Next(accounts));
            if (from != to)
            {
                long left = Amount(database.Get($"accounts/{from}")!.Body);
                long right = Amount(database.Get($"accounts/{to}")!.Body);
                await database.WriteAsync(Put(from, left - 7), Put(to, right + 7));
            }
        }

        await stop.CancelAsync();
        await Task.WhenAll(readers);

        static DocumentCommand Put(int account, long amount) =>
            TestCommands.Put($"accounts/{account}", TestCommands.Json("Accounts", amount));
        static long Amount(string body) => long.Parse(body[10..body.IndexOf(',', StringComparison.Ordinal)]);
    }

    /// <summary>All that a database answers, copied out.</summary>
    private sealed record Contents(
        List<DocumentCopy> Documents,
        List<DocumentCopy> ByEtag,
        List<(string Key, long Etag)> Tombstones,
        List<CollectionCount> Collections,
        DocumentCounts Counts,
        Etag LastEtag)
    {
        public static Contents Of(DocumentDatabase database)
        {
            using DocumentReadScope read = database.BeginRead();
            return new Contents(
                read.OpenByIdPrefix(default, default).ToList(),
                read.OpenByEtag(default, EtagOrder.Ascending, default).ToList(),
                DocumentDatabaseModelTests.Tombstones(read, default),
                [.. read.GetCollections()],
                read.Counts,
                read.LastEtag);
        }
    }

    private static DocumentDatabase Open(IPlatform platform, string databaseId) => DocumentDatabase.Open(
        platform, "/db", "db", databaseId, new DatabaseSettings(), new StorageOptions());

    private static async Task CloseAsync(DocumentDatabase database, bool abandon)
    {
        if (abandon)
        {
            database.Environment.Abandon();
        }

        await database.DisposeAsync();
    }

    private static async Task<DocumentModel> StepAsync(
        DocumentDatabase database, DocumentModel model, Random random, string script)
    {
        DocumentCommand[] commands = [.. Enumerable.Range(0, random.Next(1, 6)).Select(_ => MakeCommand(model, random))];
        DocumentModel? after = model.Apply(commands, out int failed);
        Written result = await database.WriteAsync(commands);
        if (after is null)
        {
            Assert.True(result.Status == WriteStatus.Conflict && result.FailedCommand == failed,
                $"{script}: {result.Status} at {result.FailedCommand} instead of a conflict at {failed}");
            return model;
        }

        Assert.True(result.Status == WriteStatus.Applied, $"{script}: {result.Status} at {result.FailedCommand}");
        return after;
    }

    /// <summary>As of <see cref="MakeCommand"/>, with ids that the writer completes, and a demand that only fails after they were written.</summary>
    private static DocumentCommand[] MakeConcurrentBatch(Random random, DocumentDatabase database)
    {
        var nothing = new DocumentModel();
        List<DocumentCommand> commands = [.. Enumerable.Range(0, random.Next(1, 5)).Select(_ => MakeCommand(nothing, random))];
        if (random.Next(20) == 0)
        {
            string json = TestCommands.Json(s_collections[0], 1).Insert(1, $"\"F\":\"{new string('f', 500_000)}\",");
            commands.Add(TestCommands.Put($"large/{random.Next(5)}", json));
        }

        if (random.Next(3) == 0)
        {
            string json = TestCommands.Json(s_collections[random.Next(5)], 7);
            commands.Insert(random.Next(commands.Count), TestCommands.Put(random.Next(2) == 0 ? "users|" : "users/", json));
            if (random.Next(3) == 0)
            {
                using DocumentReadScope read = database.BeginRead();
                string next = $"users/{read.LastEtag.Value + random.Next(1, 9):D19}-A";
                commands.Add(TestCommands.Put(next, json, ExpectedVersion.Missing));
                commands.Add(TestCommands.Put("orders|", json, TestCommands.Exactly(new Etag(1))));
            }
        }

        return [.. commands];
    }

    private static DocumentCommand WithId(DocumentCommand command, string id)
    {
        if (command is not PutCommand put)
        {
            return command;
        }

        var renamed = new PutCommand { Document = put.Document, Expected = put.Expected };
        renamed.SetId(Encoding.UTF8.GetBytes(id), TestCommands.Key(id));
        return renamed;
    }

    private static DocumentCommand MakeCommand(DocumentModel model, Random random)
    {
        string id = $"{(random.Next(2) == 0 ? "Users" : "uSERS")}/{random.Next(40)}{(random.Next(9) == 0 ? "/É" : "")}";
        Etag stored = model.Documents.GetValueOrDefault(Encoding.UTF8.GetString(TestCommands.Key(id)))?.Etag ?? Etag.None;
        ExpectedVersion expected = random.Next(8) switch
        {
            0 => ExpectedVersion.Missing,
            1 => TestCommands.Exactly(new Etag(Math.Max(1, model.LastEtag))),
            2 or 3 => stored == Etag.None ? ExpectedVersion.Missing : TestCommands.Exactly(stored),
            _ => ExpectedVersion.Any,
        };
        int length = random.Next(20) == 0 ? random.Next(20_000) : random.Next(60);
        string json = $$$"""{"T":"{{{new string('t', length)}}}","@metadata":{"@collection":"{{{s_collections[random.Next(5)]}}}"}}""";
        return random.Next(12) switch
        {
            0 or 1 or 2 => TestCommands.Delete(id, expected),
            3 => TestCommands.Check(id, expected),
            4 when random.Next(4) == 0 => TestCommands.DeletePrefix($"users/{random.Next(4)}"),
            _ => TestCommands.Put(id, json, expected),
        };
    }

    private static void Compare(DocumentDatabase database, DocumentModel model, string script)
    {
        using DocumentReadScope read = database.BeginRead();
        Assert.True(read.LastEtag.Value == model.LastEtag, $"{script}: last etag {read.LastEtag.Value}, not {model.LastEtag}");
        DocumentCopy[] byKey = [.. model.Documents.OrderBy(entry => entry.Key, StringComparer.Ordinal).Select(entry => entry.Value)];
        Assert.Equal(byKey, read.OpenByIdPrefix(default, default).ToList());
        Assert.Equal(byKey.OrderBy(document => document.Etag), read.OpenByEtag(default, EtagOrder.Ascending, default).ToList());
        Assert.All(byKey, document => Assert.Equal(document, read.Get(document.Id.ToUpperInvariant())));
        Assert.Equal((byKey.Length, model.Tombstones.Count), (read.Counts.Documents, read.Counts.Tombstones));
        Assert.Equal(
            model.Tombstones.OrderBy(entry => entry.Value).Select(entry => (entry.Key.Key, entry.Value)),
            Tombstones(read, default));
        CompareCollections(read, byKey, model);
    }

    private static void CompareCollections(DocumentReadScope read, DocumentCopy[] byKey, DocumentModel model)
    {
        var expected = byKey.GroupBy(document => document.Collection.ToLowerInvariant())
            .OrderBy(group => Encoding.UTF8.GetBytes(group.Key), Comparer<byte[]>.Create((x, y) => x.AsSpan().SequenceCompareTo(y)))
            .Select(group => (group.Key, (long)group.Count()));
        Assert.Equal(expected, read.GetCollections().Select(collection => (collection.Name.ToLowerInvariant(), collection.Documents)));
        foreach (CollectionCount collection in read.GetCollections())
        {
            Assert.Equal(
                byKey.Where(document => document.Collection.Equals(collection.Name, StringComparison.OrdinalIgnoreCase))
                    .OrderByDescending(document => document.Etag),
                read.OpenByEtag(Encoding.UTF8.GetBytes(collection.Name), EtagOrder.Descending, Etag.Maximum).ToList());
            Assert.Equal(
                model.Tombstones.Where(entry => entry.Key.Collection.Equals(collection.Name, StringComparison.OrdinalIgnoreCase))
                    .OrderBy(entry => entry.Value).Select(entry => (entry.Key.Key, entry.Value)),
                Tombstones(read, Encoding.UTF8.GetBytes(collection.Name)));
            Assert.True(collection.DocumentBytes > 0);
        }
    }

    private static List<(string Key, long Etag)> Tombstones(DocumentReadScope read, ReadOnlySpan<byte> collection)
    {
        var tombstones = new List<(string, long)>();
        TombstoneCursor cursor = read.OpenTombstones(collection, Etag.None);
        while (cursor.MoveNext())
        {
            tombstones.Add((Encoding.UTF8.GetString(cursor.Current.Key), cursor.Current.Etag.Value));
        }

        return tombstones;
    }
}
