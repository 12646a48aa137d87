using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Reading;
using Jackdaw.Json.Refusals;
using Jackdaw.Queries.Planning;
using Jackdaw.Queries.Planning.Conditions;
using Jackdaw.Queries.Rows;
using Jackdaw.Queries.Searching;
using Jackdaw.Queries.Searching.Translation;
using Jackdaw.Scripting.Caching;
using Jackdaw.Search;
using Jackdaw.Search.Queries;
using Jackdaw.Server.Http.Limits;
using Jackdaw.Storage.Transactions;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Searching;

/// <summary>What a query may take: time and memory, and what it says when that is not enough.</summary>
public sealed class QueryLimitTests
{
    private static readonly QueryScripts s_scripts = new();

    private const int Users = 5000;

    [Fact]
    public async Task Query_RunsTooLong_IsEndedAndSaysWhatToDo()
    {
        await using ServerFixture server = await StartAsync("""{"Databases.QueryTimeoutInSec":"1"}""");
        string[] texts =
        [
            "from Users where regex(Name, 'b7')",
            "from Users where Name = 'bob'",
            "from Users select facet(Name)",
            "from Users select suggest(Name, 'bo')",
            "from Users filter Name = 'bob'",
        ];
        foreach (string text in texts)
        {
            using QueryRun query = Plan(server, text);
            query.Deadline.Begin();
            Assert.True(query.Deadline.Token.WaitHandle.WaitOne(TimeSpan.FromMinutes(1)));
            RefusedException refused = await Assert.ThrowsAsync<RefusedException>(() => RunAsync(server, query, CancellationToken.None));
            Assert.Equal((text, RefusalKind.TimedOut), (text, refused.Refusal.Kind));
            Assert.Contains("longer than 1 s", refused.Message, StringComparison.Ordinal);
            Assert.Contains("Databases.QueryTimeoutInSec", refused.Message, StringComparison.Ordinal);
            using QueryRun again = Plan(server, text, isBounded: false);
            await RunAsync(server, again, CancellationToken.None);
        }
    }

    [Fact]
    public async Task Query_ClientIsGone_StopsWithoutAnAnswer()
    {
        await using ServerFixture server = await StartAsync("{}");
        using QueryRun query = Plan(server, "from Users where regex(Name, 'b7')");
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => RunAsync(server, query, new CancellationToken(canceled: true)));
    }

    /// <summary>Compares each name with many long texts: part of a millisecond for one, many seconds for all.</summary>
    /// <remarks>Not a regular expression: one has a limit of its own for each name, which a busy machine reaches first. The names differ at their
    /// beginning, because what two of them share is compared once.</remarks>
    private static readonly string s_slow = "from Users where " + string.Join(" or ", Enumerable.Range(0, 100).Select(
        i => $"fuzzy(Name = '{i:D4}{string.Concat(Enumerable.Repeat("ac", 120))}', 0.3)"));

    [Fact]
    public async Task Query_SlowSearch_IsEndedInTheMiddleWhenItsTimeIsOver()
    {
        await using ServerFixture server = await StartAsync("""{"Databases.QueryTimeoutInSec":"1"}""");
        Answer answer = await server.QueryAsync(s_slow);
        Assert.Equal((500, "System.TimeoutException"), (answer.Status, answer.Json.GetProperty("Type").GetString()));
        Assert.Contains("longer than 1 s", answer.Json.GetProperty("Message").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Query_ClientGoesDuringTheSearch_EndsTheSearch()
    {
        await using ServerFixture server = await StartAsync("{}");
        using QueryRun query = Plan(server, s_slow);
        using var client = new CancellationTokenSource();
        client.CancelAfter(TimeSpan.FromMilliseconds(200)); // the search takes seconds by itself; TermPredicateTests count its looks
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => RunAsync(server, query, client.Token));
    }

    [Fact]
    public async Task Facets_OfTooManyTerms_AreRefusedAllTogether()
    {
        await using ServerFixture server = await StartAsync("{}");
        var builder = server.Indexes.Find("Auto/Users/ByName")!.Builder!;
        using Searcher searcher = builder.Index.BeginSearch();
        var names = new Facet("Names", "Name", [], [], QueryOptions.None);
        Assert.Single(FacetAnswers.Count(searcher, new AllNode(), [names], out _, default, termsMax: Users));
        InvalidSearchException one = Assert.Throws<InvalidSearchException>(
            () => FacetAnswers.Count(searcher, new AllNode(), [names], out _, default, termsMax: Users - 1));
        Assert.Contains($"'Name' has more than {Users - 1} different terms", one.Message, StringComparison.Ordinal);
        Assert.Throws<InvalidSearchException>(() => FacetAnswers.Count(searcher, new AllNode(), [names, names], out _, default, termsMax: (2 * Users) - 1));
        Assert.Equal(2, FacetAnswers.Count(searcher, new AllNode(), [names, names], out _, default, termsMax: 2 * Users).Count);
    }

    [Fact]
    public async Task Post_LargeListsAndPages_TakeNoMoreThanWhatTheyFind()
    {
        await using ServerFixture server = await StartAsync("{}");
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
        var known = new QueryTexts();
        QueryText often = known.GetOrAdd("from Often", QueryText.Of);
        for (int i = 0; i < 5 * QueryTexts.GenerationMax; i++)
        {
            known.GetOrAdd($"from X where A = {i}", QueryText.Of);
            Assert.Same(often, known.GetOrAdd("from Often", _ => throw new InvalidOperationException("it was forgotten")));
        }

        Assert.InRange(known.Count, QueryTexts.GenerationMax, 2 * QueryTexts.GenerationMax);
        string longest = "from X where A = '" + new string('a', QueryTexts.TextLengthMax) + "'";
        Assert.NotSame(known.GetOrAdd(longest, QueryText.Of), known.GetOrAdd(longest, QueryText.Of));
    }

    private static QueryRun Plan(ServerFixture server, string text, bool isBounded = true) =>
        QueryRun.Prepare(server.Database, new QueryRequest { Text = text }, s_scripts, CancellationToken.None, isBounded: isBounded);

    private static async Task RunAsync(ServerFixture server, QueryRun query, CancellationToken ended)
    {
        await query.SearchAsync(SearchRun.FirstPatience, ended);
        var admission = new AnswerAdmission();
        using var body = new ResponseBuffer(admission);
        using var read = new RenewedRead(server.Database, ReaderKind.List, TimeProvider.System, ended);
        QueryAnswers.Answer(server.Database, read, query, null, body, admission, NodeTag.Default, 0);
    }

    private static async Task<ServerFixture> StartAsync(string settings)
    {
        ServerFixture server = await ServerFixture.StartAsync(new ServerSetup { Settings = settings });
        await server.PutAsync("users/bob", "Users", """{"Name":"Bob"}""");
        await server.PutAllAsync("Users", Enumerable.Range(1, Users - 1).Select(i =>
            ($"users/{i}", new Dictionary<string, object> { ["Name"] = $"b{i}" + new string('a', 200) })));
        Assert.Equal(200, (await server.QueryAsync("from Users where Name = 'bob'")).Status);
        return server;
    }
}
