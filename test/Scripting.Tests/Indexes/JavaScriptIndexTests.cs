using System.Text;
using Jackdaw.Json;
using Jackdaw.Scripting.Indexes;

namespace Jackdaw.Scripting.Tests.Indexes;

/// <summary>Definitions of indexes in JavaScript: what they are compiled to, and the rows they give.</summary>
public sealed class JavaScriptIndexTests : IDisposable
{
    private readonly ScriptEnginePool _pool = new(ScriptLimits.Default);

    public void Dispose() => _pool.Dispose();

    [Theory]
    [InlineData("map('Users', u => ({ n: u.Name, missing: u.None }))", "n:Value=\"Ann\";missing:Missing=")]
    [InlineData("map('Users', function (u) { if (u.Age > 99) { return { n: 1 }; } });", "")]
    [InlineData("map('Users', u => u.Tags.map(t => ({ t })))", "t:Value=\"a\"|t:Value=\"b\"")]
    [InlineData("map('Users', u => ({ _: createField('Color', u.Name, { storage: true }) }))", "Color:Dynamic=\"Ann\"{\"storage\":true}")]
    [InlineData("map('Users', u => ({ _: { $value: u.Name, $name: 'N' } }))", "N:Dynamic=\"Ann\"")]
    [InlineData("map('Users', u => ({ _: u.Tags.map(t => createField(t, 1)) }))", "a:Dynamic=1;b:Dynamic=1")]
    [InlineData("map('Users', u => ({ at: createSpatialField(1.5, 2) }))", "at:Spatial=\"POINT (2 1.5)\"")]
    [InlineData("map('Users', u => ({ v: createVector([1, 2]) }))", "v:Value={\"@vector\":[1,2]}")]
    [InlineData("map('Users', u => ({ c: load(u.Company, 'Companies').Name }))", "c:Value=\"Alfreds\"")]
    [InlineData("map('Users', u => ({ all: recurse(u.Root, x => x.Kids).map(x => x.n) }))", "all:Value=[1,2,3]")]
    [InlineData("map('Users', u => ({ n: counterNamesFor(u).length }))", "n:Value=0")]
    [InlineData("map('Users', u => ({ n: mr(u.Name) }))", "n:Value=\"Mr. Ann 1\"")]
    [InlineData("map('Users', u => ({ n: tryConvertToNumber(u.Name) || -1, m: tryConvertToNumber('2.5'), b: tryConvertToNumber(u.None) }))",
        "n:Value=-1;m:Value=2.5;b:Value=null")]
    [InlineData("map('Users', u => ({ n: !!metadataFor(u)['@counters'] }))", "n:Value=false")]
    [InlineData("map('Users', u => ({ n: typeof later === 'function' ? later(u) : parseInt('7') }))", "n:Value=7")]
    public void Map_OfADocument_GivesRows(string map, string expected)
    {
        var host = new Host();
        var index = new JavaScriptIndex(_pool, [map], null, new Dictionary<string, string>
        {
            ["The Script"] = "let n = 0; function mr(x) { return `Mr. ${x} ${++n}`; }",
        });
        Assert.Equal(new JavaScriptMap(JavaScriptMapSource.Documents, "Users", null), Assert.Single(index.Maps));
        using var run = new JavaScriptIndexRun(_pool, index, host);
        for (int i = 0; i < 2; i++)
        {
            using var rows = new JavaScriptRows();
            run.Map(0, User(), rows, CancellationToken.None);
            Assert.Equal(expected, string.Join('|', rows.Rows.Select(row => string.Join(';', row.Fields.Select(field =>
                $"{field.Name}:{field.Kind}={Encoding.UTF8.GetString(rows.TextOf(field))}{field.Options}")))));
        }

        Assert.Equal(map.Contains("load(", StringComparison.Ordinal) ? 2 : 0, host.References.Count);
    }

    [Theory]
    [InlineData("map('Users', u => ({\n n: nothing(u) }))", null, "map 1", 2, 5)]
    [InlineData("map('Users', u => ({ n: new Nothing(u.Name) }))", null, "map 1", 1, 29)]
    [InlineData("map('Users', u => ({ n: 1 }))", "groupBy(x => x.n).aggregate(g => ({ n: nothing(g) }))", "reduce", 1, 40)]
    [InlineData("map('Users', u => ({ n: d.Nothing, m: nothing }))", null, "map 1", 1, 25)]
    [InlineData("map('Users', u => { nothing = 5; return { n: nothing } })", null, "map 1", 1, 21)]
    [InlineData("map('Users', u => ({ [nothing]: 1 }))", null, "map 1", 1, 23)]
    [InlineData("map('Users', u => ({ nothing }))", null, "map 1", 1, 22)]
    [InlineData("map('Users', u => u.Tags.map(t => t + `${nothing}`))", null, "map 1", 1, 42)]
    public void Name_ThatNothingDefines_Refused(string map, string? reduce, string part, int line, int column)
    {
        JavaScriptParseException fault = Assert.Throws<JavaScriptParseException>(() => new JavaScriptIndex(_pool, [map], reduce));
        Assert.Equal((part, line, column), (fault.Place!.Value.Part, fault.Place.Value.Line, fault.Place.Value.Column));
        Assert.Contains("' is not defined.", fault.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Name_ThatNothingDefines_IsLeftToTheRunWhereTheDefinitionWasStored() =>
        _ = new JavaScriptIndex(_pool, ["map('Users', u => ({ a: u.Company ? u.Company.Name : nothing }))"], null, checksNames: false);

    [Theory]
    [InlineData("map('Users', ({ Name, Tags: [first, ...rest], X = 1 }) => ({ Name, first, rest, X }))")]
    [InlineData("map('Users', function me(u) { return arguments.length < 0 ? me(u) : { nothing: u.nothing, ['a' + 1]: undefined, b: NaN, c: Infinity }; })")]
    [InlineData("map('Users', u => { outer: for (const t of u.Tags) { for (;;) { continue outer; } } return { n: typeof nothing === 'undefined' }; })")]
    [InlineData("class P { static q = 1; r = 2; get s() { return this.r; } t() { return P.q; } } map('Users', u => ({ n: new P().s }))")]
    [InlineData("map('Users', u => { try { return { n: u.Name }; } catch (e) { return { n: e.message }; } })")]
    [InlineData("let z = 5; const [w] = [1]; function f(a = z, { b } = {}) { return a + b + w; } map('Users', u => ({ n: f`x` }))")]
    public void Names_ThatAreDefinedInAnyWay_AreKnown(string map) => _ = new JavaScriptIndex(_pool, [map], null);

    [Fact]
    public void Load_WithoutTracking_IsNoReference()
    {
        var host = new Host();
        var index = new JavaScriptIndex(_pool, ["map('Users', u => ({ a: noTracking.load(u.Company).Name, b: load(u.Company, 'Companies').Name }))"], null);
        using var run = new JavaScriptIndexRun(_pool, index, host);
        using var rows = new JavaScriptRows();
        run.Map(0, User(), rows, CancellationToken.None);
        Assert.Equal(["companies/1 Companies"], host.References);
        Assert.Equal(1, host.Untracked);
    }

    [Fact]
    public void Reduce_OfGroups_GivesKeysAndRows()
    {
        var index = new JavaScriptIndex(_pool, ["map('Users', u => ({ name: u.Name, count: 1 }))", "map('@all_docs', u => null)"],
            "groupBy(x => ({ name: x.name })).aggregate(g => ({ name: g.key.name, count: g.values.reduce((s, v) => s + v.count, 0) }))");
        Assert.True(index.HasReduce);
        Assert.Null(index.Maps[1].Collection);
        using var run = new JavaScriptIndexRun(_pool, index, null);
        using var rows = new JavaScriptRows();
        run.Map(0, User(), rows, CancellationToken.None);
        using var row = new PooledBuffer();
        rows.AppendJson(rows.Rows[0], row);
        byte[] json = row.Written.ToArray();
        Assert.Equal("""{"name":"Ann","count":1}""", Encoding.UTF8.GetString(json));
        using var key = new PooledBuffer();
        run.Key(json, key, CancellationToken.None);
        Assert.Equal("""{"name":"Ann"}""", Encoding.UTF8.GetString(key.Written));
        using var reduced = new JavaScriptRows();
        run.Aggregate(key.Written.ToArray(), [json, json, json], reduced, CancellationToken.None);
        Assert.Equal("3", Encoding.UTF8.GetString(reduced.TextOf(Assert.Single(reduced.Rows).Fields[1])));
    }

    [Theory]
    [InlineData("map('Users', u => ({)", null)]
    [InlineData("map('Users')", null)]
    [InlineData("map(u => u)", null)]
    [InlineData("1", null)]
    [InlineData("map('Users', u => u)", "groupBy(x => x)")]
    [InlineData("map('Users', u => u)", "1")]
    [InlineData("map('Users', u => u); while (true) ;", null)]
    public void Definition_ThatIsNone_Refused(string map, string? reduce) =>
        Assert.IsType<JavaScriptParseException>(Record.Exception(() => new JavaScriptIndex(_pool, [map], reduce)));

    private static ScriptDocument User() => new()
    {
        Id = "users/1",
        Json = """{"Name":"Ann","Age":5,"Tags":["a","b"],"Company":"companies/1","Root":{"n":1,"Kids":[{"n":2},{"n":3}]}}"""u8.ToArray(),
    };

    private sealed class Host : IJavaScriptIndexHost
    {
        public List<string> References { get; } = [];

        public int Untracked { get; private set; }

        public ScriptDocument? Load(string id, string? collection)
        {
            References.Add($"{id} {collection}");
            return Company(id);
        }

        public ScriptDocument? LoadUntracked(string id)
        {
            Untracked++;
            return Company(id);
        }

        private static ScriptDocument Company(string id) => new() { Id = id, Json = """{"Name":"Alfreds"}"""u8.ToArray() };
    }
}
