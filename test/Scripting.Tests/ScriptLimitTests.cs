using System.Diagnostics;

namespace Jackdaw.Scripting.Tests;

/// <summary>Each limit has an error of its own that says what to do; below it a script runs.</summary>
public sealed class ScriptLimitTests
{
    private static readonly ScriptLimits s_small = new()
    {
        Statements = 500,
        MemoryBytes = 4 * 1024 * 1024,
        Recursion = 20,
        ArrayLength = 1_000,
        TextLength = 10_000,
        OutputBytes = 2_000,
        Loads = 3,
    };

    [Theory]
    [InlineData(ScriptError.Statements, "for (let i = 0; i < 1000; i++) ;")]
    [InlineData(ScriptError.Memory, "let s = 'x'; for (let i = 0; i < 40; i++) s += s;")]
    [InlineData(ScriptError.Recursion, "const f = n => n && f(n - 1); f(30);")]
    [InlineData(ScriptError.ArrayLength, "new Array(1001).fill(0);")]
    [InlineData(ScriptError.TextLength, "'x'.repeat(10001);")]
    [InlineData(ScriptError.RegexTime, "/^(a+)+$/.test('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!');")]
    [InlineData(ScriptError.OutputLength, "return { x: 'x'.repeat(2001) };")]
    [InlineData(ScriptError.Loads, "for (let i = 0; i < 4; i++) load('a/' + i);")]
    [InlineData(ScriptError.Result, "const x = {}; x.x = x; return { x };")]
    [InlineData(ScriptError.Result, "return { x: () => 1 };")]
    [InlineData(ScriptError.Result, "return { x: Symbol() };")]
    [InlineData(ScriptError.Result, "return { get x() { return 1; } };")]
    [InlineData(ScriptError.Result, "return { x: new Map([[1, 2]]) };")]
    [InlineData(ScriptError.Result, "return 5;")]
    [InlineData(ScriptError.Thrown, "throw new Error('mine');")]
    public void Limit_Passed_HasItsOwnError(ScriptError expected, string statements)
    {
        using var bench = new ScriptHarness(s_small);
        JavaScriptException error = bench.FailsIn(statements);
        Assert.Equal(expected, error.Error);
        Assert.Equal("{}", bench.Row("{}"));
    }

    [Theory]
    [InlineData("for (let i = 0; i < 100; i++) ;")]
    [InlineData("const f = n => n && f(n - 1); f(10);")]
    [InlineData("new Array(400).fill(0);")]
    [InlineData("'x'.repeat(9999);")]
    [InlineData("/^(a+)+$/.test('aaaaaaaaaaaaa!');")]
    [InlineData("for (let i = 0; i < 9; i++) load('a/' + i % 3);")]
    public void Limit_NotReached_Runs(string statements)
    {
        using var bench = new ScriptHarness(s_small);
        Assert.Equal("{}", bench.Row("f(o)", functions: $"function f(o) {{ {statements} return {{}}; }}"));
    }

    [Theory]
    [InlineData("load(['a/1', 'a/2', 'a/3', 'a/4']);")]
    [InlineData("for (let i = 1; i < 5; i++) load('a/' + i);")]
    [InlineData("cmpxchg(['k', 'k', 'k', 'k']);")]
    [InlineData("load(['a/1', 'a/2']); cmpxchg('k'); counter(o, 'c');")]
    public void Limit_LoadedBytesPassed_EndsTheCallThatLoads(string statements)
    {
        using var bench = new ScriptHarness(new ScriptLimits { LoadedBytes = 3_000 });
        for (int i = 1; i < 5; i++)
        {
            bench.Store($"a/{i}", "{}");
        }

        bench.CompareExchange["k"] = "{}";
        bench.Counters["orders/1 c"] = "1";
        JavaScriptException error = bench.FailsIn(statements);
        Assert.Equal(ScriptError.Loads, error.Error);
        Assert.Contains("3000 bytes", error.Message, StringComparison.Ordinal);
        Assert.True(bench.Loads < 4, $"{bench.Loads} loads");
        Assert.Equal("{}", bench.Row("f(o)", functions: "function f(o) { load(['a/1', 'a/2', 'a/3', 'a/1']); return {}; }"));
    }

    [Theory]
    [InlineData("[1].join('x'.repeat(6000)); 'x'.repeat(6000);")]
    [InlineData("'x'.padStart(10001);")]
    [InlineData("'x'.padEnd(10001);")]
    [InlineData("const s = 'x'.repeat(3000); s.concat(s, s, s);")]
    [InlineData("const s = 'x'.repeat(900); s.split('');")]
    [InlineData("const s = 'x'.repeat(900); s.match(/x/g);")]
    [InlineData("const s = 'x'.repeat(900); s.replaceAll('x', '12345678901234');")]
    [InlineData("const s = 'x'.repeat(900); s.replace(/x/g, '12345678901234');")]
    [InlineData("const s = 'x'.repeat(900); s.replace(/x/g, \"$'\");")]
    [InlineData("new Array(900).join('x'.repeat(90));")]
    [InlineData("String(new Array(400).fill('x'.repeat(90)));")]
    [InlineData("JSON.stringify(new Array(400).fill('x'.repeat(90)));")]
    [InlineData("let a = []; for (let i = 0; i < 15; i++) a = [a, a]; a.flat(Infinity);")]
    public void TextFunction_ThatMakesTooMuch_Refused(string statements)
    {
        using var bench = new ScriptHarness(s_small);
        Assert.Equal(ScriptError.TextLength, bench.FailsIn(statements).Error);
    }

    [Fact]
    public void Time_Passed_HasItsOwnError()
    {
        using var bench = new ScriptHarness(new ScriptLimits { TotalMs = 50, Statements = int.MaxValue - 1 });
        Assert.Equal(ScriptError.Time, bench.FailsIn("while (true) ;").Error);
    }

    [Fact]
    public void Cancellation_OfARunningScript_StopsIt()
    {
        using var bench = new ScriptHarness(new ScriptLimits { TotalMs = 60_000, Statements = int.MaxValue - 1 });
        using var source = new CancellationTokenSource(TimeSpan.FromMilliseconds(50));
        var watch = Stopwatch.StartNew();
        Assert.ThrowsAny<OperationCanceledException>(() => bench.Project(
            "(() => { while (true) ; })()", [], [], cancellation: source.Token));
        Assert.InRange(watch.ElapsedMilliseconds, 0, 20_000);
        Assert.Equal("{}", bench.Row("{}"));
    }

    [Theory]
    [InlineData("try { while (true) ; } catch { return {}; }")]
    [InlineData("try { while (true) ; } finally { return {}; }")]
    [InlineData("while (true) { try { 'x'.repeat(1e9); } catch { } }")]
    public void Limit_InsideTry_CannotBeCaught(string statements)
    {
        using var bench = new ScriptHarness(s_small);
        Assert.NotEqual(ScriptError.Thrown, bench.FailsIn(statements).Error);
    }

    [Fact]
    public void Syntax_TooDeepOrTooLong_Refused()
    {
        using var bench = new ScriptHarness();
        Assert.Equal(ScriptError.Refused, bench.Fails(new string(' ', ScriptLimits.TextLengthMax)).Error);
        foreach (string deep in new[] { "(", "[", "-", "!", "{a:", "x=>", "f(", "a?b:", "new ", "`${", "...[", "yield " })
        {
            string text = string.Concat(Enumerable.Repeat(deep, 60_000 / deep.Length));
            Assert.IsType<JavaScriptParseException>(bench.Fails(text + "1"));
        }

        foreach (string wide in new[] { "1+", "o.a||", "o.", "1,", "o[0].", "a**" })
        {
            string text = string.Concat(Enumerable.Repeat(wide, 60_000 / wide.Length));
            Assert.NotNull(Record.Exception(() => bench.Row($"{{ v: ({text}a) }}")));
        }

        Assert.Equal(ScriptError.Refused, bench.Fails($"[{string.Concat(Enumerable.Repeat("...[],", 17))}]").Error);
        Assert.Equal("[]", bench.Value($"[{string.Concat(Enumerable.Repeat("...[],", 16))}]"));
        Assert.Equal(ScriptError.Refused, bench.Fails($"`{string.Concat(Enumerable.Repeat("${1}", 17))}`").Error);
        Assert.Equal(ScriptError.Refused, bench.Fails($"Math.max({string.Concat(Enumerable.Repeat("...[],", 17))})").Error);
    }
}
