using System.Collections.Concurrent;
using System.Text;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.CompareExchange;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Pal;
using Jackdaw.Pal.InMemory;
using Jackdaw.Pal.Simulation;
using Jackdaw.Storage;
using Jackdaw.Storage.Compaction;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Verification;

namespace Jackdaw.Documents.Tests.CompareExchange;

/// <summary>Compare exchange values in a database's storage: beside documents, over closings, power cuts and compaction.</summary>
public sealed class CompareExchangeStorageTests
{
    /// <summary>Random writes, some expected to fail, with reopening and compaction in between.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task RandomWrites_AgainstAModel_AreTheSame(int seed)
    {
        var random = new Random(seed);
        var platform = new MemoryPlatform();
        var model = new SortedDictionary<string, (string Name, long Index, string Value)>(StringComparer.Ordinal);
        long last = 0;
        DocumentDatabase database = Open(platform);
        for (int step = 0; step < 600; step++)
        {
            string name = $"{(random.Next(2) == 0 ? "key" : "KEY")}/{random.Next(30)}";
            string key = name.ToLowerInvariant();
            long index = model.TryGetValue(key, out var stored) ? stored.Index : 0;
            long expected = random.Next(4) == 0 ? random.Next(50) : index;
            if (random.Next(5) == 0)
            {
                last = (await database.PutAsync($"d/{step}", TestCommands.Json("D", step))).Value;
            }
            else if (random.Next(4) == 0)
            {
                CompareExchangeCommand delete = await WriteAsync(database, new DeleteCompareExchangeCommand { IsAlone = true }, name, expected);
                Assert.True(delete.IsSuccessful == (index == 0 || expected == index), $"seed {seed}, step {step}");
                last += delete.IsSuccessful && index != 0 ? 1 : 0;
                if (delete.IsSuccessful)
                {
                    model.Remove(key);
                }
            }
            else
            {
                string value = $$"""{"Object":"{{new string('v', random.Next(9) == 0 ? random.Next(20_000) : random.Next(30))}}"}""";
                CompareExchangeCommand put = await WriteAsync(database, Put(value), name, expected);
                Assert.True(put.IsSuccessful == (expected == index), $"seed {seed}, step {step}");
                if (put.IsSuccessful)
                {
                    Assert.Equal(++last, put.Index);
                    model[key] = (index == 0 ? name : stored.Name, put.Index, value);
                }
            }

            if (step % 100 == 99)
            {
                Assert.Empty(EnvironmentVerifier.Verify(database.Environment, DatabaseSchemas.Standard));
                await database.DisposeAsync();
                if (random.Next(2) == 0)
                {
                    StorageCompaction.Run(platform, "/db", DatabaseSchemas.Standard);
                }

                database = Open(platform);
                Assert.Equal(model.Values, Read(database));
                using DocumentReadScope read = database.BeginRead();
                Assert.True(read.LastEtag.Value == last, $"seed {seed}, step {step}: {read.LastEtag} instead of {last}");
            }
        }

        await database.DisposeAsync();
    }

    [Theory]
    [InlineData(21)]
    [InlineData(22)]
    [InlineData(23)]
    public async Task PowerCut_AnyMoment_KeepsWhatWasAcknowledged(int seed)
    {
        var platform = new SimulatedPlatform(seed);
        var acknowledged = new ConcurrentDictionary<string, long>();
        Dictionary<string, long> known = [];
        SimulatedPlatform? after = null;
        await using (DocumentDatabase database = Open(platform))
        {
            await Task.WhenAll(Enumerable.Range(0, 8).Select(writer => Task.Run(async () =>
            {
                for (int i = 0; i < 30; i++)
                {
                    string name = $"w{writer}/{i}";
                    acknowledged[name] = (await WriteAsync(database, Put($$"""{"Object":{{i}}}"""), name, 0)).Index;
                    await database.PutAsync(name, TestCommands.Json("Things", i));
                    if (writer == 0 && i == 20)
                    {
                        known = new Dictionary<string, long>(acknowledged);
                        after = platform.Crash(seed);
                    }
                }
            })));
        }

        await using DocumentDatabase reopened = Open(after!);
        var values = Read(reopened).ToDictionary(value => value.Name);
        Assert.All(known, one => Assert.Equal(one.Value, values[one.Key].Index));
        Assert.Empty(EnvironmentVerifier.Verify(reopened.Environment, DatabaseSchemas.Standard));
        long last = (await WriteAsync(reopened, Put("""{"Object":0}"""), "next", 0)).Index;
        Assert.All(values.Values, value => Assert.True(value.Index < last));
    }

    /// <summary>A value and an index that no value can have are not what the server writes: verify tells of them.</summary>
    [Fact]
    public async Task Verify_TwoValuesOfOneIndex_IsImpossible()
    {
        await using DocumentDatabase database = Open(new MemoryPlatform());
        using WriteTransaction transaction = database.Environment.BeginWrite();
        var table = new Table(transaction, transaction.Trees, CompareExchangeTable.Schema);
        table.Insert(CompareExchangeTable.BuildRow("a"u8, "a"u8, "{}"u8));

        Assert.False(table.TryInsert(CompareExchangeTable.BuildRow("b"u8, "b"u8, "{}"u8), out _));
    }

    [Fact]
    public async Task Batch_SecondCommandRefused_LeavesNothingOfTheFirst()
    {
        await using DocumentDatabase database = Open(new MemoryPlatform());
        CompareExchangeCommand first = Named(new PutCompareExchangeCommand(), "a", 0);
        ((PutCompareExchangeCommand)first).SetValue("""{"Object":1}"""u8.ToArray());
        CompareExchangeCommand second = Named(new DeleteCompareExchangeCommand(), "A", long.MaxValue); // What nobody could know.

        WriteOutcome outcome = await database.WriteAsync(new WriteBatch { Commands = new DocumentCommand[] { first, second } }, default);

        Assert.Equal((WriteStatus.Conflict, 1), (outcome.Status, outcome.FailedCommand));
        Assert.Empty(Read(database));
        using DocumentReadScope read = database.BeginRead();
        Assert.Equal(Etag.None, read.LastEtag);
    }

    private static PutCompareExchangeCommand Put(string value)
    {
        var put = new PutCompareExchangeCommand { IsAlone = true };
        put.SetValue(Encoding.UTF8.GetBytes(value));
        return put;
    }

    private static CompareExchangeCommand Named(CompareExchangeCommand command, string name, long index)
    {
        command.SetKey(Encoding.UTF8.GetBytes(name), Encoding.UTF8.GetBytes(name.ToLowerInvariant()));
        command.ExpectedIndex = index;
        return command;
    }

    private static async Task<CompareExchangeCommand> WriteAsync(DocumentDatabase database, CompareExchangeCommand command, string name, long index)
    {
        var batch = new WriteBatch { Commands = new[] { Named(command, name, index) } };
        Assert.Equal(WriteStatus.Applied, (await database.WriteAsync(batch, default)).Status);
        return command;
    }

    private static List<(string Name, long Index, string Value)> Read(DocumentDatabase database)
    {
        using DocumentReadScope read = database.BeginRead();
        using TableKeyCursor cursor = CompareExchangeTable.Open(read.Transaction).OpenKeys(CompareExchangeTable.ByKey);
        var values = new List<(string, long, string)>();
        for (bool on = cursor.SeekFirst(); on; on = cursor.MoveNext())
        {
            var row = new CompareExchangeRow(cursor.Row);
            values.Add((Encoding.UTF8.GetString(row.Name), row.Index, Encoding.UTF8.GetString(row.Value)));
        }

        return values;
    }

    private static DocumentDatabase Open(IPlatform platform) => DocumentDatabase.Open(
        platform, "/db", "db", DocumentDatabase.MakeDatabaseId(), new DatabaseSettings(), new StorageOptions());
}
