using Jackdaw.Client.DocumentQueries;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Tests.Linq;

namespace Jackdaw.Client.Tests.DocumentQueries;

/// <summary>The RQL of each call, read by the server's own parser.</summary>
public sealed class DocumentQueryGoldenTests
{
    private static IDocumentQuery<User> Users => Golden.Users.ToDocumentQuery();

    private static IDocumentQuery<Order> Orders => Golden.Orders.ToDocumentQuery();

    private static IDocumentQuery<Order> Index => Golden.Query<Order>("X").ToDocumentQuery();

    [Fact]
    public void Comparisons_OfFields_AreOperators()
    {
        Is(Users, "from 'Users'");
        Is(Users.WhereEquals(u => u.Name, "a"), "~where Name = $p0", "a");
        Is(Users.WhereEquals("Name", "a"), "~where Name = $p0", "a");
        Is(Users.WhereEquals("Name", "a", exact: true), "~where exact(Name = $p0)", "a");
        Is(Users.WhereNotEquals(u => u.Role, Role.Admin), "~where Role != $p0", "Admin");
        Is(Users.WhereEquals(u => u.Name, null), "~where Name = $p0", (object?)null);
        Is(Users.WhereGreaterThan(u => u.Age, 5).WhereLessThanOrEqual("Age", 9), "~where Age > $p0 and Age <= $p1", 5, 9);
        Is(Users.WhereGreaterThanOrEqual("Age", 5).WhereLessThan(u => u.Age, 9), "~where Age >= $p0 and Age < $p1", 5, 9);
        Is(Users.WhereGreaterThan("Age", null), "~where false");
        Is(Users.WhereBetween(u => u.Age, 1, 9), "~where Age between $p0 and $p1", 1, 9);
        Is(Users.WhereBetween("Age", null, 9), "~where Age between $p0 and $p1", null, 9);
        Is(Users.WhereIn(u => u.Name, ["a", null]), "~where Name in ($p0)", (object)new[] { "a", null });
        Is(Users.WhereIn("Age", [1, 2], exact: true), "~where exact(Age in ($p0))", (object)new[] { 1, 2 });
        Is(Users.ContainsAny(u => u.Tags, ["a"]), "~where Tags in ($p0)", (object)new[] { "a" });
        Is(Users.ContainsAll("Tags", ["a", "b"]), "~where Tags all in ($p0)", (object)new[] { "a", "b" });
        Is(Users.ContainsAll("Tags", Array.Empty<string>()), "from 'Users'");
        Is(Users.WhereEquals(u => u.CreatedAt, new DateTime(2024, 1, 2, 3, 4, 5, DateTimeKind.Utc)), "~where CreatedAt = $p0", "2024-01-02T03:04:05.0000000Z");
    }

    [Fact]
    public void Texts_Conditions_AreCalls()
    {
        Is(Users.WhereStartsWith(u => u.Name, "a").WhereEndsWith("Name", "b", exact: true),
            "~where startsWith(Name, $p0) and exact(endsWith(Name, $p1))", "a", "b");
        Is(Users.WhereExists("Name").WhereExists(u => u.Address.City), "~where exists(Name) and exists(Address.City)");
        Is(Users.WhereRegex(u => u.Name, "^a"), "~where regex(Name, $p0)", "^a");
        Is(Users.WhereLucene("Name", "a* AND b"), "~where lucene(Name, $p0)", "a* AND b");
        Is(Users.Search(u => u.Bio, "a b"), "~where search(Bio, $p0)", "a b");
        Is(Users.Search("Bio", "a b", SearchOperator.And).Boost(10), "~where boost(search(Bio, $p0, and), $p1)", "a b", 10m);
        Is(Users.WhereEquals("Name", "a").Fuzzy(0.5m), "~where fuzzy(Name = $p0, $p1)", "a", 0.5m);
        Is(Users.Search("Bio", "a b").Proximity(2), "~where proximity(search(Bio, $p0), $p1)", "a b", 2);
    }

    [Fact]
    public void Fields_Names_AreQuotedWhereTheyMustBe()
    {
        Is(Users.WhereEquals("Address.City", "x"), "~where Address.City = $p0", "x");
        Is(Orders.WhereEquals("Lines[].Product", "p"), "from 'Orders' where Lines[].Product = $p0", "p");
        Is(Users.WhereEquals("Tags[0]", "p"), "~where Tags[0] = $p0", "p");
        Is(Users.WhereEquals("order", 1), "~where 'order' = $p0", 1);
        Is(Users.WhereEquals("first name", 1), "~where 'first name' = $p0", 1);
        Is(Users.WhereEquals("Dict.'a.b'", 1), "~where Dict.'a.b' = $p0", 1);
        Is(Users.WhereEquals("it's", 1), @"~where 'it\'s' = $p0", 1);
        Is(Users.WhereEquals("@metadata.@collection", "Users"), "~where @metadata.@collection = $p0", "Users");
        Is(Users.WhereEquals("Id", "users/1"), "~where id() = $p0", "users/1");
        Is(Users.WhereEquals("id()", "users/1"), "~where id() = $p0", "users/1");
        Is(Users.WhereIn(u => u.Id, ["users/1"]), "~where id() in ($p0)", (object)new[] { "users/1" });
        Is(Index.WhereEquals(o => o.ShipTo.City, "x").WhereEquals("My_Field", 1), "from index 'X' where ShipTo_City = $p0 and My_Field = $p1", "x", 1);
        foreach (string path in new[] { "", " ", "A.", ".A", "A..B", "A[", "A[x]", "A[]B", "'A", "[]" })
        {
            Assert.ThrowsAny<ArgumentException>(() => Users.WhereEquals(path, 1));
        }
    }

    [Fact]
    public void Operators_BetweenConditions_BindAsTheLanguageDoes()
    {
        Is(Users.WhereEquals("A", 1).OrElse().WhereEquals("B", 2).WhereEquals("C", 3), "~where A = $p0 or (B = $p1 and C = $p2)", 1, 2, 3);
        Is(Users.WhereEquals("A", 1).OrElse().WhereEquals("B", 2).AndAlso(wrapPrevious: true).WhereEquals("C", 3),
            "~where (A = $p0 or B = $p1) and C = $p2", 1, 2, 3);
        Is(Users.WhereEquals("A", 1).OpenSubclause().WhereEquals("B", 2).OrElse().WhereEquals("C", 3).CloseSubclause(),
            "~where A = $p0 and (B = $p1 or C = $p2)", 1, 2, 3);
        Is(Users.WhereEquals("A", 1).OrElse().Not.OpenSubclause().WhereEquals("B", 2).AndAlso().WhereEquals("C", 3).CloseSubclause(),
            "~where A = $p0 or (true and not (B = $p1 and C = $p2))", 1, 2, 3);
        Is(Users.Not.WhereEquals("A", 1).NegateNext().WhereStartsWith("B", "b"), "~where A != $p0 and (true and not startsWith(B, $p1))", 1, "b");
        Is(Users.Not.NegateNext().WhereEquals("A", 1), "~where A = $p0", 1);
        Is(Users.UsingDefaultOperator(QueryOperator.Or).WhereEquals("A", 1).WhereEquals("B", 2).AndAlso().WhereEquals("C", 3),
            "~where A = $p0 or (B = $p1 and C = $p2)", 1, 2, 3);
        Is(Index.WhereEquals("A", 1).WhereEquals("B", 2).Intersect().WhereEquals("C", 3),
            "from index 'X' where intersect(A = $p0 and B = $p1, C = $p2)", 1, 2, 3);
        Is(Users.WhereEquals("A", 1).Filter(u => u.Age > 5, 100), "~where A = $p0 filter Age > $p1 filter_limit $p2", 1, 5, 100);
    }

    [Fact]
    public void Orders_Several_StandInTheOrderOfTheCalls()
    {
        Is(Users.OrderBy(u => u.Age).OrderByDescending("Name").OrderBy(u => u.Rate), "~order by Age as long, Name desc, Rate as double");
        Is(Users.OrderBy("Age", OrderingType.Long, NullsOrdering.Last).OrderByDescending(u => u.Name, OrderingType.AlphaNumeric),
            "~order by Age as long nulls last, Name as alphaNumeric desc");
        Is(Users.OrderByScore().OrderByDescending("Name", OrderingType.Double), "~order by score(), Name as double desc");
        Is(Users.OrderByScoreDescending(), "~order by score() desc");
        Is(Users.RandomOrdering("s"), "~order by random('s')");
        Is(Users.RandomOrdering(), "~order by random()");
        Is(Users.OrderBy("Name", "My'Sorter").OrderByDescending("Age", "Other"), @"~order by custom(Name, 'My\'Sorter'), custom(Age, 'Other') desc");
        Is(Index.OrderByDistance("Coords", 48.5, 10).OrderBy("City"),
            "from index 'X' order by spatial.distance(Coords, spatial.point($p0, $p1)), City", 48.5, 10.0);
        Is(Orders.OrderBy(o => o.City).OrderByDistanceDescending(f => f.Point(o => o.Lat, o => o.Lng), 48.5, 10, 5),
            "from 'Orders' order by City, spatial.distance(spatial.point(Lat, Lng), spatial.point($p0, $p1), $p2) desc", 48.5, 10.0, 5.0);
    }

    [Fact]
    public void Rows_FieldsAndPages_AreSelected()
    {
        Is(Users.Skip(5).Take(10).WhereEquals("A", 1), "~where A = $p0 limit $p1, $p2", 1, 5L, 10L);
        Is(Users.SelectFields<UserRow>(), "~select id() as Id, Name, Years");
        Is(Users.WhereEquals("Age", 1).SelectFields<UserRow>().WhereEquals(r => r.Years, 2).OrderBy(r => r.Name),
            "~where Age = $p0 and Years = $p1 order by Name select id() as Id, Name, Years", 1, 2);
        Is(Users.SelectFields<UserRow>("Name", "Address.City", "Id"), "~select Name, Address.City as City, id() as Id");
        Is(Users.SelectFields<string>("Name").Distinct(), "~select distinct Name");
        Is(Users.Distinct().SelectFields<string>("Name"), "~select distinct Name");
        Is(Orders.SelectFields<UserRow>("Lines[].Product", "order"), "from 'Orders' as doc select Lines[].Product as Product, doc.order as order");
    }

    [Fact]
    public void Groups_KeysCountsAndSums_AreSelected()
    {
        Is(Orders.GroupBy("Company").SelectKey().SelectCount().SelectSum("Total"),
            "from 'Orders' group by Company select key(), count() as Count, sum(Total)");
        Is(Orders.GroupBy(o => o.Company, o => o.ShipTo.City).SelectKey("Company", "C").SelectKey("ShipTo.City").SelectCount("N")
            .WhereGreaterThan("N", 2).OrderByDescending("N", OrderingType.Long),
            "from 'Orders' group by Company, ShipTo.City where N > $p0 order by N as long desc select Company as C, ShipTo.City, count() as N", 2);
        Is(Orders.GroupByArrayContent("Lines[].Product").SelectKey(projectedName: "P"),
            "from 'Orders' group by array(Lines[].Product) select key() as P");
        Is(Orders.GroupBy("Lines[].Product").SelectCount(), "from 'Orders' group by Lines[].Product select count() as Count");
    }

    [Fact]
    public void Parts_OfIndexes_AreThoseOfLinq()
    {
        Is(Index.WithinRadiusOf("Coords", 20, 48.5, 10, SpatialUnits.Miles).OrElse().WhereEquals("A", 1),
            "from index 'X' where spatial.within(Coords, spatial.circle($p0, $p1, $p2, 'Miles')) or A = $p3", 20.0, 48.5, 10.0, 1);
        Is(Orders.Spatial(f => f.Point(o => o.Lat, o => o.Lng), c => c.Within("POINT(1 2)")),
            "from 'Orders' where spatial.within(spatial.point(Lat, Lng), spatial.wkt($p0))", "POINT(1 2)");
        Is(Index.Not.RelatesToShape(o => o.Area, "POINT(1 2)", SpatialRelation.Disjoint, errorPercent: 0.1),
            "from index 'X' where (true and not spatial.disjoint(Area, spatial.wkt($p0), $p1))", "POINT(1 2)", 0.1);
        Is(Index.MoreLikeThis(m => m.UsingDocument(o => o.Id == "orders/1")).WhereEquals("A", 1),
            "from index 'X' where moreLikeThis(id() = $p0) and A = $p1", "orders/1", 1);
        Golden.Is(Index.WhereEquals("A", 1).AggregateBy(f => f.ByField(o => o.City).SumOn(o => o.Total)).ToRql(),
            "from index 'X' where A = $p0 select facet(City, sum(Total))", 1);
        Golden.Is(Index.AggregateUsing("facets/1").ToRql(), "from index 'X' select facet(id('facets/1'))");
        Golden.Is(Index.SuggestUsing(s => s.ByField(o => o.City, "ulmm")).ToRql(), "from index 'X' select suggest(City, $p0)", "ulmm");
        Is(Orders.Include(o => o.Company).Include("Employee").Include(b => b.IncludeCounter("L")), "from 'Orders' include Company, Employee, counters('L')");
        Is(Orders.Timings(out _).IncludeExplanations(out _), "from 'Orders' include timings(), explanations()");
        Is(Orders.Search(o => o.Notes, "x").Highlight(o => o.Notes, 35, 4, out _).Highlight("City", 18, 1, out _),
            "from 'Orders' where search(Notes, $p0) include highlight(Notes, 35, 4), highlight(City, 18, 1)", "x");
    }

    [Fact]
    public void Linq_AndBack_KeepsWhatWasSaid()
    {
        IQueryable<User> linq = Golden.Users.Where(u => u.Age > 5 || u.IsActive);
        IDocumentQuery<User> query = linq.ToDocumentQuery().WhereEquals("Name", "a");
        Is(query, "~where (Age > $p0 or IsActive = $p1) and Name = $p2", 5, true, "a");
        Is(linq.ToDocumentQuery().OrElse().WhereEquals("Name", "a"), "~where Age > $p0 or IsActive = $p1 or Name = $p2", 5, true, "a");
        IDocumentQueryable<User> back = query.ToQueryable();
        query.WhereEquals("Later", 1);
        Golden.Is(back.Where(u => u.Bio == null).OrderBy(u => u.Age).Select(u => u.Name),
            "~where (Age > $p0 or IsActive = $p1) and Name = $p2 and Bio = $p3 order by Age as long select Name", 5, true, "a", null);
        Is(Golden.Users.OrderBy(u => u.Age).ToDocumentQuery().OrderBy("Name").Take(3), "~order by Age as long, Name limit $p0, $p1", 0L, 3L);
        Is(Golden.Users.ToAsyncDocumentQuery().WhereEquals(u => u.Age, 1), "~where Age = $p0", 1);
        Assert.Throws<ArgumentException>(() => new[] { new User() }.AsQueryable().ToDocumentQuery());
    }

    private static void Is<T, TSelf>(IDocumentQueryBase<T, TSelf> query, string rql, params object?[] parameters)
    {
        Golden.Is(query.ToRql(), rql, parameters);
        Assert.Equal(query.ToRql().Query, query.ToString());
    }
}
