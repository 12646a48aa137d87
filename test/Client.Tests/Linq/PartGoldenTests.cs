using System.Text.Json;
using Jackdaw.Client.Linq;
using static Jackdaw.Client.Tests.Linq.Golden;

namespace Jackdaw.Client.Tests.Linq;

/// <summary>Shapes, facets, suggestions, similar documents, includes.</summary>
public sealed class PartGoldenTests
{
    [Fact]
    public void Spatial_Conditions_AreCalls()
    {
        Is(Orders.Spatial(f => f.Point(o => o.Lat, o => o.Lng), c => c.WithinRadius(20, 48.5, 10)),
            "from 'Orders' where spatial.within(spatial.point(Lat, Lng), spatial.circle($p0, $p1, $p2))", 20.0, 48.5, 10.0);
        Is(Orders.Spatial(f => f.Point(o => o.Lat, o => o.Lng), c => c.WithinRadius(20, 48.5, 10, SpatialUnits.Miles, 0.1)),
            "from 'Orders' where spatial.within(spatial.point(Lat, Lng), spatial.circle($p0, $p1, $p2, 'Miles'), $p3)", 20.0, 48.5, 10.0, 0.1);
        Is(Query<Order>("X").Spatial("Coords", c => c.RelatesToShape("POINT(1 2)", SpatialRelation.Intersects)),
            "from index 'X' where spatial.intersects(Coords, spatial.wkt($p0))", "POINT(1 2)");
        Is(Orders.Spatial(f => f.Wkt(o => o.Area), c => c.Disjoint("POINT(1 2)")),
            "from 'Orders' where spatial.disjoint(spatial.wkt(Area), spatial.wkt($p0))", "POINT(1 2)");
        Is(Orders.OrderByDistance(f => f.Point(o => o.Lat, o => o.Lng), 48.5, 10),
            "from 'Orders' order by spatial.distance(spatial.point(Lat, Lng), spatial.point($p0, $p1))", 48.5, 10.0);
        Is(Orders.OrderByDistance(f => f.Point(o => o.Lat, o => o.Lng), 48.5, 10, round: 5).ThenBy(o => o.City),
            "from 'Orders' order by spatial.distance(spatial.point(Lat, Lng), spatial.point($p0, $p1), $p2), City", 48.5, 10.0, 5.0);
        Is(Query<Order>("X").OrderByDistance("Coords", "POINT(1 2)"), "from index 'X' order by spatial.distance(Coords, spatial.wkt($p0))", "POINT(1 2)");
    }

    [Fact]
    public void Facets_Forms_AreSelected()
    {
        IDocumentQueryable<Order> index = Query<Order>("X");
        Is(index.AggregateBy(f => f.ByField(o => o.City).SumOn(o => o.Total)).ToRql(), "from index 'X' select facet(City, sum(Total))");
        Is(index.Where(o => o.Company == "c").AggregateBy(f => f.ByField(o => o.City).MaxOn(o => o.Total, "Most").WithDisplayName("C"))
            .AndAggregateBy(f => f.AllResults().AverageOn(o => o.Total)).ToRql(),
            "from index 'X' where Company = $p0 select facet(City, max(Total) as Most) as C, facet(avg(Total))", "c");
        Is(index.AggregateBy(f => f.ByRanges(o => o.Total < 200, o => o.Total >= 200 && o.Total < 400)).ToRql(),
            "from index 'X' select facet(Total < $p0, Total >= $p1 and Total < $p2)", 200m, 200m, 400m);
        Is(index.AggregateUsing("facets/cameras").ToRql(), "from index 'X' select facet(id('facets/cameras'))");
        RqlText options = index.AggregateBy(f => f.ByField("City").WithOptions(new FacetOptions { PageSize = 3 })).ToRql();
        Is(options, "from index 'X' select facet(City, $p0)",
            JsonDocument.Parse("""{"TermSortMode":"ValueAsc","Start":0,"PageSize":3,"IncludeRemainingTerms":false}""").RootElement);
    }

    [Fact]
    public async Task Facets_Answer_IsReadByNames()
    {
        var runner = new FakeRunner();
        runner.Rows.Add(JsonDocument.Parse("""
            {"Name":"City","Values":[{"Name":"Total","Count":2,"Sum":30.5,"Range":"ulm"}],"RemainingHits":1,"RemainingTermsCount":1,"RemainingTerms":["bonn"]}
            """).RootElement);
        FacetResult city = (await LinqQuery.Create<Order>(runner).AggregateBy(f => f.ByField(o => o.City)).ExecuteAsync())["City"];
        Assert.Equal(("ulm", 2L, 30.5, (double?)null), (city.Values[0].Range, city.Values[0].Count, city.Values[0].Sum, city.Values[0].Min));
        Assert.Equal(["bonn"], city.RemainingTerms);
        Assert.Equal(ResultKind.Projections, runner.Sent!.Shape.Kind);
    }

    [Fact]
    public void Suggestions_Forms_AreSelected()
    {
        IDocumentQueryable<User> index = Query<User>("U");
        Is(index.SuggestUsing(s => s.ByField(u => u.Name, "chaig")).ToRql(), "from index 'U' select suggest(Name, $p0)", "chaig");
        Is(index.SuggestUsing(s => s.ByField(u => u.Name, ["a", "b"]).WithDisplayName("N")).AndSuggestUsing(s => s.ByField(u => u.Bio, "c")).ToRql(),
            "from index 'U' select suggest(Name, $p0) as N, suggest(Bio, $p1)", new[] { "a", "b" }, "c");
    }

    [Fact]
    public void MoreLikeThis_Forms_AreConditions()
    {
        IDocumentQueryable<User> index = Query<User>("U");
        Is(index.MoreLikeThis(m => m.UsingDocument(u => u.Id == "users/1")), "from index 'U' where moreLikeThis(id() = $p0)", "users/1");
        Is(index.MoreLikeThis(m => m.UsingDocument("{}").WithOptions(new MoreLikeThisOptions { MinimumTermFrequency = 1, Fields = ["Bio"] })),
            "from index 'U' where moreLikeThis($p0, $p1)", "{}", JsonDocument.Parse("""{"Fields":["Bio"],"MinimumTermFrequency":1}""").RootElement);
    }

    [Fact]
    public void Includes_Forms_StandBehindTheSelect()
    {
        Is(Orders.Include(o => o.Company), "from 'Orders' include Company");
        Is(Orders.Include(o => o.Company).Include(o => o.Lines.Select(l => l.Product)), "from 'Orders' include Company, 'Lines[].Product'");
        Is(Orders.Include(b => b.IncludeDocuments(o => o.Company).IncludeCounter("L").IncludeCounters(["A", "B"])),
            "from 'Orders' include Company, counters('L'), counters('A'), counters('B')");
        Is(Orders.Include(b => b.IncludeAllCounters().IncludeCounter(o => o.Employee, "L").IncludeCompareExchangeValue("Key").IncludeRevisions("Cv")),
            "from 'Orders' include counters(), counters(Employee, 'L'), cmpxchg('Key'), revisions('Cv')");
        Is(Orders.Customize(c => c.Timings(out _)), "from 'Orders' include timings()");
        Is(Orders.IncludeExplanations(out _), "from 'Orders' include explanations()");
        Is(Orders.Search(o => o.Notes, "x").Highlight(o => o.Notes, 35, 4, out _).Take(2),
            "from 'Orders' where search(Notes, $p0) include highlight(Notes, 35, 4) limit $p1, $p2", "x", 0, 2);
    }
}
