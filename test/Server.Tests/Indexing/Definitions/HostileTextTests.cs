using System.Diagnostics;
using System.Text;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Spatial;
using Jackdaw.Server.Indexing.Definitions.Model;
using Jackdaw.Server.Indexing.Definitions.Running;
using Jackdaw.Server.Indexing.Mapping;
using Jackdaw.Server.Queries.Evaluation;
using Jackdaw.Server.Queries.Language;
using Jackdaw.Server.Queries.Planning;
using Jackdaw.Server.Scripting;
using Xunit.Abstractions;

namespace Jackdaw.Server.Tests.Indexing.Definitions;

/// <summary>Texts of users, mutated at random and nested without end: each is taken, or refused with an exception that is documented, in
/// bounded time and memory; the process lives.</summary>
public sealed class HostileTextTests(ITestOutputHelper output)
{
    /// <summary>Far above what any of them takes, on a busy machine too.</summary>
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(60);

    /// <summary>Bytes that one text may take, altogether: the compilers make many short-lived objects.</summary>
    private const long AllocatedBytesMax = 1L << 30;

    private static readonly string[] s_pieces =
    [
        "(", ")", "[", "]", "{", "}", "'", "\"", "\"\"\"", "$\"", "=>", "x => x", "..", "?", "??", "?.", ",", ";", "//", "/*", "*/", "\n", "\0",
        "\uD800", "日", "9e999", "-1", "0x", "1_0", "<", ">", "<<", ">>=", "@", "#if", "\\u0041", "new", "new { A = o }", "select", "from x in o",
        "group", "let", "while (true) { }", "null", "this", "base", "typeof(int)", "async", "await ", "yield return", "ref ", "function", "class A { }",
        "...", "`${", "/a+/", "NaN", "POINT", "EMPTY", "POLYGON((", "d=", "sum(", "count()", "$p", "not ", " and ", "or", "group by", ".Select(o => ",
    ];

    private static readonly string[] s_definitions =
    [
        "from o in docs.Orders select new { o.Company, Total = o.Lines.Sum(l => l.Price * l.Quantity), Year = o.At.Year }",
        "docs.Orders.SelectMany(o => o.Lines, (o, l) => new { l.Product, N = l.Amount ?? 1, T = $\"{l.Title,5}\", _ = CreateField(\"a\", l.Price) })",
        "from o in docs.Orders let c = LoadDocument(o.Customer, \"C\") where c != null select new { c.Name, Kind = o.Paid ? \"a\" : \"b\" }",
    ];

    private static readonly string[] s_scripts =
    [
        "map('Users', u => ({ name: u.name, tags: u.tags.map(t => `${t}-x`), c: load(u.company, 'Companies').name }))",
        "map('Users', function (u) { for (const l of u.lines) { if (/a+/.test(l)) return { l, ...u }; } return [{ n: 1 }, createField('a', 1)]; })",
    ];

    private const string Analyzer = """
        using Lucene.Net.Analysis; using Lucene.Net.Analysis.Core; using Lucene.Net.Util;
        public sealed class A : Analyzer {
            protected override TokenStreamComponents CreateComponents(string f, TextReader r) {
                var words = new WhitespaceTokenizer(LuceneVersion.LUCENE_48, r);
                return new TokenStreamComponents(words, new LowerCaseFilter(LuceneVersion.LUCENE_48, words)); } }
        """;

    private static readonly string[] s_shapes =
    [
        "POINT (1 2)", "LINESTRING (1 2, 3 4, 5 6)", "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 2 1, 2 2, 1 1))", "CIRCLE(1.5 -2.5 d=10)",
        "ENVELOPE (-10, 10, 20, -20)", "BUFFER (LINESTRING (0 0, 1 1), 2)", "MULTIPOINT ((1 2), (3 4))", "GEOMETRYCOLLECTION (POINT (1 2), POINT (2 3))",
    ];

    private static readonly string[] s_queries =
    [
        "from Orders as o group by o.Company, o.Year where count() > 2 order by sum(o.Freight) desc select { C: key(), S: sum(x => x.A.B), N: count() }",
        "declare function f(x) { return { a: x } } from Users as u where search(u.Name, 'a*', and) and not exact(u.Age between 1 and $p) select f(u)",
        "from Places where spatial.within(spatial.point(Lat, Lng), spatial.wkt('POINT (1 2)')) "
            + "order by spatial.distance(spatial.point(Lat, Lng), spatial.point(1, 2))",
    ];

    [Theory]
    [InlineData("shape", "MULTIPOINT ((1 2), (3 1, 2 1, 2 2, 1 2), (3 4))")]
    public void Text_ThatWasOnceTakenWrongly_IsRefused(string kind, string text)
    {
        int taken = 0;
        Assert.Null(Try(kind, text, ref taken));
        Assert.Equal(0, taken);
    }

    [Theory]
    [InlineData("query", 3000)]
    [InlineData("shape", 3000)]
    [InlineData("script", 500)]
    [InlineData("definition", 100)]
    [InlineData("analyzer", 20)]
    public void Text_MutatedAtRandom_IsTakenOrRefused(string kind, int texts) => Run(kind, Environment.TickCount, texts);

    [Theory]
    [Trait("Tier", "Full")]
    [InlineData("query", 200_000)]
    [InlineData("shape", 200_000)]
    [InlineData("script", 30_000)]
    [InlineData("definition", 3000)]
    [InlineData("analyzer", 1000)]
    public void Text_MutatedAtRandomForLong_IsTakenOrRefused(string kind, int texts) => Run(kind, Environment.TickCount, texts);

    public static TheoryData<string, string, string, string> Nested => new()
    {
        { "definition", "from o in docs.Orders select new { A = ", "(", "1" },
        { "definition", "from o in docs.Orders select new { A = ", "o.L.Select(x => ", "1" },
        { "definition", "from o in docs.Orders select new { A = ", "new { B = ", "1" },
        { "definition", "from o in docs.Orders select new { A = ", "-", "1" },
        { "definition", "from o in docs.Orders select new { A = o", ".X", "" },
        { "definition", "from o in docs.Orders select new { A = 1", " + 1", "" },
        { "definition", "from o in docs.Orders select new { A = o", "?.X", "" },
        { "definition", "from o in docs.Orders select new { A = ", "$\"{", "" },
        { "definition", "from o in docs.Orders select new { A = ", "List<", "" },
        { "definition", "from o in docs.Orders ", "from p in o.L ", "select new { o.A }" },
        { "script", "map('Users', u => ", "(", "1" },
        { "script", "map('Users', u => ", "[", "1" },
        { "script", "map('Users', u => ", "x => ", "1" },
        { "script", "map('Users', u => u", ".x", ")" },
        { "script", "map('Users', u => 1", " + 1", ")" },
        { "script", "map('Users', u => ", "`${", "1" },
        { "script", "map('Users', u => ({ a: /", "(", "/ }))" },
        { "analyzer", "public class A { int x = ", "(", "1" },
        { "analyzer", "public class A { ", "class A { ", "" },
        { "analyzer", "public class A { void F() { ", "if (true) { ", "" },
        { "analyzer", "namespace A", ".B", " { }" },
        { "shape", "", "GEOMETRYCOLLECTION (", "POINT (1 2)" },
        { "shape", "POLYGON ", "(", "1 2" },
        { "shape", "", "BUFFER (", "POINT (1 2)" },
        { "shape", "LINESTRING (1 2", ", 1 2", ")" },
        { "query", "from Users where ", "(", "A = 1" },
        { "query", "from Users where ", "not ", "A = 1" },
        { "query", "from Users where A = 1", " or A = 1", "" },
        { "query", "from Users where ", "boost(", "A = 1" },
        { "query", "from Users where A", ".A", " = 1" },
        { "query", "from Users group by A", ".A", " select { x: count() }" },
        { "query", "from Users group by A select { x: ", "sum(", "A" },
        { "query", "from Users group by A select { x: sum(A", ".A", ") }" },
        { "query", "from Users as u select { x: ", "[", "1" },
    };

    [Theory]
    [MemberData(nameof(Nested))]
    public void Text_NestedOrRepeatedWithoutEnd_IsTakenOrRefused(string kind, string before, string repeated, string behind)
    {
        foreach (int count in (int[])[300, 5000, 100_000])
        {
            string text = before + new StringBuilder().Insert(0, repeated, count) + behind;
            if (Try(kind, text) is { } problem)
            {
                Assert.Fail($"{kind}, {count} times '{repeated}': {problem}");
            }
        }
    }

    private void Run(string kind, int seed, int texts)
    {
        output.WriteLine($"{kind}, seed {seed}");
        var random = new Random(seed);
        int taken = 0;
        for (int i = 0; i < texts; i++)
        {
            string text = Mutate(random, Pick(random, CorpusOf(kind)), CorpusOf(kind));
            string? problem = Try(kind, text, ref taken);
            Assert.True(problem is null, $"{kind}, seed {seed}, text {i}: {problem}\n{text}");
        }

        output.WriteLine($"{taken} of {texts} were taken");
        Assert.True(texts < 100 || taken > 0, "all were refused: the mutations are too wild to say anything");
    }

    private static string[] CorpusOf(string kind) => kind switch
    {
        "query" => s_queries,
        "shape" => s_shapes,
        "script" => s_scripts,
        "definition" => s_definitions,
        _ => [Analyzer],
    };

    private static string? Try(string kind, string text)
    {
        int taken = 0;
        return Try(kind, text, ref taken);
    }

    // What is wrong with how the text was handled; null when nothing is.
    private static string? Try(string kind, string text, ref int taken)
    {
        var watch = Stopwatch.StartNew();
        long before = GC.GetTotalAllocatedBytes();
        try
        {
            Take(kind, text);
            taken++;
        }
        catch (Exception refused) when (IsDocumented(refused))
        {
            // As it should be.
        }
        catch (Exception other)
        {
            return other.ToString();
        }

        long allocated = GC.GetTotalAllocatedBytes() - before;
        return watch.Elapsed > s_patience ? $"took {watch.Elapsed}" : allocated > AllocatedBytesMax ? $"took {allocated >> 20} MB" : null;
    }

    private static bool IsDocumented(Exception refused) => refused is IndexDefinitionException or AnalyzerCompilationException
        or InvalidQueryException or QueryNotSupportedException or JavaScriptParseException or FormatException;

    private static void Take(string kind, string text)
    {
        switch (kind)
        {
            case "query":
                QuerySyntax query = QueryParser.Parse(text);
                if (GroupedScript.Of(query) is { } grouped && query.GroupBy.Count > 0)
                {
                    _ = new ScriptProjection([new ScriptPart(grouped.DeclarationsFor("row"), "x")], grouped.Select, ["row"], []);
                }

                NeededIndex.Of(query);
                break;
            case "shape":
                ShapeReader.Read(text, new SpatialSettings());
                break;
            case "script":
                using (var engines = new ScriptEnginePool(ScriptLimits.Default))
                {
                    JavaScriptMapping.Make(DefinitionBench.Define([text]), engines).Dispose();
                }

                break;
            case "definition":
                using (CompiledDefinition compiled = DefinitionBench.Compile(DefinitionBench.Define([text])))
                {
                    DefinitionBench.MapAll(compiled, DefinitionBench.Orders);
                }

                break;
            default:
                CompiledAnalyzer.CompileAsync(new AnalyzerCode("A", text), default).GetAwaiter().GetResult().Dispose();
                break;
        }
    }

    private static string Mutate(Random random, string text, string[] corpus)
    {
        var made = new StringBuilder(text);
        for (int i = random.Next(0, 4); i >= 0; i--)
        {
            int at = random.Next(made.Length + 1);
            int length = Math.Min(random.Next(1, 12), made.Length - at);
            switch (random.Next(5))
            {
                case 0:
                    made.Remove(at, length);
                    break;
                case 1:
                    made.Insert(at, Pick(random, s_pieces));
                    break;
                case 2:
                    string part = made.ToString(at, length);
                    made.Insert(random.Next(made.Length + 1), part);
                    break;
                case 3:
                    string other = Pick(random, corpus);
                    int from = random.Next(other.Length);
                    made.Insert(at, other.AsSpan(from, Math.Min(random.Next(1, 40), other.Length - from)));
                    break;
                default:
                    made.Insert(at, Pick(random, s_pieces), random.Next(1, 60));
                    break;
            }
        }

        return made.ToString();
    }

    private static T Pick<T>(Random random, T[] values) => values[random.Next(values.Length)];
}
