using System.Text.Json;
using Jackdaw.Indexing.Building;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>What one document, one batch and the queries of a database may make of indexes.</summary>
public sealed class IndexBoundTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("from d in docs.Docs from x in d.X select new { x }")]
    [InlineData("map('Docs', d => d.X.map(x => ({ x })))")]
    public async Task Document_WithTooManyEntries_FailsAloneAndIsTold(string map)
    {
        await _server.PutAsync("docs/1", "Docs", ListOf(10_001));
        await _server.PutAsync("docs/2", "Docs", ListOf(3));
        var settings = new Dictionary<string, string> { ["Indexing.MaxStepsForScript"] = "1000000" };
        Answer put = await _server.PutIndexAsync("I", map, more: new { Configuration = settings });
        Assert.True(put.Status == 201, put.Text);
        Assert.Equal("docs/2", await _server.IdsAsync("from index 'I' where x >= 0"));
        IndexFailure failure = Assert.Single(_server.Indexes.Find("I")!.Failures.List());
        Assert.Equal("docs/1", failure.DocumentId);
        Assert.Contains("more than 10000 entries", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Batch_OfDocumentsWithManyRows_EndsEarly()
    {
        for (int i = 0; i < 8; i++)
        {
            await _server.PutAsync($"docs/{i}", "Docs", ListOf(9_000));
        }

        Answer answer = await _server.QueryAsync("from Docs group by X[] where X[] = 5 select key() as X, count() as N");
        JsonElement row = Assert.Single(answer.Json.GetProperty("Results").EnumerateArray());
        Assert.Equal(8, row.GetProperty("N").GetInt32());
        // All together are one batch otherwise. The last one may not be counted yet.
        Assert.InRange(_server.Indexes.Find("Auto/Docs/ByCountReducedByX[]")!.Counters.Batches, 2, 8);
    }

    [Fact]
    public async Task Query_BeyondTheIndexesThatQueriesMayMake_SaysSo()
    {
        await _server.PutAsync("docs/1", "Docs", "{}");
        _server.AutoIndexes.IndexesMax = 2;
        await _server.QueryAsync("from Docs where A = 1");
        await _server.QueryAsync("from Docs group by A");
        Answer refused = await _server.QueryAsync("from Docs group by B");
        refused.AssertProblem(400, "InvalidOperationException", "Queries have made 2 indexes");
        Assert.Equal(200, (await _server.QueryAsync("from Docs where A = 2")).Status);
    }

    private static string ListOf(int count) => $$"""{"X":[{{string.Join(',', Enumerable.Range(0, count))}}]}""";
}
