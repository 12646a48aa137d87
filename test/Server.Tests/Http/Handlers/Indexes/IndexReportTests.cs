using System.Globalization;
using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>Statistics, progress, errors and terms over HTTP.</summary>
public sealed class IndexReportTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Stats_MapIndex_CountsWhatItDidAlsoAfterARestart()
    {
        await PutUsersAsync(3);
        await _server.PutIndexAsync("Ratio", "from u in docs.Users select new { Value = 10 / u.Divisor }");
        Assert.Equal(2, (await _server.RowsAsync("from index 'Ratio'")).Length);
        await _server.RestartAsync();
        JsonElement stats = await StatsAsync("Ratio");
        Assert.Equal((3, 2, 1), (Number(stats, "MapAttempts"), Number(stats, "MapSuccesses"), Number(stats, "MapErrors")));
        Assert.Equal(2, Number(stats, "EntriesCount"));
        Assert.Equal(1, Number(stats, "MaxNumberOfOutputsPerDocument"));
        Assert.Equal("Map", stats.GetProperty("Type").GetString());
        Assert.Equal("Running", stats.GetProperty("Status").GetString());
        Assert.False(stats.GetProperty("IsStale").GetBoolean());
        JsonElement users = stats.GetProperty("Collections").GetProperty("Users");
        Assert.Equal((3, 0, 0), (Number(users, "LastProcessedDocumentEtag"), Number(users, "DocumentLag"), Number(users, "TombstoneLag")));
        Assert.NotNull(stats.GetProperty("LastIndexingTime").GetString());
        Assert.NotNull(stats.GetProperty("CreatedTimestamp").GetString());
        Assert.Equal(JsonValueKind.Null, stats.GetProperty("LastQueryingTime").ValueKind);
    }

    [Fact]
    public async Task Stats_MapReduce_CountsReductionsAndAllIndexesAreListed()
    {
        await PutUsersAsync(4);
        await _server.PutIndexAsync("A", "from u in docs.Users select new { u.Name }");
        await _server.PutIndexAsync(
            "B", "from u in docs.Users select new { u.Name, N = 1 }",
            "from r in results group r by r.Name into g select new { Name = g.Key, N = g.Sum(x => x.N) }");
        Assert.Equal(4, (await _server.RowsAsync("from index 'B'")).Length);
        Answer all = await _server.DbAsync("GET", "/indexes/stats");
        Assert.Equal(["A", "B"], all.Json.GetProperty("Results").EnumerateArray().Select(stats => stats.GetProperty("Name").GetString()));
        JsonElement reduced = await StatsAsync("b");
        Assert.Equal((4, 4, 0), (Number(reduced, "ReduceAttempts"), Number(reduced, "ReduceSuccesses"), Number(reduced, "ReduceErrors")));
        Assert.Equal("MapReduce", reduced.GetProperty("Type").GetString());
        Answer unknown = await _server.DbAsync("GET", "/indexes/stats?name=A&name=BB");
        unknown.AssertProblem(500, "IndexDoesNotExistException", "BB");
    }

    [Fact]
    public async Task Progress_PausedIndex_SaysWhatIsLeft()
    {
        await PutUsersAsync(3);
        await _server.PutIndexAsync("A", "from u in docs.Users select new { u.Name }");
        Assert.Equal(3, (await _server.RowsAsync("from index 'A'")).Length);
        await _server.DbAsync("POST", "/admin/indexes/stop");
        await PutUsersAsync(2);
        await _server.DeleteAsync("users/2");
        JsonElement progress = (await _server.DbAsync("GET", "/indexes/progress")).Json.GetProperty("Results")[0];
        Assert.Equal("Paused", progress.GetProperty("IndexRunningStatus").GetString());
        Assert.True(progress.GetProperty("IsStale").GetBoolean());
        JsonElement users = progress.GetProperty("Collections").GetProperty("Users");
        Assert.Equal((2, 1, 2), (Number(users, "NumberOfItemsToProcess"), Number(users, "NumberOfTombstonesToProcess"), Number(users, "TotalNumberOfItems")));
        Assert.Equal(JsonValueKind.Null, progress.GetProperty("EstimatedRemainingTime").ValueKind);
        await _server.DbAsync("POST", "/admin/indexes/start");
        Assert.Equal(2, (await _server.RowsAsync("from index 'A'")).Length);
        progress = (await _server.DbAsync("GET", "/indexes/progress")).Json.GetProperty("Results")[0];
        Assert.Equal("00:00:00", progress.GetProperty("EstimatedRemainingTime").GetString());
        JsonElement batches = (await _server.DbAsync("GET", "/indexes/performance?name=A")).Json.GetProperty("Results")[0].GetProperty("Performance");
        Assert.True(batches.GetArrayLength() >= 2);
        Assert.Equal(200, (await _server.DbAsync("GET", "/indexes/total-time")).Status);
    }

    [Fact]
    public async Task Errors_OfDocuments_NameThemUntilTheyAreDeleted()
    {
        await PutUsersAsync(3);
        await _server.PutIndexAsync("Ratio", "from u in docs.Users select new { Value = 10 / u.Divisor }");
        await _server.PutIndexAsync("Fine", "from u in docs.Users select new { u.Name }");
        await _server.RowsAsync("from index 'Ratio'");
        JsonElement listed = (await _server.DbAsync("GET", "/indexes/errors?&name=Ratio&name=Fine")).Json.GetProperty("Results");
        JsonElement error = Assert.Single(listed[0].GetProperty("Errors").EnumerateArray());
        Assert.Equal("users/0", error.GetProperty("Document").GetString());
        Assert.Equal("Map", error.GetProperty("Action").GetString());
        Assert.Contains("zero", error.GetProperty("Error").GetString(), StringComparison.OrdinalIgnoreCase);
        Assert.True(error.GetProperty("Timestamp").GetDateTime() > DateTime.UtcNow.AddMinutes(-10));
        Assert.Equal(0, listed[1].GetProperty("Errors").GetArrayLength());

        Answer unknown = await _server.DbAsync("DELETE", "/indexes/errors?name=Ratio&name=Nobody");
        unknown.AssertProblem(500, "IndexDoesNotExistException", "Nobody");
        Assert.Equal(1, await ErrorCountAsync());
        Answer deleted = await _server.DbAsync("DELETE", "/indexes/errors");
        Assert.Equal((204, ""), (deleted.Status, deleted.Text));
        Assert.Equal(0, await ErrorCountAsync());
    }

    [Fact]
    public async Task Errors_OfMoreThan15Percent_StopTheIndexUntilItIsReset()
    {
        for (int i = 0; i < 120; i++)
        {
            await _server.PutAsync($"users/{i}", "Users", $$"""{"Divisor":{{(i % 5 == 0 ? 0 : 1)}}}""");
        }

        await _server.PutIndexAsync("Ratio", "from u in docs.Users select new { Value = 10 / u.Divisor }");
        await _server.SettledAsync();
        JsonElement stats = await StatsAsync("Ratio");
        Assert.Equal("Error", stats.GetProperty("State").GetString());
        Assert.True(stats.GetProperty("IsInvalidIndex").GetBoolean());
        Assert.Equal(24, Number(stats, "ErrorsCount"));
        (await _server.QueryAsync("from index 'Ratio'")).AssertProblem(500, "IndexInvalidException", "errors?name=");
        await _server.RestartAsync();
        Assert.Equal("Error", (await StatsAsync("Ratio")).GetProperty("State").GetString());

        for (int i = 0; i < 120; i += 5)
        {
            await _server.PutAsync($"users/{i}", "Users", """{"Divisor":2}""");
        }

        Assert.Equal(204, (await _server.DbAsync("RESET", "/indexes?name=Ratio")).Status);
        Assert.Equal("120", (await _server.QueryAsync("from index 'Ratio'")).Json.GetProperty("TotalResults").ToString());
        Assert.Equal("Normal", (await StatsAsync("Ratio")).GetProperty("State").GetString());
    }

    [Fact]
    public async Task Terms_OfAField_AreListedInPages()
    {
        await _server.PutAsync("users/1", "Users", """{"Name":"Ann","Age":5}""");
        await _server.PutAsync("users/2", "Users", """{"Name":"bob","Age":5.5}""");
        await _server.PutAsync("users/3", "Users", """{"Name":null,"Age":12}""");
        await _server.PutAsync("users/4", "Users", """{"Name":""}""");
        await _server.PutIndexAsync("People", "from u in docs.Users select new { u.Name, u.Age }");
        await _server.RowsAsync("from index 'People'");
        Assert.Equal("""["EMPTY_STRING","NULL_VALUE","ann","bob"]""", await TermsAsync("Name"));
        Assert.Equal("""["bob"]""", await TermsAsync("Name", "&fromValue=ann&pageSize="));
        Assert.Equal("""["NULL_VALUE","ann"]""", await TermsAsync("Name", "&fromValue=EMPTY_STRING&pageSize=2"));
        Assert.Equal("""["12","5","5.5"]""", await TermsAsync("Age", "&fromValue=&pageSize=10"));
        Assert.Equal("[]", await TermsAsync("Nothing"));
        Assert.Equal("""["5","5.5"]""", await TermsAsync("Age", "&startsWith=5"));
        Assert.Equal("""["5.5"]""", await TermsAsync("Age", "&startsWith=5&fromValue=5"));
        Assert.Equal("""["EMPTY_STRING"]""", await TermsAsync("Name", "&startsWith=E"));
        Assert.Equal("[]", await TermsAsync("Name", "&startsWith=b&fromValue=bob"));
        Answer unknown = await _server.DbAsync("GET", "/indexes/terms?name=Peple&field=Name");
        unknown.AssertProblem(404, "IndexDoesNotExistException", "People");
        Answer fields = await _server.DbAsync("GET", "/indexes/debug?name=People&op=entries-fields");
        Assert.Equal("""{"Static":["Age","Name"],"Dynamic":[],"SearchEngineType":"Corax"}""", fields.Text);
        Assert.Equal(501, (await _server.DbAsync("GET", "/indexes/debug?name=People&op=map-reduce-tree")).Status);
        Answer source = await _server.DbAsync("GET", "/indexes/source?name=People");
        Assert.Contains("from u in docs.Users", source.Json.GetProperty("Source").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Terms_WithCounts_SayHowManyEntriesHaveThem()
    {
        string[] names = ["Ann", "ann", "Bo", "Bob", "", "", "", null!, "Bob"];
        for (int i = 0; i < names.Length; i++)
        {
            await _server.PutAsync($"users/{i}", "Users", JsonSerializer.Serialize(new { Name = names[i] }));
        }

        await _server.PutIndexAsync("People", "from u in docs.Users select new { u.Name }");
        await _server.RowsAsync("from index 'People'");
        await _server.DeleteAsync("users/8");
        await _server.RowsAsync("from index 'People'");
        JsonElement all = (await _server.DbAsync("GET", "/indexes/terms?name=People&field=Name&withCounts=true")).Json;
        Assert.Equal("""["EMPTY_STRING","NULL_VALUE","ann","bo","bob"]""", all.GetProperty("Terms").GetRawText());
        Assert.Equal("[3,1,2,1,1]", all.GetProperty("Counts").GetRawText());
        JsonElement some = (await _server.DbAsync("GET", "/indexes/terms?name=People&field=Name&withCounts=true&startsWith=bo")).Json;
        Assert.Equal("[1,1]", some.GetProperty("Counts").GetRawText());
        JsonElement none = (await _server.DbAsync("GET", "/indexes/terms?name=People&field=Name&withCounts=true&startsWith=Bo")).Json;
        Assert.Equal("[]", none.GetProperty("Terms").GetRawText()); // the terms are in small letters
        Assert.False((await _server.DbAsync("GET", "/indexes/terms?name=People&field=Name")).Json.TryGetProperty("Counts", out _));
    }

    [Fact]
    public async Task Query_FieldThatTheIndexDoesNotHave_NamesTheNearest()
    {
        await _server.PutIndexAsync("People", "from u in docs.Users select new { u.Name, u.Age }");
        Answer where = await _server.QueryAsync("from index 'People' where Nam = 'x'");
        where.AssertProblem(400, "InvalidQueryException", "no field 'Nam'", "did you mean 'Name'?", "Age");
        (await _server.QueryAsync("from index 'People' order by Salary")).AssertProblem(400, "InvalidQueryException", "Salary");
        await _server.PutIndexAsync("Computed", "from u in docs.Users select new { _ = CreateField(\"X\", u.Name) }");
        Assert.Empty(await _server.RowsAsync("from index 'Computed' where Nam = 'x'"));
    }

    [Fact]
    public async Task DatabaseStats_ListIndexesWithTheirStaleness()
    {
        await PutUsersAsync(2);
        await _server.PutIndexAsync("A", "from u in docs.Users select new { u.Name }");
        Assert.Equal(2, (await _server.RowsAsync("from index 'A'")).Length);
        Assert.Equal("users/1", await _server.IdsAsync("from Users where Name = 'user 1'"));
        JsonElement stats = (await _server.DbAsync("GET", "/stats")).Json;
        Assert.Equal(2, Number(stats, "CountOfIndexes"));
        Assert.Equal(["A", "Auto/Users/ByName"], stats.GetProperty("Indexes").EnumerateArray().Select(index => index.GetProperty("Name").GetString()));
        JsonElement a = stats.GetProperty("Indexes")[0];
        Assert.False(a.GetProperty("IsStale").GetBoolean());
        Assert.Equal("Map", a.GetProperty("Type").GetString());
        Assert.NotNull(stats.GetProperty("LastIndexingTime").GetString());
        await _server.DbAsync("POST", "/admin/indexes/stop");
        await PutUsersAsync(1);
        Assert.True((await _server.DbAsync("GET", "/stats")).Json.GetProperty("Indexes")[0].GetProperty("IsStale").GetBoolean());
        JsonElement essential = (await _server.DbAsync("GET", "/stats/essential")).Json.GetProperty("Indexes")[1];
        Assert.Equal("AutoMap", essential.GetProperty("Type").GetString());
        Assert.False(essential.TryGetProperty("IsStale", out _));

        JsonElement record = (await _server.DbAsync("GET", "/admin/record")).Json;
        Assert.Equal("A", record.GetProperty("Indexes").GetProperty("A").GetProperty("Name").GetString());
        JsonElement fields = record.GetProperty("AutoIndexes").GetProperty("Auto/Users/ByName").GetProperty("MapFields");
        Assert.Equal("None", fields.GetProperty("Name").GetProperty("Aggregation").GetString());
    }

    private static long Number(JsonElement parent, string member) => parent.GetProperty(member).GetInt64();

    private async Task PutUsersAsync(int count)
    {
        for (int i = 0; i < count; i++)
        {
            await _server.PutAsync($"users/{i}", "Users", string.Create(CultureInfo.InvariantCulture, $$"""{"Name":"user {{i}}","Divisor":{{i}}}"""));
        }
    }

    private async Task<JsonElement> StatsAsync(string name)
    {
        await _server.Indexes.Require(name).WaitForOpenAsync(TimeSpan.FromMinutes(1), default);
        return (await _server.DbAsync("GET", $"/indexes/stats?name={name}")).Json.GetProperty("Results")[0];
    }

    private async Task<int> ErrorCountAsync() => (await _server.DbAsync("GET", "/indexes/errors?name=Ratio")).Json
        .GetProperty("Results")[0].GetProperty("Errors").GetArrayLength();

    private async Task<string> TermsAsync(string field, string more = "")
    {
        Answer answer = await _server.DbAsync("GET", $"/indexes/terms?name=People&field={field}{more}");
        Assert.True(answer.Status == 200, answer.Text);
        return answer.Json.GetProperty("Terms").GetRawText();
    }
}
