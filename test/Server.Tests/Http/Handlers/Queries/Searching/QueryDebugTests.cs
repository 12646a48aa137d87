using System.Text;
using System.Text.Json;
using Jackdaw.Queries.Searching;
using Jackdaw.Search;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Searching;

/// <summary>Queries with <c>debug</c>: entries as the index has them, and which index is asked.</summary>
public sealed class QueryDebugTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await _server.PutAsync("u/1", "Users", """{"Name":"Ann","Tags":["B","a"],"Age":7}""");
        await _server.PutAsync("u/2", "Users", """{"Name":"Bob","Tags":[],"Age":null}""");
        await _server.PutAsync("u/3", "Users", """{"Name":"Cid","Tags":["c"],"Age":9}""");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Entries_OfAPage_AreTheTermsOfItsEntries()
    {
        Answer answer = await AskAsync("from Users where Age != 9 and Tags != 'x' order by Name", "entries");
        Assert.Equal(2, answer.Json.GetProperty("TotalResults").GetInt64());
        Assert.Equal(
            """{"id()":"u/1","Age":"7","Name":"ann","Tags":["a","b"]} {"id()":"u/2","Age":null,"Name":"bob"}""", string.Join(' ', RowsOf(answer)));
        Assert.Equal(["""{"id()":"u/3","Age":"9","Name":"cid","Tags":"c"}"""],
            RowsOf(await AskAsync("from Users where Age >= 0 and Tags != 'x' order by Name desc select Name limit 1", "entries")));
    }

    [Fact]
    public async Task Entries_ChangedMeanwhile_AreNotThoseOfRows()
    {
        const string query = "from Users where Name = 'Ann'";
        Answer rows = await _server.QueryAsync(query);
        Answer entries = await AskAsync(query, "entries");
        Assert.NotEqual(rows.Json.GetProperty("ResultEtag").GetInt64(), entries.Json.GetProperty("ResultEtag").GetInt64());
    }

    [Theory]
    [InlineData(0, 10)]
    [InlineData(1, 2)]
    [InlineData(5, 3)]
    [InlineData(6, 1)]
    [InlineData(7, 5)]
    [InlineData(8, 1)]
    [InlineData(int.MaxValue, 1)]
    public async Task Entries_BehindMany_AreFoundInParts(int skip, int take)
    {
        await _server.PutAllAsync("Many", Enumerable.Range(0, 8).Select(i => ($"m/{i}", new Dictionary<string, object> { ["N"] = 7 - i })));
        await _server.RowsAsync("from Many where N >= 0 order by N as long");
        var builder = _server.Indexes.Find("Auto/Many/ByN")!.Builder!;
        using Searcher searcher = builder.Index.BeginSearch();
        SortKey[][] orders = [[], [new SortKey(SortBy.Long, "N")]];
        foreach (SortKey[] order in orders)
        {
            SearchResults found = EntryRows.Find(searcher, new SearchRequest(new AllNode(), order, skip, take), default, skipMax: 2);
            string[] all = [.. Enumerable.Range(0, 8).Select(i => $"m/{(order.Length == 0 ? i : 7 - i)}")];
            Assert.Equal(all.Skip(skip).Take(take), found.Hits.Select(hit => Encoding.UTF8.GetString(hit.Id.Span)));
            Assert.Equal(8, found.Total);
        }
    }

    [Theory]
    [InlineData("from Users", "entries", "without an index")]
    [InlineData("from Users where Name = 'Ann' filter Age > 3", "entries", "without 'filter'")]
    [InlineData("from Users where Name = 'Ann'", "x", "'entries' or 'explain'")]
    [InlineData("from index 'Nme'", "explain", "Nme")]
    public async Task Debug_OfWhatHasNoEntries_SaysWhy(string query, string debug, string message)
    {
        Answer answer = await AskAsync(query, debug);
        Assert.NotEqual(200, answer.Status);
        Assert.Contains(message, answer.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Explain_AQuery_NamesItsIndexAndTheReasonsAgainstOthers()
    {
        await _server.PutIndexAsync("Mine", "from u in docs.Users select new { u.Name }");
        await _server.RowsAsync("from Users where Name = 'Ann'");
        await _server.RowsAsync("from Orders where Name = 'Ann'");
        await _server.RowsAsync("from Users group by Name select key(), count()");
        JsonElement known = (await AskAsync("from Users where Name = 'Bob'", "explain")).Json;
        Assert.Equal("Auto/Users/ByName", known.GetProperty("IndexName").GetString());
        Assert.Equal(
            ["Auto/Orders/ByName: It holds documents of 'Orders'.", "Auto/Users/ByCountReducedByName: Its groups are by Name.",
                "Mine: A user wrote it: only 'from index' asks it."], ReasonsOf(known));
        JsonElement made = (await AskAsync("from Users where search(Name, 'a') and Age > 1", "explain")).Json;
        Assert.Equal("Auto/Users/ByAgeAndSearch(Name)", made.GetProperty("IndexName").GetString());
        Assert.Contains("Auto/Users/ByName: It does not have Age, Search(Name).", ReasonsOf(made));
        Assert.Equal("Mine", (await AskAsync("from index 'Mine'", "explain")).Json.GetProperty("IndexName").GetString());
    }

    private static IEnumerable<string> RowsOf(Answer answer) =>
        answer.Json.GetProperty("Results").EnumerateArray().Select(row => row.GetRawText());

    private static IEnumerable<string> ReasonsOf(JsonElement explained) => explained.GetProperty("Results").EnumerateArray()
        .Select(row => $"{row.GetProperty("Index").GetString()}: {row.GetProperty("Reason").GetString()}");

    private Task<Answer> AskAsync(string query, string debug) => _server.DbAsync("POST", "/queries?debug=" + debug,
        JsonSerializer.Serialize(new { Query = query, WaitForNonStaleResults = true, WaitForNonStaleResultsTimeout = "00:01:00" }));
}
