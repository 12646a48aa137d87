using System.Text;
using System.Text.Json;
using Jackdaw.DocumentKit;
using Jackdaw.Documents;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Identity;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Documents;

/// <summary>A document whose change vector has entries of several replicas, as clients see it.</summary>
public sealed class ChangeVectorHttpTests : IAsyncLifetime
{
    private const string B = "B:7-BBBBBBBBBBBBBBBBBBBBBB";
    private const string Vector = $"{B}, C:1-CCCCCCCCCCCCCCCCCCCCCC";

    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await GiveAsync("users/1", """{"Friend":"users/2","@metadata":{"@collection":"Users"}}""", Vector);
        await GiveAsync("users/2", """{"@metadata":{"@collection":"Users"}}""", B);
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Get_One_HasTheVectorInMetadataAndETag()
    {
        Answer answer = await _server.DbAsync("GET", "/docs?id=users/1");

        Assert.Equal(Vector, VectorIn(answer.Json.GetProperty("Results")[0]));
        Assert.Equal($"\"{Vector}\"", answer.Header("ETag"));
        Assert.Equal($"\"{Vector}\"", (await _server.DbAsync("HEAD", "/docs?id=users/1")).Header("ETag"));
        Assert.Equal(304, (await _server.DbAsync("GET", "/docs?id=users/1", null, ("If-None-Match", $"\"{Vector}\""))).Status);
        Assert.Equal(200, (await _server.DbAsync("GET", "/docs?id=users/1", null, ("If-None-Match", $"\"{B}\""))).Status);
        Answer metadata = await _server.DbAsync("GET", "/docs?id=users/1&metadataOnly=true");
        Assert.Equal(Vector, VectorIn(metadata.Json.GetProperty("Results")[0]));
        Assert.Equal($"\"{Vector}\"", metadata.Header("ETag"));
    }

    [Fact]
    public async Task Get_LongestVector_IsAnsweredWhole()
    {
        string longest = string.Join(", ", Enumerable.Range(10, 68).Select(i => $"B:{i}-{i:D22}"));
        Assert.InRange(longest.Length, ChangeVector.GivenBytesMax - 100, ChangeVector.GivenBytesMax);
        string id = new('\u0001', 400); // six bytes each in JSON
        string sent = string.Concat(Enumerable.Repeat("%01", id.Length));
        await GiveAsync(id, """{"@metadata":{"@collection":"Users"}}""", longest);
        Answer answer = await _server.DbAsync("GET", $"/docs?id={sent}");

        Assert.Equal(longest, VectorIn(answer.Json.GetProperty("Results")[0]));
        Assert.Equal($"\"{longest}\"", answer.Header("ETag"));
        Assert.Equal(201, (await _server.DbAsync("PUT", $"/docs?id={sent}", "{}", ("If-Match", $"\"{longest}\""))).Status);
    }

    [Fact]
    public async Task Get_SeveralIncludesAndStreams_HaveTheVectors()
    {
        Answer both = await _server.DbAsync("GET", "/docs?id=users/1&id=users/2");
        Assert.Equal([Vector, B], both.Json.GetProperty("Results").EnumerateArray().Select(VectorIn));
        Answer included = await _server.DbAsync("GET", "/docs?id=users/1&include=Friend");
        Assert.Equal(B, VectorIn(included.Json.GetProperty("Includes").GetProperty("users/2")));
        Answer stream = await _server.DbAsync("GET", "/streams/docs?startsWith=users/");
        Assert.Equal([Vector, B], stream.Json.GetProperty("Results").EnumerateArray().Select(VectorIn));
        Answer multi = await _server.DbAsync("POST", "/multi_get",
            """{"Requests":[{"Url":"/databases/db1/docs","Query":"?id=users/1","Method":"GET","Headers":{},"Content":null}]}""");
        Assert.Equal($"\"{Vector}\"", multi.Json.GetProperty("Results")[0].GetProperty("Headers").GetProperty("ETag").GetString());
    }

    [Fact]
    public async Task Get_Several_AnotherVectorIsAnotherETag()
    {
        string? before = (await _server.DbAsync("GET", "/docs?id=users/1&id=users/2")).Header("ETag");
        await GiveAsync("users/2", """{"@metadata":{"@collection":"Users"}}""", Vector);

        Assert.NotEqual(before, (await _server.DbAsync("GET", "/docs?id=users/1&id=users/2")).Header("ETag"));
    }

    [Fact]
    public async Task Put_IfMatch_ComparesTheWholeVector()
    {
        (await _server.DbAsync("PUT", "/docs?id=users/1", "{}", ("If-Match", $"\"{B}\""))).AssertProblem(409, "ConcurrencyException", Vector, B);
        string own = $"A:1-{_server.Database.DatabaseId}";
        Answer conflict = await _server.DbAsync("PUT", "/docs?id=users/1", "{}", ("If-Match", $"\"{own}\""));
        Assert.Equal(409, conflict.Status);
        Assert.Equal(Vector, conflict.Json.GetProperty("ActualChangeVector").GetString());
        Answer put = await _server.DbAsync("PUT", "/docs?id=users/1", """{"@metadata":{"@collection":"Users"}}""", ("If-Match", $"\"{Vector}\""));

        Assert.Equal(201, put.Status);
        string after = $"{Vector}, A:3-{_server.Database.DatabaseId}";
        Assert.Equal(after, put.Json.GetProperty("ChangeVector").GetString());
        Assert.Equal(409, (await _server.DbAsync("DELETE", "/docs?id=users/1", null, ("If-Match", $"\"{Vector}\""))).Status);
        Assert.Equal(204, (await _server.DbAsync("DELETE", "/docs?id=users/1", null, ("If-Match", $"\"{after}\""))).Status);
    }

    [Fact]
    public async Task Batch_ChangeVectors_AreComparedAndAnswered()
    {
        Answer refused = await _server.DbAsync("POST", "/bulk_docs", Batch("users/1", B));
        Assert.Equal(409, refused.Status);
        Assert.Equal(Vector, refused.Json.GetProperty("ActualChangeVector").GetString());
        Answer written = await _server.DbAsync("POST", "/bulk_docs", Batch("users/1", Vector));

        Assert.Equal(201, written.Status);
        JsonElement results = written.Json.GetProperty("Results");
        Assert.Equal($"{Vector}, A:3-{_server.Database.DatabaseId}", results[0].GetProperty("@change-vector").GetString());
        Assert.Equal($"{B}, A:4-{_server.Database.DatabaseId}", results[1].GetProperty("ChangeVector").GetString());
        Assert.Equal($"{Vector}, A:5-{_server.Database.DatabaseId}", results[2].GetProperty("ChangeVector").GetString());
    }

    private static string Batch(string id, string changeVector) => $$$"""
        {"Commands":[
          {"Id":"{{{id}}}","ChangeVector":"{{{changeVector}}}","Document":{"@metadata":{"@collection":"Users"}},"Type":"PUT"},
          {"Id":"users/2","ChangeVector":"{{{B}}}","Type":"DELETE"},
          {"Id":"users/","IdPrefixed":true,"Type":"DELETE"}]}
        """;

    private static string? VectorIn(JsonElement document) =>
        document.GetProperty("@metadata").GetProperty("@change-vector").GetString();

    private async Task GiveAsync(string id, string json, string changeVector)
    {
        PutCommand put = TestCommands.Put(id, json);
        put.Given = Encoding.ASCII.GetBytes(changeVector);
        Assert.Equal(WriteStatus.Applied, (await _server.Database.WriteAsync(put)).Status);
    }
}
