using System.Globalization;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>Sums of money in map and reduce.</summary>
public sealed class ReducedSumTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("l.Price * l.Quantity")]
    [InlineData("(decimal)l.Price * l.Quantity")]
    public async Task Reduce_SumsOfFractions_AreExactAndFoundByTheirValue(string line)
    {
        string[] prices = ["7.1", "0.1", "0.2", "1649.95", "49.20"];
        foreach ((int number, string price) in prices.Index())
        {
            await _server.PutAsync(
                string.Create(CultureInfo.InvariantCulture, $"orders/{number}"), "Orders",
                $$"""{"Company":"a","Lines":[{"Price":{{price}},"Quantity":3},{"Price":0.1,"Quantity":1}]}""");
        }

        await _server.PutIndexAsync(
            "Revenue",
            $"from o in docs.Orders select new {{ o.Company, Total = o.Lines.Sum(l => {line}) }}",
            "from r in results group r by r.Company into g select new { Company = g.Key, Total = g.Sum(x => x.Total) }");

        string answer = (await _server.QueryAsync("from index 'Revenue' where Total = 5120.15")).Text;

        Assert.Contains("\"Total\":5120.15,", answer, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Map_SumsBeyondDecimals_AreThoseOfDoubles()
    {
        await _server.PutAsync("orders/1", "Orders", """{"Few":[1e300,1e300,0.5],"Tiny":[1e-300,3e-300,0]}""");
        await _server.PutIndexAsync("Sums", "from o in docs.Orders select new { Few = o.Few.Sum(), Tiny = o.Tiny.Sum() }");

        Assert.Equal("orders/1", await _server.IdsAsync("from index 'Sums' where Few = 2e300 and Tiny = 4e-300"));
    }
}
