using Jackdaw.Scripting.Projections;

namespace Jackdaw.Scripting.Tests;

/// <summary>Every helper of scripts: what it gives, and what it says to what it cannot use.</summary>
public sealed class ScriptHelperTests : IDisposable
{
    private const string Order = """{"Company":"companies/1","Big":12345678901234567890,"F":1.50,"@metadata":{"@collection":"Orders","X":"y"}}""";

    private readonly ScriptHarness _bench = new();

    public ScriptHelperTests()
    {
        _bench.Store("companies/1", """{"Name":"Alfreds","Owner":"employees/1"}""");
        _bench.Store("employees/1", """{"First":"Ann"}""");
        _bench.CompareExchange["k"] = """{"n":7}""";
        _bench.Counters["orders/1 Likes"] = "9007199254740993";
    }

    public void Dispose() => _bench.Dispose();

    [Theory]
    [InlineData("id(o)", "\"orders/1\"")]
    [InlineData("id(null)", "null")]
    [InlineData("'Café'.normalize('NFD').replace(/[\\u0300-\\u036f]/g, '')", "\"Cafe\"")]
    [InlineData("'Cafe\\u0301'.normalize() === 'Café'", "true")]
    [InlineData("['é', 'f', 'E', 'e', 'z', 'ä'].sort((a, b) => a.localeCompare(b)).join('')", "\"äeEéfz\"")]
    [InlineData("'é'.localeCompare('f') + 'a'.localeCompare('A') + 'b'.localeCompare('a')", "-1")]
    [InlineData("'a'.localeCompare('Á', undefined, { sensitivity: 'base' }) + 'a'.localeCompare('A', 'fr', { sensitivity: 'accent' })", "0")]
    [InlineData("'a'.localeCompare('á', [], { sensitivity: 'case' }) + 'a'.localeCompare('b', [], { sensitivity: 'base', numeric: false })", "-1")]
    [InlineData("'a'.localeCompare('á', [], { sensitivity: 'accent' }) + ['a'.localeCompare('A', [], { sensitivity: 'case' })]", "\"-1-1\"")]
    [InlineData("'a'.localeCompare('A', [], { sensitivity: 'variant' }) + 'a'.localeCompare('A', [], {})", "-2")]
    [InlineData("'straße'.toUpperCase() + 'ﬁ'.toLocaleUpperCase() + 'É'.toLowerCase()", "\"STRASSEFIé\"")]
    [InlineData("'ΟΔΟΣ ΣΑΣ Σ'.toLowerCase()", "\"οδος σας σ\"")]
    [InlineData("(1234.5).toLocaleString()", "\"1,234.5\"")]
    [InlineData("toStringWithFormat(null, '000')", "null")]
    [InlineData("toStringWithFormat(o.None, '000') === undefined", "true")]
    [InlineData("convertJsTimeToTimeSpanString(null)", "null")]
    [InlineData("id({})", "null")]
    [InlineData("getMetadata(o)['@collection']", "\"Orders\"")]
    [InlineData("getMetadata(o).X", "\"y\"")]
    [InlineData("getMetadata(o)['@id']", "\"orders/1\"")]
    [InlineData("getMetadata(o)['@change-vector']", "\"A:1-x\"")]
    [InlineData("getMetadata(o)['@last-modified']", "\"2026-01-02T03:04:05.6780000Z\"")]
    [InlineData("getMetadata(load('none'))", "null")]
    [InlineData("o['@metadata'].X", "\"y\"")]
    [InlineData("o['@metadata']['@id'] + load(o.Company)['@metadata']['@id']", "\"orders/1companies/1\"")]
    [InlineData("o['@metadata']['@change-vector'] === getMetadata(o)['@change-vector']", "true")]
    [InlineData("o['@metadata']['@last-modified'] === getMetadata(o)['@last-modified']", "true")]
    [InlineData("Object.keys(o['@metadata']).join()", "\"@collection,X\"")]
    [InlineData("lastModified(o)", "\"2026-01-02T03:04:05.6780000Z\"")]
    [InlineData("lastModified(o).getUTCFullYear()", "2026")]
    [InlineData("lastModified({})", "null")]
    [InlineData("load(o.Company).Name", "\"Alfreds\"")]
    [InlineData("load(load(o.Company).Owner).First", "\"Ann\"")]
    [InlineData("id(load('COMPANIES/1'))", "\"companies/1\"")]
    [InlineData("load(['companies/1', 'none', null]).map(c => c && c.Name)", "[\"Alfreds\",null,null]")]
    [InlineData("load('none')", "null")]
    [InlineData("load(o.None)", "null")]
    [InlineData("load('companies/1') === load('companies/1')", "true")]
    [InlineData("cmpxchg('k').n", "7")]
    [InlineData("cmpxchg('none')", "null")]
    [InlineData("counter(o, 'Likes')", "9007199254740993")]
    [InlineData("counter('orders/1', 'Likes') > 1", "true")]
    [InlineData("counter(o, 'None')", "null")]
    [InlineData("counter(load('none'), 'Likes')", "null")]
    [InlineData("counterRaw(o, 'Likes')['A-x']", "9007199254740993")]
    [InlineData("counterRaw(o, 'None')", "null")]
    [InlineData("Math.round(spatial.distance(52.52, 13.405, 48.8566, 2.3522))", "877")]
    [InlineData("Math.round(spatial.distance(52.52, 13.405, 48.8566, 2.3522, 'miles'))", "545")]
    [InlineData("toStringWithFormat(new Date('2020-02-03T04:05:06Z'), 'yyyy-MM')", "\"2020-02\"")]
    [InlineData("toStringWithFormat('2020-02-03T04:05:06.0000000Z', 'dd MMM', 'en-US')", "\"03 Feb\"")]
    [InlineData("toStringWithFormat(1234.5, 'en-US', 'N1')", "\"1,234.5\"")]
    [InlineData("toStringWithFormat(7, 'D3')", "\"007\"")]
    [InlineData("toStringWithFormat(1.5)", "\"1.5\"")]
    [InlineData("toStringWithFormat(true)", "\"True\"")]
    [InlineData("toStringWithFormat('abc', 'yyyy')", "\"abc\"")]
    [InlineData("convertJsTimeToTimeSpanString(93784005)", "\"1.02:03:04.0050000\"")]
    [InlineData("convertJsTimeToTimeSpanString(-1000)", "\"-00:00:01\"")]
    [InlineData("scalarToRawString(o, x => x.Big)", "\"12345678901234567890\"")]
    [InlineData("scalarToRawString(o, x => x.F)", "\"1.50\"")]
    [InlineData("scalarToRawString(o, x => x.Company)", "\"companies/1\"")]
    [InlineData("scalarToRawString(o, x => x.None)", "null")]
    [InlineData("raven_min(3, 1, 2)", "1")]
    [InlineData("raven_max(3, null, undefined)", "3")]
    [InlineData("raven_max('a', 'b')", "\"b\"")]
    [InlineData("raven_min(new Date(1000), new Date(0))", "\"1970-01-01T00:00:00.0000000Z\"")]
    [InlineData("raven_max()", "null")]
    [InlineData("exact(0.1, '+', 0.2)", "0.3")]
    [InlineData("exact(1, '/', 3)", "0.3333333333333333333333333333")]
    [InlineData("exact(-7, '//', 2)", "-3")]
    [InlineData("exact(7.5, '%', 2)", "1.5")]
    [InlineData("exact(null, '+', 1)", "null")]
    [InlineData("exact(exact(9007199254740991, '+', 2), '*', 1000)", "9007199254740993000")]
    [InlineData("exact(1e300, '+', 1)", "1E+300")]
    public void Helper_OfAScript_Gives(string expression, string expected) =>
        Assert.Equal(expected, _bench.Value(expression, Order));

    [Theory]
    [InlineData("getMetadata({})", "getMetadata()")]
    [InlineData("'a'.localeCompare('b', [], { numeric: true })", "no option 'numeric'")]
    [InlineData("'a'.localeCompare('b', [], { sensitivity: 'none' })", "base, accent, case or variant, not 'none'")]
    [InlineData("load(5)", "load()")]
    [InlineData("cmpxchg({})", "cmpxchg()")]
    [InlineData("timeseries(o, 'x')", "timeseries() is not supported yet")]
    [InlineData("spatial.distance(1, 2, 'x', 4)", "Argument 3 of spatial.distance()")]
    [InlineData("spatial.distance(1, 2, 3, 4, 'furlongs')", "kilometers")]
    [InlineData("toStringWithFormat({}, 'N')", "toStringWithFormat()")]
    [InlineData("toStringWithFormat(1, 5)", "Argument 2 of toStringWithFormat()")]
    [InlineData("toStringWithFormat(1, 'D1000')", "format")]
    [InlineData("toStringWithFormat(1, 'Q')", "format")]
    [InlineData("toStringWithFormat(1, '0'.repeat(65))", "64")]
    [InlineData("convertJsTimeToTimeSpanString('x')", "convertJsTimeToTimeSpanString()")]
    [InlineData("convertJsTimeToTimeSpanString(1e300)", "convertJsTimeToTimeSpanString()")]
    [InlineData("scalarToRawString(o)", "scalarToRawString()")]
    [InlineData("scalarToRawString(o, x => x)", "scalarToRawString()")]
    [InlineData("raven_min(1, 'a')", "one kind")]
    public void Helper_WithWhatItCannotUse_SaysSo(string expression, string said)
    {
        JavaScriptException error = _bench.Fails(expression, Order);
        Assert.Equal(ScriptError.Thrown, error.Error);
        Assert.Contains(said, error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Load_OfOneIdTwice_AsksTheHostOnce()
    {
        _bench.Row("{ a: load('companies/1'), b: load('Companies/1') }");
        Assert.Equal(1, _bench.Loads);
    }

    [Fact]
    public void Output_OfAScript_ReachesTheHost()
    {
        _bench.Row("{ a: output('x', { n: 1 }), b: console.log([1, undefined]), c: include('companies/1') }");
        Assert.Equal(["x", """{"n":1}""", "[1,null]"], _bench.Lines);
        Assert.Equal(["companies/1"], _bench.Included);
    }

    [Theory]
    [InlineData("load('a')")]
    [InlineData("cmpxchg('a')")]
    [InlineData("include('a')")]
    public void Helper_WithoutAHost_IsNotAvailable(string expression)
    {
        var projection = new ScriptProjection([], new ScriptFragment($"{{ v: {expression} }}", "select"), ["o"], []);
        foreach (IScriptHost? host in new[] { null, new EmptyHost() })
        {
            using var run = new ProjectionRun(_bench.Pool, projection, host, default);
            using var output = new Jackdaw.Json.PooledBuffer();
            JavaScriptException error = Assert.Throws<JavaScriptException>(
                () => run.Project([null], output, [], CancellationToken.None));
            Assert.Contains("not available", error.Message, StringComparison.Ordinal);
        }
    }

    private sealed class EmptyHost : IScriptHost;
}
