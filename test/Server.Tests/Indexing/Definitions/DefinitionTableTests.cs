namespace Jackdaw.Server.Tests.Indexing.Definitions;

/// <summary>Definitions in the style of users with the rows that they give for two orders. A dash is a missing value,
/// rows are separated by a bar.</summary>
public sealed class DefinitionTableTests
{
    public static TheoryData<string, string> Maps => new()
    {
        // Sources and shapes of rows.
        { "from o in docs.Orders select new { o.State }", "State='Sent'|State='New'" },
        { "docs.Orders.Select(o => new { o.State, Fee = o.Fee * 2 })", "State='Sent' Fee=25.5|State='New' Fee=18" },
        { "docs.Orders.Select(order => new { State = order.State });", "State='Sent'|State='New'" },
        { "from o in docs select new { o.Count }", "Count=5|Count=1" },
        { "docs.Select(o => new { o.Count })", "Count=5|Count=1" },
        { "from o in docs[\"Orders\"] select new { o.Count }", "Count=5|Count=1" },
        { "from o in docs.WhereEntityIs(\"Orders\", \"Bills\") select new { o.Count }", "Count=5|Count=1" },
        { "from d in docs.Dogs select new { d.Count }", "" },
        { "from o in docs.orders select new { o.Count }", "Count=5|Count=1" },
        { "from o in docs.Orders where o.Paid select new { o.State }", "State='Sent'" },
        { "docs.Orders.Where(o => o.State == \"New\" || o.Fee > 100).Select(o => new { o.Fee })", "Fee=9" },
        { "docs.Orders.Select(o => new { o.State, o.Count }).Where(r => r.Count > 2)", "State='Sent' Count=5" },
        { "from o in docs.Orders select o.Paid ? new { o.State } : null", "State='Sent'" },

        // Fan-out.
        { "from o in docs.Orders from l in o.Lines select new { l.Title, Sum = l.Amount }", "Title='Lamp' Sum=2|Title='Cord' Sum=4" },
        { "docs.Orders.SelectMany(o => o.Lines, (o, l) => new { l.Item, T = l.Price * l.Amount * (1 - l.Off) })", "Item='items/1' T=20.5|Item='items/2' T=12" },
        { "docs.Orders.SelectMany(o => o.Lines.Where(l => l.Price > 5).Select(l => new { l.Title, o.State }))", "Title='Lamp' State='Sent'" },
        { "from o in docs.Orders from l in o.Lines from t in o.Labels select new { l.Title, T = t }", "Title='Lamp' T='x'|Title='Lamp' T='Y'|Title='Cord' T='x'|Title='Cord' T='Y'" },
        { "from o in docs.Orders from l in o.Lines.DefaultIfEmpty() select new { o.State, l.Title }", "State='Sent' Title='Lamp'|State='Sent' Title='Cord'|State='New' Title=-" },
        { "from o in docs.Orders from l in (IEnumerable<dynamic>)o.Lines select new { l.Title }", "Title='Lamp'|Title='Cord'" },
        { "from o in docs.Orders from p in o.Traits select new { p.Key, p.Value }", "Key='Color' Value='blue'|Key='Size' Value='M'" },

        // let, where, nested LINQ.
        { "from o in docs.Orders let sum = o.Lines.Sum(l => l.Price * l.Amount) where sum > 0 select new { Sum = sum }", "Sum=53" },
        { "from o in docs.Orders select new { S = o.Lines.Where(l => l.Off > 0).Sum(l => l.Price), C = o.Lines.Count(l => l.Amount > 3), A = o.Lines.Average(l => l.Amount) }", "S=20.5 C=1 A=3|S=0 C=0 A=null" },
        { "from o in docs.Orders select new { N = from l in o.Lines where l.Price > 5 orderby l.Title select l.Title }", "N=['Lamp']|N=[]" },
        { "from o in docs.Orders select new { A = o.Lines.Select(l => new { l.Title, V = l.Price * l.Amount }).Where(v => v.V > 20).Select(v => v.Title) }", "A=['Lamp']|A=[]" },
        { "from o in docs.Orders select new { Top = o.Lines.OrderByDescending(l => l.Amount).ThenBy(l => l.Title).Select(l => l.Title).First() }", "Top='Cord'|Top=-" },
        { "from o in docs.Orders select new { G = o.Lines.GroupBy(l => l.Off > 0).Select(g => new { g.Key, N = g.Count() }).Count() }", "G=2|G=0" },
        { "from o in docs.Orders select new { S = o.Lines.Aggregate(0, (a, l) => a + l.Amount) }", "S=6|S=0" },
        { "from o in docs.Orders select new { A = o.Lines.All(l => l.Amount > 1), B = o.Labels.Any(t => t == \"Y\"), C = o.Lines.Any() }", "A=true B=true C=true|A=true B=false C=false" },
        { "from o in docs.Orders select new { H = o.Labels.Contains(\"x\"), L = o.Labels.Select(t => t.ToLower()), F = o.Labels.FirstOrDefault() }", "H=true L=['x','y'] F='x'|H=false L=[] F=-" },
        { "from o in docs.Orders select new { A = o.Labels.Concat(o.Lines.Select(l => l.Title)).Distinct(), B = o.Labels.Union(new[] { \"z\" }) }", "A=['x','Y','Lamp','Cord'] B=['x','Y','z']|A=[] B=['z']" },
        { "from o in docs.Orders select new { A = o.Labels.Except(new[] { \"x\" }), B = o.Labels.Intersect(new[] { \"x\" }), C = o.Labels.Reverse(), D = o.Labels.Skip(1).Take(1) }", "A=['Y'] B=['x'] C=['Y','x'] D=['Y']|A=[] B=[] C=[] D=[]" },
        { "from o in docs.Orders select new { Z = o.Labels.Zip(o.Lines, (a, l) => a + l.Amount), J = (from l in o.Lines join m in o.Lines on l.Item equals m.Item select l.Title).Count() }", "Z=['x2','Y4'] J=2|Z=[] J=0" },
        { "from o in docs.Orders select new { D = o.Lines.ToDictionary(l => l.Title, l => l.Amount), M = o.Lines.Max(l => l.Price), N = o.Lines.Min(l => l.Price), L = o.Lines.Last().Title }", "D={'Lamp':2,'Cord':4} M=20.5 N=3 L='Cord'|D={} M=null N=null L=-" },
        { "docs.Orders.Select(o => new { S = Enumerable.Sum(o.Lines, (Func<dynamic, decimal>)(l => (decimal)l.Price)) })", "S=23.5|S=0" },
        { "docs.Orders.Select(o => new { o = o, c = LoadDocument(o.Customer, \"Customers\") }).Select(this0 => new { N = this0.c.Name, this0.o.State })", "N='Zeta' State='Sent'|N='Eta' State='New'" },

        // Other documents.
        { "from o in docs.Orders let c = LoadDocument(o.Customer, \"Customers\") select new { c.Name, P = LoadDocument(c.Parent, \"Customers\").Name }", "Name='Zeta' P='Eta'|Name='Eta' P=null" },
        { "from o in docs.Orders let c = LoadDocument<Customer>(o.Customer) select new { T = c.Home.Town ?? \"?\" }", "T='Rome'|T='?'" },
        { "from o in docs.Orders let s = this.LoadDocument(o.Seller, \"Sellers\") select new { N = s.Name, U = s.Name.ToUpper() }", "N='Ida' U='IDA'|N=null U=null" },
        { "from o in docs.Orders select new { N = LoadDocument(new[] { o.Customer, o.Seller }, \"X\").Select(x => x.Name) }", "N=['Zeta','Ida']|N=['Eta',null]" },
        { "from o in docs.Orders select new { N = NoTracking.LoadDocument(o.Customer, \"Customers\").Name }", "N='Zeta'|N='Eta'" },

        // Functions of indexes.
        { "from o in docs.Orders select new { I = Id(o), I2 = o.Id, C = MetadataFor(o)[\"@collection\"], D = MetadataFor(o).Value<DateTime>(\"@last-modified\").Day, Own = MetadataFor(o)[\"Own\"] }", "I='orders/1-A' I2='orders/1-A' C='Orders' D=4 Own='mine'|I='orders/2-A' I2='orders/2-A' C='Orders' D=4 Own=-" },
        { "from o in docs.Orders select new { J = AsJson(o).To, T = ToJsonString(o.To) }", "J={'Town':'Gent','Code':null} T='{\\'Town\\':\\'Gent\\',\\'Code\\':null}'|J=null T=null" },
        { "from o in docs.Orders select new { T = Recurse(o, x => x.Notes).Select(n => n.Text) }", "T=[null,'n1','n2','n3']|T=[null]" },
        { "from o in docs.Orders select new { _ = o.Traits.Select(a => CreateField(a.Key, a.Value)) }", "[Color]='blue' [Size]='M'" },
        { "from o in docs.Orders select new { o.State, _ = CreateField(\"F_\" + o.State, o.Count, true, false) }", "State='Sent' [F_Sent]=5 (True,Exact)|State='New' [F_New]=1 (True,Exact)" },
        { "from o in docs.Orders select new { _ = CreateField(\"G\", o.Labels, new CreateFieldOptions { Storage = FieldStorage.Yes, Indexing = FieldIndexing.Search }) }", "[G]=['x','Y'] (True,Search)|[G]=[] (True,Search)" },
        { "from o in docs.Orders select new { P = CreateSpatialField(o.Lat, o.Lng), W = CreateSpatialField(\"POINT(1 2)\") }", "P='POINT (3.72 51.05)' W='POINT(1 2)'|P=- W='POINT(1 2)'" },
        { "from o in docs.Orders select new { A = o.State.Boost(2.5f) }", "A=\"Sent\"^2.5|A=\"New\"^2.5" },
        { "from o in docs.Orders select new { o.State }.Boost(o.Count)", "State='Sent' ^5|State='New' ^1" },
        { "from o in docs.Orders select Boost(new { o.State }, 3)", "State='Sent' ^3|State='New' ^3" },
        { "from o in docs.Orders select new { A = TryConvert<int>(o.Count), B = TryConvert<int>(o.State), C = Convert.ToInt32(o.Fee) }", "A=5 B=null C=13|A=1 B=null C=9" },
        { "from o in docs.Orders select new { A = AsDateOnly(o.OrderedAt), B = AsTimeOnly(o.OrderedAt) }", "A='2025-02-14' B='09:15:00.0000000'|A='2024-11-30' B='22:00:00.0000000'" },
        { "from o in docs.Orders select new { A = LoadAttachment(o, \"a\").Size, C = CounterNamesFor(o), T = TimeSeriesNamesFor(o), X = LoadCompareExchangeValue(\"k\").Name, F = AttachmentsFor(o).Count(), D = LoadDocument(\"customers/8-A\", \"Customers\").Name }", "A=- C=- T=- X=- F=0 D='Eta'|A=- C=- T=- X=- F=0 D='Eta'" },
        { "from o in docs.Orders select new { V = CreateVector(new[] { 0.5f, 0.25f }), W = LoadVector(\"F\", \"task\") }", "V=[0.5,0.25] W=-|V=[0.5,0.25] W=-" },

        // Expressions.
        { "from o in docs.Orders select new { A = o.Paid ? \"yes\" : \"no\", B = o.Fee > 10 ? o.Fee : 0, C = o.Nothing == null ? null : o.Nothing }", "A='yes' B=12.75 C=null|A='no' B=0 C=null" },
        { "from o in docs.Orders select new { T = o.To.Town ?? \"none\", E = o.Seller ?? o.Nope ?? o.Customer }", "T='Gent' E='sellers/3'|T='none' E='customers/8-A'" },
        { "from o in docs.Orders select new { T = o.To?.Town?.ToUpper(), N = o.Lines?.Count() ?? 0 }", "T='GENT' N=2|T=null N=0" },
        { "from o in docs.Orders select new { S = $\"{o.State}-{o.OrderedAt:yyyy}-{o.Count,3}\" }", "S='Sent-2025-  5'|S='New-2024-  1'" },
        { "from o in docs.Orders select new { S = o.State switch { \"New\" => 1, \"Sent\" => 2, _ => 0 }, T = o.Fee switch { > 10 => \"big\", _ => \"small\" }, U = o.Count switch { 5 when o.Paid => 'p', _ => 0 } }", "S=2 T='big' U='p'|S=1 T='small' U=0" },
        { "from o in docs.Orders select new { S = o.State is \"New\" or \"Open\", N = o.Seller is null, M = o.Count is > 1 and < 9, T = o.State is string, U = (o.Fee as string) ?? \"n\" }", "S=false N=false M=true T=true U='n'|S=true N=true M=false T=true U='n'" },
        { "from o in docs.Orders select new { A = (decimal)o.Fee * 2, B = (string)o.State, C = (int)o.Fee, D = (bool?)o.Nope, E = (int)o.Nope }", "A=25.50 B='Sent' C=12 D=null E=0|A=18 B='New' C=9 D=null E=0" },
        { "from o in docs.Orders select new { Q = new[] { o.State, o.Customer, o.To.Town }, R = new object[] { o.Count, o.Labels } }", "Q=['Sent','customers/7-A','Gent'] R=[5,['x','Y']]|Q=['New','customers/8-A',null] R=[1,[]]" },
        { "from o in docs.Orders select new { A = o.Labels[0], B = o[\"State\"], C = o.Lines[1].Title, D = o.Labels[9] }", "A='x' B='Sent' C='Cord' D=-|A=- B='New' C=- D=-" },
        { "from @order in docs.Orders let @class = @order.State select new { @class, K = @order.@Key }", "class='Sent' K='k1'|class='New' K=-" },
        { "from o in docs.Orders\n// a comment\nselect new\n{\n  o.State, /* another */\n}  // the end", "State='Sent'|State='New'" },
        { "from o in docs.Orders select new Dictionary<string, object> { { \"A\", o.State }, { \"B\", o.Count } }", "A='Sent' B=5|A='New' B=1" },
        { "from o in docs.Orders select new { o.Count, o.Key, N = o.Labels.Count, L = o.State.Length, T = o.Count + 1 }", "Count=5 Key='k1' N=2 L=4 T=6|Count=1 Key=- N=0 L=3 T=2" },
        { "from o in docs.Orders select new { L = new List<string> { o.State, o.Customer }.Count, H = new HashSet<string>((string[])o.Labels).Count }", "L=2 H=2|L=2 H=0" },

        // Texts.
        { "from o in docs.Orders select new { A = o.State.ToLower(), B = o.State.Substring(0, 2), C = o.Customer.Split('/')[0], D = o.State.StartsWith(\"Se\"), E = o.State.Replace(\"e\", \"3\"), F = o.State.IndexOf(\"n\"), G = o.State.PadLeft(6, '.') }", "A='sent' B='Se' C='customers' D=true E='S3nt' F=2 G='..Sent'|A='new' B='Ne' C='customers' D=false E='N3w' F=-1 G='...New'" },
        { "from o in docs.Orders select new { F = string.Format(\"{0}/{1:D3}\", o.State, o.Count), J = string.Join(\";\", o.Labels), K = string.Join(\",\", o.Lines.Select(l => l.Title)), C = string.Concat(o.State, \"-\", o.Count) }", "F='Sent/005' J='x;Y' K='Lamp,Cord' C='Sent-5'|F='New/001' J='' K='' C='New-1'" },
        { "from o in docs.Orders where !string.IsNullOrEmpty(o.Seller) && !String.IsNullOrWhiteSpace(o.State) select new { o.Seller }", "Seller='sellers/3'" },
        { "from o in docs.Orders select new { M = Regex.IsMatch(o.Customer, \"7-A$\"), R = Regex.Replace(o.State, \"[aeiou]\", \"_\"), V = Regex.Match(o.Customer, \"([0-9]+)-\").Groups[1].Value }", "M=true R='S_nt' V='7'|M=false R='N_w' V='8'" },

        // Numbers, dates, durations.
        { "from o in docs.Orders select new { R = Math.Round(o.Fee, 1), F = Math.Floor((double)o.Fee), M = Math.Max((int)o.Count, 2), A = Math.Abs(-o.Count), N = Math.Round(o.Nope) }", "R=12.8 F=12 M=5 A=5 N=-|R=9 F=9 M=2 A=1 N=-" },
        { "from o in docs.Orders select new { T = o.Lines.Sum(l => (decimal)l.Price * (int)l.Amount * (1 - (decimal)l.Off)), D = 7 / 2, E = 7 % 4, F = o.Count / 2 }", "T=32.50 D=3 E=3 F=2|T=0 D=3 E=3 F=0" },
        { "from o in docs.Orders select new { Y = ((DateTime)o.OrderedAt).Year, M = o.OrderedAt.Month, Q = (o.OrderedAt.Month - 1) / 3 + 1, S = o.OrderedAt.ToString(\"yyyy-MM\"), W = o.OrderedAt.DayOfWeek.ToString(), X = o.OrderedAt.AddDays(1).Day }", "Y=2025 M=2 Q=1 S='2025-02' W='Friday' X=15|Y=2024 M=11 Q=4 S='2024-11' W='Saturday' X=1" },
        { "from o in docs.Orders select new { D = ((DateTime)o.OrderedAt).Date, N = new DateTime((int)o.OrderedAt.Year, (int)o.OrderedAt.Month, 1), A = o.OrderedAt > new DateTime(2025, 1, 1), P = DateTime.Parse(o.OrderedAt).Hour }", "D='2025-02-14T00:00:00.0000000' N='2025-02-01T00:00:00.0000000' A=true P=9|D='2024-11-30T00:00:00.0000000' N='2024-11-01T00:00:00.0000000' A=false P=22" },
        { "from o in docs.Orders where o.SentAt != null select new { H = (o.SentAt - o.OrderedAt).TotalHours, L = o.SentAt - o.OrderedAt > TimeSpan.FromDays(2), M = ((TimeSpan)o.Took).TotalMinutes, V = o.SentAt.HasValue }", "H=63 L=true M=135 V=true" },

        // Null and missing.
        { "from o in docs.Orders select new { A = o.Nope + 1, B = o.Nope.X.Y, C = o.Nothing.Z, D = o.Nope > 3, E = o.Nothing, F = o.Nope == null, G = o.Nope.ToUpper(), H = -o.Nope }", "A=null B=- C=null D=false E=null F=true G=- H=null|A=null B=- C=- D=false E=- F=true G=- H=null" },
        { "from o in docs.Orders select new { A = o.Nope.Sum(x => x.A), B = o.Nope.Count(), C = o.Nope.Select(x => x.B), D = o.Nope.HasValue, E = o.Nope.Any(x => x.C), F = o.Nope[0].G, G = \"a\" + o.Nope }", "A=0 B=0 C=[] D=false E=false F=- G='a'|A=0 B=0 C=[] D=false E=false F=- G='a'" },
        { "from o in docs.Orders where o.Nope.Flag || !o.Nope select new { o.Count }", "Count=5|Count=1" },
    };

    [Theory]
    [MemberData(nameof(Maps))]
    public void Map_OfUsers_GivesItsRows(string map, string expected) =>
        Assert.Equal(expected, DefinitionBench.Run(DefinitionBench.Define([map]), DefinitionBench.Orders));

    public static TheoryData<string, string, string> Reduces => new()
    {
        {
            "from o in docs.Orders select new { o.Customer, Count = 1, Total = o.Lines.Sum(x => x.Price) }",
            "from r in results group r by r.Customer into g select new { Customer = g.Key, Count = g.Sum(x => x.Count), Total = g.Sum(x => x.Total) }",
            "Customer='customers/7-A' Count=1 Total=23.5|Customer='customers/8-A' Count=1 Total=0"
        },
        {
            "from o in docs.Orders from l in o.Lines select new { o.Customer, l.Title, N = l.Amount }",
            "from r in results group r by new { r.Customer, r.Title } into g select new { g.Key.Customer, g.Key.Title, N = g.Sum(x => x.N) }",
            "Customer='customers/7-A' Title='Cord' N=4|Customer='customers/7-A' Title='Lamp' N=2"
        },
        {
            "docs.Orders.Select(o => new { Y = 1, o.Paid, Count = 1 })",
            "results.GroupBy(r => new { r.Y }).Select(g => new { Y = g.Key.Y, Paid = g.Any(x => x.Paid), Count = g.Count() })",
            "Y=1 Paid=true Count=2"
        },
        {
            "from o in docs.Orders from l in o.Lines select new { Y = o.OrderedAt.Year, Min = l.Price, Max = l.Price, Names = new[] { l.Title }, N = 1, Avg = 0 }",
            "from r in results group r by r.Y into g let n = g.Sum(x => x.N) select new { Y = g.Key, Min = g.Min(x => x.Min), Max = g.Max(x => x.Max), Names = g.SelectMany(x => x.Names).Distinct(), N = n, Avg = (g.Min(x => x.Min) + g.Max(x => x.Max)) / n }",
            "Y=2025 Min=3 Max=20.5 Names=['Lamp','Cord'] N=2 Avg=11.75"
        },
        {
            "from o in docs.Orders select new { K = 1, o.OrderedAt, o.State }",
            "from r in results group r by r.K into g let last = g.OrderByDescending(x => x.OrderedAt).First() select new { K = g.Key, last.OrderedAt, last.State }",
            "K=1 OrderedAt='2025-02-14T09:15:00.0000000' State='Sent'"
        },
        {
            "from o in docs.Orders select new { K = o.Nope, N = 1 }",
            "from r in results group r by r.K into g select new { K = g.Key, N = g.Sum(x => x.N) }",
            "K=- N=2"
        },
    };

    [Theory]
    [MemberData(nameof(Reduces))]
    public void MapReduce_OfUsers_GivesItsRows(string map, string reduce, string expected) =>
        Assert.Equal(expected, DefinitionBench.Run(DefinitionBench.Define([map], reduce), DefinitionBench.Orders));

    public static TheoryData<string, string, string> Sources => new()
    {
        {
            "from o in docs.Orders select new { N = Words.Up(o.State) }",
            "public static class Words { public static string Up(string s) { return s.ToUpper(); } }",
            "N='SENT'|N='NEW'"
        },
        {
            "from o in docs.Orders select new { T = Money.Total(o), L = Money.Names(o.Lines) }",
            "using System.Linq; using System.Collections.Generic;\nnamespace Shop { public class Adder { public decimal Sum; public void Add(decimal d) { Sum += d; } }\npublic static class Money { public static decimal Total(dynamic o) { var a = new Adder(); foreach (var l in o.Lines) { a.Add((decimal)l.Price * (int)l.Amount); } return a.Sum; }\n public static string Names(IEnumerable<dynamic> ls) { var r = new List<string>(); foreach (var l in ls) r.Add((string)l.Title); return string.Join(\",\", r); } } }",
            "T=53.0 L='Lamp,Cord'|T=0 L=''"
        },
        {
            "from o in docs.Orders select new { A = U.Sum(o.Lines), B = U.Dig(o.To), C = U.Pad((string)o.State), D = U.Kind((int)o.Count) }",
            "using System.Linq; public static class U { static readonly string[] s_names = { \"zero\", \"one\" }; public static object Sum(dynamic ls) => ls.Where(l => l.Amount > 2).Sum(l => l.Price); public static dynamic Dig(dynamic x) => x == null ? \"nobody\" : x.Town; public static string Pad(string s) => s.PadLeft(6, '*') + new string('!', 2) + 7.ToString(\"D\" + 3); public static string Kind(int n) { switch (n) { case 1: return s_names[n]; default: return $\"many {n:N1}\"; } } }",
            "A=3 B='Gent' C='**Sent!!007' D='many 5.0'|A=0 B='nobody' C='***New!!007' D='one'"
        },
        {
            "from o in docs.Orders select new { A = V.Run((string)o.Customer) }",
            "using System; using System.Text; public static class V { public static string Run(string s) { var b = new StringBuilder(); Action<int> add = n => b.Append('x', n); add(2); Func<int, int> twice = n => Two(n); static int Two(int n) { return n * 2; } int i = 0; while (i < 2) { i++; b.Append(s.Replace(\"customers\", \"c\")).Insert(0, \"<\"); } return string.Format(\"{0}|{1}\", b, twice(4)) + DateTime.Parse(\"2025-01-02\").Year; } }",
            "A='<<xxc/7-Ac/7-A|82025'|A='<<xxc/8-Ac/8-A|82025'"
        },
    };

    [Theory]
    [MemberData(nameof(Sources))]
    public void AdditionalSource_OfUsers_IsCalled(string map, string source, string expected) => Assert.Equal(expected,
        DefinitionBench.Run(DefinitionBench.Define([map], null, ("Code.cs", source)), DefinitionBench.Orders));

    [Fact]
    public void MultiMap_OfTwoCollections_EachMapsItsOwn() => Assert.Equal("State='Sent'|State='New'|State='dog'",
        DefinitionBench.Run(
            DefinitionBench.Define([
                "from o in docs.Orders select new { o.State }", "from d in docs.Others select new { State = d.Kind }"]),
            [.. DefinitionBench.Orders, ("dogs/1", """{"Kind":"dog","State":"x"}""")]));

    [Fact]
    public void MultiMap_FieldsInOtherOrder_StandInOneOrder() => Assert.Equal("A=1 B=2|A=3 B=4", DefinitionBench.Run(
        DefinitionBench.Define([
            "from o in docs.Orders select new { A = 1, B = 2 }", "from d in docs.Others select new { B = 4, A = 3 }"]),
        DefinitionBench.Orders[0], ("dogs/1", "{}")));
}
