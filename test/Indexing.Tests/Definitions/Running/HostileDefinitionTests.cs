using System.Diagnostics;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Definitions.Running;
using Jackdaw.TestKit;

namespace Jackdaw.Indexing.Tests.Definitions.Running;

/// <summary>Definitions that reach for what they must not have, or never end: refused when compiled, or stopped within a
/// budget while the process lives.</summary>
public sealed class HostileDefinitionTests
{
    public static TheoryData<string> Expressions => new(HostileDefinitions.Expressions);

    public static TheoryData<string> Shapes => new(HostileDefinitions.Shapes);

    public static TheoryData<string> Statements => new(HostileDefinitions.Statements);

    public static TheoryData<string> Sources => new(HostileDefinitions.Sources);

    public static TheoryData<string> EndlessMaps => new(HostileDefinitions.EndlessMaps);

    [Theory]
    [MemberData(nameof(Expressions))]
    public void Map_ReachingOut_Refused(string expression) =>
        Assert.Throws<IndexCompilationException>(() => DefinitionHarness.Compile(HostileDefinitions.Map(expression)));

    [Theory]
    [MemberData(nameof(Shapes))]
    public void Map_OfAWrongShape_Refused(string map) =>
        Assert.Throws<IndexCompilationException>(() => DefinitionHarness.Compile(map));

    [Theory]
    [MemberData(nameof(Statements))]
    public void Source_ReachingOut_Refused(string statements) =>
        Assert.Throws<IndexCompilationException>(() => DefinitionHarness.Compile(HostileDefinitions.Map("X.F()"), HostileDefinitions.Source(statements)));

    [Theory]
    [MemberData(nameof(Sources))]
    public void Source_WithRefusedDeclarations_Refused(string source) =>
        Assert.Throws<IndexCompilationException>(() => DefinitionHarness.Compile(HostileDefinitions.Map("X.F()"), source));

    public static TheoryData<string, string> Endless
    {
        get
        {
            var endless = new TheoryData<string, string>();
            foreach ((string statements, string members) in HostileDefinitions.Endless)
            {
                endless.Add(statements, members);
            }

            return endless;
        }
    }

    [Theory]
    [MemberData(nameof(Endless))]
    public void Source_WithoutAnEnd_Stopped(string statements, string members) =>
        AssertStopped(DefinitionHarness.Define([HostileDefinitions.Map("X.F()")], null, ("X.cs", HostileDefinitions.Source(statements, members))));

    [Theory]
    [MemberData(nameof(EndlessMaps))]
    public void Map_WithoutAnEnd_Stopped(string map) => AssertStopped(DefinitionHarness.Define([map]));

    [Fact]
    public void Definition_StoppedOnce_MapsTheNextDocument()
    {
        using CompiledDefinition compiled = DefinitionHarness.Compile(
            "from o in docs.Orders select new { A = o.B > 1 ? X.F() : \"ok\" }", HostileDefinitions.Source("while (true) { }"));
        using MapRun run = compiled.BeginMap(new DefinitionHarness.Loader());
        Assert.StartsWith("fails: The definition was stopped", DefinitionHarness.MapOne(compiled, run, ("orders/1", """{"B":2}""")));
        Assert.Equal("A='ok'", DefinitionHarness.MapOne(compiled, run, ("orders/2", """{"B":1}""")));
    }

    [Fact]
    public void Text_TooLong_Refused()
    {
        IndexCompilationException fault = Assert.Throws<IndexCompilationException>(() =>
            DefinitionHarness.Compile(HostileDefinitions.Map("\"" + new string('x', 70_000) + "\"")));
        Assert.Contains("65536 is the most", fault.Message, StringComparison.Ordinal);
    }

    /// <summary>Nested constructs, each of which costs the parser stack or time by its depth.</summary>
    public static TheoryData<string, string, string> Nested => new()
    {
        { "(", "1", ")" },
        { "$\"{(", "1", ")}\"" },
        { "$\"{", "1", "}\"" },
        { "", "o.B", "+1" },
        { "new A<", "int", ">()" },
        { "A<", "int", ">" },
        { "new Func<", "int", ">" },
        { "!", "true", "" },
        { "x => ", "1", "" },
        { "true ? ", "1", " : 1" },
        { "o.L.Select(x => ", "1", ")" },
        { "new { A = ", "1", "}" },
    };

    [Theory]
    [MemberData(nameof(Nested))]
    public void Expression_NestedTooDeeply_RefusedOrCompiled(string begin, string middle, string end)
    {
        // None may end the process or take long. The longest text of a definition allows this depth of a short construct.
        foreach (int depth in (int[])[300, 3000, 60_000 / (begin.Length + end.Length)])
        {
            string text = string.Concat(Enumerable.Repeat(begin, depth)) + middle + string.Concat(Enumerable.Repeat(end, depth));
            var time = Stopwatch.StartNew();
            Exception? fault = Record.Exception(() => DefinitionHarness.Compile(HostileDefinitions.Map(text)).Dispose());
            Assert.True(fault is null or IndexCompilationException, $"{fault}");
            Assert.InRange(time.Elapsed, TimeSpan.Zero, TimeSpan.FromSeconds(20));
        }
    }

    [Fact]
    public void Lambdas_NestedMoreThanEight_Refused()
    {
        string nested = string.Concat(Enumerable.Range(0, 14).Select(i => $"o.L.Sum(x{i} => ")) + "x0.P" + new string(')', 14);
        IndexCompilationException fault =
            Assert.Throws<IndexCompilationException>(() => DefinitionHarness.Compile(HostileDefinitions.Map(nested)));
        Assert.Contains("additional source", fault.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Compile_Cancelled_Ends()
    {
        using var cancelled = new CancellationTokenSource();
        await cancelled.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => CompiledDefinition.CompileAsync(
            DefinitionHarness.Define([HostileDefinitions.Map("o.B")]), default, cancelled.Token));
    }

    private static void AssertStopped(IndexDefinition definition)
    {
        using CompiledDefinition compiled = DefinitionHarness.Compile(definition);
        using MapRun run = compiled.BeginMap(new DefinitionHarness.Loader());
        long before = GC.GetAllocatedBytesForCurrentThread();
        long start = Environment.TickCount64;
        Assert.Throws<MapFailedException>(() =>
        {
            DefinitionHarness.Begin(run, ("orders/1", """{"L":[1,2,3,4,5,6,7,8,9,10],"B":1,"S":"xxxxxxxxxxxxxxxx"}"""));
            while (run.MoveNext())
            {
            }
        });
        Assert.InRange(Environment.TickCount64 - start, 0, 30_000);

        // The budget, one doubling beyond it, and what the look itself costs.
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 256L << 20);
    }
}
