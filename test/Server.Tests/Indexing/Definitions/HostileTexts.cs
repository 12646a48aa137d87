using System.Diagnostics;
using System.Text;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Definitions.Running;
using Jackdaw.Indexing.Mapping;
using Jackdaw.Indexing.Sources;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning;
using Jackdaw.Queries.Planning.Projections;
using Jackdaw.Scripting;
using Jackdaw.Scripting.Projections;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Spatial;
using Xunit.Abstractions;

namespace Jackdaw.Server.Tests.Indexing.Definitions;

/// <summary>Handles hostile texts and says what was wrong with it: an exception that is not documented, too much time, too much memory.</summary>
internal static class HostileTexts
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

    /// <summary>A text with one of its parts repeated, more often each time.</summary>
    public static void RunNested(string kind, string before, string repeated, string behind)
    {
        int taken = 0;
        foreach (int count in (int[])[300, 5000, 100_000])
        {
            string text = before + new StringBuilder().Insert(0, repeated, count) + behind;
            if (Try(kind, text, ref taken) is { } problem)
            {
                Assert.Fail($"{kind}, {count} times '{repeated}': {problem}");
            }
        }
    }

    /// <summary>Texts mutated at random.</summary>
    public static void Run(ITestOutputHelper output, string kind, int seed, int texts)
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
        Assert.True(texts < 1000 || taken > 0, "all were refused: the mutations are too wild to say anything"); // of a hundred that happens by chance
    }

    private static string[] CorpusOf(string kind) => kind switch
    {
        "query" => s_queries,
        "shape" => s_shapes,
        "script" => s_scripts,
        "definition" => s_definitions,
        _ => [Analyzer],
    };

    /// <summary>What is wrong with how the text was handled; null when nothing is.</summary>
    public static string? Try(string kind, string text, ref int taken)
    {
        var watch = Stopwatch.StartNew();
        long before = AllocatedBytes(kind);
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

        long allocated = AllocatedBytes(kind) - before;
        return watch.Elapsed > s_patience ? $"took {watch.Elapsed}" : allocated > AllocatedBytesMax ? $"took {allocated >> 20} MB" : null;
    }

    // The compiler has a thread of its own: all of the process is counted then, and nothing else may run beside it.
    private static long AllocatedBytes(string kind) =>
        IsCompiled(kind) ? GC.GetTotalAllocatedBytes(precise: true) : GC.GetAllocatedBytesForCurrentThread();

    private static bool IsCompiled(string kind) => kind is "definition" or "analyzer";

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
                    _ = new ScriptProjection([new ScriptFragment(grouped.DeclarationsFor("row"), "x")], grouped.Select, ["row"], []);
                }

                NeededIndex.Of(query);
                break;
            case "shape":
                ShapeReader.Read(text, new SpatialSettings());
                break;
            case "script":
                using (var engines = new ScriptEnginePool(ScriptLimits.Default))
                {
                    JavaScriptMapping.Make(DefinitionBench.Define([text]), KnownSources.Default, engines).Dispose();
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
