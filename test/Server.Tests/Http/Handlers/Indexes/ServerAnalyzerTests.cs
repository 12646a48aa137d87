using System.Text.Json;
using System.Text.RegularExpressions;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>Analyzers of the server, which all databases use, and analyzers in the forms of Lucene.Net 3.</summary>
public sealed class ServerAnalyzerTests : IAsyncLifetime
{
    private const string Words = """
        using Lucene.Net.Analysis; using Lucene.Net.Analysis.Core; using Lucene.Net.Util;
        public class Words : Analyzer
        {
            protected override TokenStreamComponents CreateComponents(string fieldName, TextReader reader)
            {
                var words = new WhitespaceTokenizer(LuceneVersion.LUCENE_48, reader);
                return new TokenStreamComponents(words, FILTER);
            }
        }
        """;

    private static readonly string s_lower = Words.Replace("FILTER", "new LowerCaseFilter(LuceneVersion.LUCENE_48, words)", StringComparison.Ordinal);

    private static readonly string s_whole = Words.Replace("FILTER", "words", StringComparison.Ordinal);

    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Analyzer_OfTheServer_IsUsedAndAChangeBuildsItsIndexesAgain()
    {
        await PutUsersAsync();
        await PutOfServerAsync(s_lower);
        await PutIndexAsync();
        Assert.Equal(("users/1", "users/1"), await FindAsync());
        (await _server.SendAsync("DELETE", "/admin/analyzers?name=words")).AssertProblem(500, "InvalidOperationException", "Index 'I' of database 'db1'");

        await PutOfServerAsync(s_whole);

        Assert.Equal(("", "users/1"), await FindAsync());
    }

    [Theory]
    [InlineData("using Lucene.Net.Analysis.Standard; public class MyAnalyzer : StandardAnalyzer { int x = Nope; }")]
    [InlineData("using Lucene.Net.Analysis; public class MyAnalyzer : Analyzer { public override TokenStream TokenStream(string f, TextReader r) => null; }")]
    public async Task Put_AnalyzerInTheFormOfLucene3_IsRefusedWithAFormThatWorks(string old)
    {
        Answer refused = await _server.DbAsync("PUT", "/admin/analyzers", Body(("MyAnalyzer", old)));
        refused.AssertProblem(500, "AnalyzerCompilationException", "Lucene.Net 4.8", "CreateComponents");

        string shown = Regex.Match(refused.Json.GetProperty("Message").GetString()!, "public class MyAnalyzer : Analyzer \\{ protected .*} }").Value;
        string usings = "using Lucene.Net.Analysis; using Lucene.Net.Analysis.Core; using Lucene.Net.Analysis.Standard; using Lucene.Net.Util; ";
        Answer put = await _server.DbAsync("PUT", "/admin/analyzers", Body(("MyAnalyzer", usings + shown)));
        Assert.True(put.Status == 204, put.Text + shown);
    }

    [Fact]
    public async Task Analyzer_ThatChangesWhileADatabaseIsDisabled_BuildsItsIndexesAgainWhenItIsEnabled()
    {
        await PutUsersAsync();
        await PutOfServerAsync(s_lower);
        await PutIndexAsync();
        Assert.Equal(("users/1", "users/1"), await FindAsync());

        await SwitchAsync("disable");
        await PutOfServerAsync(s_whole);
        await SwitchAsync("enable");

        await Eventually.IsTrueAsync(async () => await FindAsync() == ("", "users/1"));
        await _server.RestartAsync();
        Assert.Equal(("", "users/1"), await FindAsync());
    }

    [Fact]
    public async Task Analyzer_ThatChangesWhileIndexAndDatabaseAreDisabled_BuildsTheIndexAgainWhenItStarts()
    {
        await PutUsersAsync();
        await PutOfServerAsync(s_lower);
        await PutIndexAsync();
        Assert.Equal(("users/1", "users/1"), await FindAsync());

        await _server.DbAsync("POST", "/admin/indexes/disable?name=I", "");
        await SwitchAsync("disable");
        await PutOfServerAsync(s_whole);
        await SwitchAsync("enable");
        await _server.DbAsync("POST", "/admin/indexes/enable?name=I", "");

        await Eventually.IsTrueAsync(async () => await FindAsync() == ("", "users/1"));
    }

    [Fact]
    public async Task Analyzer_OfTheDatabaseThatHidesThatOfTheServer_BuildsItsIndexesAgain()
    {
        await PutUsersAsync();
        await PutOfServerAsync(s_lower);
        await PutIndexAsync();
        Assert.Equal(("users/1", "users/1"), await FindAsync());

        Assert.Equal(204, (await _server.DbAsync("PUT", "/admin/analyzers", Body(("Words", s_whole)))).Status);

        Assert.Equal(("", "users/1"), await FindAsync());
    }

    [Fact]
    public async Task Analyzer_ThatIsDeletedWhileADatabaseIsDisabled_WorksAgainWhenItIsPut()
    {
        await PutUsersAsync();
        await PutOfServerAsync(s_lower);
        await PutIndexAsync();
        Assert.Equal(("users/1", "users/1"), await FindAsync());
        await SwitchAsync("disable");
        Assert.Equal(204, (await _server.SendAsync("DELETE", "/admin/analyzers?name=Words")).Status);
        await SwitchAsync("enable");
        await Eventually.IsTrueAsync(async () =>
            (await _server.QueryAsync("from index 'I'")).Text.Contains("Cannot find analyzer type 'Words'", StringComparison.Ordinal));

        await PutOfServerAsync(s_whole);

        Assert.Equal(("", "users/1"), await FindAsync());
    }

    private async Task<(string Upper, string Exact)> FindAsync() => (
        await _server.IdsAsync("from index 'I' where search(Name, 'ANN')"), await _server.IdsAsync("from index 'I' where search(Name, 'Ann')"));

    private async Task PutOfServerAsync(string code) =>
        Assert.Equal(204, (await _server.SendAsync("PUT", "/admin/analyzers", Body(("Words", code)))).Status);

    private Task PutIndexAsync() => _server.PutIndexAsync(
        "I", "from u in docs.Users select new { u.Name }", null, new { Fields = new { Name = new { Indexing = "Search", Analyzer = "Words" } } });

    private Task SwitchAsync(string verb) => _server.SendAsync("POST", $"/admin/databases/{verb}", """{"DatabaseNames":["db1"]}""");

    private async Task PutUsersAsync()
    {
        await _server.DbAsync("PUT", "/docs?id=users/1", """{"Name":"Ann","@metadata":{"@collection":"Users"}}""");
        await _server.DbAsync("PUT", "/docs?id=users/2", """{"Name":"Bob","@metadata":{"@collection":"Users"}}""");
    }

    private static string Body((string Name, string Code) analyzer) =>
        JsonSerializer.Serialize(new { Analyzers = new[] { new { analyzer.Name, analyzer.Code } } });
}
