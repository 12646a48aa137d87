using Jackdaw.Scripting.Projections;

namespace Jackdaw.Scripting.Tests;

/// <summary>Errors name a place of the text that the user wrote.</summary>
public sealed class ScriptErrorTests : IDisposable
{
    private readonly ScriptHarness _bench = new();

    public void Dispose() => _bench.Dispose();

    [Theory]
    [InlineData("{ a: o.a +, b: 1 }", 1, 11)]
    [InlineData("{ a: 1,\n  b: }", 2, 6)]
    public void Syntax_Wrong_NamesThePlace(string select, int line, int column)
    {
        var error = Assert.IsType<JavaScriptParseException>(Record.Exception(() => _bench.Rows(select)));
        Assert.Equal(ScriptError.Syntax, error.Error);
        Assert.Equal(new ScriptPosition("select", line, column), error.Place);
        Assert.Contains($"(at {line}:{column} of select)", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("{ a: 1, b: nothere }", 1, 12)]
    [InlineData("{ a: 1,\r\n  b: nothere }", 2, 6)]
    [InlineData("{ ...o, ...{}, b: nothere }", 1, 19)]
    [InlineData("{ ...o,\n ...{}, b: nothere }", 2, 12)]
    public void Thrown_InSelect_NamesThePlace(string select, int line, int column)
    {
        JavaScriptException error = Assert.Throws<JavaScriptException>(() => _bench.Rows(select));
        Assert.Equal(ScriptError.Thrown, error.Error);
        Assert.Equal(new ScriptPosition("select", line, column), error.Place);
        Assert.Contains("nothere", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Thrown_InAPartOfAQuery_NamesThePlaceInTheQuery()
    {
        var projection = new ScriptProjection(
            [new ScriptFragment("function f(o) {\n  throw new Error('mine'); }", "declare function f", 3, 9)],
            new ScriptFragment("f(o)", "select", 7, 20), ["o"], []);
        using var run = new ProjectionRun(_bench.Pool, projection, null, default);
        using var output = new Jackdaw.Json.PooledBuffer();
        JavaScriptException error = Assert.Throws<JavaScriptException>(
            () => run.Project([null], output, [], CancellationToken.None));
        Assert.Equal("declare function f", error.Place!.Value.Part);
        Assert.Equal(4, error.Place!.Value.Line);
        Assert.Contains("mine", error.Message, StringComparison.Ordinal);
        Assert.Equal(0, output.Length);
    }

    [Theory]
    [InlineData("{ a: o.b() }", "b")]
    [InlineData("{ a: o.s.nope() }", "nope")]
    public void Call_OfWhatIsThereAndNoFunction_IsAnError(string select, string named)
    {
        JavaScriptException error = Assert.Throws<JavaScriptException>(() => _bench.Rows(select, """{"b":1,"s":"x"}"""));
        Assert.Contains(named, error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("{}) ; (")]
    [InlineData("{}\n); while (true); (")]
    [InlineData("1; 2")]
    public void Select_ThatClosesWhatStandsAroundIt_Refused(string select) =>
        Assert.IsType<JavaScriptParseException>(Record.Exception(() => _bench.Rows(select)));

    [Theory]
    [InlineData("class")]
    [InlineData("a b")]
    [InlineData("a) { } (")]
    [InlineData("")]
    [InlineData("1a")]
    [InlineData("eval")]
    public void Alias_ThatIsNoName_Refused(string alias) =>
        Assert.IsType<JavaScriptParseException>(Record.Exception(() => _bench.Project("{}", [null], [alias])));

    [Fact]
    public void Alias_GivenTwice_Refused() =>
        Assert.IsType<JavaScriptParseException>(Record.Exception(() => _bench.Project("{}", [null, null], ["a", "a"])));

    [Fact]
    public void Thrown_LongMessage_IsCut()
    {
        JavaScriptException error = _bench.FailsIn("throw new Error('x'.repeat(100000));");
        Assert.InRange(error.Message.Length, 100, 1_000);
    }
}
