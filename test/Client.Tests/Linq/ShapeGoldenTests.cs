using Jackdaw.Client.Linq;
using static Jackdaw.Client.Tests.Linq.Golden;

namespace Jackdaw.Client.Tests.Linq;

/// <summary>Orders, pages, projections of fields, groups.</summary>
public sealed class ShapeGoldenTests
{
    [Fact]
    public void OrderBy_Keys_AreOrderedByTheirTypes()
    {
        Is(Users.OrderBy(u => u.Name), "~order by Name");
        Is(Users.OrderByDescending(u => u.Name).ThenBy(u => u.Age), "~order by Name desc, Age as long");
        Is(Users.OrderBy(u => u.Rate).ThenByDescending(u => u.Score), "~order by Rate as double, Score as double desc");
        Is(Users.OrderBy(u => u.CreatedAt).ThenBy(u => u.IsActive), "~order by CreatedAt, IsActive");
        Is(Users.OrderBy(u => u.Name).OrderBy(u => u.Age), "~order by Age as long, Name");
        Is(Users.OrderBy(u => u.Id), "~order by id()");
        Is(Users.OrderBy(u => u.Name, OrderingType.AlphaNumeric), "~order by Name as alphaNumeric");
        Is(Users.OrderBy(u => u.Age, OrderingType.String, NullsOrdering.Last), "~order by Age nulls last");
        Is(Users.OrderByScore(), "~order by score()");
        Is(Users.OrderByScoreDescending().ThenBy(u => u.Name), "~order by score() desc, Name");
        Is(Users.OrderBy(u => u.Name).ThenByScore(), "~order by Name, score()");
        Is(Users.Customize(c => c.RandomOrdering("it's")), "~order by random('it\\'s')");
        Is(Users.Customize(c => c.RandomOrdering()), "~order by random()");
        Is(Query<User>("X").OrderBy(u => u.Address.City), "from index 'X' order by Address_City");
    }

    [Fact]
    public void Page_SkipAndTake_AreOneLimit()
    {
        Is(Users.Skip(5).Take(10), "~limit $p0, $p1", 5, 10);
        Is(Users.Take(10), "~limit $p0, $p1", 0, 10);
        Is(Users.Skip(5), "~limit $p0, $p1", 5, null);
        Is(Users.Take(10).Skip(4), "~limit $p0, $p1", 4, 6);
        Is(Users.Take(10).Take(20), "~limit $p0, $p1", 0, 10);
    }

    [Fact]
    public void Select_Members_AreFields()
    {
        int answer = 42;
        Is(Users.Select(u => u.Name), "~select Name");
        Is(Users.Select(u => new { u.Name, N = u.Age }), "~select Name, Age as N");
        Is(Users.Select(u => new UserRow { Name = u.Name, Years = u.Age }), "~select Name, Age as Years");
        Is(Users.Select(u => new NameAndAge(u.Name!, u.Age)), "~select Name, Age");
        Is(Users.Select(u => u.Address.City), "~select Address.City as City");
        Is(Orders.Select(o => new { P = o.Lines.Select(l => l.Product) }), "from 'Orders' select Lines[].Product as P");
        Is(Users.Select(u => u.Id), "~select id() as Id");
        Is(Users.Select(u => new { u.Id, u.Name }), "~select id() as Id, Name");
        Is(Users.Select(u => new { u.Name, A = answer }), "~select Name, $p0 as A", 42);
        Is(Users.Select(u => new { N = u.Dict["a b"] }), "~select Dict.'a b' as N");
        Is(Users.Select(u => u.Name).Distinct(), "~select distinct Name");
        Is(Users.Select(u => new { u.Name, u.Age }).Where(x => x.Age > 3).OrderBy(x => x.Name), "~where Age > $p0 order by Name select Name, Age", 3);
        Is(Users.ProjectInto<UserRow>(), "~select id() as Id, Name, Years");
        Is(Users.Cast<UserRow>().Where(r => r.Years > 1), "~where Years > $p0", 1);
        Is(Query<User>("X").Select(u => u.Address.City), "from index 'X' select Address.City as City");
    }

    [Fact]
    public void Terminals_MinAndMax_AreTheFirstOfAnOrder()
    {
        var runner = new FakeRunner();
        runner.Rows.Add(3);
        Assert.Equal(3, LinqQuery.Create<User>(runner).Max(u => u.Age));
        Is(new RqlText(runner.Sent!.Query, runner.Sent.QueryParameters), "~where Age != $p0 order by Age as long desc select Age limit $p1, $p2", null, 0, 1);
    }

    [Fact]
    public async Task Terminals_MinAndMaxAsync_AreThoseThatBlock()
    {
        var runner = new FakeRunner();
        runner.Rows.Add(3);
        Assert.Equal(3, await LinqQuery.Create<User>(runner).Where(u => u.IsActive).MinAsync(u => u.Age));
        Assert.True(runner.WasAsync);
        Is(new RqlText(runner.Sent!.Query, runner.Sent.QueryParameters),
            "~where IsActive = $p0 and Age != $p1 order by Age as long select Age limit $p2, $p3", true, null, 0, 1);
        string asked = runner.Sent.Query;
        Assert.Equal(3, LinqQuery.Create<User>(runner).Where(u => u.IsActive).Min(u => u.Age));
        Assert.Equal(asked, runner.Sent.Query);
        runner.Rows.Clear();
        Assert.Null(await LinqQuery.Create<User>(runner).MaxAsync(u => u.Score));
        await Assert.ThrowsAsync<InvalidOperationException>(() => LinqQuery.Create<User>(runner).MaxAsync(u => u.Age));
    }

    [Fact]
    public void GroupBy_KeysCountsAndSums_AreSelected()
    {
        Is(Orders.GroupBy(o => o.City).Select(g => new { City = g.Key, N = g.Count(), S = g.Sum(o => o.Total) }),
            "from 'Orders' group by City select key() as City, count() as N, sum(Total) as S");
        Is(Orders.GroupBy(o => o.City, (key, g) => new { City = key, N = g.Count() }), "from 'Orders' group by City select key() as City, count() as N");
        Is(Orders.GroupBy(o => o.City, o => o.Total).Select(g => new { g.Key, S = g.Sum() }),
            "from 'Orders' group by City select key() as Key, sum(Total) as S");
        Is(Orders.GroupBy(o => new { o.City, o.Company }).Select(g => new { g.Key.City, C = g.Key.Company, N = g.Count() }),
            "from 'Orders' group by City, Company select City, Company as C, count() as N");
        Is(Orders.GroupBy(o => new { o.ShipTo.City }).Select(g => new { g.Key.City, N = g.Count() }),
            "from 'Orders' group by ShipTo.City select ShipTo.City as City, count() as N");
        Is(Orders.GroupBy(o => o.City).Select(g => g.Key), "from 'Orders' group by City select key() as Key");
        Is(Orders.GroupBy(o => o.City).Select(g => new { S = g.Sum(o => o.Lines.Sum(l => l.Price)) }),
            "from 'Orders' group by City select sum(Lines[].Price) as S");
        Is(Orders.GroupBy(o => o.City).Select(g => new { C = g.Key, Mean = g.Average(o => o.Total), Twice = 2 * g.Count() }),
            "from 'Orders' group by City select { C : key(), Mean : exact(sum(\"Total\"), \"/\", count()), Twice : 2*count() }");
    }

    [Fact]
    public void GroupBy_ConditionsAndOrders_AreThoseOfGroups()
    {
        Is(Orders.GroupBy(o => o.City).Select(g => new { City = g.Key, N = g.Count() }).OrderBy(x => x.N),
            "from 'Orders' group by City order by count() as long select key() as City, count() as N");
        Is(Orders.GroupBy(o => o.City).Select(g => new { City = g.Key, S = g.Sum(o => o.Total) }).OrderByDescending(x => x.S).Take(3),
            "from 'Orders' group by City order by sum(Total) as double desc select key() as City, sum(Total) as S limit $p0, $p1", 0, 3);
        Is(Orders.GroupBy(o => new { o.City, o.Company }).Where(g => g.Count() > 2 && g.Key.City == "Ulm").OrderBy(g => g.Key.Company)
            .Select(g => new { g.Key.City, g.Key.Company, N = g.Count() }),
            "from 'Orders' group by City, Company where count() > $p0 and City = $p1 order by Company select City, Company, count() as N", 2, "Ulm");
        Is(Orders.Where(o => o.City == "Ulm").GroupBy(o => o.City).Select(g => new { g.Key, N = g.Count() }),
            "from 'Orders' group by City where City = $p0 select key() as Key, count() as N", "Ulm");
    }

    [Fact]
    public void GroupBy_Arrays_AreByElementOrWhole()
    {
        Is(Orders.GroupByArrayValues(o => o.Lines.Select(l => l.Product)).Select(g => new { P = g.Key, N = g.Count() }),
            "from 'Orders' group by Lines[].Product select key() as P, count() as N");
        Is(Orders.GroupByArrayContent(o => o.Lines.Select(l => l.Product)).Select(g => new { P = g.Key, N = g.Count() }),
            "from 'Orders' group by array(Lines[].Product) select key() as P, count() as N");
        Is(Users.GroupByArrayValues(u => u.Tags).Where(g => g.Key == "a").Select(g => new { g.Key, N = g.Count() }),
            "~group by Tags[] where Tags[] = $p0 select key() as Key, count() as N", "a");
    }
}
