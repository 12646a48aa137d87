using System.Text.Json;
using System.Text.RegularExpressions;
using Jackdaw.Documents.Identity;
using Jackdaw.Pal.InMemory;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers;

/// <summary>A database keeps the tag of the server that created it, whatever the server is called that opens it.</summary>
public sealed partial class DatabaseNodeTagTests
{
    private readonly MemoryPlatform _platform = new(); // its files survive each server

    [Fact]
    public async Task Database_OpenedByServersOfOtherTags_KeepsItsOwn()
    {
        string stored;
        await using (ServerFixture server = await StartAsync("A"))
        {
            await CreateAsync(server, "old", "A");
            await CheckAsync(server, "old", "A", opening: 1);
            stored = await VectorAsync(server, "old", "users/1");
        }

        await using (ServerFixture server = await StartAsync("BC"))
        {
            Assert.Equal(stored, await VectorAsync(server, "old", "users/1"));
            await CreateAsync(server, "new", "BC");
            await CheckNodeAsync(server, "BC", "old", "new");
            await CheckAsync(server, "old", "A", opening: 2);
            await CheckAsync(server, "new", "BC", opening: 1);
        }

        await using (ServerFixture server = await StartAsync("A"))
        {
            await CheckNodeAsync(server, "A", "old", "new");
            await CheckAsync(server, "old", "A", opening: 3);
            await CheckAsync(server, "new", "BC", opening: 2);
        }
    }

    [Fact]
    public async Task Database_DeletedSoftlyAndCreatedUnderAnotherTag_IsTheOldOneWithItsTag()
    {
        await using (ServerFixture server = await StartAsync("A"))
        {
            await CreateAsync(server, "old", "A");
            await CheckAsync(server, "old", "A", opening: 1);
            await SendAsync(server, 200, "DELETE", "/admin/databases", """{"DatabaseNames":["old"],"HardDelete":false}""");
        }

        await using ServerFixture other = await StartAsync("BC");
        await CreateAsync(other, "old", "BC");
        await CheckAsync(other, "old", "A", opening: 2);
    }

    [Fact]
    public async Task Database_DeletedWithItsFilesAndCreatedUnderAnotherTag_HasTheOtherTag()
    {
        await using (ServerFixture server = await StartAsync("A"))
        {
            await CreateAsync(server, "old", "A");
            await SendAsync(server, 200, "DELETE", "/admin/databases", """{"DatabaseNames":["old"],"HardDelete":true}""");
        }

        await using ServerFixture other = await StartAsync("BC");
        await CreateAsync(other, "old", "BC");
        await CheckAsync(other, "old", "BC", opening: 1);
    }

    /// <summary>Writes all that has a change vector or a number, and checks that it all has one tag.</summary>
    private static async Task CheckAsync(ServerFixture server, string name, string tag, int opening)
    {
        string before = (await DbAsync(server, name, 200, "GET", "/stats")).Json.GetProperty("DatabaseChangeVector").GetString()!;
        Answer put = await DbAsync(server, name, 201, "PUT", "/docs?id=users/1", """{"N":1,"@metadata":{"@collection":"Users"}}""",
            opening == 1 ? [] : [("If-Match", await VectorAsync(server, name, "users/1"))]);
        Assert.NotEqual(before, put.Json.GetProperty("ChangeVector").GetString());
        await CheckNumbersAsync(server, name, tag, opening);
        await CheckCountersAsync(server, name, tag, opening);
        await CheckGuardsAsync(server, name, opening);
        await DbAsync(server, name, 200, "PATCH", "/docs?id=users/1", """{"Patch":{"Script":"this.N++; put('made/', {})"}}""");
        await DbAsync(server, name, 201, "PUT", "/attachments?id=users/1&name=a.txt", "text");

        string[] shown =
        [
            put.Text, (await DbAsync(server, name, 200, "GET", "/stats")).Text,
            (await DbAsync(server, name, 200, "GET", "/docs?id=users/1")).Text, (await DbAsync(server, name, 200, "GET", "/docs?startsWith=made/")).Text,
            (await DbAsync(server, name, 200, "GET", "/revisions?id=users/1")).Text,
            (await DbAsync(server, name, 200, "POST", "/queries", """{"Query":"from Users include counters('Visits')"}""")).Text,
        ];
        string[] tags = [.. shown.SelectMany(text => Vectors().Matches(text)).Select(found => found.Groups[1].Value).Distinct()];
        Assert.Equal([tag], tags);
        Assert.Equal(opening, MadeIds().Count(shown[3]));
        Assert.All(MadeIds().Matches(shown[3]), found => Assert.Equal(tag, found.Groups[1].Value));
    }

    private static async Task CheckNumbersAsync(ServerFixture server, string name, string tag, int opening)
    {
        string numbered = (await DbAsync(server, name, 201, "PUT", "/docs?id=users/", "{}")).Json.GetProperty("Id").GetString()!;
        Assert.EndsWith("-" + tag, numbered, StringComparison.Ordinal);
        await DbAsync(server, name, 200, "GET", $"/docs?id={numbered}");
        Answer batch = await DbAsync(server, name, 201, "POST", "/bulk_docs",
            """{"Commands":[{"Id":"made|","Document":{},"Type":"PUT"},{"Id":"orders/","Document":{},"Type":"PUT"}]}""");
        JsonElement results = batch.Json.GetProperty("Results");
        Assert.Equal($"made/{opening}", results[0].GetProperty("@id").GetString());
        Assert.EndsWith("-" + tag, results[1].GetProperty("@id").GetString(), StringComparison.Ordinal);
        JsonElement range = (await DbAsync(server, name, 201, "GET", "/hilo/next?tag=users")).Json;
        Assert.Equal(tag, range.GetProperty("ServerTag").GetString());
        Assert.Equal((32 * (opening - 1)) + 1, range.GetProperty("Low").GetInt64());
    }

    private static async Task CheckCountersAsync(ServerFixture server, string name, string tag, int opening)
    {
        string id = (await DbAsync(server, name, 200, "GET", "/stats")).Json.GetProperty("DatabaseId").GetString()!;
        Answer counted = await DbAsync(server, name, 200, "POST", "/counters", """
            {"ReplyWithAllNodesValues":true,"Documents":[{"DocumentId":"users/1","Operations":[{"Type":"Increment","CounterName":"Visits","Delta":1}]}]}
            """);
        Assert.Equal($$"""{"{{tag}}-{{id}}":{{opening}}}""", counted.Json.GetProperty("Counters")[0].GetProperty("CounterValues").GetRawText());
    }

    /// <summary>A document of cluster-wide transactions is found again under its guard.</summary>
    private static async Task CheckGuardsAsync(ServerFixture server, string name, int opening)
    {
        string known = opening == 1 ? "" : $",\"OriginalChangeVector\":\"{await VectorAsync(server, name, "guarded/1")}\"";
        await DbAsync(server, name, 201, "POST", "/bulk_docs", $$$"""
            {"Commands":[{"Id":"guarded/1","Document":{"N":{{{opening}}}},"Type":"PUT"{{{known}}}}],"TransactionMode":"ClusterWide"}
            """);
        Assert.Matches("^RAFT:.*, TRXN:", await VectorAsync(server, name, "guarded/1"));
    }

    /// <summary>What is said of the node and of its operations names the server.</summary>
    private static async Task CheckNodeAsync(ServerFixture server, string tag, params string[] databases)
    {
        Assert.Equal(tag, (await server.SendAsync("GET", "/cluster/node-info")).Json.GetProperty("NodeTag").GetString());
        JsonElement cluster = (await server.SendAsync("GET", "/cluster/topology")).Json;
        Assert.Equal((tag, tag), (cluster.GetProperty("Leader").GetString(), cluster.GetProperty("NodeTag").GetString()));
        foreach (string name in databases)
        {
            JsonElement topology = (await server.SendAsync("GET", $"/topology?name={name}")).Json;
            Assert.Equal(tag, topology.GetProperty("Nodes")[0].GetProperty("ClusterTag").GetString());
            JsonElement record = (await server.SendAsync("GET", $"/admin/databases?name={name}")).Json;
            Assert.Equal(tag, record.GetProperty("Topology").GetProperty("Members")[0].GetString());
            Assert.Equal(tag, await NodeOfAsync(server, name, "GET", "/operations/next-operation-id"));
            Assert.Equal(tag, await NodeOfAsync(server, name, "GET", "/queries?query=from%20%40all_docs"));
            Answer deleted = await DbAsync(server, name, 202, "DELETE", "/queries", """{"Query":"from Nothing"}""");
            Assert.Equal(tag, deleted.Json.GetProperty("OperationNodeTag").GetString());
        }
    }

    private static async Task<string?> NodeOfAsync(ServerFixture server, string name, string method, string path) =>
        (await DbAsync(server, name, 200, method, path)).Json.GetProperty("NodeTag").GetString();

    private static async Task CreateAsync(ServerFixture server, string name, string serverTag)
    {
        Answer created = await SendAsync(server, 201, "PUT", $"/admin/databases?name={name}", $$"""{"DatabaseName":"{{name}}"}""");
        Assert.Equal(serverTag, created.Json.GetProperty("Topology").GetProperty("Members")[0].GetString());
        await DbAsync(server, name, 200, "POST", "/admin/revisions/config", """{"Default":{"MinimumRevisionsToKeep":50}}""");
    }

    private static async Task<string> VectorAsync(ServerFixture server, string name, string id) =>
        (await DbAsync(server, name, 200, "GET", $"/docs?id={id}")).Json.GetProperty("Results")[0].Vector();

    private static Task<Answer> DbAsync(
        ServerFixture server, string name, int status, string method, string path, string? body = null, params (string, string)[] headers) =>
        SendAsync(server, status, method, $"/databases/{name}{path}", body, headers);

    private static async Task<Answer> SendAsync(
        ServerFixture server, int status, string method, string path, string? body, params (string, string)[] headers)
    {
        Answer answer = await server.SendAsync(method, path, body, headers);
        Assert.True(answer.Status == status, $"{method} {path}: {answer.Status} {answer.Text}");
        return answer;
    }

    private Task<ServerFixture> StartAsync(string tag) =>
        ServerFixture.StartAsync(new ServerSetup { Platform = _platform, Node = NodeTag.TryParse(tag)! });

    /// <summary>An entry of a change vector that a node made.</summary>
    [GeneratedRegex("(?<![A-Z])(?!RAFT|TRXN)([A-Z]{1,4}):[0-9]+-[0-9A-Za-z+/\\\\]{22}")]
    private static partial Regex Vectors();

    [GeneratedRegex("\"@id\":\"made/[0-9]{19}-([A-Z]+)\"")]
    private static partial Regex MadeIds();
}
