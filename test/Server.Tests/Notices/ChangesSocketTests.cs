using System.Text.Json;
using Jackdaw.Server.Http.Limits;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Notices;

/// <summary>Real sockets.</summary>
public sealed class ChangesSocketTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Connect_FirstFrame_NamesTheFeatures()
    {
        using NoticeClient official = await _server.ConnectAsync("?throttleConnection=false");
        using NoticeClient extended = await _server.ConnectAsync("?EXTENDED=true");
        await official.ReadFrameAsync();
        await extended.ReadFrameAsync();
        Assert.Equal("""[{"TopologyChange":true,"AggressiveCachingChange":true}]""", official.Frames[0]);
        Assert.Equal("""[{"TopologyChange":true,"AggressiveCachingChange":true,"ExtendedNotices":true}]""", extended.Frames[0]);
    }

    [Fact]
    public async Task Write_WatchedDocument_IsToldToThoseWhoWatchIt()
    {
        using NoticeClient all = await _server.ConnectAsync();
        using NoticeClient some = await _server.ConnectAsync();
        await all.CommandAsync("watch-docs");
        await all.CommandAsync("watch-doc", "users/1");
        await some.CommandAsync("watch-collection", "ORDERS");
        await _server.PutEmptyAsync("users/1");
        await _server.PutEmptyAsync("orders/1", "Orders");
        await _server.PutEmptyAsync("orders/1", "Users"); // moves
        Assert.Equal(204, (await _server.DbAsync("DELETE", "/docs?id=users/1")).Status);
        await all.ReadUntilAsync(() => all.Changes.Count() >= 4);
        await some.ReadUntilAsync(() => some.Changes.Count() >= 2);
        Assert.Equal("Put users/1, Put orders/1, Put orders/1, Delete users/1", all.Told);
        Assert.Equal("Put orders/1, Delete orders/1", some.Told);
        Assert.Equal("Orders", some.Changes.Last().GetProperty("CollectionName").GetString());
    }

    [Fact]
    public async Task Unwatch_Confirmed_NothingMoreIsTold()
    {
        using NoticeClient client = await _server.ConnectAsync();
        await client.CommandAsync("watch-docs");
        await client.CommandAsync("unwatch-docs");
        await client.CommandAsync("watch-doc", "last");
        await _server.PutEmptyAsync("first");
        await _server.PutEmptyAsync("last");
        await client.ReadUntilAsync(() => client.Changes.Any());
        Assert.Equal("Put last", client.Told);
    }

    [Fact]
    public async Task Write_OutputsOfAnIndex_OnlyCachesAreTold()
    {
        using NoticeClient documents = await _server.ConnectAsync();
        using NoticeClient caches = await _server.ConnectAsync("?extended=true");
        await documents.CommandAsync("watch-docs");
        await documents.CommandAsync("watch-indexes");
        await caches.CommandAsync("watch-aggressive-caching");
        var definition = new
        {
            Name = "Sums",
            Maps = (string[])["from u in docs.Users select new { Name = \"all\", Count = 1 }"],
            Reduce = "from r in results group r by r.Name into g select new { Name = g.Key, Count = g.Sum(x => x.Count) }",
            OutputReduceToCollection = "Sums",
        };
        Answer put = await _server.DbAsync("PUT", "/admin/indexes", JsonSerializer.Serialize(new { Indexes = new[] { definition } }));
        Assert.True(put.Status == 201, put.Text);
        await _server.PutEmptyAsync("users/1");
        await caches.ReadUntilAsync(() => caches.Of("AggressiveCacheChange").Any(
            change => change.GetProperty("Collections").EnumerateArray().Any(name => name.GetString() == "Sums")));
        await _server.PutEmptyAsync("users/2");
        await documents.ReadUntilAsync(() => documents.Changes.Count() >= 2);
        Assert.Equal("Put users/1, Put users/2", documents.Told);
        Assert.Contains("IndexAdded Sums", IndexEvents(documents));

        // The documents that an index makes may be told before the index itself.
        await caches.ReadUntilAsync(() => caches.Of("AggressiveCacheChange").Any(change => change.GetProperty("Indexes").GetArrayLength() == 1));
    }

    [Fact]
    public async Task Indexes_Changed_EachChangeIsTold()
    {
        using NoticeClient client = await _server.ConnectAsync();
        await client.CommandAsync("watch-index", "users/byname");
        await PutIndexAsync("Users/ByName", "from u in docs.Users select new { u.Name }");
        await _server.PutEmptyAsync("users/1");
        await ExpectAsync("BatchCompleted");
        Assert.Equal("IndexAdded Users/ByName", IndexEvents(client)[0]);
        await PostAsync("/indexes/set-lock", """{"IndexNames":["Users/ByName"],"Mode":"LockedIgnore"}""");
        await ExpectAsync("LockModeChanged");
        await PostAsync("/indexes/set-lock", """{"IndexNames":["Users/ByName"],"Mode":"Unlock"}""");
        await PostAsync("/indexes/set-priority", """{"IndexNames":["Users/ByName"],"Priority":"High"}""");
        await ExpectAsync("PriorityChanged");
        await PostAsync("/admin/indexes/stop?name=Users/ByName", "");
        await ExpectAsync("IndexPaused");
        await PostAsync("/admin/indexes/start?name=Users/ByName", "");
        await PutIndexAsync("Users/ByName", "from u in docs.Users select new { u.Name, u.Age }");
        await ExpectAsync("SideBySideReplace");
        await PostAsync("/admin/indexes/disable?name=Users/ByName", "");
        await ExpectAsync("IndexDemotedToDisabled");
        Assert.Equal(204, (await _server.DbAsync("DELETE", "/indexes?name=Users/ByName")).Status);
        await ExpectAsync("IndexRemoved");

        Task ExpectAsync(string kind) => client.ReadUntilAsync(() => IndexEvents(client).Contains($"{kind} Users/ByName"));

        async Task PostAsync(string path, string body)
        {
            Answer answer = await _server.DbAsync("POST", path, body);
            Assert.True(answer.Status < 300, answer.Text);
        }
    }

    [Fact]
    public async Task Operation_OfAQuery_ItsEndIsToldOnce()
    {
        await _server.WriteAsync(Enumerable.Range(0, 50).Select(i => NoticeRequests.PutCommand($"users/{i}", "Users")));
        using NoticeClient all = await _server.ConnectAsync();
        using NoticeClient one = await _server.ConnectAsync();
        await all.CommandAsync("watch-operations");
        long id = (await _server.DbAsync("GET", "/operations/next-operation-id")).Json.GetProperty("Id").GetInt64();
        await one.CommandAsync("watch-operation", $"{id}");
        for (int i = 0; i < 2; i++)
        {
            Answer answer = await _server.DbAsync("DELETE", $"/queries?operationId={id + i}", """{"Query":"from Users"}""");
            Assert.True(answer.Status is 200 or 202, answer.Text);
        }

        await all.ReadUntilAsync(() => Ends(all).Count >= 2);
        await one.ReadUntilAsync(() => Ends(one).Count >= 1);
        await _server.PutEmptyAsync("users/1");
        await all.CommandAsync("watch-docs"); // whatever else was told is there now
        Assert.Equal([$"{id} Completed", $"{id + 1} Completed"], Ends(all).Order());
        Assert.Equal([$"{id} Completed"], Ends(one));
        JsonElement state = all.Of("OperationStatusChange").Last().GetProperty("State");
        Assert.Equal(JsonValueKind.Object, state.GetProperty("Result").ValueKind);

        static List<string> Ends(NoticeClient client) =>
        [
            .. client.Of("OperationStatusChange")
                .Select(change => $"{change.GetProperty("OperationId")} {change.GetProperty("State").GetProperty("Status")}")
                .Where(text => !text.EndsWith("InProgress", StringComparison.Ordinal)),
        ];
    }

    [Fact]
    public async Task Idle_AfterFiveSeconds_HasAHeartbeat()
    {
        var time = new ManualTime();
        await using ServerFixture server = await ServerFixture.StartAsync(new ServerSetup { Time = time });
        using NoticeClient client = await server.ConnectAsync();
        await client.CommandAsync("watch-docs");
        Task<bool> frame = client.ReadFrameAsync();
        await time.AdvanceUntilAsync(TimeSpan.FromSeconds(1), () => Task.FromResult(frame.IsCompleted), "no heartbeat");
        Assert.Equal("[]", client.Frames[^1]);
        Assert.True(time.GetUtcNow() - DateTimeOffset.UnixEpoch >= HttpLimits.HeartbeatTime);
    }

    private async Task PutIndexAsync(string name, string map)
    {
        var body = new { Indexes = new[] { new { Name = name, Maps = new[] { map } } } };
        Answer answer = await _server.DbAsync("PUT", "/admin/indexes", JsonSerializer.Serialize(body));
        Assert.True(answer.Status == 201, answer.Text);
    }

    private static List<string> IndexEvents(NoticeClient client) =>
        [.. client.Of("IndexChange").Select(change => $"{change.GetProperty("Type")} {change.GetProperty("Name")}")];
}
