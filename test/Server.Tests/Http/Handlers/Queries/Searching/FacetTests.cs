using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Searching;

/// <summary>Facets, suggestions, highlighting and more-like-this over HTTP.</summary>
public sealed class FacetTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await _server.PutAsync("c/1", "Cameras", """{"Brand":"Zeta","Price":5.5,"Tags":["a","b","a"],"Name":"Ayende"}""");
        await _server.PutAsync("c/2", "Cameras", """{"Brand":"Acme","Price":10,"Tags":["b"],"Name":"Oren"}""");
        await _server.PutAsync("c/3", "Cameras", """{"Brand":"acme","Price":20,"Name":"John Steinbeck"}""");
        await _server.PutAsync("c/4", "Cameras", """{"Brand":null,"Price":100}""");
        await _server.PutAsync("c/5", "Cameras", """{"Brand":"","Price":200.5}""");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("from Cameras select facet(Brand)", "Brand",
        "EMPTY_STRING:1:,NULL_VALUE:1:,acme:2:,zeta:1:")]
    [InlineData("from Cameras where Price < 50 select facet(Brand, sum(Price), max(Price) as Highest) as B", "B",
        "acme:2:Price Sum 30,acme:2:Highest Max 20,zeta:1:Price Sum 5.5,zeta:1:Highest Max 5.5")]
    [InlineData("from Cameras where Price < 50 select facet('Brand', sum('Price'), max(Price) as Highest) as B", "B",
        "acme:2:Price Sum 30,acme:2:Highest Max 20,zeta:1:Price Sum 5.5,zeta:1:Highest Max 5.5")]
    [InlineData("from Cameras select facet(Tags)", "Tags", "a:1:,b:2:")]
    [InlineData("from Cameras select facet(Price < 10, Price >= 10 and Price < 50, Price > 1000, avg(Price))", "Price",
        "Price < 10:1:Price Average 5.5,Price >= 10 and Price < 50:2:Price Average 15,Price > 1000:0:Price Average ")]
    [InlineData("from Cameras select facet(sum(Price))", "@AllResults", "@AllResults:5:Price Sum 336")]
    [InlineData("""from Cameras select facet(Brand, '{"termSortMode":"CountDesc","start":0,"pageSize":2,"includeRemainingTerms":true}')""", "Brand",
        "acme:2:,EMPTY_STRING:1: rest 2 2 NULL_VALUE zeta")]
    [InlineData("""from Cameras select facet(Brand, '{"TermSortMode":"ValueDesc","Start":1}')""", "Brand",
        "acme:2:,NULL_VALUE:1:,EMPTY_STRING:1:")]
    public async Task Post_Facet_CountsAsClientsReadIt(string query, string name, string values)
    {
        Answer answer = await _server.QueryAsync(query);
        Assert.True(answer.Status == 200, answer.Text);
        JsonElement facet = Assert.Single(answer.Json.GetProperty("Results").EnumerateArray());
        Assert.Equal(name, facet.GetProperty("Name").GetString());
        Assert.Equal(values, Describe(facet));
    }

    [Fact]
    public async Task Post_FacetSetup_IsReadWhateverItsCase()
    {
        await _server.PutAsync("facets/1", "@empty", """
            {"facets":[{"fieldName":"Brand","displayFieldName":"B","options":{"termSortMode":"CountDesc","pageSize":1},"aggregations":{"sum":["Price"]}}],
            "RangeFacets":[{"Ranges":["Price < 50"],"Aggregations":{"Max":[{"Name":"Price","DisplayName":"Top"}]}}]}
            """);
        await _server.PutIndexAsync("Costs", "from c in docs.Cameras select new { c.Brand, c.Price }");
        foreach (string source in (string[])["Cameras", "index Costs"])
        {
            Answer answer = await _server.QueryAsync($"from {source} select facet(id('facets/1'))");
            Assert.True(answer.Status == 200, answer.Text);
            string[] facets = [.. answer.Json.GetProperty("Results").EnumerateArray().Select(Describe)];
            Assert.Equal(["acme:2:Price Sum 30 rest 3 3", "Price < 50:3:Top Max 20"], facets);
        }
    }

    [Fact]
    public async Task Post_SuggestOfAFieldThatIsSearchedAsFullText_GivesWordsWhenNoWholeValueIsLike()
    {
        await _server.QueryAsync("from Cameras where search(Name, 'oren')");
        string[] words = await SuggestedAsync("""from Cameras select suggest(Name, 'Steinbek', '{"Accuracy":0.7}')""");
        Assert.Equal(["steinbeck"], words);
        Assert.Equal(["oren"], await SuggestedAsync("from Cameras select suggest(Name, 'Owen')"));
        Assert.Empty(await SuggestedAsync("from Cameras select suggest(Brand, 'Steinbek')"));
    }

    private async Task<string[]> SuggestedAsync(string query)
    {
        JsonElement row = (await _server.QueryAsync(query)).Json.GetProperty("Results")[0];
        return [.. row.GetProperty("Suggestions").EnumerateArray().Select(one => one.GetString()!)];
    }

    [Theory]
    [InlineData("from Cameras select suggest(Name, 'Owen')", "oren")]
    [InlineData("from Cameras select suggest(Name, 'Oren')", "")]
    [InlineData("""from Cameras select suggest(Name, 'John Steinback', '{"accuracy":0.4}')""", "john steinbeck")]
    [InlineData("""from Cameras select suggest(Name, 'Oern', '{"Accuracy":0.2,"Distance":"JaroWinkler"}')""", "oren")]
    [InlineData("""from Cameras select suggest(Name, 'Oern', '{"accuracy":0.2,"pageSize":10,"distance":"Levenshtein"}')""", "oren")]
    [InlineData("""from Cameras select suggest(Name, 'Oern', '{"accuracy":0.2,"distance":"None"}')""", "oren")]
    [InlineData("""from Cameras select suggest(Name, 'Orem', '{"accuracy":0.1,"distance":"NGram"}')""", "oren")]
    [InlineData("""from Cameras select suggest(Name, 'john', '{"accuracy":0.01,"distance":"JaroWinkler"}')""", "oren")]
    [InlineData("""from Cameras select suggest(Name, $terms, '{"accuracy":0.2}')""", "john steinbeck,ayende,oren")]
    public async Task Post_Suggest_GivesTermsLikeTheOnesAsked(string query, string suggestions)
    {
        Answer answer = await _server.QueryAsync(
            query + " as N", more: new { QueryParameters = new { terms = new[] { "Oern", "Ayendo", "John Steinback" } } });
        Assert.True(answer.Status == 200, answer.Text);
        JsonElement item = Assert.Single(answer.Json.GetProperty("Results").EnumerateArray());
        Assert.Equal("N", item.GetProperty("Name").GetString());
        Assert.Equal(suggestions, string.Join(',', item.GetProperty("Suggestions").EnumerateArray().Select(one => one.GetString())));
    }

    [Theory]
    [InlineData("from index 'F' select facet(Emp) include Emp", "es/1-A,es/2-A")]
    [InlineData("from Os select facet(Emp) include Emp", "es/1-A,es/2-A")]
    [InlineData("from Os as o select facet(o.Emp) include o.Emp", "es/1-A,es/2-A")]
    [InlineData("from index 'F' select facet(Emp) as E, facet(Firm.Id), facet(N < 2, N >= 2) include Emp, Firm.Id", "es/1-A,es/2-A,firms/1-A")]
    [InlineData("from Os select facet(Emp), facet(Firm.Id), facet(N < 2, N >= 2) include Emp, Firm.Id", "es/1-A,es/2-A,firms/1-A")]
    [InlineData("from Os select facet(Emp), facet(Firm.Id) include Firm.Id", "firms/1-A")]
    [InlineData("from Os select facet(Lines[].Of) include Lines[].Of", "es/2-A,firms/1-A")]
    [InlineData("from Os where N > 1 select facet(Emp) include Emp", "es/2-A")]
    [InlineData("""from Os select facet(Emp, '{"start":1,"pageSize":1}') include Emp""", "es/1-A")]
    [InlineData("from Os select facet(Number) include 'Number(es/)'", "es/1-A,es/2-A")]
    [InlineData("from Os select facet(Emp) include Missing", "")]
    public async Task Post_FacetWithInclude_IncludesTheDocumentsThatItsValuesName(string query, string included)
    {
        await _server.PutAsync("es/1-A", "Es", """{"Name":"Ann"}""");
        await _server.PutAsync("es/2-A", "Es", """{"Name":"Bob"}""");
        await _server.PutAsync("firms/1-A", "Firms", """{"Name":"Acme"}""");
        await _server.PutAsync("os/1-A", "Os", """
            {"Emp":"es/1-A","Firm":{"Id":"firms/1-A"},"N":1,"Number":"1-A",
            "Lines":[{"Of":"es/2-A"},{"Of":"firms/1-A"}]}
            """);
        await _server.PutAsync("os/2-A", "Os", """{"Emp":"ES/2-A","Firm":{"Id":"firms/9-A"},"N":2,"Number":"2-A"}""");
        await _server.PutAsync("os/3-A", "Os", """{"Emp":null,"Firm":{"Id":""},"N":0}""");
        await _server.PutIndexAsync("F", "map('Os', o => ({ Emp: o.Emp, 'Firm.Id': o.Firm.Id, N: o.N }))");
        Answer answer = await _server.QueryAsync(query);
        Assert.True(answer.Status == 200, answer.Text);
        Assert.Equal(included, string.Join(',', answer.Json.GetProperty("Includes").EnumerateObject().Select(one => one.Name).Order(StringComparer.Ordinal)));
        JsonElement part = (await _server.DbAsync("POST", "/multi_get", JsonSerializer.Serialize(new
        {
            Requests = new[] { new { Url = "/databases/db1/queries", Query = "", Method = "POST", Content = JsonSerializer.Serialize(new { Query = query }) } },
        }))).Json.GetProperty("Results")[0].GetProperty("Result");
        Assert.Equal(answer.Json.GetProperty("Includes").GetRawText(), part.GetProperty("Includes").GetRawText());
    }

    [Theory]
    [InlineData("from Cameras select facet(Brand), Name", "together")]
    [InlineData("from Cameras filter Price > 1 select facet(Brand)", "together")]
    [InlineData("from Cameras select facet(Price < 1, Name < 'a')", "the same field")]
    [InlineData("from Cameras where search(Name, 'a') include highlight(Name, 0, 1)", "above 0")]
    public async Task Post_BadSelect_SaysWhatIsWrong(string query, string message)
    {
        Answer answer = await _server.QueryAsync(query);
        Assert.NotEqual(200, answer.Status);
        Assert.Contains(message, answer.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Post_Highlight_GivesThePiecesWithTheWords()
    {
        await _server.PutAsync("n/1", "Notes",
            """{"Text":"The quick fox. A long tale follows, of nothing at all; then the QUICK end <quick>.","Title":"none"}""");
        await _server.PutAsync("n/2", "Notes", """{"Text":"a red fox","Title":"the quick"}""");
        Answer answer = await _server.QueryAsync(
            "from Notes where search(Text, 'quick fox') or search(Title, 'quick') include highlight(Text, 18, 2, $p), highlight(Title, 18, 2)",
            more: new { QueryParameters = new { p = new { preTags = new[] { "***", "^^^" }, postTags = new[] { "***", "^^^" } } } });
        Assert.True(answer.Status == 200, answer.Text);
        JsonElement found = answer.Json.GetProperty("Highlightings");
        Assert.Equal(["The ***quick*** ^^^fox^^^. A", "***QUICK*** end <***quick***>."], Texts(found, "Text", "n/1"));
        Assert.Equal(["a red ^^^fox^^^"], Texts(found, "Text", "n/2"));
        Assert.Empty(Texts(found, "Title", "n/1"));
        Assert.Equal(["the <b style=\"background:yellow\">quick</b>"], Texts(found, "Title", "n/2"));
    }

    [Fact]
    public async Task Post_HighlightOfAFieldThatIsNotStored_SaysWhatToSet()
    {
        await _server.PutIndexAsync("Plain", "from c in docs.Cameras select new { c.Name }");
        Answer answer = await _server.QueryAsync("from index Plain where search(Name, 'a') include highlight(Name, 18, 1)");
        Assert.Contains("Storage to Yes", answer.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Post_HighlightOfAFieldOfADefinition_NeedsTermVectors()
    {
        const string query = "from index Notes where search(Text, 'fox') include highlight(Text, 18, 1)";
        await _server.PutAsync("n/1", "Notes", """{"Text":"a red fox"}""");
        await PutAsync(new { Indexing = "Search", Storage = "Yes" });
        Assert.Contains("TermVector to WithPositionsAndOffsets", (await _server.QueryAsync(query)).Text, StringComparison.Ordinal);
        await PutAsync(new { Indexing = "Search", Storage = "Yes", TermVector = "WithPositionsAndOffsets" });
        JsonElement found = (await _server.QueryAsync(query)).Json.GetProperty("Highlightings");
        Assert.Equal(["a red <b style=\"background:yellow\">fox</b>"], Texts(found, "Text", "n/1"));

        async Task PutAsync(object field)
        {
            await _server.PutIndexAsync("Notes", "from n in docs.Notes select new { n.Text }",
                more: new { Fields = new Dictionary<string, object> { ["Text"] = field } });
            await _server.SettledAsync();
        }
    }

    [Theory]
    [InlineData("from Notes where search(Text, 'fox') filter Kind = 'b'", "n/1 n/3 n/5 n/7 n/9")]
    [InlineData("from Notes where search(Text, 'fox') filter Kind = 'b' limit 1, 2", "n/3 n/5")]
    [InlineData("from Notes where search(Text, 'fox') select distinct Kind", "n/0 n/1")]
    [InlineData("from Notes where search(Text, 'fox') limit 8, 5", "n/8 n/9")]
    [InlineData("from Notes where search(Text, 'fox') limit 0", "")]
    public async Task Post_Highlight_IsOfTheRowsOfTheAnswer(string query, string ids)
    {
        await _server.PutAllAsync("Notes", Enumerable.Range(0, 10).Select(
            i => ($"n/{i}", new Dictionary<string, object> { ["Text"] = "a fox", ["Kind"] = i % 2 == 0 ? "a" : "b" })));
        Answer answer = await _server.QueryAsync(query.Contains(" limit", StringComparison.Ordinal)
            ? query.Replace(" limit", " include highlight(Text, 18, 1) limit", StringComparison.Ordinal)
            : query + " include highlight(Text, 18, 1)");
        Assert.True(answer.Status == 200, answer.Text);
        Assert.Equal(ids, string.Join(' ', answer.Json.GetProperty("Highlightings").GetProperty("Text").EnumerateObject().Select(member => member.Name)));
    }

    [Fact]
    public async Task Post_HighlightOfTooManyWords_IsRefusedAndKeepsNothing()
    {
        await _server.PutAsync("n/1", "Notes", """{"Text":"a red fox"}""");
        string words = string.Join(' ', Enumerable.Range(0, 1025).Select(i => "w" + i)) + " fox";
        Answer answer = await _server.QueryAsync($"from Notes where search(Text, '{words}') include highlight(Text, 18, 1)");
        Assert.Contains("more than 1024 words", answer.Text, StringComparison.Ordinal);
        Assert.Equal("n/1", await _server.IdsAsync("from Notes where search(Text, 'fox') include highlight(Text, 18, 1)"));
    }

    [Fact]
    public async Task Post_SuggestionsOfAFieldOfADefinition_NeedTheirOption()
    {
        const string query = "from index Names select suggest(Name, 'Owen')";
        await _server.PutAsync("c/9", "Cameras", """{"Name":"Oren"}""");
        await _server.PutIndexAsync("Names", "from c in docs.Cameras select new { c.Name }");
        await _server.SettledAsync();
        Answer refused = await _server.QueryAsync(query);
        Assert.Equal(400, refused.Status);
        Assert.Contains("set Suggestions to true", refused.Text, StringComparison.Ordinal);
        Assert.Contains("InvalidQueryException", refused.Text, StringComparison.Ordinal);
        await _server.PutIndexAsync("Names", "from c in docs.Cameras select new { c.Name }",
            more: new { Fields = new Dictionary<string, object> { ["__all_fields"] = new { Suggestions = true } } });
        await _server.SettledAsync();
        Assert.Contains("oren", (await _server.QueryAsync(query)).Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Post_MoreLikeOneOfSeveral_LeavesOutOnlyTheSource()
    {
        string[] bodies = ["lions and tigers", "lions and tigers", "lions", "birds"];
        for (int i = 0; i < bodies.Length; i++)
        {
            await _server.PutAsync($"d/{i}", "Data", $$"""{"Body":"{{bodies[i]}}","Kind":"k"}""");
        }

        await _server.PutIndexAsync("Data", "from d in docs.Data from n in new[] { 1, 2 } select new { d.Body, d.Kind, N = n }",
            more: new { Fields = new Dictionary<string, object> { ["Body"] = new { Indexing = "Search" } } });
        const string options = """{"MinimumTermFrequency":1,"MinimumDocumentFrequency":1,"Fields":["Body"]}""";
        Assert.Equal(["d/1", "d/2"], Sorted(await _server.IdsAsync($"from index Data where moreLikeThis(Kind = 'k', '{options}')")));
        Assert.Equal(["d/1", "d/2"], Sorted(await _server.IdsAsync($"from index Data where moreLikeThis(id() = 'd/0', '{options}')")));
    }

    [Fact]
    public async Task Post_MoreLikeThis_FindsWhatSharesTellingWords()
    {
        string[] bodies = ["a test of lions", "a test of tigers", "lions and tigers", "birds", "one test", "two tests"];
        for (int i = 0; i < bodies.Length; i++)
        {
            await _server.PutAsync($"d/{i}", "Data", $$"""{"Body":"{{bodies[i]}}"}""");
        }

        await _server.PutIndexAsync("Data", "from d in docs.Data select new { d.Body }",
            more: new { Fields = new Dictionary<string, object> { ["Body"] = new { Indexing = "Search" } } });
        const string least = "\"MinimumTermFrequency\":1,\"MinimumDocumentFrequency\":1";
        Assert.Equal(["d/1", "d/2", "d/4"], Sorted(await _server.IdsAsync($"from index Data where moreLikeThis(id() = 'd/0', '{{{least}}}')")));
        Assert.Equal(["d/0", "d/1", "d/4"], Sorted(await _server.IdsAsync(
            $$$"""from index Data where moreLikeThis('{"Property":{"body":"A test"}}', '{{{{least}}}}')""")));
        await _server.PutAsync("stop", "@empty", """{"stopWords":["test"]}""");
        Assert.Equal(["d/2"], Sorted(await _server.IdsAsync(
            $$$"""from index Data where moreLikeThis(id() = 'd/0', '{"Fields":["Body"],"StopWordsDocumentId":"stop",{{{least}}}}')""")));
        Assert.Equal("", await _server.IdsAsync("from index Data where moreLikeThis(id() = 'd/0')"));
    }

    private static string[] Sorted(string ids) => [.. ids.Split(',').Order()];

    private static IEnumerable<string?> Texts(JsonElement found, string field, string id) =>
        found.GetProperty(field).GetProperty(id).EnumerateArray().Select(text => text.GetString());

    private static string Describe(JsonElement facet)
    {
        string values = string.Join(',', facet.GetProperty("Values").EnumerateArray().Select(value =>
            $"{value.GetProperty("Range").GetString()}:{value.GetProperty("Count").GetInt64()}:{value.GetProperty("Name").GetString()}"
            + string.Concat(value.EnumerateObject().Where(member => member.Name is "Sum" or "Max" or "Min" or "Average")
                .Select(member => $" {member.Name} {(member.Value.ValueKind == JsonValueKind.Null ? "" : member.Value.GetRawText())}"))));
        return facet.GetProperty("RemainingTermsCount").GetInt32() == 0
            ? values
            : $"{values} rest {facet.GetProperty("RemainingTermsCount")} {facet.GetProperty("RemainingHits")} "
                .TrimEnd() + string.Concat(facet.GetProperty("RemainingTerms").EnumerateArray().Select(term => " " + term.GetString()));
    }

    [Fact]
    public async Task Post_FacetSetupThatIsMissing_IsAnErrorOfItsOwn() =>
        (await _server.QueryAsync("from Cameras select facet(id('facets/9'))"))
            .AssertProblem(500, "Documents.DocumentDoesNotExistException", "no document 'facets/9'");

    [Theory]
    [InlineData("Price ? 5", "wrong at its character 1: a condition is expected here")]
    [InlineData("Price < ?", "wrong at its character 9: ")]
    [InlineData("Price < 5 or Price > 7", "wrong at its character 1: a range of a facet is Price < 10")]
    [InlineData("Price < $missing", "wrong at its character 9: the parameter '$missing' was not sent")]
    [InlineData("", "wrong at its character ")]
    public async Task Post_FacetSetupWithABadRange_NamesDocumentRangeAndPlace(string range, string message)
    {
        var setup = new { RangeFacets = new[] { new { Ranges = new[] { range } } } };
        await _server.PutAsync("facets/2", "Setups", System.Text.Json.JsonSerializer.Serialize(setup));
        Answer answer = await _server.QueryAsync("from Cameras where Price > 0 and Brand != 'a long query in front' select facet(id('facets/2'))");
        answer.AssertProblem(400, "InvalidQueryException", $"The range '{range}' in the document 'facets/2' is {message}");
    }
}
