using System.Diagnostics;
using Jackdaw.Indexing;
using Jackdaw.Indexing.Settings;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Searching;

/// <summary>Queries while their indexes are replaced and deleted.</summary>
public sealed class IndexReplacementTests : IAsyncLifetime
{
    private const int Fields = 12;

    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync(new ServerSetup { Indexing = new IndexingSettings { SupersededDeletedAfter = TimeSpan.Zero } });
        string members = string.Join(',', Enumerable.Range(0, Fields).Select(field => $"\"F{field}\":1"));
        for (int i = 0; i < 5; i++)
        {
            await _server.PutAsync($"users/{i}", "Users", "{" + members + "}");
        }
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("/queries")]
    [InlineData("/streams/queries")]
    public async Task Query_WhileIndexesAreReplacedAndDeleted_WaitsAndFindsEverything(string path)
    {
        int seed = Environment.TickCount;
        using var ended = new CancellationTokenSource();
        Task<int> deletions = DeleteUntilAsync(new Random(seed), ended.Token);
        await Task.WhenAll(Enumerable.Range(1, 4).Select(worker => AskAsync(new Random(seed + worker), path)));
        await ended.CancelAsync();
        Assert.True(await deletions > 0, $"seed {seed}");

        async Task AskAsync(Random random, string path)
        {
            for (int i = 0; i < 25; i++)
            {
                string condition = string.Join(" and ", Enumerable.Range(0, random.Next(1, 4)).Select(_ => $"F{random.Next(Fields)} = 1"));
                Answer answer = await _server.DbAsync("GET", $"{path}?query={Uri.EscapeDataString($"from Users where {condition} select id() as Id")}");
                Assert.True(answer.Status == 200, $"seed {seed}: {answer.Status} {answer.Text}");
                Assert.True(answer.Text.Split("users/").Length > 5, $"seed {seed}: {answer.Text}");
            }
        }
    }

    [Theory]
    [InlineData("from Users where F1 = 1")]
    [InlineData("from index 'Users/ByF1' where F1 = 1")]
    public async Task Query_IndexDoesNotOpen_EndsWithTheTimeOfTheQuery(string query)
    {
        using IDisposable hold = await _server.HoldIndexesAsync();
        Answer put = await _server.DbAsync(
            "PUT", "/admin/indexes", """{"Indexes":[{"Name":"Users/ByF1","Maps":["from u in docs.Users select new { u.F1 }"]}]}""");
        Assert.Equal(201, put.Status);
        long began = Stopwatch.GetTimestamp();
        Answer answer = await _server.QueryAsync(query, more: new { WaitForNonStaleResultsTimeout = "00:00:00.2" });
        answer.AssertProblem(503, "DatabaseLoadTimeoutException", "not open yet, and the query has waited 0.2 s");
        Assert.True(Stopwatch.GetElapsedTime(began) < TimeSpan.FromSeconds(10));
    }

    private async Task<int> DeleteUntilAsync(Random random, CancellationToken ended)
    {
        int count = 0;
        while (!ended.IsCancellationRequested)
        {
            DatabaseIndex[] indexes = [.. _server.Indexes.Current];
            if (indexes.Length > 0 && await _server.Indexes.DeleteAsync(indexes[random.Next(indexes.Length)].Name, CancellationToken.None))
            {
                count++;
            }

            await Task.Delay(1, CancellationToken.None); // so that queries find an index at all between two deletions
        }

        return count;
    }
}
