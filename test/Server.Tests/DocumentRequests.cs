using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests;

/// <summary>Writes of documents.</summary>
internal static class DocumentRequests
{
    public static async Task PutAsync(this ServerFixture server, string id, string json) =>
        Assert.Equal(201, (await server.DbAsync("PUT", $"/docs?id={id}", json)).Status);

    /// <summary>Stores a JSON object as a document of a collection.</summary>
    public static async Task PutAsync(this ServerFixture server, string id, string collection, string json)
    {
        string rest = json.Length > 2 ? json[1..^1] + "," : "";
        Answer answer = await server.DbAsync("PUT", $"/docs?id={id}", $$$"""{{{{rest}}}"@metadata":{"@collection":"{{{collection}}}"}}""");
        Assert.True(answer.Status == 201, answer.Text);
    }

    /// <summary>Stores many documents of a collection, in one transaction.</summary>
    public static async Task PutAllAsync(this ServerFixture server, string collection, IEnumerable<(string Id, Dictionary<string, object> Fields)> documents)
    {
        var metadata = new Dictionary<string, string> { ["@collection"] = collection };
        object[] commands =
        [
            .. documents.Select(one => new { Type = "PUT", one.Id, Document = new Dictionary<string, object>(one.Fields) { ["@metadata"] = metadata } }),
        ];
        Answer answer = await server.DbAsync("POST", "/bulk_docs", JsonSerializer.Serialize(new { Commands = commands }));
        Assert.True(answer.Status == 201, answer.Text);
    }

    public static async Task DeleteAsync(this ServerFixture server, string id) => Assert.Equal(204, (await server.DbAsync("DELETE", $"/docs?id={id}")).Status);
}
