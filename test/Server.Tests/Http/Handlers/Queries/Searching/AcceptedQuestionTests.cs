using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Searching;

/// <summary>Questions that clients ask, and that are no mistakes.</summary>
public sealed class AcceptedQuestionTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await _server.PutAsync("xs/1", "Xs", """{"Loc":{"A":1,"B":"x y","C":{"D":[1.5,null,true]}},"N":"a"}""");
        await _server.PutAsync("xs/2", "Xs", """{"Loc":{"A":2,"B":"x y","C":{"D":[]}},"N":"b"}""");
        await _server.PutIndexAsync("I", "from x in docs.Xs select new { x.Loc, x.N }");
        await _server.PutIndexAsync("S", "map('Xs', x => ({ Loc: x.Loc, N: x.N }))");
        await _server.PutIndexAsync("E", "from x in docs.Xs select new { x.Loc, x.N }", more: new { Fields = new { Loc = new { Indexing = "Exact" } } });
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("where Loc = $p", "xs/1")]
    [InlineData("where Loc == $p and N = 'a'", "xs/1")]
    [InlineData("where Loc != $p", "xs/2")]
    [InlineData("where Loc in ($p)", "xs/1")]
    [InlineData("where Loc in ($other, $p)", "xs/1,xs/2")]
    [InlineData("where Loc in ($many)", "xs/1,xs/2")]
    [InlineData("where exact(Loc = $p)", "xs/1")]
    [InlineData("where not Loc = $p", "xs/2")]
    public async Task Query_ComparesWithAnObject_FindsTheSameObject(string where, string ids)
    {
        object first = new { A = 1, B = "x y", C = new { D = new object?[] { 1.5, null, true } } };
        object second = new { A = 2, B = "x y", C = new { D = Array.Empty<int>() } };
        object more = new { QueryParameters = new { p = first, other = second, many = new[] { first, second } } };
        foreach (string index in (string[])["I", "S", "E"])
        {
            if (index != "E" && where.Contains("exact", StringComparison.Ordinal))
            {
                continue; // a field that is not exact has its text in lower case
            }

            Answer answer = await _server.QueryAsync($"from index '{index}' {where} order by id()", more: more);
            Assert.True(answer.Status == 200, answer.Text);
            Assert.Equal(ids, string.Join(',', answer.Json.GetProperty("Results").EnumerateArray()
                .Select(row => row.GetProperty("@metadata").GetProperty("@id").GetString())));
        }
    }

    /// <summary>What one client writes with spaces, escapes or another form of a number is the same object for another one.</summary>
    [Fact]
    public async Task Query_ComparesWithAnObjectInAnotherSpelling_FindsTheSameObject()
    {
        string[] spellings =
        [
            """{"A":1,"B":"x é/\"🙂","C":{"D":[1.5,null,true],"E":{}}}""",
            """{ "A" : 1.0, "B" : "x \u00e9\/\u0022\ud83d\ude42" , "C":{"D":[ 1.50, null,true ],"E":{ }} }""",
            """{"A":1,"B":"\u0078 é/\"🙂","\u0043":{"D":[15e-1,null,true],"E":{}}}""",
        ];
        await _server.PutIndexAsync("W", "from y in docs.Ys select new { y.Loc }");
        await _server.PutIndexAsync("Z", "map('Ys', y => ({ Loc: y.Loc }))");
        for (int i = 0; i < spellings.Length; i++)
        {
            await _server.PutAsync($"ys/{i}", "Ys", $"{{\"Loc\":{spellings[i]}}}");
        }

        foreach (string asked in spellings)
        {
            foreach (string query in (string[])["from index 'W' where Loc = $p", "from index 'Z' where Loc = $p", "from index 'W' where Loc in ($p)"])
            {
                string body = $"{{\"Query\":\"{query}\",\"QueryParameters\":{{\"p\":{asked}}},\"WaitForNonStaleResults\":true}}";
                Answer answer = await _server.DbAsync("POST", "/queries", body);
                Assert.True(answer.Json.GetProperty("TotalResults").GetInt32() == 3, query + asked + answer.Text);
            }
        }
    }

    [Theory]
    [InlineData("from index 'I' where Loc > $p")]
    [InlineData("from index 'I' where startsWith(Loc, $p)")]
    [InlineData("from Xs where Loc = $p")]
    public async Task Query_ThatCannotCompareWithAnObject_SaysSo(string query)
    {
        Answer answer = await _server.QueryAsync(query, more: new { QueryParameters = new { p = new { A = 1 } } });
        answer.AssertProblem(400, "InvalidQueryException", "array or object cannot be compared");
    }

    [Theory]
    [InlineData("from Xs where boost(N in ($names), 0)", "xs/1,xs/2")]
    [InlineData("from index 'I' where boost(N = 'a', 0)", "xs/1")]
    [InlineData("from index 'I' where boost(N = 'a', 0) or boost(N = 'b', 0)", "xs/1,xs/2")]
    public async Task Query_WithABoostOfNothing_FindsRowsWithTheScoreNothing(string query, string ids)
    {
        Answer answer = await _server.QueryAsync(query, more: new { QueryParameters = new { names = new[] { "a", "b" } } });
        Assert.True(answer.Status == 200, answer.Text);
        JsonElement[] rows = [.. answer.Json.GetProperty("Results").EnumerateArray().Select(row => row.GetProperty("@metadata"))];
        Assert.Equal(ids, string.Join(',', rows.Select(row => row.GetProperty("@id").GetString()).Order(StringComparer.Ordinal)));
        Assert.All(rows, row => Assert.Equal(0, row.GetProperty("@index-score").GetDouble()));
        (await _server.QueryAsync("from Xs where boost(N = 'a', -1)")).AssertProblem(400, "InvalidQueryException", "0 or more");
    }

    [Theory]
    [InlineData("from Xs", "collection/Xs")]
    [InlineData("from @all_docs", "AllDocs")]
    [InlineData("from Xs where id() = 'xs/1'", "collection/Xs")]
    public async Task Explain_OfAQueryWithoutAnIndex_NamesTheCollectionOnce(string query, string name)
    {
        await _server.QueryAsync("from Xs where N = 'a'");
        Answer answer = await _server.DbAsync("POST", "/queries?debug=explain", JsonSerializer.Serialize(new { Query = query }));
        Assert.True(answer.Status == 200, answer.Text);
        JsonElement one = Assert.Single(answer.Json.GetProperty("Results").EnumerateArray());
        Assert.Equal(name, one.GetProperty("Index").GetString());
        Assert.NotEmpty(one.GetProperty("Reason").GetString()!);
    }

    [Theory]
    [InlineData("proximity(search(N, 'fluent'), 1)", "Proximity search works only on multiple search terms")]
    [InlineData("proximity(search(N, 'flu* french'), 1)", "Proximity search works only on words without wildcards")]
    public async Task Proximity_OfASearchThatHasNone_SaysWhichMistakeItIs(string condition, string message) =>
        (await _server.QueryAsync($"from Xs where {condition}")).AssertProblem(400, "InvalidQueryException", message);
}
