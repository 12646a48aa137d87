using System.Net.WebSockets;
using System.Security.Cryptography.X509Certificates;
using System.Text.Json;
using Jackdaw.Security.Callers;
using Jackdaw.Server.Live;
using Jackdaw.Server.Tests.Notices;
using Jackdaw.Server.Tests.Security;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Live;

/// <summary>The websocket with statistics: what was, what is, and who may see it.</summary>
public sealed class LiveStatisticsTests
{
    [Fact]
    public async Task Writes_AreCountedOnce_InHistoryAndFrames()
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        using LiveClient early = await LiveClient.ConnectAsync(server);
        JsonElement first = (await early.ReadAsync())!.Value;
        long before = Sum(first, "History", "Commands");
        for (int i = 0; i < 7; i++)
        {
            await server.PutEmptyAsync($"users/{i}");
        }

        long seen = before;
        await early.ReadUntilAsync(frame =>
        {
            seen += Sum(frame, "Samples", "Commands");
            return seen >= before + 7;
        });
        Assert.Equal(before + 7, seen);
        await early.ReadUntilAsync(frame => Sum(frame, "Samples", "Commands") == 0); // nothing more was written

        using LiveClient late = await LiveClient.ConnectAsync(server);
        JsonElement history = (await late.ReadAsync())!.Value;
        Assert.Equal(seen, Sum(history, "History", "Commands"));
        Assert.True(Sum(history, "History", "Requests") >= 7);
        Assert.InRange(Sum(history, "History", "Commits"), 1, Sum(history, "History", "Batches") + 20);
        Assert.Equal(7, StateOf(history, "db1").GetProperty("Documents").GetInt64());
        Assert.Equal("Online", StateOf(history, "db1").GetProperty("State").GetString());
    }

    [Fact]
    public async Task Writes_HaveJournalTimes_AndIndexesTheirWork()
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        await server.PutIndexAsync("Users/ByName", "from user in docs.Users select new { user.Name }");
        await server.PutIndexAsync("Users/Count", "from user in docs.Users select new { user.Name, Count = 1 }",
            "from row in results group row by row.Name into names select new { Name = names.Key, Count = names.Sum(name => name.Count) }");
        using LiveClient client = await LiveClient.ConnectAsync(server);
        for (int i = 0; i < 9; i++)
        {
            await server.PutAsync($"users/{i}", """{"Name":"x","@metadata":{"@collection":"Users"}}""");
        }

        var seen = new Dictionary<string, long>();
        await client.ReadUntilAsync(frame =>
        {
            foreach (JsonElement work in WorkOf(frame))
            {
                long half = Member(work, "JournalP50Microseconds");
                long most = Member(work, "JournalP99Microseconds");
                Assert.InRange(half, 0, most);
                Assert.True(most == 0 || Member(work, "Commits") > 0);
                foreach (string name in new[] { "IndexedDocuments", "ReducedGroups", "IndexJournalBytes", "JournalP99Microseconds" })
                {
                    seen[name] = seen.GetValueOrDefault(name) + Member(work, name);
                }
            }

            return seen.GetValueOrDefault("IndexedDocuments") >= 18 && seen["ReducedGroups"] > 0;
        });
        Assert.Equal(18, seen["IndexedDocuments"]); // each once for each index
        Assert.True(seen["IndexJournalBytes"] > 0);
        Assert.True(seen["JournalP99Microseconds"] > 0);

        // The sums of an index that is gone stay: a difference never falls below zero.
        await server.SendAsync("DELETE", "/databases/db1/indexes?name=Users/ByName");
        await server.PutEmptyAsync("users/last");
        await client.ReadUntilAsync(frame => WorkOf(frame).All(work =>
        {
            Assert.True(Member(work, "IndexJournalBytes") >= 0);
            return Member(work, "Commands") > 0;
        }));
    }

    [Fact]
    public async Task RequestWhoseSenderHasTheAnswer_CountsAsNotModified_AndAPatchThatChangesNothingDoesNot()
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        await server.PutEmptyAsync("users/1");
        string tag = (await server.DbAsync("GET", "/docs?id=users/1")).Header("ETag")!;
        Assert.Equal(304, (await server.DbAsync("GET", "/docs?id=users/1", null, ("If-None-Match", tag))).Status);
        Answer patched = await server.DbAsync(
            "PATCH", "/docs?id=users/1&skipPatchIfChangeVectorMismatch=true", """{"Patch":{"Script":"this.N = 2"}}""", ("If-Match", "\"A:99-x\""));
        Assert.Equal(304, patched.Status);
        using LiveClient client = await LiveClient.ConnectAsync(server);
        long hits = 0;
        await client.ReadUntilAsync(frame =>
        {
            hits += WorkOf(frame).Sum(work => Member(work, "NotModified"));
            return hits > 0;
        });
        Assert.Equal(1, hits);
    }

    [Fact]
    public async Task SnapshotThatIsHeld_CountsInEverySample()
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        using LiveClient client = await LiveClient.ConnectAsync(server);
        using (server.Database.BeginRead())
        {
            for (int i = 0; i < 2; i++)
            {
                await client.ReadUntilAsync(frame => WorkOf(frame).Any(work => Member(work, "OpenReads") >= 1));
            }
        }

        await client.ReadUntilAsync(frame => frame.TryGetProperty("Samples", out _) && WorkOf(frame).All(work => Member(work, "OpenReads") == 0));
    }

    [Fact]
    public void GarbageCollections_CountOnce_AndNeverLessThanNone()
    {
        var before = GarbageCollections.Read();
        GC.Collect(2, GCCollectionMode.Forced, blocking: true);
        Assert.True(GarbageCollections.Read().Since(before).Gen2 >= 1);
        Assert.Equal(new GarbageCollections(0, 2, 1), new GarbageCollections(4, 5, 2).Since(new GarbageCollections(5, 3, 1)));
    }

    [Fact]
    public async Task Database_SwitchedOrDeleted_ShowsSo()
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        using LiveClient client = await LiveClient.ConnectAsync(server);
        await server.Databases.SetDisabledAsync("db1", true, default);
        JsonElement disabled = StateOf(await client.ReadUntilAsync(frame => StateOf(frame, "db1").GetProperty("State").GetString() != "Online"), "db1");
        Assert.Equal("Disabled", disabled.GetProperty("State").GetString());
        Assert.False(disabled.TryGetProperty("Documents", out _));
        await server.Databases.DeleteAsync("db1", hard: true, default);
        await client.ReadUntilAsync(frame => frame.GetProperty("States").GetArrayLength() == 0);
    }

    [Fact]
    public async Task IndexThatFails_IsNamedAmongTheProblems()
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        await server.PutIndexAsync("Broken", "from doc in docs.Users select new { Half = 1 / (int)doc.Zero }");
        await server.PutAsync("users/1", """{"Zero":0,"@metadata":{"@collection":"Users"}}""");
        using LiveClient client = await LiveClient.ConnectAsync(server);
        JsonElement frame = await client.ReadUntilAsync(frame => StateOf(frame, "db1").GetProperty("Problems").GetArrayLength() > 0);
        Assert.Contains("Broken", StateOf(frame, "db1").GetProperty("Problems")[0].GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Caller_SeesOnlyDatabasesThatItMayOpen_AndIsCutWhenItsCertificateGoes()
    {
        await using SecuredFixture secured = await SecuredFixture.StartAsync();
        await secured.Server.SendAsync("PUT", "/admin/databases?name=other", """{"DatabaseName":"other"}""");
        using X509Certificate2 reader = secured.AddUser("reader", DatabasePermission.Read, "other");
        using LiveClient client = await LiveClient.ConnectAsync(secured.Server, options =>
        {
            options.RemoteCertificateValidationCallback = (_, _, _, _) => true;
            options.ClientCertificates.Add(reader);
        });
        await secured.Server.PutEmptyAsync("users/1"); // of db1
        for (int i = 0; i < 3; i++)
        {
            JsonElement frame = (await client.ReadAsync())!.Value;
            Assert.Equal("other", Assert.Single(frame.GetProperty("States").EnumerateArray()).GetProperty("Name").GetString());
            Assert.DoesNotContain("db1", frame.ToString(), StringComparison.Ordinal);
        }

        secured.Registry.Delete(reader.Thumbprint);
        while (await client.ReadAsync() is not null)
        {
        }
    }

    [Fact]
    public async Task Stop_EndsTheSocketInOrder()
    {
        ServerFixture server = await ServerFixture.StartAsync();
        using LiveClient client = await LiveClient.ConnectAsync(server);
        await client.ReadAsync();
        await server.DisposeAsync();
        while (await client.ReadAsync() is not null)
        {
        }

        Assert.Equal(WebSocketCloseStatus.EndpointUnavailable, client.CloseStatus);
    }

    [Fact]
    public async Task PlainRequest_IsToldToUpgrade()
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        Answer answer = await server.SendAsync("GET", "/live/statistics");
        Assert.Equal(426, answer.Status);
    }

    private static JsonElement StateOf(JsonElement frame, string database) =>
        frame.GetProperty("States").EnumerateArray().Single(state => state.GetProperty("Name").GetString() == database);

    private static IEnumerable<JsonElement> WorkOf(JsonElement frame) =>
        new[] { "History", "Samples" }.Where(member => frame.TryGetProperty(member, out _))
            .SelectMany(member => frame.GetProperty(member).EnumerateArray())
            .SelectMany(sample => sample.GetProperty("Databases").EnumerateObject().Select(one => one.Value));

    private static long Member(JsonElement work, string name) => work.TryGetProperty(name, out JsonElement value) ? value.GetInt64() : 0;

    private static long Sum(JsonElement frame, string member, string counter) => frame.TryGetProperty(member, out JsonElement samples)
        ? samples.EnumerateArray().SelectMany(sample => sample.GetProperty("Databases").EnumerateObject()).Sum(one => one.Value.GetProperty(counter).GetInt64())
        : 0;
}
