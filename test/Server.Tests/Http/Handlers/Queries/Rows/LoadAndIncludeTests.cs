using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Rows;

/// <summary>Documents that a query loads by a parameter or an id, and includes by keys and values of objects.</summary>
public sealed class LoadAndIncludeTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await _server.PutAsync("us/1", "Us", """
            {"N":1,"Firm":"firms/1","Parents":{"m":"us/2","f":"us/3","x":5,"y":null},"Rates":{"us/2":1,"us/9":2},
             "Refs":{"a":{"ref":"us/2"},"b":[{"ref":"us/3"},{"ref":"firms/1"}]},"Numbers":{"a":"2","b":3},"D.D":{"x.y":"us/3"},"D":{"D":"firms/1"}}
            """);
        await _server.PutAsync("us/2", "Us", """{"N":2,"Firm":"none","Own":{"$Values":"us/3","$Keys":"us/1","a":"firms/1"}}""");
        await _server.PutAsync("us/3", "Us", """{"N":3}""");
        await _server.PutAsync("firms/1", "Firms", """{"Name":"Acme"}""");
        await _server.PutAsync("Config/L", "Configs", """{"Default":"nl","Next":"firms/1"}""");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("load $lang as l select l.Default as D", "nl nl nl")]
    [InlineData("load 'config/l' as l select l.Default as D", "nl nl nl")]
    [InlineData("load $lang as l select { D: l.Default }", "nl nl nl")]
    [InlineData("load 'config/l' as l select { D: l.Default }", "nl nl nl")]
    [InlineData("load $lang as l filter l.Default = 'NL' and u.N > 1 select l.Default as D", "nl nl")]
    [InlineData("load u.Firm as f, $lang as l, l.Next as n select n.Name as D", "Acme Acme Acme")]
    [InlineData("load u.Firm as f, $lang as l select f.Name as D", "Acme null null")]
    [InlineData("load 'Firm' as f select f.Name as D", "Acme null null")] // a member of the document wins
    [InlineData("load $nothing as l select l.Default as D", "null null null")]
    [InlineData("load null as l select { D: l == null }", "true true true")]
    [InlineData("load $nothing as l select { D: l == null }", "true true true")]
    [InlineData("load 'none/1' as l select { D: l == null }", "true true true")]
    [InlineData("load $none as l select l.Default as D", "null null null")]
    public async Task Load_ByParameterOrId_GivesTheDocument(string clauses, string values)
    {
        Answer answer = await SendAsync("from Us as u " + clauses);
        Assert.True(answer.Status == 200, answer.Text);
        Assert.Equal(values, string.Join(' ', answer.Json.GetProperty("Results").EnumerateArray().Select(row =>
            row.GetProperty("D") is { ValueKind: JsonValueKind.String } text ? text.GetString() : row.GetProperty("D").GetRawText())));
    }

    [Theory]
    [InlineData("load $number as l", "1:19: 'load' takes the id of a document, which is a text or null, not a value of the type Long")]
    [InlineData("load $list as l", "1:19: 'load' takes the id of a document")]
    [InlineData("load $unsent as l", "the parameter '$unsent' was not sent")]
    [InlineData("load 5 as l", "1:19: 'load' takes the id of a document: the path of a field")]
    [InlineData("load true as l", "1:19: 'load' takes the id of a document: the path of a field")]
    [InlineData("load id() as l", "1:19: 'load' takes the id of a document: the path of a field")]
    public async Task Load_OfWhatIsNotAnId_IsRefusedWithItsPlace(string clauses, string message)
    {
        (await SendAsync($"from Us as u {clauses} select u.N")).AssertProblem(400, "InvalidQueryException", message);
        (await SendAsync($"from Us as u {clauses} select {{ N: u.N }}")).AssertProblem(400, "InvalidQueryException", message);
    }

    [Theory]
    [InlineData("load $lang as l include l", "Config/L")]
    [InlineData("load 'config/l' as l include l", "Config/L")]
    [InlineData("load $nothing as l include l", "")]
    [InlineData("load u.Firm as f include f", "firms/1")]
    public async Task Include_OfALoadedDocument_BringsIt(string clauses, string ids)
    {
        Answer answer = await SendAsync("from Us as u " + clauses);
        Assert.Equal(ids, IncludesOf(answer));
    }

    [Theory]
    [InlineData("us/1", "Parents.$Values", "us/2,us/3")]
    [InlineData("us/1", "Rates.$Keys", "us/2")]
    [InlineData("us/1", "Refs.$Values[].ref", "firms/1,us/2,us/3")]
    [InlineData("us/1", "Refs.$Values.ref", "firms/1,us/2,us/3")]
    [InlineData("us/1", "Numbers.$Values(us/)", "us/2,us/3")]
    [InlineData("us/1", "Parents.m", "us/2")]
    [InlineData("us/1", "'D.D'.'x.y'", "us/3")]
    [InlineData("us/1", "D.D", "firms/1")]
    [InlineData("us/1", "Refs.b[1].ref", "firms/1")]
    [InlineData("us/1", "$Values.m", "us/2")]
    [InlineData("us/1", "Firm.$Values", "")]
    [InlineData("us/2", "Own.$Values", "us/3")] // stored members win
    [InlineData("us/2", "Own.$Keys", "us/1")]
    public async Task Include_ByKeysAndValues_IsTheSameInAllRequests(string id, string path, string ids)
    {
        string escaped = Uri.EscapeDataString(path);
        Assert.Equal(ids, IncludesOf(await _server.DbAsync("GET", $"/docs?id={id}&include={escaped}")));
        Assert.Equal(ids, IncludesOf(await _server.DbAsync("POST", $"/docs?include={escaped}", $$"""{"Ids":["{{id}}"]}""")));
        Assert.Equal(ids, IncludesOf(await SendAsync($"from Us where id() = '{id}' include \"{path}\"")));
        Assert.Equal(ids, IncludesOf(await SendAsync($"from Us as u where id() = '{id}' include \"u.{path}\"")));
        if (!path.Contains('(', StringComparison.Ordinal) && path[0] != '$')
        {
            Assert.Equal(ids, IncludesOf(await SendAsync($"from Us as u where id() = '{id}' include u.{path}")));
        }
    }

    [Theory]
    [InlineData("select 'N'", "{\"N\":1}")]
    [InlineData("select 'N' as t", "{\"t\":\"N\"}")]
    [InlineData("select 'N', 'x' as Kind, id() as Id", "{\"N\":1,\"Kind\":\"x\",\"Id\":\"us/1\"}")]
    [InlineData("select 'order'", "{\"order\":null}")]
    public async Task Select_QuotedNameWithoutAlias_IsAField(string select, string row)
    {
        Answer answer = await SendAsync($"from Us where id() = 'us/1' {select}");
        Assert.Equal(row, QueryRequests.WithoutMetadata(answer.Json.GetProperty("Results")[0]));
    }

    [Theory]
    [InlineData("declare function f(u) { return u.N; } from Us as u select f(u)", "{\"f\":1},{\"f\":2},{\"f\":3}")]
    [InlineData("declare function f(u) { return u.N; } from Us as u select f(u) as Number", "{\"Number\":1},{\"Number\":2},{\"Number\":3}")]
    [InlineData("declare function f(u) { return u.N > 2 ? 'big' : null; } from Us as u select f(u)", "{\"f\":\"big\"}")]
    [InlineData("declare function f(u) { return [u.N, 'a', null]; } from Us as u where id() = 'us/1' select f(u)", "{\"f\":1},{\"f\":\"a\"}")]
    [InlineData("from Us as u select { S: toStringWithFormat(u.nul, '000'), T: toStringWithFormat(u.N, '000') } limit 1", "{\"T\":\"001\"}")]
    public async Task Row_OfAScriptThatGivesAValue_HasOneMember(string query, string rows)
    {
        Answer answer = await SendAsync(query);
        Assert.True(answer.Status == 200, answer.Text);
        Assert.Equal(rows, string.Join(',', answer.Json.GetProperty("Results").EnumerateArray().Select(QueryRequests.WithoutMetadata)));
    }

    [Fact]
    public async Task Patch_WithLoadedDocuments_UsesThem()
    {
        Answer begun = await _server.DbAsync("PATCH", "/queries", JsonSerializer.Serialize(new
        {
            Query = new
            {
                Query = "from Us as u load $lang as l, 'firms/1' as f, $nothing as n update { u.L = l.Default + f.Name + (n === null); }",
                QueryParameters = new { lang = "Config/L", nothing = (string?)null },
            },
        }));
        Assert.True(begun.Status is 200 or 202, begun.Text);
        await Eventually.IsTrueAsync(async () =>
            (await _server.DbAsync("GET", "/docs?id=us/3")).Text.Contains("\"L\":\"nlAcmetrue\"", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("POST", "/queries", 404)]
    [InlineData("GET", "/queries", 404)]
    [InlineData("GET", "/queries/plan", 404)]
    [InlineData("GET", "/streams/queries", 500)]
    [InlineData("DELETE", "/queries", 500)]
    public async Task Query_OfAnIndexThatDoesNotExist_SaysSo(string method, string path, int status)
    {
        foreach (string query in (string[])["from index 'None'", "from index 'None' where A = 1 select facet(A)", "from index 'None' select suggest(A, 'x')"])
        {
            Answer answer = method == "GET"
                ? await _server.DbAsync(method, $"{path}?query={Uri.EscapeDataString(query)}")
                : await _server.DbAsync(method, path, JsonSerializer.Serialize(new { Query = query }));
            answer.AssertProblem(status, "IndexDoesNotExistException", "None");
        }
    }

    [Theory]
    [InlineData("from index 'None'")]
    [InlineData("from index 'None' where A = 1 select facet(A)")]
    [InlineData("from index 'None' select suggest(A, 'x')")]
    [InlineData("from index 'None' limit 0")]
    public async Task MultiGet_QueryOfAnIndexThatDoesNotExist_Is404WithoutResult(string query)
    {
        string url = $"/databases/{_server.Setup.Database}/queries";
        Answer answer = await _server.DbAsync("POST", "/multi_get", JsonSerializer.Serialize(new
        {
            Requests = new object[]
            {
                new { Url = url, Query = "", Method = "POST", Content = JsonSerializer.Serialize(new { Query = query }) },
                new { Url = url, Query = "?query=" + Uri.EscapeDataString(query), Method = "GET" },
            },
        }));
        Assert.Equal(200, answer.Status);
        foreach (JsonElement one in answer.Json.GetProperty("Results").EnumerateArray())
        {
            Assert.Equal(404, one.GetProperty("StatusCode").GetInt32());
            Assert.Equal(JsonValueKind.Null, one.GetProperty("Result").ValueKind);
        }
    }

    private static string IncludesOf(Answer answer)
    {
        Assert.True(answer.Status == 200, answer.Text);
        return string.Join(',', answer.Json.GetProperty("Includes").EnumerateObject().Select(one => one.Name).Order(StringComparer.Ordinal));
    }

    private Task<Answer> SendAsync(string query) => _server.DbAsync("POST", "/queries", JsonSerializer.Serialize(new
    {
        Query = query,
        QueryParameters = new { lang = "Config/L", nothing = (string?)null, number = 5, list = new[] { "us/1" }, none = "none/1" },
    }));
}
