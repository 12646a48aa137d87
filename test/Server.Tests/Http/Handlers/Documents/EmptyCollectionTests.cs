using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Documents;

/// <summary>A document without a collection has no @collection in any answer, however it was sent.</summary>
public sealed class EmptyCollectionTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public static TheoryData<string> Documents => ["{}", """{"@metadata":{"@collection":"@empty"},"v":1}""", """{"ref":"o/1","@metadata":null}"""];

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [MemberData(nameof(Documents))]
    public async Task Document_WithoutACollection_ComesBackWithoutOne(string document)
    {
        await _server.PutAsync("o/1", document);
        string batch = $$"""{"Commands":[{"Id":"o/2","Type":"PUT","Document":{{document}}}]}""";
        Assert.DoesNotContain("@collection", (await _server.DbAsync("POST", "/bulk_docs", batch)).Text, StringComparison.Ordinal);
        string command = $$"""[{"Id":"o/3","Type":"PUT","Document":{{document}}}]""";
        Assert.Equal(201, (await _server.DbAsync("POST", "/bulk_insert", command)).Status);

        foreach (string path in (string[])[
            "/docs?id=o/1", "/docs?id=o/1&id=o/2&id=o/3", "/docs?id=o/3&metadataOnly=true", "/docs?id=o/3&include=ref", "/docs?startsWith=o/",
            "/docs?pageSize=10", "/streams/docs", "/streams/docs?format=jsonl"])
        {
            Answer answer = await _server.DbAsync("GET", path);

            Assert.Equal(200, answer.Status);
            Assert.DoesNotContain("@collection", answer.Text, StringComparison.Ordinal);
            Assert.Contains("\"@metadata\":{\"@id\":\"o/", answer.Text, StringComparison.Ordinal);
        }

        Answer several = await _server.DbAsync("POST", "/multi_get", """{"Requests":[{"Url":"/databases/db1/docs","Query":"?id=o/1"}]}""");
        Assert.Contains("\"@metadata\":{\"@id\":\"o/1\"", several.Text, StringComparison.Ordinal);
        Assert.DoesNotContain("@collection", several.Text, StringComparison.Ordinal);
        using JsonDocument counted = JsonDocument.Parse((await _server.DbAsync("GET", "/collections/stats")).Text);
        Assert.Equal(3, counted.RootElement.GetProperty("Collections").GetProperty("@empty").GetInt32());
    }
}
