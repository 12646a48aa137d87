using System.Text.Json;
using Jackdaw.Server.Queries.Execution;
using Jackdaw.Server.Queries.Indexed;
using Jackdaw.Server.Tests.Indexing.Endpoints;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Queries.Indexed;

/// <summary>What a query may take: time and memory, and what it says when that is not enough.</summary>
public sealed class QueryLimitTests
{
    /// <summary>Goes back and forth: about a millisecond for each name below, so that all of them take seconds.</summary>
    private const string SlowRegex = "from Users where regex(Name, '(?=a)(a|aa)+$')";

    private const int Users = 5000;

    [Fact]
    public async Task Post_QueryThatRunsTooLong_IsEndedAndSaysWhatToDo()
    {
        await using IndexedServer server = await StartAsync("""{"Databases.QueryTimeoutInSec":"1"}""");
        Answer answer = await server.QueryAsync(SlowRegex);
        Assert.True(answer.Status == 500, answer.Text);
        Assert.Contains("System.TimeoutException", answer.Text, StringComparison.Ordinal);
        Assert.Contains("longer than 1 s", answer.Text, StringComparison.Ordinal);
        Assert.Contains("Databases.QueryTimeoutInSec", answer.Text, StringComparison.Ordinal);
        Assert.Equal(200, (await server.QueryAsync("from Users where Name = 'bob'")).Status);
    }

    [Fact]
    public async Task SearchAsync_ClientIsGone_StopsWithinTheSearch()
    {
        await using IndexedServer server = await StartAsync("""{"Databases.QueryTimeoutInSec":"-1"}""");
        using var aborted = new CancellationTokenSource();
        var request = new QueryRequest { Text = SlowRegex };
        using CollectionQuery query = IndexedQuery.Plan(server.Database, request, NoProjectionScripts.Instance, isBounded: true);
        aborted.CancelAfter(TimeSpan.FromMilliseconds(50));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await query.SearchAsync(TimeSpan.Zero, aborted.Token));
    }

    [Fact]
    public async Task Post_LargeListsAndPages_TakeNoMoreThanWhatTheyFind()
    {
        await using IndexedServer server = await StartAsync("{}");
        string[] names = [.. Enumerable.Range(0, 100_000).Select(i => $"x{i}").Append("BOB")];
        Answer list = await server.QueryAsync("from Users where Name in ($names)", more: new { QueryParameters = new { names } });
        Assert.Equal(1, list.Json.GetProperty("TotalResults").GetInt32());
        foreach (string page in new[] { "limit 2147483648", "limit 0, 9223372036854775807", "limit 4999, 2147483647" })
        {
            Answer sorted = await server.QueryAsync($"from Users order by Name desc {page}");
            Assert.True(sorted.Status == 200, sorted.Text);
            Assert.Equal(Users, sorted.Json.GetProperty("TotalResults").GetInt32());
        }
    }

    [Fact]
    public void GetOrAdd_ManyTexts_KeepsThoseInUseAndNoMoreThanTwoGenerations()
    {
        var known = new ParsedQueries();
        ParsedQuery often = known.GetOrAdd("from Often", ParsedQuery.Of);
        for (int i = 0; i < 5 * ParsedQueries.GenerationMax; i++)
        {
            known.GetOrAdd($"from X where A = {i}", ParsedQuery.Of);
            Assert.Same(often, known.GetOrAdd("from Often", _ => throw new InvalidOperationException("it was forgotten")));
        }

        Assert.InRange(known.Count, ParsedQueries.GenerationMax, 2 * ParsedQueries.GenerationMax);
        string longest = "from X where A = '" + new string('a', ParsedQueries.TextLengthMax) + "'";
        Assert.NotSame(known.GetOrAdd(longest, ParsedQuery.Of), known.GetOrAdd(longest, ParsedQuery.Of));
    }

    private static async Task<IndexedServer> StartAsync(string settings)
    {
        IndexedServer server = await IndexedServer.StartAsync(settings: settings);
        await server.PutAsync("users/bob", "Users", """{"Name":"Bob"}""");
        object[] commands =
        [
            .. Enumerable.Range(1, Users - 1).Select(i => new
            {
                Id = $"users/{i}",
                Type = "PUT",
                Document = new Dictionary<string, object>
                {
                    ["Name"] = new string('a', 22) + $"b{i}",
                    ["@metadata"] = new Dictionary<string, string> { ["@collection"] = "Users" },
                },
            }),
        ];
        Answer stored = await server.SendAsync("POST", "/bulk_docs", JsonSerializer.Serialize(new { Commands = commands }));
        Assert.Equal(201, stored.Status);
        Assert.Equal(200, (await server.QueryAsync("from Users where Name = 'bob'")).Status);
        return server;
    }
}
