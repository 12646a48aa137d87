using static Jackdaw.Client.Tests.Linq.Golden;

namespace Jackdaw.Client.Tests.Linq;

/// <summary>Orders, pages, projections, groups.</summary>
public sealed class ShapeGoldenTests
{
    [Fact]
    public void OrderBy_Keys_AreOrderedByTheirTypes()
    {
        Is(Users.OrderBy(u => u.Name), "~order by Name");
        Is(Users.OrderByDescending(u => u.Name).ThenBy(u => u.Age), "~order by Name desc, Age as long");
        Is(Users.OrderBy(u => u.Rate).ThenByDescending(u => u.Score), "~order by Rate as double, Score as double desc");
        Is(Users.OrderBy(u => u.CreatedAt).ThenBy(u => u.Role).ThenBy(u => u.IsActive), "~order by CreatedAt, Role, IsActive");
        Is(Users.OrderBy(u => u.Name).OrderBy(u => u.Age), "~order by Age as long, Name");
        Is(Users.OrderBy(u => u.Id), "~order by id()");
    }

    [Fact]
    public void Page_SkipAndTake_AreOneLimit()
    {
        Is(Users.Skip(5).Take(10), "~limit $p0, $p1", 5, 10);
        Is(Users.Take(10), "~limit $p0, $p1", 0, 10);
        Is(Users.Skip(5), "~limit $p0, $p1", 5, null);
        Is(Users.Take(10).Skip(4), "~limit $p0, $p1", 4, 6);
    }

    [Fact]
    public void Select_Members_AreFields()
    {
        Is(Users.Select(u => u.Name), "~select Name");
        Is(Users.Select(u => new { u.Name, N = u.Age }), "~select Name, Age as N");
        Is(Users.Select(u => new UserRow { Name = u.Name, Years = u.Age }), "~select Name, Age as Years");
        Is(Users.Select(u => new NameAndAge(u.Name!, u.Age)), "~select Name, Age");
        Is(Users.Select(u => u.Address.City), "~select Address.City as City");
        Is(Orders.Select(o => new { P = o.Lines.Select(l => l.Product) }), "from 'Orders' select Lines[].Product as P");
        Is(Users.Select(u => u.Id), "~select id() as Id");
        Is(Users.Select(u => new { u.Id, u.Name }), "~select id() as Id, Name");
        Is(Users.Select(u => u.Name).Distinct(), "~select distinct Name");
        Is(Users.Select(u => new { u.Name, u.Age }).Where(x => x.Age > 3).OrderBy(x => x.Name), "~where Age > $p0 order by Name select Name, Age", 3);
    }
}
