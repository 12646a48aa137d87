using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Definitions.Running;
using Jackdaw.Indexing.Mapping;
using Jackdaw.Indexing.Sources;
using Jackdaw.Indexing.Tests.Definitions.Running;
using Jackdaw.Scripting;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Spatial;
using Jackdaw.TestKit;

namespace Jackdaw.Indexing.Tests.Mapping;

/// <summary>Hostile texts of what users write into definitions of indexes.</summary>
internal static class HostileKinds
{
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

    public static HostileTexts Of(string kind) => kind switch
    {
        "shape" => new HostileTexts(kind, s_shapes, text => ShapeReader.Read(text, new SpatialSettings()), IsDocumented),
        "script" => new HostileTexts(kind, s_scripts, TakeScript, IsDocumented),
        "definition" => new HostileTexts(kind, s_definitions, TakeDefinition, IsDocumented, hasOwnThread: true),
        _ => new HostileTexts(kind, [Analyzer], TakeAnalyzer, IsDocumented, hasOwnThread: true),
    };

    private static bool IsDocumented(Exception refused) =>
        refused is IndexDefinitionException or AnalyzerCompilationException or JavaScriptParseException or FormatException;

    private static void TakeScript(string text)
    {
        using var engines = new ScriptEnginePool(ScriptLimits.Default);
        JavaScriptMapping.Make(DefinitionHarness.Define([text]), KnownSources.Default, engines).Dispose();
    }

    private static void TakeDefinition(string text)
    {
        using CompiledDefinition compiled = DefinitionHarness.Compile(DefinitionHarness.Define([text]));
        DefinitionHarness.MapAll(compiled, DefinitionHarness.Orders);
    }

    private static void TakeAnalyzer(string text) =>
        CompiledAnalyzer.CompileAsync(new UserCode("A", text), default).GetAwaiter().GetResult().Dispose();
}
