using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests;

/// <summary>A server whose database keeps revisions, and what tests of them send.</summary>
internal static class RevisionRequests
{
    public static async Task ConfigureAsync(this ServerFixture server, string configuration)
    {
        Answer answer = await server.DbAsync("POST", "/admin/revisions/config", configuration, ("Content-Type", "text/plain;charset=UTF-8"));
        Assert.True(answer.Status == 200, answer.Text);
        Assert.True(answer.Json.GetProperty("RaftCommandIndex").GetInt64() > 0);
    }

    public static Task PutNumberAsync(this ServerFixture server, string id, int number, string collection = "Users") =>
        server.PutAsync(id, $$$"""{"N":{{{number}}},"@metadata":{"@collection":"{{{collection}}}"}}""");

    public static async Task<JsonElement[]> RevisionsAsync(this ServerFixture server, string id, string more = "")
    {
        Answer answer = await server.DbAsync("GET", $"/revisions?&id={id}{more}");
        Assert.True(answer.Status == 200, answer.Text);
        return [.. answer.Json.GetProperty("Results").EnumerateArray()];
    }

    public static async Task<long> CountAsync(this ServerFixture server, string id) =>
        (await server.DbAsync("GET", $"/revisions/count?&id={id}")).Json.GetProperty("RevisionsCount").GetInt64();

    public static async Task<JsonElement> LoadAsync(this ServerFixture server, string id)
    {
        Answer answer = await server.DbAsync("GET", $"/docs?id={id}");
        Assert.True(answer.Status == 200, answer.Text);
        return answer.Json.GetProperty("Results")[0];
    }

    public static string Metadata(this JsonElement document, string member) =>
        document.GetProperty("@metadata").TryGetProperty(member, out JsonElement value) ? value.GetString()! : "";

    public static string Vector(this JsonElement document) => document.Metadata("@change-vector");

    public static string Flags(this JsonElement document) => document.Metadata("@flags");

    public static int Number(this JsonElement document) => document.GetProperty("N").GetInt32();

    /// <summary>Sends the body, waits for the operation, and gives its state.</summary>
    public static async Task<JsonElement> RunAsync(this ServerFixture server, string path, string body)
    {
        Answer begun = await server.DbAsync("POST", path, body);
        Assert.True(begun.Status == 200, begun.Text);
        Assert.Equal("A", begun.Json.GetProperty("OperationNodeTag").GetString());
        long id = begun.Json.GetProperty("OperationId").GetInt64();
        return await Eventually.ReadAsync(
            async () => (await server.DbAsync("GET", $"/operations/state?id={id}")).Json,
            state => state.GetProperty("Status").GetString() != "InProgress");
    }

    /// <summary>A time after all that was written before, and before all that is written after.</summary>
    public static DateTime NextMoment()
    {
        DateTime moment = NextTick();
        NextTick();
        return moment;
    }

    private static DateTime NextTick()
    {
        DateTime last = DateTime.UtcNow;
        Eventually.IsTrue(() => DateTime.UtcNow > last);
        return DateTime.UtcNow;
    }
}
