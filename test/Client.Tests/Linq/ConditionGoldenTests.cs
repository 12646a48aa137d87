using System.Text.RegularExpressions;
using Jackdaw.Client.Conventions;
using Jackdaw.Client.Linq;
using static Jackdaw.Client.Tests.Linq.Golden;

namespace Jackdaw.Client.Tests.Linq;

public sealed class ConditionGoldenTests
{
    private static readonly string[] s_names = ["a", "b"];

    [Fact]
    public void Source_Forms_AreThoseOfTheLanguage()
    {
        Is(Users, "from 'Users'");
        Is(Query<User>("Users/ByName"), "from index 'Users/ByName'");
        Is(Query<User>(collection: "@all_docs"), "from @all_docs");
        Is(Query<object>(), "from @all_docs");
        Is(Query<User>(collection: "it's"), "from 'it\\'s'");
    }

    [Fact]
    public void Where_OrderOfEnums_IsAListOfTheirNames()
    {
        Level medium = Level.Medium;
        string[] upper = ["Medium", "High"];
        Is(Users.Where(u => u.Level >= medium), "~where Level in ($p0)", (object)upper);
        Is(Users.Where(u => Level.Medium > u.Level), "~where Level in ($p0)", (object)(string[])["Low"]);
        Is(Users.Where(u => u.Rank > Level.High), "~where false");
        Is(Users.Where(u => u.Level == medium), "~where Level = $p0", "Medium");
        Is(Users.Where(u => u.Rights.HasFlag(Rights.Write)), "~where Rights in ($p0)",
            (object)(string[])["Write", "Read, Write", "Write, Delete", "Read, Write, Delete"]);
        double bound = 0.5;
        Is(Users.Where(u => (double)u.Level > bound), "~where Level in ($p0)", (object)upper);
        Is(Users.Where(u => (long)u.Level == 4294967297L), "~where Level = $p0", 4294967297L);
        Is(Users.Where(u => (int)u.Level == 1), "~where Level = $p0", "Medium");
        Is(Users.Where(u => (long)u.Level == 1), "~where Level = $p0", "Medium");
        Is(Users.Where(u => (double)u.Level == 1.0), "~where Level in ($p0)", (object)(string[])["Medium"]);
        Is(Users.Where(u => (double)u.Level == bound), "~where false");
        foreach (double beyond in (double[])[1e40, double.MaxValue, double.PositiveInfinity, double.NaN])
        {
            Is(Users.Where(u => (double)u.Level > beyond), "~where false");
        }

        var numbers = new DocumentConventions { SaveEnumsAsIntegers = true };
        IQueryable<User> asNumbers = LinqQuery.Create<User>(new FakeRunner(numbers));
        Is(asNumbers.Where(u => u.Level >= medium).OrderBy(u => u.Level), "~where Level >= $p0 order by Level as long", 1);
    }

    [Fact]
    public void Where_SeveralConditionsOnElements_AreCheckedForEach()
    {
        Is(Orders.Where(o => o.Lines.Any(l => l.Product == "p" && l.Quantity > 1)),
            "from 'Orders' where any(Lines as l, l.Product = $p0 and l.Quantity > $p1)", "p", 1);
        Is(Orders.Where(o => o.Lines.Any(l => l.Product != "p")), "from 'Orders' where any(Lines as l, l.Product != $p0)", "p");
        Is(Orders.Where(o => o.Lines.All(l => l.Quantity > 1)), "from 'Orders' where (true and not any(Lines as l, (true and not l.Quantity > $p0)))", 1);
        Is(Orders.Where(o => o.Lines.Any(l => l.Price > l.Quantity)), "from 'Orders' where any(Lines as l, l.Price > l.Quantity)");
        Is(Orders.Where(o => o.Lines.Any(l => l.Quantity > 1)), "from 'Orders' where Lines[].Quantity > $p0", 1);
        Is(Orders.Where(o => o.Lines.Any(l => true)), "from 'Orders' where Lines != $p0", (object?)null);
        Is(Orders.Where(o => o.Lines.Count > 0), "from 'Orders' where Lines != $p0", (object?)null);
        Is(Orders.Where(o => o.Lines.Count(l => l.Quantity > 1) == 0), "from 'Orders' where (true and not Lines[].Quantity > $p0)", 1);
        Is(Query<Order>("Orders/All").Filter(o => o.Lines.Any(l => l.Product == "p" && l.Quantity > 1)),
            "from index 'Orders/All' filter any(Lines as l, l.Product = $p0 and l.Quantity > $p1)", "p", 1);
    }

    [Fact]
    public void Members_ThatTheServerComputes_ArePaths()
    {
        Is(Users.Where(u => u.Tags.Count > 3 && u.Name!.Length == 2), "~where Tags.Count > $p0 and Name.Length = $p1", 3, 2);
        Is(Users.Where(u => u.CreatedAt.Year == 2026 && u.Ended!.Value.Month < 3).OrderBy(u => u.Tags.Count),
            "~where CreatedAt.Year = $p0 and Ended.Month < $p1 order by Tags.Count as long", 2026, 3);
        Is(Users.GroupBy(u => u.CreatedAt.Year).Select(g => new { Year = g.Key, N = g.Count() }),
            "from 'Users' group by CreatedAt.Year select key() as Year, count() as N");
        Is(Orders.Where(o => o.Lines.Any(l => l.Product.Length > 3)), "from 'Orders' where any(Lines as l, l.Product.Length > $p0)", 3);
        Is(Users.Where(u => u.Tags[0] == "a"), "~where Tags[0] = $p0", "a");
    }

    [Fact]
    public void Where_Choices_AreConditionsOfEachBranch()
    {
        Is(Users.Where(u => true), "from 'Users'");
        Is(Users.Where(u => u.IsActive ? u.Age > 5 : u.Age > 9), "~where (IsActive = $p0 and Age > $p1) or (IsActive != $p2 and Age > $p3)", true, 5, true, 9);
        Is(Users.Where(u => (u.Score ?? 0) > 5), "~where Score != $p0 and Score > $p1", null, 5.0);
        Is(Users.Where(u => u.Name!.Contains("sub")), "~where contains(Name, $p0)", "sub");
        Is(Users.Where(u => u.Name!.Contains("sub", StringComparison.Ordinal)), "~where exact(contains(Name, $p0))", "sub");
        Is(Users.Where(u => u.CreatedAt.Date == new DateTime(2026, 1, 2)), "~where CreatedAt >= $p0 and CreatedAt < $p1",
            "2026-01-02T00:00:00.0000000", "2026-01-03T00:00:00.0000000");
    }

    [Fact]
    public void Where_Comparisons_AreConditions()
    {
        Is(Users.Where(u => u.Name == "a"), "~where Name = $p0", "a");
        Is(Users.Where(u => u.Name != "a"), "~where Name != $p0", "a");
        Is(Users.Where(u => u.Age > 5), "~where Age > $p0", 5);
        Is(Users.Where(u => 5 >= u.Age), "~where Age <= $p0", 5);
        Is(Users.Where(u => u.Score < 5), "~where Score < $p0 and Score != $p1", 5.0, null);
        Is(Users.Where(u => u.Age >= 1 && u.Age <= 9), "~where Age between $p0 and $p1", 1, 9);
        Is(Users.Where(u => u.Age > 1 && u.Age <= 9), "~where Age > $p0 and Age <= $p1", 1, 9);
        Is(Users.Where(u => u.Age == 1 && (u.Name == "a" || u.Name == "b")), "~where Age = $p0 and (Name = $p1 or Name = $p2)", 1, "a", "b");
        Is(Users.Where(u => u.Age == 1).Where(u => u.Name == "a"), "~where Age = $p0 and Name = $p1", 1, "a");
        Is(Users.Where(u => !(u.Name == "a" && u.Age == 1)), "~where (true and not (Name = $p0 and Age = $p1))", "a", 1);
        Is(Users.Where(u => u.Role == Role.Admin), "~where Role = $p0", "Admin");
        Is(Users.Where(u => (Int128)(int)u.Role >= Int128.One), "~where Role in ($p0)", [new[] { "Admin" }]);
        Is(Users.Where(u => u.Grade == 'A'), "~where Grade = $p0", "A");
        Is(Users.Where(u => u.Address.City == "x"), "~where Address.City = $p0", "x");
        Is(Query<User>("Users/ByCity").Where(u => u.Address.City == "x"), "from index 'Users/ByCity' where Address_City = $p0", "x");
    }

    [Fact]
    public void Where_EnumsAsIntegers_AreNumbers()
    {
        IDocumentQueryable<User> users = LinqQuery.Create<User>(new FakeRunner(new DocumentConventions { SaveEnumsAsIntegers = true }));
        Is(users.Where(u => u.Role == Role.Admin).OrderBy(u => u.Role), "~where Role = $p0 order by Role as long", 1);
    }

    [Fact]
    public void Where_TruthAndNull_AreEqualities()
    {
        Is(Users.Where(u => u.IsActive), "~where IsActive = $p0", true);
        Is(Users.Where(u => !u.IsActive), "~where IsActive = $p0", false);
        Is(Users.Where(u => u.Flag ?? false), "~where Flag = $p0", true);
        Is(Users.Where(u => u.Flag ?? true), "~where Flag != $p0", false);
        Is(Users.Where(u => u.Flag == true), "~where Flag = $p0", true);
        Is(Users.Where(u => u.Name == null), "~where Name = $p0", [null]);
        Is(Users.Where(u => u.Score.HasValue), "~where Score != $p0", [null]);
        Is(Users.Where(u => !u.Score.HasValue), "~where Score = $p0", [null]);
        Is(Users.Where(u => u.Score!.Value > 2), "~where Score > $p0", 2.0);
        Is(Users.Where(u => string.IsNullOrEmpty(u.Name)), "~where Name = $p0 or Name = $p1", null, "");
        Is(Users.Where(u => string.IsNullOrWhiteSpace(u.Name)), "~where Name = $p0 or Name = $p1 or regex(Name, $p2)", null, "", @"^\s*$");
    }

    [Fact]
    public void Where_Texts_AreFoundByTheirParts()
    {
        Is(Users.Where(u => u.Name!.StartsWith("ab")), "~where startsWith(Name, $p0)", "ab");
        Is(Users.Where(u => u.Name!.EndsWith("ab")), "~where endsWith(Name, $p0)", "ab");
        Is(Users.Where(u => u.Name!.StartsWith("ab", StringComparison.Ordinal)), "~where exact(startsWith(Name, $p0))", "ab");
        Is(Users.Where(u => u.Name!.Equals("a", StringComparison.Ordinal)), "~where exact(Name = $p0)", "a");
        Is(Users.Where(u => u.Name!.Equals("a", StringComparison.OrdinalIgnoreCase)), "~where Name = $p0", "a");
        Is(Users.Where(u => string.Equals(u.Name, "a")), "~where Name = $p0", "a");
        Is(Users.Where(u => u.Name == "a" && u.Age > 1, exact: true), "~where exact(Name = $p0 and Age > $p1)", "a", 1);
        Is(Users.Where(u => string.Compare(u.Name, "m") > 0), "~where Name > $p0", "m");
        Is(Users.Where(u => u.Name!.CompareTo("m") <= 0), "~where Name <= $p0", "m");
        Is(Users.Where(u => Regex.IsMatch(u.Name!, "^a")), "~where regex(Name, $p0)", "^a");
        Is(Users.Where(u => u.Tags.Any(t => Regex.IsMatch(t, "^Ab")), exact: true), "~where exact(regex(Tags[], $p0))", "^Ab");
    }

    [Fact]
    public void Where_Lists_AreAskedByTheirElements()
    {
        string[] array = ["a", "b"];
        List<string> list = [.. array];
        HashSet<string> set = [.. array];
        Is(Users.Where(u => u.Name.In("a", "b")), "~where Name in ($p0)", [array]);
        Is(Users.Where(u => u.Name!.In(list)), "~where Name in ($p0)", [array]);
        Is(Users.Where(u => list.Contains(u.Name!)), "~where Name in ($p0)", [array]);
        Is(Users.Where(u => set.Contains(u.Name!)), "~where Name in ($p0)", [array]);
        Is(Users.Where(u => array.Contains(u.Name!)), "~where Name in ($p0)", [array]);
        Is(Users.Where(u => s_names.Contains(u.Name)), "~where Name in ($p0)", [array]);
        Is(Users.Where(u => new[] { Role.Admin }.Contains(u.Role)), "~where Role in ($p0)", [new[] { "Admin" }]);
        Is(Users.Where(u => !u.Name.In("a", "b")), "~where (true and not Name in ($p0))", [array]);
        Is(Users.Where(u => u.Age > 1 && !u.Name.In("a", "b")), "~where Age > $p0 and (true and not Name in ($p1))", 1, array);
        Is(Users.Where(u => u.Tags.Contains("x")), "~where Tags = $p0", "x");
        Is(Users.Where(u => u.Tags.ContainsAny(array)), "~where Tags in ($p0)", [array]);
        Is(Users.Where(u => u.Tags.ContainsAll(array)), "~where Tags all in ($p0)", [array]);
        Is(Users.Where(u => u.Tags.ContainsAll(new string[0])), "from 'Users'");
        Is(Users.Where(u => u.Tags.Any()), "~where Tags != $p0", [null]);
        Is(Users.Where(u => !u.Tags.Any()), "~where (true and not Tags != $p0)", [null]);
        Is(Users.Where(u => !!!u.Tags.Any()), "~where (true and not Tags != $p0)", [null]);
        Is(Users.Where(u => u.Tags.Any(t => t == "x")), "~where Tags[] = $p0", "x");
        Is(Orders.Where(o => o.Lines.Any(l => l.Product == "p")), "from 'Orders' where Lines[].Product = $p0", "p");
        Is(Orders.Where(o => !o.Lines.Any(l => l.Product == "p")), "from 'Orders' where Lines[].Product != $p0", "p");
        Is(Orders.Where(o => o.Lines.Any(l => l.Product.In("p", "a"))), "from 'Orders' where Lines[].Product in ($p0)", [new[] { "p", "a" }]);
        Is(Query<Order>("X").Where(o => o.Lines.Any(l => l.Product == "p")), "from index 'X' where Lines_Product = $p0", "p");
    }

    [Fact]
    public void Where_KeysIdsAndMetadata_AreFields()
    {
        Is(Users.Where(u => u.Dict["k"] == 1), "~where Dict.k = $p0", 1);
        Is(Users.Where(u => u.Dict["a b"] == 1), "~where Dict.'a b' = $p0", 1);
        Is(Users.Where(u => u.Dict.ContainsKey("k")), "~where exists(Dict.k)");
        Is(Users.Where(u => u.Id == "users/1"), "~where id() = $p0", "users/1");
        Is(Users.Where(u => u.Id.In("users/1", "users/2")), "~where id() in ($p0)", [new[] { "users/1", "users/2" }]);
        Is(Users.Where(u => u.Id.StartsWith("users/")), "~where startsWith(id(), $p0)", "users/");
        Is(Users.Where(u => (string)DocQuery.Metadata(u)["@collection"] == "x"), "~where @metadata.@collection = $p0", "x");
        Is(Users.Where(u => (string)DocQuery.Metadata(u)["a b"] == "x"), "~where @metadata.'a b' = $p0", "x");
        Is(Users.Where(u => (string)DocQuery.Metadata(u)["@id"] == "x"), "~where id() = $p0", "x");
        Is(Users.Where(u => DocQuery.CmpXchg<string>("k") == u.Name), "~where Name = cmpxchg($p0)", "k");
        Is(Users.Where(u => u.Name == DocQuery.CmpXchg<string>("k")), "~where Name = cmpxchg($p0)", "k");
    }

    [Fact]
    public void Where_CapturedValues_AreReadWhenTheQueryIsTranslated()
    {
        int age = 5;
        Address address = new() { City = "Ulm" };
        IQueryable<User> query = Users.Where(u => u.Age > age + 1 && u.Address.City == address.City);
        Is(query, "~where Age > $p0 and Address.City = $p1", 6, "Ulm");
        age = 7;
        Is(query, "~where Age > $p0 and Address.City = $p1", 8, "Ulm");
        bool all = true;
        Is(Users.Where(u => all || u.Age > 5), "from 'Users'");
        all = false;
        Is(Users.Where(u => all || u.Age > 5), "~where Age > $p0", 5);
        Is(Users.Where(u => all && u.Age > 5), "~where false");
        int? none = null;
        Is(Users.Where(u => u.Age == none), "~where Age = $p0", [null]);
        Func<int> computed = () => 3;
        Is(Users.Where(u => u.Age == computed()), "~where Age = $p0", 3);
        Is(Users.Where(u => u.Name == $"{age}x"), "~where Name = $p0", "7x");
    }

    [Fact]
    public void Search_Forms_AreFullText()
    {
        Is(Users.Search(u => u.Bio, "a b"), "~where search(Bio, $p0)", "a b");
        Is(Users.Search(u => u.Bio, "a").Search(u => u.Name, "b"), "~where search(Bio, $p0) or search(Name, $p1)", "a", "b");
        Is(Users.Where(u => u.Age > 1).Search(u => u.Bio, "a").Search(u => u.Name, "b"),
            "~where Age > $p0 and (search(Bio, $p1) or search(Name, $p2))", 1, "a", "b");
        Is(Users.Search(u => u.Bio, "a").Search(u => u.Name, "b", options: SearchOptions.And), "~where search(Bio, $p0) and search(Name, $p1)", "a", "b");
        Is(Users.Where(u => u.Age > 1).Search(u => u.Name, "b", options: SearchOptions.Or), "~where Age > $p0 or search(Name, $p1)", 1, "b");
        Is(Users.Search(u => u.Bio, "a", options: SearchOptions.Not), "~where exists(Bio) and (true and not search(Bio, $p0))", "a");
        Is(Users.Search(u => u.Bio, "a b", @operator: SearchOperator.And), "~where search(Bio, $p0, and)", "a b");
        Is(Users.Search(u => u.Bio, "a b", boost: 10), "~where boost(search(Bio, $p0), $p1)", "a b", 10m);
        Is(Users.Search(u => u.Bio, "\"exact phrase\""), "~where search(Bio, $p0)", "\"exact phrase\"");
    }

    [Fact]
    public void Filter_Conditions_StandBehindTheIndex()
    {
        Is(Users.Filter(u => u.Age > 5, limit: 100), "~filter Age > $p0 filter_limit $p1", 5, 100);
        Is(Users.Where(u => u.IsActive).Filter(u => u.Name == u.Bio).Take(3), "~where IsActive = $p0 filter Name = Bio limit $p1, $p2", true, 0, 3);
        Is(Query<User>("X").Filter(u => u.Address.City == "a"), "from index 'X' filter Address.City = $p0", "a");
    }
}
