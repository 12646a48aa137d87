using Jackdaw.Client.Linq;
using static Jackdaw.Client.Tests.Linq.Golden;

namespace Jackdaw.Client.Tests.Linq;

/// <summary>Projections that the server computes.</summary>
public sealed class ScriptGoldenTests
{
    [Fact]
    public void Select_ComputedMembers_AreAScript()
    {
        string suffix = "!";
        Is(Users.Select(u => new { F = u.Name + " " + u.Bio }), "from 'Users' as u select { F : (u.Name??\"\")+\" \"+(u.Bio??\"\") }");
        Is(Users.Select(u => new { F = u.Name + suffix }), "from 'Users' as u select { F : (u.Name??\"\")+($p0??\"\") }", "!");
        Is(Users.Select(u => u.Age * 2 + 1), "from 'Users' as u select { Result : u.Age*2+1 }");
        Is(Users.Select(u => new { H = u.Age / 2, A = u.Age > 17 ? "adult" : "child" }),
            "from 'Users' as u select { H : Math.trunc(u.Age/2), A : u.Age>17?\"adult\":\"child\" }");
        Is(Users.Select(u => new { u.Id, N = u.Name!.ToUpper() }), "from 'Users' as u select { Id : id(u), N : u.Name.toUpperCase() }");
        Is(Users.Select(u => new { Text = $"{u.Name} is {u.Age}" }), "from 'Users' as u select { Text : \"\"+(u.Name??\"\")+\" is \"+u.Age }");
        Is(Users.Select(u => new { A = u.Role == Role.Admin, B = u.Score == null, C = u.Score ?? 1 }),
            "from 'Users' as u select { A : u.Role===\"Admin\", B : u.Score==null, C : (u.Score??1) }");
        Is(Users.Select(u => new { Inner = new { u.Name, X = u.Age + 1 } }), "from 'Users' as u select { Inner : { Name : u.Name, X : u.Age+1 } }");
        Is(Users.Where(order => order.Age > 1).Select(order => new { X = order.Age + 1 }),
            "from 'Users' as order_ where Age > $p0 select { X : order_.Age+1 }", 1);
    }

    [Fact]
    public void Select_Lets_AreVariablesAndLoads()
    {
        Is(from u in Users let f = u.Name + "x" select new { F = f, L = f.Length },
            "declare function output(u) { var f = (u.Name??\"\")+\"x\"; return { F : f, L : f.length }; } from 'Users' as u select output(u)");
        Is(from u in Users let a = u.Age + 1 let b = a * 2 select new { a, b },
            "declare function output(u) { var a = u.Age+1; var b = a*2; return { a : a, b : b }; } from 'Users' as u select output(u)");
        Is(from u in Users let f = (Func<User, string>)(p => p.Name + p.Bio) select new { F = f(u) },
            "declare function output(u) { var f = p=>(p.Name??\"\")+(p.Bio??\"\"); return { F : f(u) }; } from 'Users' as u select output(u)");
        Is(from o in Orders let c = DocQuery.Load<Company>(o.Company) select new { o.City, c.Name, c.Id },
            "from 'Orders' as o load o.Company as c select { City : o.City, Name : c.Name, Id : id(c) }");
        Is(from o in Orders let c = DocQuery.Load<Company>(o.Company) let n = c.Name + "!" where o.Total > 5 select new { n },
            "declare function output(o, c) { var n = (c.Name??\"\")+\"!\"; return { n : n }; } from 'Orders' as o where Total > $p0 " +
            "load o.Company as c select output(o, c)", 5m);
        Is(Orders.Select(o => new { E = DocQuery.Load<Company>(o.Employee).Name }), "from 'Orders' as o select { E : load(o.Employee).Name }");
        Is(from o in Orders let ps = DocQuery.Load<Company>(o.Lines.Select(l => l.Product)) select new { N = ps.Select(p => p.Name) },
            "declare function output(o) { var ps = load(o.Lines.map(l=>l.Product)); return { N : ps.map(p=>p.Name) }; } from 'Orders' as o select output(o)");
    }

    [Fact]
    public void Select_Lists_AreMethodsOfArrays()
    {
        Is(Orders.Select(o => new { S = o.Lines.Sum(l => l.Price * l.Quantity), N = o.Lines.Count }),
            "from 'Orders' as o select { S : o.Lines.map(l=>exact(l.Price, \"*\", l.Quantity)).reduce((a, b)=>exact(a, \"+\", b??0), 0), N : o.Lines.length }");
        Is(Orders.Select(o => new { A = o.Lines.Any(l => l.Quantity > 1), W = o.Lines.Where(l => l.Quantity > 1).Select(l => l.Product).ToList() }),
            "from 'Orders' as o select { A : o.Lines.some(l=>l.Quantity>1), W : o.Lines.filter(l=>l.Quantity>1).map(l=>l.Product) }");
        Is(Orders.Select(o => new { F = o.Lines.OrderByDescending(l => l.Price).ThenBy(l => l.Product).First().Product }),
            "from 'Orders' as o select { F : o.Lines.slice().sort((a, b)=>(l=>l.Price)(a)<(l=>l.Price)(b)?1:(l=>l.Price)(a)>(l=>l.Price)(b)?-1:" +
            "(l=>l.Product)(a)<(l=>l.Product)(b)?-1:(l=>l.Product)(a)>(l=>l.Product)(b)?1:0)[0].Product }");
        Is(Orders.Select(o => new { R = o.Lines.Select(l => new { l.Product, Sum = l.Price * 2 }) }),
            "from 'Orders' as o select { R : o.Lines.map(l=>({ Product : l.Product, Sum : exact(l.Price, \"*\", 2) })) }");
    }

    [Fact]
    public void Select_TimesMetadataAndScripts_AreHelpers()
    {
        var day = new DateTime(2024, 2, 3, 0, 0, 0, DateTimeKind.Utc);
        Is(Users.Select(u => new { Y = u.CreatedAt.Year, M = u.CreatedAt.Month }),
            "from 'Users' as u select { Y : new Date(u.CreatedAt).getFullYear(), M : new Date(u.CreatedAt).getMonth()+1 }");
        Is(Users.Select(u => new { Old = u.CreatedAt < day }),
            "from 'Users' as u select { Old : new Date(u.CreatedAt).getTime()<new Date($p0).getTime() }", "2024-02-03T00:00:00.0000000Z");
        Is(Users.Select(u => new { X = DocQuery.Raw<int>("u.Age * 3"), M = DocQuery.Metadata(u), L = DocQuery.LastModified(u) }),
            "from 'Users' as u select { X : u.Age * 3, M : getMetadata(u), L : lastModified(u) }");
        Is(Users.Select(u => new { C = DocQuery.Counter(u, "Likes") }), "from 'Users' as u select { C : counter(u, \"Likes\") }");
    }
}
