using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>Fields whose names and options the documents bring.</summary>
public sealed class ComputedFieldTests : IAsyncLifetime
{
    private const string CSharp =
        "from d in docs.Texts select new { _ = CreateField(d.Name, d.Text, "
        + "new CreateFieldOptions { Indexing = FieldIndexing.Search, Storage = FieldStorage.Yes }) }";

    private const string Flags = "from d in docs.Texts select new { _ = CreateField(d.Name, d.Text, true, true) }";
    private const string Function = "map('Texts', d => ({ _: createField(d.Name, d.Text, { indexing: 'Search', storage: true }) }))";
    private const string Object = "map('Texts', d => ({ _: [{ $value: d.Text, $name: d.Name, $options: { indexing: 'search', storage: true } }] }))";

    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await _server.PutAsync("texts/1", "Texts", """{"Name":"Title","Text":"The Quick brown Fox"}""");
        await _server.PutAsync("texts/2", "Texts", """{"Name":"Title","Text":"quick silver"}""");
        await _server.PutAsync("texts/3", "Texts", """{"Name":"Body","Text":"Fox and Hound"}""");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    public static TheoryData<string, string, string> Searches()
    {
        var data = new TheoryData<string, string, string>();
        foreach (string map in (string[])[CSharp, Flags, Function, Object])
        {
            data.Add(map, "where search(Title, 'QUICK')", "texts/1,texts/2");
            data.Add(map, "where search(Title, '\"Quick brown\"')", "texts/1");
            data.Add(map, "where search(Title, '\"brown quick\"')", "");
            data.Add(map, "where search(Title, 'the')", "");
            data.Add(map, "where search(Title, 'silv* fox')", "texts/1,texts/2");
            data.Add(map, "where Title = 'silver'", "texts/2");
            data.Add(map, "where startsWith(Title, 'Bro')", "texts/1");
            data.Add(map, "where lucene(Title, '+quick -fox')", "texts/2");
            data.Add(map, "where search(Body, 'hound')", "texts/3");
            data.Add(map, "where exists(Body)", "texts/3");
        }

        return data;
    }

    [Theory]
    [MemberData(nameof(Searches))]
    public async Task Query_OfAFieldThatAsksForFullText_FindsItsWords(string map, string clause, string ids)
    {
        await PutAsync(map);
        Assert.Equal(ids, await _server.IdsAsync($"from index 'I' {clause}"));
    }

    [Fact]
    public async Task Query_AfterARestart_AnalysesAsBefore()
    {
        await PutAsync(CSharp);
        Assert.Equal("texts/1", await _server.IdsAsync("from index 'I' where search(Title, 'FOX')"));
        await _server.RestartAsync();
        Assert.Equal("texts/1", await _server.IdsAsync("from index 'I' where search(Title, 'FOX')"));
        await _server.PutAsync("texts/4", "Texts", """{"Name":"Title","Text":"a FOX"}""");
        Assert.Equal("texts/1,texts/4", await _server.IdsAsync("from index 'I' where search(Title, '\"Fox\"')"));
    }

    [Fact]
    public async Task Query_OfAStoredOne_ProjectsAndHighlightsIt()
    {
        await PutAsync(Function.Replace("storage: true", "storage: true, termVector: 'WithPositionsAndOffsets'", StringComparison.Ordinal));
        Assert.Equal(["""{"Title":"quick silver"}"""], await _server.RowsAsync("from index 'I' where search(Title, 'silver') select Title"));
        Answer answer = await _server.QueryAsync("from index 'I' where search(Title, 'silver') include highlight(Title, 30, 1)");
        Assert.Contains("""<b style=\"background:yellow\">silver</b>""", answer.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Query_WithAnalyzerOfTheDefinition_UsesItForTheWordsOfDocuments()
    {
        await PutAsync(CSharp, new { Title = new { Analyzer = "WhitespaceAnalyzer" } });
        Assert.Equal("texts/1", await _server.IdsAsync("from index 'I' where search(Title, 'The')"));
        Assert.Equal("", await _server.IdsAsync("from index 'I' where search(Title, 'QUICK')"));
        Assert.Equal("texts/3", await _server.IdsAsync("from index 'I' where search(Body, 'FOX')"));
    }

    [Fact]
    public async Task Query_WithOptionsForAllFields_AppliesThemToThoseWithoutOptions()
    {
        await PutAsync("from d in docs.Texts select new { d.Name, _ = CreateField(d.Name, d.Text) }",
            new Dictionary<string, object> { ["__all_fields"] = new { Indexing = "Search" } });
        Assert.Equal("texts/1,texts/2", await _server.IdsAsync("from index 'I' where search(Title, 'quick')"));
        Assert.Equal("texts/3", await _server.IdsAsync("from index 'I' where search(Name, 'BODY')"));
    }

    [Fact]
    public async Task Map_ThatAsksForAnotherIndexingLater_IsAnErrorOfThatDocument()
    {
        const string map = "map('Texts', d => ({ _: createField('T', d.Text, { indexing: d.Name === 'Body' ? 'Exact' : 'Search' }) }))";
        await PutAsync(map);
        Assert.Equal("texts/1,texts/2", await _server.IdsAsync("from index 'I' where exists(T)"));
        Assert.Contains("'T' comes with indexing 'Exact', and its earlier values were indexed as full text", Failure(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("d.Name === 'Body' ? { _: createField('T', d.Text, { indexing: 'Search' }) } : { T: d.Text }", "as Default")]
    [InlineData("({ _: createField('T', d.Text, { indexing: d.Name === 'Body' ? 'Serach' : 'Search' }) })", "indexing 'Serach': give one of Default")]
    [InlineData("({ _: createField('T', d.Text, { indexing: d.Name === 'Body' ? '7' : 'Search' }) })", "indexing '7': give one of Default")]
    [InlineData("({ _: createField('T', d.Text, { termVector: d.Name === 'Body' ? 'X' : 'Yes' }) })", "termVector 'X': give one of No")]
    public async Task Map_WithOptionsThatCannotBe_IsAnErrorOfThatDocument(string row, string message)
    {
        await PutAsync($"map('Texts', d => ({row}))");
        Assert.Equal("texts/1,texts/2", await _server.IdsAsync("from index 'I' where exists(T)"));
        Assert.Contains(message, Failure(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Map_WithOptionsForOneNameInOneOfItsValuesOnly_UsesThemForAll()
    {
        await PutAsync("map('Texts', d => ({ _: createField('T', d.Text, d.Name === 'Title' ? { indexing: 'Search' } : {}) }))");
        Assert.Equal("texts/1,texts/3", await _server.IdsAsync("from index 'I' where search(T, 'fox')"));
    }

    private string Failure() => Assert.Single(_server.Indexes.Find("I")!.Failures.List()).Message;

    private async Task PutAsync(string map, object? fields = null)
    {
        Answer put = await _server.DbAsync("PUT", "/admin/indexes", JsonSerializer.Serialize(
            new { Indexes = new[] { new { Name = "I", Maps = new[] { map }, Fields = fields } } }));
        Assert.True(put.Status == 201, put.Text);
    }
}
