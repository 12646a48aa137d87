using System.Text.Json;
using Jackdaw.Documents.Databases;
using Jackdaw.Pal;
using Jackdaw.Pal.InMemory;
using Jackdaw.Pal.Native;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers;

/// <summary>Compaction over HTTP: the files become smaller, nothing is lost, and whatever fails, the database serves the same afterwards.</summary>
public sealed class CompactionTests
{
    private const string Everything = """{"DatabaseName":"db1","Documents":true,"Indexes":["Orders/Totals","orders/bycompany"]}""";

    [Fact]
    public async Task Compact_DocumentsAndIndexes_MakesFilesSmallerAndKeepsAll()
    {
        await using ServerFixture server = await StartAsync(new MemoryPlatform());
        string before = await ContentsAsync(server);

        JsonElement state = await EndOf(server, await BeginAsync(server, Everything));

        Assert.Equal("Completed", state.GetProperty("Status").GetString());
        JsonElement result = state.GetProperty("Result");
        Assert.True(result.GetProperty("SizeAfterCompactionInMb").GetDouble() < result.GetProperty("SizeBeforeCompactionInMb").GetDouble(), result.ToString());
        Assert.StartsWith("3 storages", result.GetProperty("Message").GetString(), StringComparison.Ordinal);
        Assert.Equal(before, await ContentsAsync(server));
        await server.RestartAsync();
        Assert.Equal(before, await ContentsAsync(server));
    }

    [Fact]
    public async Task Requests_WhileItIsCompacted_AreAnsweredWithTheProgress()
    {
        using var reached = new ManualResetEventSlim();
        using var go = new ManualResetEventSlim();
        var platform = new HookedPlatform(new MemoryPlatform());
        await using ServerFixture server = await StartAsync(platform);
        platform.BeforeNameChange = (change, path) =>
        {
            if (change == NameChange.Rename && path.EndsWith("Compacted", StringComparison.Ordinal))
            {
                reached.Set();
                Assert.True(go.Wait(TimeSpan.FromMinutes(1)));
            }
        };
        long id = await BeginAsync(server, Everything);
        Assert.True(reached.Wait(TimeSpan.FromMinutes(1)));

        Answer refused = await server.DbAsync("GET", "/docs?id=orders/1-A");
        Answer state = await server.SendAsync("GET", $"/operations/state?id={id}");
        go.Set();
        await EndOf(server, id);

        refused.AssertProblem(503, "DatabaseLoadTimeoutException", "is being compacted", "of the documents, storage 1 of 3");
        Assert.NotNull(refused.Header("Retry-After"));
        Assert.Equal("InProgress", state.Json.GetProperty("Status").GetString());
        Assert.Equal(200, (await server.DbAsync("GET", "/docs?id=orders/1-A")).Status);
    }

    [Fact]
    public Task Compact_ThatFailsAtAnyStep_LeavesTheDatabaseServingTheSame() => FailAtEachStepAsync(restarts: false);

    [Fact]
    [Trait("Tier", "Full")]
    public Task Compact_ThatFailsAtAnyStepBeforeARestart_LeavesTheDatabaseServingTheSame() => FailAtEachStepAsync(restarts: true);

    /// <summary>Each change of a name and each sync of names in turn fails, in a folder of real files.</summary>
    private static async Task FailAtEachStepAsync(bool restarts)
    {
        string folder = Directory.CreateTempSubdirectory("jackdaw-compact-").FullName;
        try
        {
            var platform = new HookedPlatform(new NativePlatform());
            await using ServerFixture server = await StartAsync(platform, folder);
            string before = await ContentsAsync(server);
            int failures = 0;
            for (int step = 1; ; step += restarts ? 1 : 2)
            {
                int left = step;
                bool hasFailed = false;
                void FailOnce()
                {
                    if (Interlocked.Decrement(ref left) == 0)
                    {
                        hasFailed = true;
                        throw new PalException(PalStatus.IoError, "rename", folder, 5, "Input/output error");
                    }
                }

                platform.BeforeNameChange = (_, path) => Strike(path, FailOnce);
                platform.BeforeDirectorySync = FailOnce;
                await EndOf(server, await BeginAsync(server, Everything));
                (platform.BeforeNameChange, platform.BeforeDirectorySync) = (null, null);
                if (!hasFailed)
                {
                    break;
                }

                failures++;
                if (restarts)
                {
                    await server.RestartAsync();
                }

                await server.WaitForOpenAsync();
                Assert.True(before == await ContentsAsync(server), $"step {step}");
            }

            Assert.True(failures >= 3, $"{failures} failures");
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public async Task Kill_OfARunningCompaction_LeavesTheOldFiles()
    {
        long id = 0;
        var platform = new HookedPlatform(new MemoryPlatform());
        await using ServerFixture server = await StartAsync(platform);
        string before = await ContentsAsync(server);
        platform.BeforeNameChange = (change, path) =>
        {
            if (path.Contains("/Compacting/", StringComparison.Ordinal) && server.Server is { } && Interlocked.Read(ref id) > 0)
            {
                server.Client.PostAsync($"/admin/operations/kill?id={Interlocked.Read(ref id)}", null).GetAwaiter().GetResult().Dispose();
                Interlocked.Exchange(ref id, -1);
            }
        };

        Interlocked.Exchange(ref id, 1);
        JsonElement state = await EndOf(server, await BeginAsync(server, Everything));

        Assert.Equal("Canceled", state.GetProperty("Status").GetString());
        await Eventually.IsTrueAsync(() => Interlocked.Read(ref id) == -1); // the state is told before the hook has its answer
        await server.WaitForOpenAsync();
        Assert.Equal(before, await ContentsAsync(server));
    }

    [Theory]
    [InlineData("""{"Documents":true}""", 400, "ArgumentException", "DatabaseName is missing")]
    [InlineData("""{"DatabaseName":"db1"}""", 400, "ArgumentException", "nothing to compact")]
    [InlineData("""{"DatabaseName":"nope","Documents":true}""", 503, "DatabaseDoesNotExistException", "nope")]
    [InlineData("""{"DatabaseName":"db1","Indexes":["Nope"]}""", 500, "IndexDoesNotExistException", "no index 'Nope'")]
    public async Task Compact_OfWhatDoesNotExist_IsRefused(string body, int status, string type, string message)
    {
        await using ServerFixture server = await ServerFixture.StartAsync();

        (await server.SendAsync("POST", "/admin/compact", body)).AssertProblem(status, type, message);
    }

    private static void Strike(string path, Action fail)
    {
        if (path.Contains("Compact", StringComparison.Ordinal) || path.EndsWith("/data", StringComparison.Ordinal)
            || path.EndsWith("/headers", StringComparison.Ordinal))
        {
            fail();
        }
    }

    /// <summary>A database whose files have much free space.</summary>
    private static async Task<ServerFixture> StartAsync(IPlatform platform, string folder = "/data")
    {
        ServerFixture server = await ServerFixture.StartAsync(new ServerSetup { Platform = platform, DataDir = folder });
        Assert.Equal(204, (await server.DbAsync("POST", "/studio/sample-data?operateOnTypes=Documents&operateOnTypes=Indexes")).Status);
        await server.SettledAsync();
        string filler = new('x', 100_000);
        for (int i = 0; i < 20; i++)
        {
            await server.DbAsync("PUT", $"/docs?id=fillers/{i}", $$"""{"f":"{{filler}}"}""");
        }

        for (int i = 0; i < 20; i++)
        {
            await server.DbAsync("DELETE", $"/docs?id=fillers/{i}");
        }

        return server;
    }

    private static async Task<string> ContentsAsync(ServerFixture server) =>
        string.Join('\n', await server.RowsAsync("from @all_docs order by id()", new { PageSize = 2000 }))
        + string.Join('\n', await server.RowsAsync("from index 'Orders/ByCompany' order by Company", new { PageSize = 200 }))
        + string.Join('\n', await server.RowsAsync("from index 'Orders/Totals' where Total > 2000 order by Total as double select Total, Company"));

    private static async Task<long> BeginAsync(ServerFixture server, string body)
    {
        Answer begun = await server.SendAsync("POST", "/admin/compact", body);
        Assert.True(begun.Status == 200, begun.Text);
        Assert.Equal("A", begun.Json.GetProperty("OperationNodeTag").GetString());
        return begun.Json.GetProperty("OperationId").GetInt64();
    }

    private static async Task<JsonElement> EndOf(ServerFixture server, long id) => (await Eventually.ReadAsync(
        () => server.SendAsync("GET", $"/operations/state?id={id}"),
        answer => answer.Json.GetProperty("Status").GetString() != "InProgress")).Json;
}

/// <summary>Waits for a database that is being opened again.</summary>
internal static class OpenedDatabases
{
    public static async Task WaitForOpenAsync(this ServerFixture server)
    {
        DatabaseLookup lookup = await server.Databases.FindOpenAsync(server.Setup.Database, TimeSpan.FromMinutes(1), CancellationToken.None);
        Assert.True(lookup.Status == DatabaseLookupStatus.Open, $"{lookup.Status}: {lookup.Reason}");
    }
}
