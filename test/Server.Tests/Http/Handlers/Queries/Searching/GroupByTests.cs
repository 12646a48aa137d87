using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Searching;

/// <summary>Queries with <c>group by</c>: keys, aggregates, conditions and orders on groups, and what is refused.</summary>
public sealed class GroupByTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await PutAsync(1, """{"Company":"a","Year":2020,"Freight":1.5,"Ship":{"City":"Ulm"},"Tags":["x","y"],"Lines":[{"P":"p1","Q":1},{"P":"p2","Q":2}]}""");
        await PutAsync(2, """{"Company":"a","Year":2021,"Freight":2.5,"Ship":{"City":"Ulm"},"Tags":["y","x"],"Lines":[{"P":"p1","Q":10},{"P":"p1","Q":20}]}""");
        await PutAsync(3, """{"Company":"A","Year":2020.0,"Freight":"none","Ship":null,"Tags":["x","y"],"Lines":[]}""");
        await PutAsync(4, """{"Company":null,"Year":2020,"Freight":4}""");
        await PutAsync(5, """{"Year":2021,"Tags":[]}""");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData(
        "group by Company select key() as C, count() as N, sum(Freight) as S order by C nulls last",
        """{"C":"a","N":2,"S":4} {"C":"A","N":1,"S":0} {"C":null,"N":2,"S":4}""",
        "ByCountAndFreightReducedByCompany")]
    [InlineData(
        "group by Company order by count() desc, Company select key(), count()",
        """{"Company":null,"Count":2} {"Company":"a","Count":2} {"Company":"A","Count":1}""",
        "ByCountReducedByCompany")]
    [InlineData("group by Year select Year, count() as N where N > 2", """{"Year":2020,"N":3}""", "ByCountReducedByYear")]
    [InlineData("group by Year where count() < 3 and Year = 2021 select key() as Y", """{"Y":2021}""", "ByCountReducedByYear")]
    [InlineData(
        "group by Company, Year where Company = 'A' select Company, Year as Y, count() as N order by N, Y",
        """{"Company":"a","Y":2020,"N":1} {"Company":"A","Y":2020.0,"N":1} {"Company":"a","Y":2021,"N":1}""",
        "ByCountReducedByCompanyAndYear")]
    [InlineData(
        "group by Ship.City select key() as K, count() as N order by N desc",
        """{"K":null,"N":3} {"K":"Ulm","N":2}""",
        "ByCountReducedByShip.City")]
    [InlineData("group by Ship.City where Ship.City = 'ulm' select Ship.City as City", """{"City":"Ulm"}""", "ByCountReducedByShip.City")]
    [InlineData(
        "group by Lines[].P select key() as P, count() as N, sum(Lines[].Q) as Q order by Q",
        """{"P":null,"N":2,"Q":0} {"P":"p2","N":1,"Q":2} {"P":"p1","N":3,"Q":31}""",
        "ByCountAndLines[].QReducedByLines[].P")]
    [InlineData(
        "group by Lines[].P, Lines[].Q where Lines[].Q < 5 order by Lines[].Q select key() as K",
        """{"K":{"Lines[].P":"p1","Lines[].Q":1}} {"K":{"Lines[].P":"p2","Lines[].Q":2}}""",
        "ByCountReducedByLines[].PAndLines[].Q")]
    [InlineData(
        "group by Company, Lines[].P select Company, Lines[].P as P, count() as N where Company = 'a' order by N",
        """{"Company":"a","P":"p2","N":1} {"Company":"a","P":"p1","N":3}""",
        "ByCountReducedByCompanyAndLines[].P")]
    [InlineData(
        "group by Company where count() < 2 select { C: key(), N: count(), S: sum(Freight), Twice: 2 * count(), Same: Company }",
        """{"C":"A","N":1,"S":0,"Twice":2,"Same":"A"}""",
        "ByCountAndFreightReducedByCompany")]
    [InlineData(
        "group by Ship.City, Year where Year = 2021 and Ship.City = 'Ulm' select { K: key(), At: Ship.City + Year, S: sum(x => x.Freight) }",
        """{"K":{"Ship.City":"Ulm","Year":2021},"At":"Ulm2021","S":2.5}""",
        "ByCountAndFreightReducedByShip.CityAndYear")]
    [InlineData(
        "as o group by o.Company where o.Company = 'A' select { /* sum( */ C: o.Company, S: sum(o.Freight), T: 'sum(x)' }",
        """{"C":"A","S":0,"T":"sum(x)"} {"C":"a","S":4,"T":"sum(x)"}""",
        "ByCountAndFreightReducedByCompany")]
    [InlineData(
        "as o group by o.Company where o.Company = 'A' select { A: sum(o['Freight']), B: sum(x => x['Freight']), C: sum(o?.Freight), D: sum(o.Lines[0].Q) }",
        """{"A":0,"B":0,"C":0,"D":0} {"A":4,"B":4,"C":4,"D":11}""",
        "ByCountAndFreightAndLines[0].QReducedByCompany")]
    [InlineData(
        "group by Lines[].P where Lines[].P = 'p1' select { P: key(), Q: sum('Lines[].Q') }",
        """{"P":"p1","Q":31}""",
        "ByCountAndLines[].QReducedByLines[].P")]
    [InlineData(
        "group by array(Tags) select key() as T, count() as N order by N desc limit 1",
        """{"T":["x","y"],"N":2}""",
        "ByCountReducedByarray(Tags)")]
    [InlineData(
        "group by Array(Lines[].P) select Lines[].P as P, count() as N where N = 1 order by P desc",
        """{"P":["p1","p2"],"N":1} {"P":["p1","p1"],"N":1} {"P":[],"N":1}""",
        "")]
    [InlineData(
        "group by Company where Company = null select sum(Lines[].Q), sum(Freight)",
        """{"Lines[].Q":0,"Freight":4}""",
        "ByFreightAndLines[].QReducedByCompany")]
    [InlineData(
        "group by Year select sum(Year), key() as K order by sum(Year) desc",
        """{"Year":6060,"K":2020} {"Year":4042,"K":2021}""",
        "ByYearReducedByYear")]
    [InlineData("group by Year filter Count > 2 select key() as Y, count()", """{"Y":2020,"Count":3}""", "ByCountReducedByYear")]
    [InlineData("group by Year", """{"Year":2020,"Count":3} {"Year":2021,"Count":2}""", "ByCountReducedByYear")]
    [InlineData(
        "as o group by o.Company where o.Company in ('a') select o.Company as C, sum(o.Freight) as S order by C desc",
        """{"C":"a","S":4} {"C":"A","S":0}""",
        "ByFreightReducedByCompany")]
    public async Task Post_Groups_AreThoseOfTheDocuments(string clauses, string rows, string index)
    {
        Answer answer = await _server.QueryAsync("from Orders " + Ordered(clauses));
        Assert.True(answer.Status == 200, answer.Text);
        string[] found = [.. answer.Json.GetProperty("Results").EnumerateArray().Select(QueryRequests.WithoutMetadata)];
        string[] expected = rows.Split(' ');
        if (!clauses.Contains("order by", StringComparison.Ordinal))
        {
            Array.Sort(found, StringComparer.Ordinal);
            Array.Sort(expected, StringComparer.Ordinal);
        }

        Assert.Equal(string.Join(' ', expected), string.Join(' ', found));
        if (index.Length > 0)
        {
            Assert.Equal("Auto/Orders/" + index, answer.Json.GetProperty("IndexName").GetString());
        }
    }

    [Fact]
    public async Task Post_GroupsByPage_HaveTheExactTotalAndNoIds()
    {
        Answer answer = await _server.QueryAsync("from Orders group by Company order by Company select key(), count() limit 1, 1");
        Assert.Equal(3, answer.Json.GetProperty("TotalResults").GetInt32());
        JsonElement row = Assert.Single(answer.Json.GetProperty("Results").EnumerateArray());
        Assert.False(row.GetProperty("@metadata").TryGetProperty("@id", out _));
    }

    [Fact]
    public async Task Stream_Groups_HasThemAll()
    {
        Answer answer = await _server.DbAsync("POST", "/streams/queries?format=jsonl",
            """{"Query":"from Orders group by Company order by count() desc select key() as C, count() as N"}""");
        string[] lines = answer.Text.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal(4, lines.Length);
        Assert.Contains("\"TotalResults\":3", lines[0], StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("from Orders group by Company select Year", 400, "InvalidQueryException", "'Year' is not a field of a group")]
    [InlineData("from Orders group by Company where Freight > 1 select key()", 400, "InvalidQueryException", "'Freight'")]
    [InlineData("from Orders group by Company order by Year", 400, "InvalidQueryException", "'Year'")]
    [InlineData("from Orders group by Company, Year where key() = 1", 400, "InvalidQueryException", "key()")]
    [InlineData("from Orders group by Company select avg(Freight)", 400, "InvalidQueryException", "avg()")]
    [InlineData("from Orders as o group by o.Company include o.Company", 400, "InvalidQueryException", "'include'")]
    [InlineData("from Orders where Year = 2020 group by Company", 400, "InvalidQueryException", "'where' stands behind 'group by'")]
    [InlineData("from Orders group by Company select { x: sum(1 + 2) }", 400, "InvalidQueryException", "sum() in a script takes a field")]
    [InlineData("from Orders group by Company select { x: sum(Freight) + }", 400, "", "not JavaScript")]
    [InlineData("from Orders group by Company select { x: nothing.at.all() }", 500, "", "nothing is not defined")]
    [InlineData("from Orders group by Company where exact(Company = 'a')", 501, "NotSupportedException", "Exact")]
    [InlineData("from Orders group by Company where search(Company, 'a')", 501, "NotSupportedException", "Full-text")]
    public async Task Post_WhatIsNoGroup_IsAnError(string query, int status, string type, string message) =>
        (await _server.QueryAsync(query)).AssertProblem(status, type, message);

    [Fact]
    public async Task Put_DocumentWithTooManyRows_FailsAloneAndIsTold()
    {
        string list(char name) => $"\"{name}\":[{string.Join(',', Enumerable.Range(0, 101))}]";
        await PutAsync(9, $$"""{{{list('X')}},{{list('Y')}}}""");
        await PutAsync(10, """{"X":[1,2],"Y":[1]}""");
        string[] rows = await _server.RowsAsync("from Orders group by X[], Y[] where X[] != null order by X[] select count() as N, key() as K");
        Assert.Equal(["""{"N":1,"K":{"X[]":1,"Y[]":1}}""", """{"N":1,"K":{"X[]":2,"Y[]":1}}"""], rows);
        string failure = _server.Indexes.Find("Auto/Orders/ByCountReducedByX[]AndY[]")!.Failures.Last!.Message;
        Assert.Contains("more than 10000 rows", failure, StringComparison.Ordinal);
    }

    private Task PutAsync(int number, string json) => _server.PutAsync($"orders/{number}", "Orders", json);

    // The language wants where, order by and select in their order; the cases read better with them free.
    private static string Ordered(string clauses)
    {
        string[] words = ["where ", "order by ", "filter ", "select ", "limit "];
        var starts = words.Select(word => (Word: word, At: clauses.IndexOf(word, StringComparison.Ordinal))).Where(start => start.At >= 0).ToList();
        var cuts = starts.Select(start => start.At).Order().Append(clauses.Length).ToList();
        string head = clauses[..cuts[0]];
        return head + string.Concat(starts.Select(start => clauses[start.At..cuts[cuts.IndexOf(start.At) + 1]].TrimEnd() + " "));
    }
}
