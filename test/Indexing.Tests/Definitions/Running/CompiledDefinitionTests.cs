using System.Text;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Definitions.Running;
using Jackdaw.Indexing.Definitions.Values;

namespace Jackdaw.Indexing.Tests.Definitions.Running;

/// <summary>What callers get of a compiled definition: names, references, exact numbers, messages, a cache, an end.</summary>
public sealed class CompiledDefinitionTests
{
    [Fact]
    public void Compiled_Definition_KnowsFieldsCollectionsAndReferences()
    {
        using CompiledDefinition compiled = DefinitionHarness.Compile(DefinitionHarness.Define([
            "from o in docs.Orders let c = LoadDocument(o.C, \"Customers\") select new { _ = CreateField(\"x\", 1), o.A, B = c.N }",
            "docs[\"Big Orders\"].Select(o => new { A = 1, B = LoadDocument(o.X, \"Shops\"), _ = 0 })"]));
        Assert.Equal(["A", "B"], compiled.Fields);
        Assert.Equal([["Orders"], ["Big Orders"]], compiled.Maps.Select(map => map.Collections));
        Assert.Equal(["Customers", "Shops"], compiled.ReferencedCollections);
        Assert.False(compiled.HasOtherReferences);
        Assert.False(compiled.HasReduce);
    }

    [Fact]
    public void Map_LoadingDocuments_ReportsFoundAndMissingOnes()
    {
        using CompiledDefinition compiled = DefinitionHarness.Compile(
            "from o in docs.Orders select new { A = LoadDocument(o.C, \"Customers\").Name, B = LoadDocument(\"gone/1\", \"Shops\"), " +
            "C = LoadDocument(o.C, \"Customers\"), D = NoTracking.LoadDocument(\"sellers/3\", \"Sellers\") }");
        using MapRun run = compiled.BeginMap(new DefinitionHarness.Loader());
        DefinitionHarness.MapOne(compiled, run, ("orders/9", """{"C":"customers/7-A"}"""));
        Assert.Equal(["customers/7-A Customers True", "gone/1 Shops False"],
            run.References.Select(r => $"{r.Id} {r.Collection} {r.IsFound}"));
        DefinitionHarness.MapOne(compiled, run, ("orders/9", "{}"));
        Assert.Equal("gone/1", Assert.Single(run.References).Id);
    }

    [Theory]
    [InlineData("9007199254740993", "o.N", "9007199254740993")]
    [InlineData("9007199254740993", "o.N + 1", "9007199254740994")]
    [InlineData("9223372036854775807", "o.N + 1", "9223372036854775808")]
    [InlineData("9223372036854775807", "o.N * 2", "18446744073709551614")]
    [InlineData("12345678901234567890", "o.N", "12345678901234567890")]
    [InlineData("12345678901234567890", "o.N + 1", "12345678901234567891")]
    [InlineData("0.1234567890123456789", "o.N + 1", "1.1234567890123456789")]
    [InlineData("1.50", "o.N", "1.50")]
    [InlineData("9007199254740993", "o.N == 9007199254740992", "false")]
    [InlineData("9007199254740993", "o.N > 9007199254740992.0", "true")]
    [InlineData("9007199254740993", "(decimal)o.N", "9007199254740993")]
    [InlineData("9007199254740993", "new[] { o.N, 1 }.Sum()", "9007199254740994")]
    [InlineData("1e400", "o.N", "1e400")]
    public void Number_OfManyDigits_StaysExact(string number, string expression, string expected) =>
        Assert.Equal("A=" + expected, DefinitionHarness.Run(
            DefinitionHarness.Define(["from o in docs.Orders select new { A = " + expression + " }"]),
            ("orders/1", "{\"N\":" + number + "}")));

    [Theory]
    [InlineData("o.N.Normalize(NormalizationForm.FormD).Length", "5")]
    [InlineData("((string)o.N).Normalize(NormalizationForm.FormD).Length", "5")]
    [InlineData("o.N.Normalize(NormalizationForm.FormD).Normalize() == o.N", "true")]
    [InlineData("((string)o.N).IsNormalized(NormalizationForm.FormD)", "false")]
    [InlineData("o.N.IsNormalized()", "true")]
    [InlineData("o.None.Normalize()", "-")]
    [InlineData("Regex.Replace(o.N.Normalize(NormalizationForm.FormD), \"\\\\p{M}\", \"\")", "'Cafe'")]
    [InlineData("Regex.IsMatch(o.N, \"^(\\\\w+)+$\")", "true")]
    [InlineData("Regex.IsMatch(o.N, \"(?=.*é)Caf\")", "true")]
    [InlineData("Regex.Match(o.N, \"(a)(f)\").Groups[2].Value", "'f'")]
    [InlineData("Regex.IsMatch(o.N, \"CAFÉ\", RegexOptions.IgnoreCase | RegexOptions.RightToLeft)", "true")]
    public void Text_BeyondAscii_IsNormalizedAndMatched(string expression, string expected) =>
        Assert.Equal("A=" + expected, DefinitionHarness.Run(
            DefinitionHarness.Define(["from o in docs.Orders select new { A = " + expression + " }"]), ("orders/1", """{"N":"Café"}""")));

    [Theory]
    [InlineData("from o in docs.Orders\nselect new { A = o. }", "Maps[0](2,21): CS1001: Identifier expected")]
    [InlineData("from o in docs.Orders\n  select new { A = o.B.Frobnicate() }", "Maps[0](2,24): CS1061: 'dynamic' does not contain a " +
        "definition for 'Frobnicate'.")]
    [InlineData("from o in docs.Orders\nselect new { T = DateTime.UtcNow }", "Maps[0](2,18): System.DateTime.UtcNow is not allowed in an " +
        "index definition. Entries must not depend on the time at which they are made. For documents that change with time set @refresh, " +
            "@expires or @archive-at in their metadata; compare with the time in the query.")]
    [InlineData("from o in docs.Orders let d = DateTime.Today where o.At < d select new { o.At }", "Maps[0](1,31): System.DateTime.Today is not " +
        "allowed in an index definition. Entries must not depend on the time at which they are made. For documents that change with time set " +
            "@refresh, @expires or @archive-at in their metadata; compare with the time in the query.")]
    [InlineData("from o in docs.Orders select new { A = o.At.ToLocalTime() }", "Maps[0](1,40): System.DateTime.ToLocalTime is not allowed in an " +
        "index definition. Entries must not depend on the server's time zone. Dates with an offset are UTC already, so leave the call out.")]
    [InlineData("from o in docs.Orders select new { A = unknown }", "Maps[0](1,40): CS0103: The name 'unknown' does not exist in the " +
        "current context. Definitions have the base library, their additional sources and the functions of indexes.")]
    [InlineData("from o in docs.Orders select o.A", "Maps[0](1,1): CS0266: The select of a map or reduce must give an object: select new { Name = ... }.")]
    [InlineData("from o in docs.Orders select new { o.A + 1 }", "Maps[0](1,36): A field needs a name: write 'Name = ' before this expression.")]
    [InlineData("docs.Orders.OrderBy(o => o.A).Select(o => new { o.A })", "Maps[0](1,13): 'OrderBy' cannot stand at the root of a map or " +
        "reduce, which sees one document or group at a time. Order and limit results in the query instead.")]
    [InlineData("from o in docs.Orders select new { A = o.B ?? o.C.Frob(), D = 1 }", "Maps[0](1,51): CS1061: 'dynamic' does not contain a " +
        "definition for 'Frob'.")]
    [InlineData("from o in results select new { o.A }", "Maps[0](1,1): A map must read documents: begin with 'from x in docs.Collection' or " +
        "'docs.Collection.Select(...)'.")]
    public void Error_InAMap_NamesLineAndColumn(string map, string expected)
    {
        IndexCompilationException fault = Assert.Throws<IndexCompilationException>(() => DefinitionHarness.Compile(map));
        Assert.Equal("Failed to compile index 'Test/Index': " + expected, fault.Message);
        Assert.Equal("Maps", fault.IndexDefinitionProperty);
        Assert.Equal(map, fault.ProblematicText);
    }

    [Fact]
    public void Error_InASource_NamesFileLineAndColumn()
    {
        IndexCompilationException fault = Assert.Throws<IndexCompilationException>(() => DefinitionHarness.Compile(
            "from o in docs.Orders select new { A = X.F() }",
            "public static class X\n{\n    public static object F()\n    {\n        var a = 1;\n        return System.IO.File.Exists(\"a\");\n    }\n}"));
        Assert.Equal("Failed to compile index 'Test/Index': Code.cs(6,16): System.IO.File.Exists is not allowed in an index " +
            "definition. Files cannot be read: store the content in a document and use LoadDocument.", fault.Message);
        Assert.Equal(("AdditionalSources", 6, 16), (fault.IndexDefinitionProperty, fault.Line, fault.Column));
    }

    [Theory]
    [InlineData("from r in results select new { r.A }", "must group")]
    [InlineData("from r in results where r.A > 1 group r by r.A into g select new { A = g.Key }", "must group")]
    [InlineData("from r in results group r by r.A into g select new { B = g.Key }", "Missing here: A; only here: B")]
    public void Reduce_OfAWrongShape_Refused(string reduce, string expected) => Assert.Contains(expected,
        Assert.ThrowsAny<IndexDefinitionException>(() => DefinitionHarness.Compile(
            DefinitionHarness.Define(["from o in docs.Orders select new { o.A }"], reduce))).Message, StringComparison.Ordinal);

    [Fact]
    public void Maps_OfDifferentFields_Refused() => Assert.Contains("Maps[1](1,25): All maps and the reduce must have the same fields. " +
        "Missing here: A; only here: B.",
        Assert.Throws<IndexCompilationException>(() => DefinitionHarness.Compile(DefinitionHarness.Define([
            "from o in docs.Orders select new { o.A }", "from d in docs.D select new { d.B }"]))).Message, StringComparison.Ordinal);

    [Fact]
    public void AdditionalAssembly_Any_RefusedByName() => Assert.Contains("'System.Private.Xml' cannot be used",
        Assert.Throws<IndexCompilationException>(() => DefinitionHarness.Compile(
            DefinitionHarness.Define(["from o in docs.Orders select new { o.A }"]) with
            {
                AdditionalAssemblies = [new AdditionalAssembly { AssemblyName = "System.Private.Xml" }],
            })).Message, StringComparison.Ordinal);

    [Fact]
    public void Map_ThatThrows_FailsForThatDocumentOnly() => Assert.Equal(
        "fails: Attempted to divide by zero.|A=5", DefinitionHarness.Run(
            DefinitionHarness.Define(["from o in docs.Orders select new { A = 10 / o.N }"]),
            ("orders/1", """{"N":0}"""), ("orders/2", """{"N":2}""")));

    [Fact]
    public void GroupKeys_OfEqualValues_AreEqual()
    {
        using CompiledDefinition compiled = DefinitionHarness.Compile(DefinitionHarness.Define(
            ["from o in docs.Orders select new { o.A }"],
            "from r in results group r by r.A into g select new { A = g.Key }"));
        using ReduceRun run = compiled.BeginReduce();
        string Key(string value) => run.KeyOf(Encoding.UTF8.GetBytes("{\"A\":" + value + "}"));
        Assert.Equal(Key("1"), Key("1.00"));
        Assert.Equal(Key("null"), run.KeyOf("{}"u8));
        Assert.Equal(Key("\"a\""), Key("\"\\u0061\""));
        string[] different = ["1", "\"1\"", "true", "null", "\"\"", "[1]", "[1,2]", "[12]", "{\"a\":1}", "9007199254740993", "9007199254740992"];
        Assert.Equal(different.Length, different.Select(Key).Distinct().Count());
    }

    [Fact]
    public async Task Cache_OfTheSameDefinition_IsLoadedWithoutCompiling()
    {
        IndexDefinition definition = DefinitionHarness.Define(["from o in docs.Orders select new { o.State }"]);
        using CompiledDefinition first = DefinitionHarness.Compile(definition);
        Assert.False(first.IsFromCache);
        using CompiledDefinition second =
            await CompiledDefinition.CompileAsync(definition, first.CachedBytes, CancellationToken.None);
        Assert.True(second.IsFromCache);
        Assert.Equal("State='Sent'|State='New'", DefinitionHarness.MapAll(second, DefinitionHarness.Orders));
    }

    [Fact]
    public async Task Cache_OfAnotherDefinitionOrDamaged_IsIgnored()
    {
        IndexDefinition definition = DefinitionHarness.Define(["from o in docs.Orders select new { o.State }"]);
        using CompiledDefinition first = DefinitionHarness.Compile(definition);
        IndexDefinition other = definition with { Maps = ["from o in docs.Orders select new { o.Count }"] };
        using CompiledDefinition changed =
            await CompiledDefinition.CompileAsync(other, first.CachedBytes, CancellationToken.None);
        Assert.False(changed.IsFromCache);
        byte[] damaged = [.. first.CachedBytes];
        damaged[^20] ^= 1;
        using CompiledDefinition again = await CompiledDefinition.CompileAsync(definition, damaged, CancellationToken.None);
        Assert.False(again.IsFromCache);
        using CompiledDefinition torn = await CompiledDefinition.CompileAsync(
            definition, first.CachedBytes.AsMemory(0, 40), CancellationToken.None);
        Assert.False(torn.IsFromCache);
    }

    [Fact]
    public void Map_OfTwelveFields_AllocatesLittle()
    {
        const int rounds = 2000;
        using CompiledDefinition compiled = DefinitionHarness.Compile(
            "from o in docs.Orders select new { o.Customer, o.Seller, o.OrderedAt, o.SentAt, o.Fee, o.State, o.Paid, o.Count, " +
            "Town = o.To.Town, Year = o.OrderedAt.Year, Total = o.Lines.Sum(l => l.Price * l.Amount), Late = o.SentAt > o.OrderedAt }");
        using MapRun run = compiled.BeginMap(new DefinitionHarness.Loader());
        byte[] json = Encoding.UTF8.GetBytes(DefinitionHarness.Orders[0].Json);
        var origin = new DocumentOrigin("orders/1-A", "Orders");
        void Map()
        {
            run.Begin(json, origin);
            Assert.True(run.MoveNext());
            Assert.False(run.MoveNext());
        }

        for (int i = 0; i < 200; i++)
        {
            Map();
        }

        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < rounds; i++)
        {
            Map();
        }

        Assert.InRange((GC.GetAllocatedBytesForCurrentThread() - before) / rounds, 0, 300);
    }
}
