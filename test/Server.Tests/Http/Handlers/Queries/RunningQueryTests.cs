using System.Text.Json;
using Jackdaw.Json.Refusals;
using Jackdaw.Queries.Searching;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries;

/// <summary>Queries are listed while they run, and end with an error when somebody kills them.</summary>
public sealed class RunningQueryTests
{
    /// <summary>A query that waits for an index runs as long as the index stands still.</summary>
    private const string Waiting = "from index 'ByName'";

    [Theory]
    [InlineData("/queries")]
    [InlineData("/streams/queries")]
    [InlineData("/multi_get")]
    public async Task Kill_QueryThatWaitsForAnIndex_AnswersThatItWasEnded(string path)
    {
        await using ServerFixture server = await StartAsync();
        using IDisposable hold = await HoldAsync(server);
        Task<Answer> running = server.DbAsync("POST", path, path == "/multi_get"
            ? JsonSerializer.Serialize(new { Requests = new[] { new { Url = "/databases/db1/queries", Method = "POST", Content = Body } } })
            : JsonSerializer.Serialize(Body));
        JsonElement listed = await FindAsync(server);
        Assert.Equal(Waiting, listed.GetProperty("Query").GetString());
        Assert.Equal("everyone", listed.GetProperty("Sender").GetString());
        Assert.True(listed.GetProperty("Milliseconds").GetDouble() > 0);
        long id = listed.GetProperty("Id").GetInt64();
        await server.SendAsync("PUT", "/admin/databases?name=other", """{"DatabaseName":"other"}""");
        Assert.Equal(404, (await server.SendAsync("POST", $"/databases/other/queries/kill?id={id}")).Status);
        Assert.Empty((await server.SendAsync("GET", "/databases/other/queries/running")).Json.GetProperty("Results").EnumerateArray());
        Assert.Equal(204, (await server.DbAsync("POST", $"/queries/kill?id={id}")).Status);
        Answer answer = await running;
        Assert.Equal(path == "/multi_get" ? 200 : 500, answer.Status);
        Assert.Contains("System.OperationCanceledException", answer.Text, StringComparison.Ordinal);
        Assert.Contains("Somebody ended the query", answer.Text, StringComparison.Ordinal);
        Assert.Empty(await ListAsync(server));
        (await server.DbAsync("POST", $"/queries/kill?id={id}")).AssertProblem(404, "InvalidOperationException", $"Query {id} does not run");
    }

    [Fact]
    public async Task List_QueryThatEndsByItself_IsLeft()
    {
        await using ServerFixture server = await StartAsync();
        await server.PutAsync("users/1", "Users", """{"Name":"Ann"}""");
        await server.RowsAsync(Waiting);
        Assert.Equal(400, (await server.QueryAsync("from Users where (")).Status);
        Assert.Equal(404, (await server.QueryAsync("from index 'Nobody'")).Status);
        Assert.Equal(200, (await server.DbAsync("GET", $"/streams/queries?query={Uri.EscapeDataString("from Users")}")).Status);
        Assert.Empty(await ListAsync(server));
    }

    [Fact]
    public async Task List_ClientThatHasGone_IsLeft()
    {
        await using ServerFixture server = await StartAsync();
        using IDisposable hold = await HoldAsync(server);
        using var gone = new CancellationTokenSource();
        using var content = new StringContent(JsonSerializer.Serialize(Body));
        Task<HttpResponseMessage> running = server.Client.PostAsync("/databases/db1/queries", content, gone.Token);
        await FindAsync(server);
        await gone.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
        await Eventually.IsTrueAsync(async () => (await ListAsync(server)).Length == 0);
    }

    [Fact]
    public void Deadline_EndsOfAllOrders_ExplainTheFirstThatCounts()
    {
        var ended = new OperationCanceledException("x");
        using var killed = new QueryDeadline(TimeSpan.FromHours(1));
        killed.Kill();
        killed.Begin();
        Assert.True(killed.Token.IsCancellationRequested);
        Assert.True(killed.TryExplain(ended, out RefusedException? refused));
        Assert.Equal(RefusalKind.Killed, refused.Refusal.Kind);

        using var client = new CancellationTokenSource();
        using var left = new QueryDeadline(null);
        left.Follow(client.Token);
        Assert.False(left.TryExplain(ended, out _));
        client.Cancel();
        left.Kill();
        Assert.True(left.Token.IsCancellationRequested);
        Assert.False(left.TryExplain(ended, out _)); // nobody reads an answer

        var over = new QueryDeadline(null);
        over.Dispose();
        over.Kill();
    }

    private static object Body => new { Query = Waiting, WaitForNonStaleResults = true, WaitForNonStaleResultsTimeout = "00:01:00" };

    private static async Task<ServerFixture> StartAsync()
    {
        ServerFixture server = await ServerFixture.StartAsync();
        await server.PutIndexAsync("ByName", "from u in docs.Users select new { u.Name }");
        await server.RowsAsync(Waiting);
        return server;
    }

    private static async Task<IDisposable> HoldAsync(ServerFixture server)
    {
        IDisposable hold = await server.HoldIndexesAsync();
        await server.PutAsync("users/1", "Users", """{"Name":"Ann"}""");
        return hold;
    }

    private static async Task<JsonElement> FindAsync(ServerFixture server) =>
        (await Eventually.ReadAsync(() => ListAsync(server), found => found.Length == 1))[0];

    private static async Task<JsonElement[]> ListAsync(ServerFixture server) =>
        [.. (await server.DbAsync("GET", "/queries/running")).Json.GetProperty("Results").EnumerateArray()];
}
