using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries;

/// <summary>Under which names an answer lists why its rows have their scores.</summary>
public sealed class ExplanationTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await _server.PutAsync("orders/1", "Orders", """{"Company":"Acme","To":{"City":"Ulm"},"To.City":"Ghent","Freight":1,"Notes":"slow quick boat"}""");
        await _server.PutAsync("orders/2", "Orders", """{"Company":"Acme","To":{"City":"Bonn"},"Freight":2,"Notes":"quick"}""");
        await _server.PutAsync("orders/3", "Orders", """{"Company":"Zeta \"Z\"","To":{"City":"Ulm"},"Freight":4,"Notes":"quick quick train"}""");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("from Orders group by Company include explanations()", "Acme:1|Zeta \"Z\":1")]
    [InlineData("from Orders group by Company where sum(Freight) > 3 select key() as Name, sum(Freight) as Total include explanations()", "Zeta \"Z\":1")]
    [InlineData("from Orders group by Company select key() as Name, count() as N include explanations(), timings()", "Acme:1|Zeta \"Z\":1")]
    [InlineData("from Orders group by To.City, Company include explanations()",
        """{"To.City":"Bonn","Company":"Acme"}:1|{"To.City":"Ulm","Company":"Acme"}:1|{"To.City":"Ulm","Company":"Zeta \"Z\""}:1""")]
    public async Task Explanations_OfGroups_AreListedByTheirKeys(string query, string expected) =>
        Assert.Equal(expected, Names(await _server.QueryAsync(query)));

    [Theory]
    [InlineData("from Orders group by To.City, Company include explanations($p)", "To.City", "Bonn:1|Ulm:2")]
    [InlineData("from Orders group by Company select key() as Name, count() as N include explanations($p)", "Name", "Acme:1|Zeta \"Z\":1")]
    [InlineData("from Orders group by Company select key() as Name, count() as N include explanations($p)", "N", "1:1|2:1")]
    [InlineData("from Orders where search(Notes, 'quick') include explanations($p)", "Company", "Acme:2|Zeta \"Z\":1")]
    [InlineData("from Orders where search(Notes, 'quick') select Freight include explanations($p)", "To.City", "Bonn:1|Ulm:2")]
    [InlineData("from Orders where Freight > 1 filter Company = 'Acme' include explanations($p)", "To.City", "Bonn:1")]
    [InlineData("from Orders where Freight > 1 include explanations($p)", "Unknown", "null:2")]
    [InlineData("from Orders where Freight < 2 include explanations($p)", "'To.City'", "Ghent:1")]
    [InlineData("from Orders group by 'To.City' where 'To.City' = 'ghent' include explanations($p)", "'To.City'", "Ghent:1")]
    [InlineData("from Orders group by 'To.City' where 'To.City' = 'ghent' include explanations($p)", "To.City", "Ghent:1")]
    [InlineData("from Orders group by To.City, 'To.City' where 'To.City' = 'ghent' include explanations($p)", "To.City", "Ulm:1")]
    public async Task Explanations_WithGroupKey_AreListedByItsValue(string query, string key, string expected)
    {
        foreach (object options in new object[] { new { GroupKey = key }, new { groupKey = key } })
        {
            Assert.Equal(expected, Names(await _server.QueryAsync(query, more: new { QueryParameters = new { p = options } })));
        }
    }

    [Theory]
    [InlineData("from Orders where Freight > 1 include explanations()", "orders/2:1|orders/3:1")]
    [InlineData("from Orders where Freight > 1 select Company include explanations(null)", "orders/2:1|orders/3:1")]
    [InlineData("from Orders where Freight > 1 order by Freight as long limit 1, 1 include explanations()", "orders/3:1")]
    [InlineData("from Orders where Freight > 9 include explanations()", "")]
    public async Task Explanations_OfDocuments_AreListedByTheirIds(string query, string expected) =>
        Assert.Equal(expected, Names(await _server.QueryAsync(query)));

    [Fact]
    public async Task Explanations_OfAMapReduceIndex_AreListedByTheGroupKey()
    {
        await PutTotalsAsync();
        const string query = "from index 'Totals' where Total > 2 include explanations";
        object key = new { QueryParameters = new { p0 = new { GroupKey = "Company" } } };
        Answer byKey = await _server.QueryAsync(query + "($p0)", more: key);
        Assert.Equal("Acme:1|Zeta \"Z\":1", Names(byKey));
        Assert.Contains("Total", Text(byKey), StringComparison.Ordinal);
        string[] ids = [.. Names(await _server.QueryAsync(query + "()")).Split('|')];
        Assert.Equal(2, ids.Distinct().Count());
        Assert.All(ids, id => Assert.Matches("^[0-9a-fA-F-]{16,}:1$", id));
    }

    [Fact]
    public async Task Explanations_OfStoredFields_AreListedByWhatIsStored()
    {
        const string map = "from o in docs.Orders select new { Where = o.To.City + '!', o.Notes }";
        await _server.PutIndexAsync("Cities", map.Replace("'", "\"", StringComparison.Ordinal), more: new
        {
            Fields = new { Where = new { Storage = "Yes" }, Notes = new { Indexing = "Search" } },
        });
        object key = new { QueryParameters = new { p0 = new { GroupKey = "Where" } } };
        Answer answer = await _server.QueryAsync("from index 'Cities' where search(Notes, 'quick') include explanations($p0)", more: key);
        Assert.Equal("Bonn!:1|Ulm!:2", Names(answer));
    }

    [Theory]
    [InlineData("from Orders where Freight > 1", """{"GroupKye":"Company"}""", "GroupKye")]
    [InlineData("from Orders where Freight > 1", """{"GroupKey":7}""", "GroupKey")]
    [InlineData("from Orders where Freight > 1", """{"GroupKey":""}""", "GroupKey")]
    [InlineData("from Orders where Freight > 1", "7", "JSON object")]
    [InlineData("from Orders where Freight > 1", "\"Company\"", "JSON object")]
    [InlineData("from Orders where Freight > 1", "[]", "JSON object")]
    [InlineData("from Orders", """{"GroupKye":"Company"}""", "GroupKye")]
    [InlineData("from Orders group by Company", """{"GroupKey":"City"}""", "'City' is not a field of a group")]
    [InlineData("from index 'Totals'", """{"GroupKey":"Companies"}""", "did you mean 'Company'")]
    public async Task Explanations_WrongOptions_AreRefusedAndNamed(string query, string options, string problem)
    {
        await PutTotalsAsync();
        using JsonDocument json = JsonDocument.Parse(options);
        Answer answer = await _server.QueryAsync($"{query} include explanations($p)", more: new { QueryParameters = new { p = json.RootElement } });
        Assert.Equal(400, answer.Status);
        Assert.Contains("InvalidQueryException", answer.Json.GetProperty("Type").GetString(), StringComparison.Ordinal);
        Assert.Contains(problem, answer.Json.GetProperty("Message").GetString(), StringComparison.Ordinal);
    }

    private async Task PutTotalsAsync()
    {
        const string map = "from o in docs.Orders select new { o.Company, Total = o.Freight }";
        const string reduce = "from r in results group r by r.Company into g select new { Company = g.Key, Total = g.Sum(x => x.Total) }";
        Answer put = await _server.PutIndexAsync("Totals", map, reduce);
        Assert.Equal(201, put.Status);
    }

    private static string Names(Answer answer)
    {
        Assert.True(answer.Status == 200, answer.Text);
        JsonElement explanations = answer.Json.GetProperty("Explanations");
        Assert.All(explanations.EnumerateObject().SelectMany(list => list.Value.EnumerateArray()), text => Assert.NotEqual("", text.GetString()));
        return string.Join('|', explanations.EnumerateObject().Select(list => $"{list.Name}:{list.Value.GetArrayLength()}").Order(StringComparer.Ordinal));
    }

    private static string Text(Answer answer) => answer.Json.GetProperty("Explanations").EnumerateObject().First().Value[0].GetString()!;
}
