using Jackdaw.Indexing.Auto;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning;

namespace Jackdaw.Queries.Tests.Planning;

/// <summary>Which auto index a query on a collection needs.</summary>
public sealed class NeededIndexTests
{
    [Theory]
    [InlineData("from Orders where Company = $p0 and Freight > 5", "Auto/Orders/ByCompanyAndFreight")]
    [InlineData("from Orders as o where o.ShipTo.City = $p0 order by o.Freight as double desc", "Auto/Orders/ByFreightAndShipTo.City")]
    [InlineData("from Orders order by id()", "Auto/Orders/ById()")]
    [InlineData("from Orders order by score()", "Auto/Orders/ById()")]
    [InlineData("from Orders order by custom(Name, 'Mine')", "Auto/Orders/ByName")]
    [InlineData("from Orders where search(Notes, $p0)", "Auto/Orders/BySearch(Notes)")]
    [InlineData("from Orders where exact(Company = $p0)", "Auto/Orders/ByExact(Company)")]
    [InlineData("from Orders where exact(boost(Company = $p0, 3)) or Company = 'x'", "Auto/Orders/ByExact(Company)")]
    [InlineData("from Orders where search(Notes, $p0) include highlight(Notes, 18, 2)", "Auto/Orders/ByHighlight(Notes)AndSearch(Notes)")]
    [InlineData("from Orders where spatial.within(spatial.point(Lat, Lng), spatial.circle(1, 2, 3))", "Auto/Orders/BySpatial.point(Lat|Lng)")]
    [InlineData("from Orders order by spatial.distance('spatial.point(Lat, Lng)', spatial.point($p1, $p2))", "Auto/Orders/BySpatial.point(Lat|Lng)")]
    [InlineData("from Orders where vector.search(Vec, $p0)", "Auto/Orders/ByVector.search(Vec)")]
    [InlineData("from Orders where vector.search(embedding.f32(Vec), $p0)", "Auto/Orders/ByVector.search(Vec)")]
    [InlineData("from Orders where exact(VECTOR.search(Embedding.F32_I8(Vec), $p0)) and A = 1", "Auto/Orders/ByAAndVector.search(embedding.f32_i8(Vec))")]
    [InlineData("from Orders as o where vector.search(embedding.i1(o.Vec), $p0)", "Auto/Orders/ByVector.search(embedding.i1(Vec))")]
    [InlineData("from Orders where 'my field' = 1", "Auto/Orders/By'my field'")]
    [InlineData("from Orders where Lines[].Product in ('a')", "Auto/Orders/ByLines[].Product")]
    [InlineData("from @all_docs where Name between 'a' and 'b'", "Auto/AllDocs/ByName")]
    [InlineData("from Orders where true and not startsWith(Name, 'a')", "Auto/Orders/ByName")]
    [InlineData("from Orders group by Company select key(), count() as N", "Auto/Orders/ByCountReducedByCompany")]
    [InlineData("from Orders as o group by o.Company, o.Employee where count() > 2 select key(), sum(o.Freight) as F",
        "Auto/Orders/ByCountAndFreightReducedByCompanyAndEmployee")]
    [InlineData("from Orders group by array(Lines[].Product) select key() as P, count() as c",
        "Auto/Orders/ByCountReducedByarray(Lines[].Product)")]
    [InlineData("from Orders select suggest(Name, $p0)", "Auto/Orders/ByName")]
    [InlineData("from Orders select facet(Brand, sum(Price)), facet(Cost < 5, Cost >= 5)", "Auto/Orders/ByBrandAndCostAndPrice")]
    public void Query_OfEachKind_NeedsTheIndexOfTheProtocol(string query, string name) =>
        Assert.Equal(name, NeededIndex.Of(QueryParser.Parse(query)).Name);

    [Fact]
    public void Query_WithSuggestions_NeedsThemInItsField() =>
        Assert.True(Assert.Single(NeededIndex.Of(QueryParser.Parse("from Users select suggest(Name, 'x')")).Fields).HasSuggestions);

    [Theory]
    [InlineData("from Orders where moreLikeThis(id() = 'x')", "moreLikeThis")]
    public void Query_ForWhatComesLater_IsRefusedByName(string query, string message)
    {
        var refused = Assert.Throws<QueryNotSupportedException>(() => NeededIndex.Of(QueryParser.Parse(query)));
        Assert.Contains(message, refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("from Orders where spatial.within(Coordinates, spatial.circle(1, 2, 3))", "1:34")]
    [InlineData("from Orders where now() = 'x'", "1:19")]
    public void Query_WithoutAFieldWhereOneIsNeeded_IsRefusedWithItsPlace(string query, string place)
    {
        var refused = Assert.Throws<InvalidQueryException>(() => NeededIndex.Of(QueryParser.Parse(query)));
        Assert.StartsWith(place, refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Definition_OfVectors_IsMergedWithOtherFieldsAndNotWithOtherKinds()
    {
        AutoDefinition single = Parse("from Orders where vector.search(Vec, $p0)");
        AutoDefinition merged = single.Merge(Parse("from Orders where Vec = 1 or vector.search(embedding.f32_i8(Vec), $p0)"));
        Assert.True(merged.Covers(single));
        Assert.False(single.Covers(merged));
        Assert.Equal(["Vec", "vector.search(Vec)", "vector.search(embedding.f32_i8(Vec))"], merged.Fields.Select(field => field.Name));
    }

    [Fact]
    public void Definition_OfAQuery_IsCoveredByTheIndexOfAnotherThatNeedsMore() =>
        Assert.True(Parse("from Orders where A = 1 and search(B, 'x')").Covers(Parse("from orders where B = 2")));

    private static AutoDefinition Parse(string query) => NeededIndex.Of(QueryParser.Parse(query));
}
