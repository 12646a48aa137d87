using static Jackdaw.Client.Tests.Linq.Golden;

namespace Jackdaw.Client.Tests.Linq;

public sealed class ConditionGoldenTests
{
    [Fact]
    public void Source_Forms_AreThoseOfTheLanguage()
    {
        Is(Users, "from 'Users'");
        Is(Query<User>("Users/ByName"), "from index 'Users/ByName'");
        Is(Query<User>(collection: "@all_docs"), "from @all_docs");
        Is(Query<object>(), "from @all_docs");
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
        Is(Users.Where(u => u.Grade == 'A'), "~where Grade = $p0", "A");
    }

    [Fact]
    public void Where_TruthAndNull_AreEqualities()
    {
        Is(Users.Where(u => u.IsActive), "~where IsActive = $p0", true);
        Is(Users.Where(u => !u.IsActive), "~where IsActive = $p0", false);
        Is(Users.Where(u => u.Name == null), "~where Name = $p0", [null]);
        Is(Users.Where(u => u.Score.HasValue), "~where Score != $p0", [null]);
        Is(Users.Where(u => string.IsNullOrEmpty(u.Name)), "~where Name = $p0 or Name = $p1", null, "");
    }
}
