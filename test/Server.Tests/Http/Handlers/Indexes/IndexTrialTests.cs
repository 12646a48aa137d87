using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>Definitions that are tried on some documents: what they give is what the index would have, and nothing is stored.</summary>
public sealed class IndexTrialTests : IAsyncLifetime
{
    private const int Orders = 30;

    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        for (int i = 0; i < Orders; i++)
        {
            string zero = i == 4 ? "0" : "1";
            await _server.PutAsync(
                $"orders/{i}", "Orders", $$"""{"Company":"companies/{{i % 3}}","Total":{{i}},"Zero":{{zero}},"Lines":[{"Item":"tea"},{"Item":"milk"}]}""");
        }

        await _server.PutAsync("companies/1", "Companies", """{"Name":"Acme"}""");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    // The entries of a trial over all documents against the stored fields of the same index.
    [Theory]
    [InlineData("from o in docs.Orders select new { o.Company, o.Total }")]
    [InlineData("from o in docs.Orders from l in o.Lines select new { l.Item, o.Total }")]
    [InlineData("from o in docs.Orders where o.Total > 10 select new { Double = o.Total * 2 }")]
    [InlineData("from o in docs.Orders select new { Name = LoadDocument(o.Company, \"Companies\").Name, o.Total }")]
    [InlineData("map('Orders', o => ({ Company: o.Company, Total: o.Total }))")]
    [InlineData("map('Orders', o => o.Lines.map(l => ({ Item: l.Item, Total: o.Total })))")]
    public async Task Entries_AreThoseOfTheIndex(string map)
    {
        object fields = new Dictionary<string, object> { ["__all_fields"] = new { Storage = "Yes" } };
        JsonElement tried = await TryAsync(new { Name = "Tried", Maps = new[] { map }, Fields = fields }, 200);
        Assert.Equal((Orders, false), (tried.GetProperty("Documents").GetInt32(), tried.GetProperty("IsCut").GetBoolean()));
        Assert.Equal(0, tried.GetProperty("Failures").GetArrayLength());
        Assert.Equal(0, (await _server.DbAsync("GET", "/indexes/stats")).Json.GetProperty("Results").GetArrayLength());

        Assert.Equal(201, (await _server.PutDefinitionsAsync(new { Name = "Stored", Maps = new[] { map }, Fields = fields })).Status);
        Answer rows = await _server.QueryAsync("from index 'Stored'", more: new { SkipDuplicateChecking = true });
        Answer shown = await _server.DbAsync("POST", "/queries?debug=entries", JsonSerializer.Serialize(
            new { Query = "from index 'Stored'", SkipDuplicateChecking = true, WaitForNonStaleResults = true }));
        Assert.Equal(rows.Json.GetProperty("TotalResults").GetInt32(), tried.GetProperty("Entries").GetArrayLength());
        Assert.Equal(TextsOf(shown.Json.GetProperty("Results"), "id()"), TextsOf(tried.GetProperty("Entries"), "Document"));
    }

    [Theory]
    [InlineData("from o in docs.Orders select new { o.Company, Count = 1, o.Total }",
        "from r in results group r by r.Company into g select new { Company = g.Key, Count = g.Sum(x => x.Count), Total = g.Sum(x => x.Total) }")]
    [InlineData("map('Orders', o => ({ Company: o.Company, Count: 1, Total: o.Total }))",
        "groupBy(x => x.Company).aggregate(g => ({ Company: g.key, Count: g.values.reduce((n, x) => n + x.Count, 0), " +
        "Total: g.values.reduce((n, x) => n + x.Total, 0) }))")]
    public async Task Groups_AreThoseOfTheIndex(string map, string reduce)
    {
        JsonElement tried = await TryAsync(new { Name = "Tried", Maps = new[] { map }, Reduce = reduce }, 200);
        Assert.True(tried.GetProperty("HasReduce").GetBoolean());
        Assert.All(tried.GetProperty("Groups").EnumerateArray(), group => Assert.Equal(Orders / 3, group.GetProperty("Rows").GetInt32()));

        Assert.Equal(201, (await _server.PutDefinitionsAsync(new { Name = "Stored", Maps = new[] { map }, Reduce = reduce })).Status);
        string[] groups = [.. tried.GetProperty("Groups").EnumerateArray().Select(group => Text(group.GetProperty("Fields"))).Order(StringComparer.Ordinal)];
        Answer rows = await _server.QueryAsync("from index 'Stored'");
        Assert.Equal(rows.Json.GetProperty("Results").EnumerateArray().Select(Text).Order(StringComparer.Ordinal), groups);
    }

    [Fact]
    public async Task Trial_TakesTheNewestDocumentsOfEachCollection()
    {
        string[] maps = ["from o in docs.Orders select new { N = o.Total }", "from c in docs.Companies select new { N = c.Name }"];
        JsonElement tried = await TryAsync(new { Name = "T", Maps = maps }, 6);

        Assert.Equal(4, tried.GetProperty("Documents").GetInt32());
        Assert.Equal(["companies/1", "orders/29", "orders/28", "orders/27"], tried.GetProperty("Entries").EnumerateArray()
            .Select(entry => entry.GetProperty("Document").GetString()).OrderBy(id => id!.StartsWith('o')));
    }

    [Fact]
    public async Task Failures_NameTheirDocuments()
    {
        JsonElement tried = await TryAsync(new { Name = "T", Maps = new[] { "from o in docs.Orders select new { X = o.Total / (int)o.Zero }" } }, 200);

        JsonElement failure = Assert.Single(tried.GetProperty("Failures").EnumerateArray().ToArray());
        Assert.Equal(("orders/4", "Map"), (failure.GetProperty("Document").GetString(), failure.GetProperty("Action").GetString()));
        Assert.Contains("zero", failure.GetProperty("Error").GetString(), StringComparison.Ordinal);
        Assert.Equal(Orders - 1, tried.GetProperty("Entries").GetArrayLength());
    }

    [Fact]
    public async Task Entries_AreBounded()
    {
        const string map = "from o in docs.Orders from i in Enumerable.Range(0, 100) select new { I = i }";
        JsonElement tried = await TryAsync(new { Name = "T", Maps = new[] { map } }, 200);

        Assert.Equal((1000, true), (tried.GetProperty("Entries").GetArrayLength(), tried.GetProperty("IsCut").GetBoolean()));
    }

    [Theory]
    [InlineData("""{}""", "'Definition' is missing")]
    [InlineData("""{"Definition":{"Name":"T","Maps":["from o in docs.Orders select new { o.A }"]},"MaxDocuments":0}""", "'MaxDocuments' is 0; give 1 to 200")]
    [InlineData("""{"Definition":{"Name":"T","Maps":["from o in docs.Orders select new { o.A }"]},"MaxDocuments":201}""", "'MaxDocuments' is 201")]
    public async Task WrongBodies_AreRefused(string body, string message) =>
        (await _server.DbAsync("POST", "/admin/indexes/try", body)).AssertProblem(400, "ArgumentException", message);

    [Fact]
    public async Task Mistakes_AreThoseOfAPut()
    {
        object definition = new { Name = "T", Maps = new[] { "from o in docs.Orders select new { o.Company " } };
        Answer tried = await _server.DbAsync("POST", "/admin/indexes/try", JsonSerializer.Serialize(new { Definition = definition }));
        Answer put = await _server.PutDefinitionsAsync(definition);

        Assert.Equal((put.Status, put.Json.GetProperty("Message").GetString()), (tried.Status, tried.Json.GetProperty("Message").GetString()));
    }

    [Fact]
    public async Task CSharp_NeedsTheRouteOfAdministrators()
    {
        string body = JsonSerializer.Serialize(new { Definition = new { Name = "T", Maps = new[] { "from o in docs.Orders select new { o.Company }" } } });

        Answer refused = await _server.DbAsync("POST", "/indexes/try", body);
        Assert.Equal(403, refused.Status);
        Assert.Contains("POST /admin/indexes/try", refused.Text, StringComparison.Ordinal);
        Assert.Equal(200, (await _server.DbAsync("POST", "/indexes/try", body.Replace(
            "from o in docs.Orders select new { o.Company }", "map('Orders', o => ({ Company: o.Company }))", StringComparison.Ordinal))).Status);
    }

    private async Task<JsonElement> TryAsync(object definition, int documents)
    {
        string body = JsonSerializer.Serialize(new { Definition = definition, MaxDocuments = documents });
        Answer answer = await _server.DbAsync("POST", "/admin/indexes/try", body);
        Assert.True(answer.Status == 200, answer.Text);
        return answer.Json;
    }

    private static IEnumerable<string> TextsOf(JsonElement rows, string member) =>
        rows.EnumerateArray().Select(row => row.GetProperty(member).GetString()!).Order(StringComparer.Ordinal);

    private static string Text(JsonElement row) =>
        string.Join(',', row.EnumerateObject().Where(member => member.Name != "@metadata").Select(member => $"{member.Name}={member.Value.GetRawText()}"));
}
