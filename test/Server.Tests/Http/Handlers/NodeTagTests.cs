using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Identity;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers;

/// <summary>A server whose configuration gives it another tag says so wherever a tag stands.</summary>
public sealed class NodeTagTests : IAsyncLifetime
{
    private const string Tag = "XYZ";

    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync(new ServerSetup { Node = NodeTag.TryParse(Tag)! });

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Writes_ChangeVectorsAndIds_HaveTheTag()
    {
        Answer put = await _server.DbAsync("PUT", "/docs?id=users/", "{}");
        string vector = $"{Tag}:1-{_server.Database.DatabaseId}";

        Assert.Equal($"users/0000000000000000001-{Tag}", put.Json.GetProperty("Id").GetString());
        Assert.Equal(vector, put.Json.GetProperty("ChangeVector").GetString());
        Assert.Equal($"\"{vector}\"", (await _server.DbAsync("GET", $"/docs?id=users/0000000000000000001-{Tag}")).Header("ETag"));
        Assert.Equal(vector, (await _server.DbAsync("GET", "/stats")).Json.GetProperty("DatabaseChangeVector").GetString());
        Assert.Equal(Tag, (await _server.DbAsync("GET", "/hilo/next?tag=users")).Json.GetProperty("ServerTag").GetString());
        Assert.Equal(Tag, (await _server.DbAsync("GET", "/operations/next-operation-id")).Json.GetProperty("NodeTag").GetString());
    }

    [Fact]
    public async Task Topologies_NameTheTag()
    {
        JsonElement cluster = (await _server.SendAsync("GET", "/cluster/topology")).Json;
        Assert.Equal(Tag, cluster.GetProperty("Leader").GetString());
        Assert.Equal(Tag, cluster.GetProperty("NodeTag").GetString());
        Assert.Equal(Tag, cluster.GetProperty("Topology").GetProperty("LastNodeId").GetString());
        Assert.Equal(Tag, Assert.Single(cluster.GetProperty("Topology").GetProperty("AllNodes").EnumerateObject()).Name);
        Assert.Equal(Tag, (await _server.SendAsync("GET", "/cluster/node-info")).Json.GetProperty("NodeTag").GetString());
        JsonElement topology = (await _server.SendAsync("GET", "/topology?name=db1")).Json;
        Assert.Equal(Tag, topology.GetProperty("Nodes")[0].GetProperty("ClusterTag").GetString());
        JsonElement record = (await _server.SendAsync("GET", "/admin/databases?name=db1")).Json;
        Assert.Equal(Tag, record.GetProperty("Topology").GetProperty("Members")[0].GetString());
        Answer created = await _server.SendAsync("PUT", "/admin/databases?name=db2", """{"DatabaseName":"db2"}""");
        Assert.Equal(Tag, created.Json.GetProperty("Topology").GetProperty("Members")[0].GetString());
    }

    [Fact]
    public async Task Put_PrefixWithoutRoomForTheTag_IsRefused()
    {
        int longest = DocumentIds.IdBytesMax - DocumentIds.NumberDigits - 1 - Tag.Length;
        Assert.Equal(201, (await _server.DbAsync("PUT", $"/docs?id={new string('x', longest - 1)}/", "{}")).Status);
        Assert.Equal(400, (await _server.DbAsync("PUT", $"/docs?id={new string('x', longest)}/", "{}")).Status);
        string batch = $$$"""{"Commands":[{"Id":"{{{new string('x', longest)}}}/","Document":{},"Type":"PUT"}]}""";
        Assert.Equal(400, (await _server.DbAsync("POST", "/bulk_docs", Encoding.UTF8.GetBytes(batch))).Status);
    }
}
