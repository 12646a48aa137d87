using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Searching;

/// <summary>A word that an analyzer removes leaves no gap between its neighbours, when it indexes and when it is asked.</summary>
public sealed class RemovedWordTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await _server.PutAsync("f/1", "Fs", """{"n":"a quick brown fox"}""");
        await _server.PutAsync("f/2", "Fs", """{"n":"the fox is quick"}""");
        await _server.PutAsync("f/3", "Fs", """{"n":"fluent in French"}""");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData(null)]
    [InlineData("StandardAnalyzer")]
    [InlineData("RavenStandardAnalyzer")]
    [InlineData("ClassicAnalyzer")]
    [InlineData("StopAnalyzer")]
    [InlineData("EnglishAnalyzer")]
    [InlineData("Stopping")]
    public async Task Search_OfNeighboursOfARemovedWord_FindsThem(string? analyzer)
    {
        const string stopping = """
            using Lucene.Net.Analysis; using Lucene.Net.Analysis.Core; using Lucene.Net.Util;
            public sealed class Stopping : Analyzer
            {
                protected override TokenStreamComponents CreateComponents(string fieldName, TextReader reader)
                {
                    var words = new LowerCaseTokenizer(LuceneVersion.LUCENE_48, reader);
                    return new TokenStreamComponents(words, new StopFilter(LuceneVersion.LUCENE_48, words, StopAnalyzer.ENGLISH_STOP_WORDS_SET));
                }
            }
            """;
        await _server.DbAsync("PUT", "/admin/analyzers", System.Text.Json.JsonSerializer.Serialize(
            new { Analyzers = new[] { new { Name = "Stopping", Code = stopping } } }));
        Answer put = await _server.PutIndexAsync("S", "from f in docs.Fs select new { f.n }", more: new
        {
            Fields = new { n = new { Indexing = "Search", Analyzer = analyzer } },
        });
        Assert.True(put.Status == 201, put.Text);
        await AssertFindsAsync("from index 'S'");
        Assert.Equal("f/3", await _server.IdsAsync("from index 'S' where lucene(n, '\"fluent french\"')"));
    }

    [Fact]
    public Task Search_OfADynamicQuery_FindsNeighboursOfARemovedWord() => AssertFindsAsync("from Fs");

    private async Task AssertFindsAsync(string from)
    {
        foreach ((string condition, string ids) in new[]
        {
            ("proximity(search(n, 'quick fox'), 1)", "f/1"),
            ("proximity(search(n, 'quick fox'), 2)", "f/1,f/2"),
            ("proximity(search(n, 'fox quick'), 0)", "f/2"),
            ("proximity(search(n, 'fluent french'), 0)", "f/3"),
            ("search(n, '\"fluent french\"')", "f/3"),
            ("search(n, '\"fluent in french\"')", "f/3"),
            ("search(n, '\"the fox quick\"')", "f/2"),
            ("search(n, '\"fox is the quick\"')", "f/2"),
            ("search(n, '\"fox brown\"')", ""),
        })
        {
            Assert.True(ids == await _server.IdsAsync($"{from} where {condition} order by id()"), condition);
        }
    }
}
