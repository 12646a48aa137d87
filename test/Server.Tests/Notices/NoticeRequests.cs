using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Notices;

/// <summary>Clients that are told of changes, and writes that they are told of.</summary>
internal static class NoticeRequests
{
    public static async Task PutEmptyAsync(this ServerFixture server, string id, string collection = "Users") => Assert.Equal(201, (await server.DbAsync(
        "PUT", $"/docs?id={Uri.EscapeDataString(id)}", $$$"""{"@metadata":{"@collection":"{{{collection}}}"}}""")).Status);

    /// <summary>Writes a batch of commands and gives their results.</summary>
    public static async Task<JsonElement[]> WriteAsync(this ServerFixture server, IEnumerable<object> commands)
    {
        Answer answer = await server.DbAsync("POST", "/bulk_docs", JsonSerializer.Serialize(new { Commands = commands }));
        Assert.True(answer.Status == 201, answer.Text);
        return [.. answer.Json.GetProperty("Results").EnumerateArray()];
    }

    public static object PutCommand(string id, string collection) => new
    {
        Type = "PUT",
        Id = id,
        Document = new Dictionary<string, object> { ["@metadata"] = new Dictionary<string, string> { ["@collection"] = collection } },
    };

    /// <summary>A websocket that is told of the database's changes.</summary>
    public static Task<NoticeClient> ConnectAsync(this ServerFixture server, string query = "", int? receiveBufferBytes = null) =>
        NoticeClient.ConnectAsync(server.Address, $"/databases/db1/changes{query}", receiveBufferBytes);

    /// <summary>Waits until so many clients are told of changes.</summary>
    public static Task ExpectReadersAsync(this ServerFixture server, int count) =>
        Eventually.IsTrueAsync(() => server.Notices.ReaderCount == count, () => $"{server.Notices.ReaderCount} readers instead of {count}");
}
