using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries;

/// <summary>Methods in the include clause that cannot be used there.</summary>
public sealed class IncludeMethodTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("from Orders where A = 1 include nonsense()", 400, "InvalidQueryException", "there is no method 'nonsense'")]
    [InlineData("declare function foo(x) { return x } from Orders as o where o.A = 1 include foo(o)", 501, "NotSupportedException", "Includes by 'foo'")]
    public async Task Include_OfAMethodThatCannotInclude_IsRefusedByQueriesAndExplanations(string query, int status, string type, string message)
    {
        (await _server.QueryAsync(query)).AssertProblem(status, type, message);
        (await _server.DbAsync("GET", $"/queries?debug=explain&query={Uri.EscapeDataString(query)}")).AssertProblem(status, type, message);
    }

    [Fact]
    public async Task Include_InAQueryOfGroups_AddsTheDocumentsOfAllRows()
    {
        foreach (string company in (string[])["companies/1", "companies/2", "companies/3"])
        {
            Assert.Equal(201, (await _server.DbAsync("PUT", $"/docs?id={company}", "{}")).Status);
            string order = $$$"""{"Company":"{{{company}}}","@metadata":{"@collection":"Orders"}}""";
            Assert.Equal(201, (await _server.DbAsync("PUT", $"/docs?id=orders/{company[^1]}", order)).Status);
        }

        await _server.PutIndexAsync("ByCompany", "from o in docs.Orders select new { o.Company, Count = 1 }",
            "from r in results group r by r.Company into g select new { Company = g.Key, Count = g.Sum(x => x.Count) }");
        Answer answer = await _server.QueryAsync("from index 'ByCompany' include Company");
        Assert.Equal(
            ["companies/1", "companies/2", "companies/3"],
            answer.Json.GetProperty("Includes").EnumerateObject().Select(one => one.Name).Order(StringComparer.Ordinal));
    }
}
