using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>Queries of indexes that users defined.</summary>
public sealed class StaticIndexQueryTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await _server.PutAsync(
            "orders/1", "Orders", """{"Company":"Acme","Freight":7,"Lines":[{"Product":"tea","Quantity":2},{"Product":"Milk","Quantity":1}]}""");
        await _server.PutAsync("orders/2", "Orders", """{"Company":"Zeta","Freight":3.5,"Lines":[{"Product":"milk","Quantity":5}]}""");
        await _server.PutAsync("orders/3", "Orders", """{"Company":"acme","Freight":10,"Lines":[]}""");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("from index 'Orders/By' where Company = 'ACME'", "orders/1,orders/3")]
    [InlineData("from index 'orders/by' as o where o.Freight > 3.5 order by o.Freight as double desc", "orders/3,orders/1")]
    [InlineData("from index 'Orders/By' where Count = 2", "orders/1")]
    [InlineData("from index 'Orders/By' where startsWith(Company, 'z') or id() = 'orders/3'", "orders/2,orders/3")]
    [InlineData("from index 'Orders/By'", "orders/1,orders/2,orders/3")]
    [InlineData("from index 'Orders/By' order by Company, Freight as long limit 1, 1", "orders/3")]
    [InlineData("from index 'Orders/By' where Company = 'acme' filter Freight = 10", "orders/3")]
    public async Task Post_MapIndex_FindsDocuments(string query, string ids)
    {
        await PutOrdersAsync();
        Assert.Equal(ids, await _server.IdsAsync(query));
    }

    [Fact]
    public async Task Post_FanOut_EachDocumentComesOnceAndTheRestIsCounted()
    {
        await _server.PutIndexAsync("Lines", "from o in docs.Orders from l in o.Lines select new { l.Product, l.Quantity }");
        Assert.Equal("orders/1,orders/2", await _server.IdsAsync("from index 'Lines' where Product in ('tea', 'milk')"));
        Answer page = await _server.QueryAsync("from index 'Lines' order by Quantity as long limit 0, 2");
        Assert.Equal(3, page.Json.GetProperty("TotalResults").GetInt64());
        Assert.Equal(1, page.Json.GetProperty("SkippedResults").GetInt64());
        Assert.Equal(2, page.Json.GetProperty("Results").GetArrayLength());
        Answer all = await _server.QueryAsync("from index 'Lines'", more: new { SkipDuplicateChecking = true });
        Assert.Equal(3, all.Json.GetProperty("Results").GetArrayLength());
    }

    [Fact]
    public async Task Post_StoredFields_AreProjectedOfEachEntryInTheirKinds()
    {
        var stored = new { Storage = "Yes" };
        await _server.PutIndexAsync(
            "Lines",
            "from o in docs.Orders from l in o.Lines select new { l.Product, Twice = l.Quantity * 2, Whole = l, None = (string)null, o.Freight }",
            more: new { Fields = new { Product = stored, Twice = stored, Whole = stored, None = stored } });
        Assert.Equal(
            [
                """{"Product":"tea","Twice":4,"Whole":{"Product":"tea","Quantity":2},"None":null,"Company":"Acme","Freight":7}""",
                """{"Product":"Milk","Twice":2,"Whole":{"Product":"Milk","Quantity":1},"None":null,"Company":"Acme","Freight":7}""",
                """{"Product":"milk","Twice":10,"Whole":{"Product":"milk","Quantity":5},"None":null,"Company":"Zeta","Freight":3.5}""",
            ],
            await _server.RowsAsync("from index 'Lines' select Product, Twice, Whole, None, Company, Freight"));
        Assert.Equal(
            ["""{"Twice":10,"Freight":null}"""],
            await _server.RowsAsync("from index 'Lines' where Twice = 10 select Twice, Freight", new { ProjectionBehavior = "FromIndex" }));
        Assert.Equal(
            ["""{"Twice":null}""", """{"Twice":null}""", """{"Twice":null}"""],
            await _server.RowsAsync("from index 'Lines' select Twice", new { ProjectionBehavior = "FromDocument" }));
        Answer refused = await _server.QueryAsync("from index 'Lines' select Freight", more: new { ProjectionBehavior = "FromIndexOrThrow" });
        Assert.Equal(400, refused.Status);
        Assert.Contains("'Freight' is not stored", refused.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Post_MapReduce_RowsAreThoseOfTheReduce()
    {
        await PutTotalsAsync();
        Assert.Equal(
            ["""{"Product":"milk","Count":2,"Total":6}""", """{"Product":"tea","Count":1,"Total":2}"""],
            await _server.RowsAsync("from index 'Totals' order by Product"));
        Assert.Equal(["""{"Product":"milk","Count":2,"Total":6}"""], await _server.RowsAsync("from index 'Totals' where Total > 2 and Count = 2"));
        Assert.Equal(["""{"Product":"tea"}"""], await _server.RowsAsync("from index 'Totals' order by Total as long select Product limit 1"));
        Assert.Equal(["""{"P":"tea","Total":2}"""], await _server.RowsAsync("from index 'Totals' as t filter t.Count < 2 select t.Product as P, t.Total"));
        Answer page = await _server.QueryAsync("from index 'Totals' order by Product limit 1, 1");
        Assert.Equal(2, page.Json.GetProperty("TotalResults").GetInt64());
        JsonElement row = Assert.Single(page.Json.GetProperty("Results").EnumerateArray());
        Assert.Equal("""{"@index-score":1}""", row.GetProperty("@metadata").GetRawText());
    }

    [Fact]
    public async Task Post_MapReduceAfterChanges_GroupsFollow()
    {
        await PutTotalsAsync();
        await _server.PutAsync("orders/2", "Orders", """{"Lines":[{"Product":"tea","Quantity":10}]}""");
        await _server.DeleteAsync("orders/1");
        Assert.Equal(["""{"Product":"tea","Count":1,"Total":10}"""], await _server.RowsAsync("from index 'Totals'"));
        await _server.DeleteAsync("orders/2");
        Assert.Empty(await _server.RowsAsync("from index 'Totals'"));
    }

    [Fact]
    public async Task Post_UnknownIndex_NamesTheNearest()
    {
        await PutOrdersAsync();
        Answer answer = await _server.QueryAsync("from index 'Order/By'");
        Assert.Equal(404, answer.Status);
        Assert.Equal("Raven.Client.Exceptions.Documents.Indexes.IndexDoesNotExistException", answer.Json.GetProperty("Type").GetString());
        Assert.Contains("nearest name is 'Orders/By'", answer.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Post_AfterARestart_IsAnsweredWithoutANewIndex()
    {
        await PutTotalsAsync();
        Assert.Equal(2, (await _server.RowsAsync("from index 'Totals'")).Length);
        await _server.RestartAsync();
        Assert.Equal(2, (await _server.RowsAsync("from index 'Totals'")).Length);
    }

    private async Task PutOrdersAsync()
    {
        Answer put = await _server.PutIndexAsync("Orders/By", "from o in docs.Orders select new { o.Company, o.Freight, Count = o.Lines.Count() }");
        Assert.True(put.Status == 201, put.Text);
    }

    private async Task PutTotalsAsync()
    {
        Answer put = await _server.PutIndexAsync(
            "Totals",
            "from o in docs.Orders from l in o.Lines select new { Product = l.Product.ToLower(), Count = 1, Total = l.Quantity }",
            "from r in results group r by r.Product into g select new { Product = g.Key, Count = g.Sum(x => x.Count), Total = g.Sum(x => x.Total) }");
        Assert.True(put.Status == 201, put.Text);
    }
}
