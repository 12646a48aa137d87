using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Rows;

/// <summary>Queries whose rows are made by scripts: answers, streams and parts of a multi_get; mistakes and limits of scripts.</summary>
public sealed class ScriptedQueryTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await _server.PutAsync("orders/1", "Orders", """{"Company":"companies/1","Lines":[{"P":"a","N":2},{"P":"b","N":3}],"Big":12345678901234567890}""");
        await _server.PutAsync("orders/2", "Orders", """{"Company":"companies/9","Lines":[]}""");
        await _server.PutAsync("companies/1", "Companies", """{"Name":"Acme","Chief":"people/1"}""");
        await _server.PutAsync("people/1", "People", """{"Name":"Ann"}""");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData(
        "from Orders as o select { Total: o.Lines.reduce((s, l) => s + l.N, 0), Big: o.Big }",
        """{"Total":5,"Big":12345678901234567890} {"Total":0}""")]
    [InlineData(
        "from Orders as o load o.Company as c select { Firm: c.Name, Id: id(c), Of: id(o) }",
        """{"Firm":"Acme","Id":"companies/1","Of":"orders/1"} {"Firm":null,"Id":null,"Of":"orders/2"}""")]
    [InlineData(
        "declare function line(o) { return o.Lines.map(l => twice(l)); } declare function twice(l) { return { p: l.P, n: 2 * l.N " +
        "}; } from Orders as o select line(o)",
        """{"p":"a","n":4} {"p":"b","n":6}""")]
    [InlineData(
        "declare function f(lines, x, n, t) { return { c: lines.length, x, n, t }; } from Orders as o select F(o.Lines, $p, 3, 'it''s')",
        """{"c":2,"x":{"y":[1]},"n":3,"t":"it's"} {"c":0,"x":{"y":[1]},"n":3,"t":"it's"}""")]
    [InlineData("declare function f(c) { return { c }; } from Orders select f(Company)", """{"c":"companies/1"} {"c":"companies/9"}""")]
    [InlineData("from Orders as o select { Chief: load(load(o.Company).Chief).Name }", """{"Chief":"Ann"} {"Chief":null}""")]
    [InlineData(
        "from Orders as o select { C: getMetadata(o)['@collection'], I: getMetadata(o)['@id'] } limit 1",
        """{"C":"Orders","I":"orders/1"}""")]
    [InlineData("from Orders as o where o.Company = 'COMPANIES/1' select { n: o.Lines.length, p: $p.y[0] }", """{"n":2,"p":1}""")]
    [InlineData("from Orders as o select distinct { Kind: 'x' }", """{"Kind":"x"}""")]
    [InlineData("declare function f(o) { if (o.Lines.length) return { c: o.Company }; } from Orders as o select f(o)", """{"c":"companies/1"}""")]
    public async Task Select_ByAScript_GivesItsRows(string query, string rows)
    {
        object more = new { QueryParameters = new { p = new { y = new[] { 1 } }, unused = 1 } };
        Assert.Equal(rows, string.Join(' ', await _server.RowsAsync(query, more)));
    }

    [Fact]
    public async Task CompareExchange_InAScript_IsTheValueOfNow()
    {
        await PutValueAsync("Firms/1", 0, """{"Owner":"Ann","Shares":[1,12345678901234567890]}""");
        const string query = "from Orders as o select { Owner: cmpxchg('firms/1').Owner, All: cmpxchg(['Firms/1', 'none', '']) } limit 1";
        Assert.Equal(
            ["""{"Owner":"Ann","All":[{"Owner":"Ann","Shares":[1,12345678901234567890]},null,null]}"""], await _server.RowsAsync(query));
        string tag = (await _server.QueryAsync("from Orders as o select { V: cmpxchg('v') } limit 1")).Header("ETag")!;
        await PutValueAsync("v", 0, "7");
        Answer changed = await _server.QueryAsync("from Orders as o select { V: cmpxchg('v') } limit 1");
        Assert.Equal(7, changed.Json.GetProperty("Results")[0].GetProperty("V").GetInt32());
        Assert.NotEqual(tag, changed.Header("ETag"));
    }

    private async Task PutValueAsync(string key, long index, string value) => Assert.Equal(
        200, (await _server.DbAsync("PUT", $"/cmpxchg?key={Uri.EscapeDataString(key)}&index={index}", $$"""{"Object":{{value}}}""")).Status);

    [Fact]
    public async Task Include_ByAScript_BringsTheDocumentAlong()
    {
        Answer answer = await _server.QueryAsync("declare function f(o) { include(o.Company); return { x: 1 }; } from Orders as o select f(o)");
        Assert.Equal("Acme", answer.Json.GetProperty("Includes").GetProperty("companies/1").GetProperty("Name").GetString());
        JsonElement metadata = answer.Json.GetProperty("Results")[0].GetProperty("@metadata");
        Assert.True(metadata.GetProperty("@projection").GetBoolean());
        Assert.Equal("orders/1", metadata.GetProperty("@id").GetString());
    }

    [Fact]
    public async Task StreamAndMultiGet_ByAScript_HaveItsRows()
    {
        const string query = "from Orders as o where o.Company > 'a' order by o.Company select { C: o.Company, n: o.Lines.map(l => l.P) }";
        string body = JsonSerializer.Serialize(new { Query = query });
        Answer stream = await _server.DbAsync("POST", "/streams/queries?format=jsonl", body);
        string[] lines = stream.Text.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal(3, lines.Length);
        Assert.StartsWith("""{"Item":{"C":"companies/1","n":["a","b"],"@metadata":""", lines[1], StringComparison.Ordinal);
        Answer parts = await _server.DbAsync("POST", "/multi_get", JsonSerializer.Serialize(new
        {
            Requests = new[] { new { Url = "/databases/db1/queries", Query = "", Method = "POST", Headers = new { }, Content = body } },
        }));
        JsonElement results = parts.Json.GetProperty("Results")[0].GetProperty("Result").GetProperty("Results");
        Assert.Equal("companies/9", results[1].GetProperty("C").GetString());
    }

    [Theory]
    [InlineData("from Orders as o select { x: }", 400, "JavaScriptParseException", "of the query)")]
    [InlineData("from Orders select { x: 1 }", 400, "InvalidQueryException", "needs a name")]
    [InlineData("from Orders as o\nselect { x: o.Lines.find(l => nothing(l)) }", 500, "JavaScriptException", "Document 'orders/1'")]
    [InlineData("from Orders as o select 5", 200, "", "")]
    [InlineData("declare function f(o) { while (true) ; } from Orders as o select f(o)", 500, "JavaScriptException", "10000 statements")]
    [InlineData("declare function f(o) { return f(o); } from Orders as o select f(o)", 500, "JavaScriptException", "function calls are nested")]
    [InlineData("declare function f(o) { let t = 'x'; while (true) t += t; } from Orders as o select f(o)", 500, "JavaScriptException", "MB")]
    [InlineData("declare function f(o) { return new Array(1e9).fill(1); } from Orders as o select f(o)", 500, "JavaScriptException", "elements")]
    [InlineData("declare function f(o) { return { x: 'x'.repeat(1e9) }; } from Orders as o select f(o)", 500, "JavaScriptException", "characters")]
    [InlineData(
        "declare function f(o) { return { x: /(a+)+$/.test('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!') }; } from Orders as o select f(o)",
        500, "JavaScriptException", "regular expression")]
    [InlineData(
        "declare function f(o) { return eval('1'); } from Orders as o select f(o)",
        500, "JavaScriptException", "eval is not defined (at 1:32 of the query)")]
    [InlineData("declare function f(l) { return { l }; } from Orders as o select f(o.Lines[].P)", 400, "InvalidQueryException", "several values")]
    [InlineData("from Orders as o load o.Lines[].P as p[] select { p }", 501, "NotSupportedException", "p[]")]
    public async Task Select_ByAScriptThatFails_SaysWhatAndWhere(string query, int status, string type, string message)
    {
        Answer answer = await _server.QueryAsync(query);
        if (status == 200)
        {
            Assert.Equal(200, answer.Status);
            return;
        }

        answer.AssertProblem(status, type, message);
        Assert.Single(await _server.RowsAsync("from Orders as o select { n: 1 } limit 1")); // the next query has its engine
    }

    [Fact]
    public async Task Include_InAStream_IsAnError() => (await _server.DbAsync(
        "POST", "/streams/queries", """{"Query":"declare function f(o) { include('x'); return {}; } from Orders as o select f(o)"}"""))
        .AssertProblem(500, "JavaScriptException", "stream");
}
