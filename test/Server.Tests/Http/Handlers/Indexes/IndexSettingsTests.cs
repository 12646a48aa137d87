using Jackdaw.Indexing.Settings;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>Settings of indexes: of one definition, of a database, of the server.</summary>
public sealed class IndexSettingsTests
{
    private const string ByName = "from u in docs.Users select new { u.Name }";

    [Fact]
    public async Task Definition_MissingFieldsAsNull_AreFoundAsNull()
    {
        await using ServerFixture server = await StartAsync();
        await PutAsync(server, "Plain", []);
        await PutAsync(server, "Nulls", new() { ["indexing.indexmissingfieldsasnull"] = "true", ["Indexing.IndexEmptyEntries"] = "True" });
        Assert.Equal("users/2", await server.IdsAsync("from index 'Nulls' where Name = null"));
        Assert.Equal("", await server.IdsAsync("from index 'Plain' where Name = null"));
        Assert.Equal("users/1,users/2", await server.IdsAsync("from index 'Nulls'"));
        Assert.Equal("users/1", await server.IdsAsync("from index 'Plain'"));
    }

    [Fact]
    public async Task Definition_DefaultAnalyzer_MakesTheTermsAndIdsStayWhole()
    {
        await using ServerFixture server = await StartAsync();
        await PutAsync(server, "Words", new() { ["Indexing.Analyzers.Default"] = "WhitespaceAnalyzer" });
        Assert.Equal("users/1", await server.IdsAsync("from index 'Words' where search(Name, 'Brown')"));
        Assert.Equal("users/1", await server.IdsAsync("from index 'Words' where id() = 'USERS/1'"));
        Answer terms = await server.DbAsync("GET", "/indexes/terms?name=Words&field=Name");
        Assert.Equal("""["Ann","Brown"]""", terms.Json.GetProperty("Terms").GetRawText());
    }

    [Fact]
    public async Task Definition_PartsOfWords_HaveTheLengthsOfItsSettings()
    {
        await using ServerFixture server = await StartAsync();
        var field = new { Name = new { Analyzer = "NGramAnalyzer" } };
        var settings = new Dictionary<string, string> { ["Indexing.Analyzers.NGram.MinGram"] = "4", ["Indexing.Analyzers.NGram.MaxGram"] = "4" };
        Answer put = await server.PutIndexAsync("Parts", ByName, more: new { Configuration = settings, Fields = field });
        Assert.True(put.Status == 201, put.Text);
        await server.SettledAsync();
        Answer terms = await server.DbAsync("GET", "/indexes/terms?name=Parts&field=Name");
        Assert.Equal("""["brow","rown"]""", terms.Json.GetProperty("Terms").GetRawText());
        Assert.Equal("users/1", await server.IdsAsync("from index 'Parts' where search(Name, 'rown')"));
    }

    [Theory]
    [InlineData("true", "users/0,users/1")]
    [InlineData("false", "users/1,users/0")]
    public async Task Definition_OrderByBoosts_HoldsForBoostsOfTheQueryAndOfTheIndex(string value, string expected)
    {
        await using ServerFixture server = await StartAsync();
        await server.PutAsync("users/0", "Users", """{"Name":"Zed"}""");
        var settings = new Dictionary<string, string> { ["Indexing.OrderByScoreAutomaticallyWhenBoostingIsInvolved"] = value };
        await PutAsync(server, "Plain", settings);
        const string map = "from u in docs.Users select new { u.Name }.Boost(u.Name == \"Zed\" ? 5 : 1)";
        Answer put = await server.PutIndexAsync("Boosted", map, more: new { Configuration = settings });
        Assert.True(put.Status == 201, put.Text);
        await server.SettledAsync();
        Assert.Equal(expected, await server.IdsAsync("from index 'Plain' where startsWith(Name, 'ann') or boost(Name = 'zed', 9)"));
        Assert.Equal(expected, await server.IdsAsync("from index 'Boosted' where startsWith(Name, 'ann') or Name = 'zed'"));
    }

    [Fact]
    public async Task Definition_SmallBatches_ReadEverything()
    {
        await using ServerFixture server = await StartAsync();
        for (int i = 0; i < 300; i++)
        {
            await server.PutAsync($"users/{i}", "Users", """{"Name":"x"}""");
        }

        await PutAsync(server, "Small", new() { ["Indexing.MapBatchSize"] = "128", ["Indexing.MapTimeoutInSec"] = "10" });
        Assert.Equal(300, (await server.QueryAsync("from index 'Small'")).Json.GetProperty("TotalResults").GetInt32());
        Assert.Equal(3, server.Indexes.Require("Small").Counters.Recent.Count);
    }

    [Theory]
    [InlineData("Indexing.MapBatchSize", "127", "128 or more")]
    [InlineData("Indexing.IndexEmptyEntries", "yes", "true or false")]
    [InlineData("Indexing.Static.SearchEngineType", "Elastic", "Corax or Lucene")]
    [InlineData("Indexing.ResetMode", "Both", "InPlace or SideBySide")]
    [InlineData("Indexing.Analyzers.NGram.MaxGram", "33", "from 1 to 32")]
    [InlineData("Indexing.Analyzers.NGram.MinGram", "7", "above Indexing.Analyzers.NGram.MaxGram")]
    [InlineData("Indexing.Analyzers.Search.Default", "Klingon", "Klingon")]
    public async Task Definition_ValueThatCannotBeUsed_IsRefused(string key, string value, string message)
    {
        await using ServerFixture server = await StartAsync();
        Answer answer = await server.PutIndexAsync("X", ByName, more: new { Configuration = new Dictionary<string, string> { [key] = value } });
        answer.AssertProblem(400, "ArgumentException", message);
    }

    [Fact]
    public async Task Definition_KeyThatMeansNothingHere_IsIgnoredAndKept()
    {
        await using ServerFixture server = await StartAsync();
        await PutAsync(server, "X", new() { ["Indexing.Corax.IncludeDocumentScore"] = "true", ["Indexing.Static.SearchEngineType"] = "Lucene" });
        Answer read = await server.DbAsync("GET", "/indexes?name=X");
        Assert.Contains("\"Indexing.Corax.IncludeDocumentScore\":\"true\"", read.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Definition_UnknownAnalyzerOfAField_IsACompilationError()
    {
        await using ServerFixture server = await StartAsync();
        Answer answer = await server.PutIndexAsync("X", ByName, more: new { Fields = new { Name = new { Analyzer = "Klingon" } } });
        answer.AssertProblem(500, "IndexCompilationException", "Cannot find analyzer type 'Klingon' for field: Name");
        Assert.Equal("Fields", answer.Json.GetProperty("IndexDefinitionProperty").GetString());
    }

    [Fact]
    public async Task Database_WithoutIndexesOfQueries_RefusesThem()
    {
        await using ServerFixture server = await StartAsync("""{"Indexing.DisableQueryOptimizerGeneratedIndexes":"true"}""");
        Answer answer = await server.QueryAsync("from Users where Name = 'x'");
        answer.AssertProblem(500, "IndexDoesNotExistException", "Auto/Users/ByName", "DisableQueryOptimizerGeneratedIndexes");
    }

    [Fact]
    public async Task Database_IndexingDisabled_NothingIsRead()
    {
        await using ServerFixture server = await StartAsync("""{"Indexing.Disabled":"true"}""");
        await PutAsync(server, "X", []);
        await server.QueryAsync("from index 'X'"); // opens the files
        Answer answer = await server.QueryAsync("from index 'X'", more: new { WaitForNonStaleResultsTimeout = "00:00:00.05" });
        Assert.True(answer.Json.GetProperty("IsStale").GetBoolean());
        Assert.Equal(0, answer.Json.GetProperty("TotalResults").GetInt32());
        Answer status = await server.DbAsync("GET", "/indexes/status");
        Assert.Equal("""{"Status":"Disabled","Indexes":[{"Name":"X","Status":"Disabled"}]}""", status.Text);
    }

    [Fact]
    public async Task Database_SettingThatCannotBeUsed_IsRefusedWhenTheRecordIsPut()
    {
        await using ServerFixture server = await StartAsync();
        Answer answer = await Answer.ToAsync(
            server.Client, "PUT", "/admin/databases?name=other", """{"DatabaseName":"other","Settings":{"Indexing.ResetMode":"x"}}""");
        answer.AssertProblem(400, "ArgumentException", "Indexing.ResetMode", "InPlace or SideBySide");
    }

    [Fact]
    public void Over_LaterLayersWin_AndWhatCannotBeUsedIsLeftOut()
    {
        IndexingSettings server = new IndexingSettings().Over(new Dictionary<string, string?> { ["Indexing.MapBatchSize"] = "200" }, out string? problem);
        Assert.Null(problem);
        IndexingSettings database = server.Over(
            new Dictionary<string, string?> { ["Indexing.MapBatchSize"] = "1", ["Indexing.ResetMode"] = "SideBySide", ["Other"] = "1" }, out problem);
        Assert.Contains("Indexing.MapBatchSize = '1'", problem, StringComparison.Ordinal);
        Assert.Equal(200, database.BatchChangesMax);
        Assert.True(database.ResetsSideBySide);
        Assert.Equal(TimeSpan.FromMinutes(30), database.AutoIdleAfter);
    }

    private static async Task<ServerFixture> StartAsync(string settings = "{}")
    {
        ServerFixture server = await ServerFixture.StartAsync(new ServerSetup { Settings = settings });
        await server.PutAsync("users/1", "Users", """{"Name":"Ann Brown"}""");
        await server.PutAsync("users/2", "Users", "{}");
        return server;
    }

    private static async Task PutAsync(ServerFixture server, string name, Dictionary<string, string> configuration)
    {
        Answer answer = await server.PutIndexAsync(name, ByName, more: new { Configuration = configuration });
        Assert.True(answer.Status == 201, answer.Text);
    }
}
