using System.Globalization;
using System.Text.Json;
using Jackdaw.Documents.Identity;
using Jackdaw.Pal.Native;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Formats;

/// <summary>What came with version 2 of the format: attachments, counters, revisions, times, guards; written and read over HTTP in one database.</summary>
/// <param name="data">A data folder.</param>
/// <param name="name">The database in it.</param>
internal sealed class FeatureContents(string data, string name)
{
    // More than one chunk, and small when it is compressed.
    private static readonly byte[] s_large = [.. Enumerable.Range(0, 1_200_000).Select(i => (byte)(i % 251))];

    /// <summary>Writes all of it to a database that is there or not.</summary>
    public Task WriteAsync() => UseAsync(async server =>
    {
        await DbAsync(server, 200, "POST", "/admin/revisions/config", """{"Collections":{"Kept":{"MinimumRevisionsToKeep":5}}}""");
        foreach (int number in new[] { 1, 2 })
        {
            await DbAsync(server, 201, "PUT", "/docs?id=kept/1", $$$"""{"N":{{{number}}},"@metadata":{"@collection":"Kept"}}""");
        }

        await DbAsync(server, 201, "PUT", "/docs?id=kept/gone", """{"N":1,"@metadata":{"@collection":"Kept"}}""");
        await DbAsync(server, 204, "DELETE", "/docs?id=kept/gone");
        await DbAsync(server, 201, "PUT", "/attachments?id=kept/1&name=small.txt&contentType=text/plain", "small");
        await DbAsync(server, 201, "PUT", "/docs?id=files/1", """{"@metadata":{"@collection":"Files","@expires":"2999-01-01T00:00:00Z"}}""");
        await DbAsync(server, 201, "PUT", "/attachments?id=files/1&name=large.bin", s_large);
        await DbAsync(server, 201, "PUT", "/docs?id=files/2", """{"@metadata":{"@collection":"Files","@refresh":"2999-01-01T00:00:00Z"}}""");
        await DbAsync(server, 201, "PUT", "/attachments?id=files/2&name=copy.bin", s_large);
        await DbAsync(server, 200, "POST", "/counters", """
            {"Documents":[{"DocumentId":"kept/1","Operations":[{"Type":"Increment","CounterName":"Visits","Delta":3}]},
            {"DocumentId":"files/1","Operations":[{"Type":"Increment","CounterName":"Likes","Delta":-2}]}]}
            """);
        await DbAsync(server, 201, "PUT", "/docs?id=old/1", """{"Text":"put away","@metadata":{"@collection":"Old"}}""");
        await DbAsync(server, 200, "PATCH", "/docs?id=old/1", """{"Patch":{"Script":"archived.archiveAt(this, '2001-01-01T00:00:00Z')"}}""");
        await DbAsync(server, 200, "PUT", "/cmpxchg?key=key/2&index=0", """{"Object":2,"@metadata":{"@expires":"2999-01-01T00:00:00Z"}}""");
        await DbAsync(server, 201, "POST", "/bulk_docs", """
            {"Commands":[{"Id":"guarded/1","Document":{"@metadata":{"@collection":"Guarded"}},"Type":"PUT","ChangeVector":null}],
            "TransactionMode":"ClusterWide"}
            """);
    });

    /// <summary>Checks all of it, and that it can be changed.</summary>
    /// <param name="opening">How often this was done before.</param>
    public Task CheckAsync(int opening) => UseAsync(async server =>
    {
        JsonElement kept = await LoadAsync(server, "kept/1");
        Assert.Equal(2, kept.GetProperty("N").GetInt32());
        JsonElement metadata = kept.GetProperty("@metadata");
        Assert.Equal("HasRevisions, HasAttachments, HasCounters", metadata.GetProperty("@flags").GetString());
        Assert.Equal("small.txt text/plain 5", Shown(metadata.GetProperty("@attachments")[0]));
        Assert.Equal("Visits", metadata.GetProperty("@counters")[0].GetString());
        Assert.Equal(3 + opening, await CountAsync(server, "kept/1", "Visits"));
        Assert.Equal(-2, await CountAsync(server, "files/1", "Likes"));
        Assert.Equal("small", (await DbAsync(server, 200, "GET", "/attachments?id=kept/1&name=small.txt")).Text);
        foreach ((string id, string file) in new[] { ("files/1", "large.bin"), ("files/2", "copy.bin") })
        {
            Assert.Equal(s_large, await server.Client.GetByteArrayAsync(new Uri($"/databases/{name}/attachments?id={id}&name={file}", UriKind.Relative)));
        }

        Assert.Equal("2999-01-01T00:00:00Z", (await LoadAsync(server, "files/1")).GetProperty("@metadata").GetProperty("@expires").GetString());
        Assert.Equal("put away", (await LoadAsync(server, "old/1")).GetProperty("Text").GetString());
        JsonElement revisions = (await DbAsync(server, 200, "GET", "/revisions?id=kept/1")).Json.GetProperty("Results");
        Assert.Equal([2, 2, 2, 1], revisions.EnumerateArray().TakeLast(4).Select(one => one.GetProperty("N").GetInt32()));
        Assert.Contains("kept/gone", (await DbAsync(server, 200, "GET", "/revisions/bin")).Text, StringComparison.Ordinal);
        JsonElement value = (await DbAsync(server, 200, "GET", "/cmpxchg?key=key/2")).Json.GetProperty("Results")[0].GetProperty("Value");
        Assert.Equal(2, value.GetProperty("Object").GetInt32());
        Assert.Contains("rvn-atomic/guarded/1", (await DbAsync(server, 200, "GET", "/cmpxchg?startsWith=rvn-atomic")).Text, StringComparison.Ordinal);
        JsonElement statistics = (await DbAsync(server, 200, "GET", "/stats")).Json;
        Assert.Equal(3, Number(statistics, "CountOfAttachments"));
        Assert.Equal((2, 2), (Number(statistics, "CountOfUniqueAttachments"), Number(statistics, "CountOfCounterEntries")));
        await DbAsync(server, 200, "POST", "/counters",
            """{"Documents":[{"DocumentId":"kept/1","Operations":[{"Type":"Increment","CounterName":"Visits","Delta":1}]}]}""");
    });

    private static string Shown(JsonElement attachment) => string.Create(CultureInfo.InvariantCulture,
        $"{attachment.GetProperty("Name").GetString()} {attachment.GetProperty("ContentType").GetString()} {attachment.GetProperty("Size").GetInt64()}");

    private static long Number(JsonElement statistics, string member) => statistics.GetProperty(member).GetInt64();

    private async Task<JsonElement> LoadAsync(ServerFixture server, string id) =>
        (await DbAsync(server, 200, "GET", $"/docs?id={id}")).Json.GetProperty("Results")[0];

    private async Task<long> CountAsync(ServerFixture server, string id, string counter) =>
        (await DbAsync(server, 200, "GET", $"/counters?docId={id}&counter={counter}")).Json.GetProperty("Counters")[0].GetProperty("TotalValue").GetInt64();

    private Task<Answer> DbAsync(ServerFixture server, int status, string method, string path, object? body = null) =>
        SendAsync(server, status, method, $"/databases/{name}{path}", body);

    private static async Task<Answer> SendAsync(ServerFixture server, int status, string method, string path, object? body)
    {
        Answer answer = await server.SendAsync(method, path, body);
        Assert.True(answer.Status == status, $"{method} {path}: {answer.Status} {answer.Text}");
        return answer;
    }

    private async Task UseAsync(Func<ServerFixture, Task> use)
    {
        await using ServerFixture server = await ServerFixture.StartAsync(
            new ServerSetup { Platform = new NativePlatform(), DataDir = data, Database = name });
        await use(server);
    }
}
