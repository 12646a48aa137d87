namespace Jackdaw.Scripting.Tests.Projections;

/// <summary>Select clauses in JavaScript: what they see of documents and what becomes of what they return.</summary>
public sealed class ScriptProjectionTests : IDisposable
{
    private const string Order =
        """
        {"Company":"companies/1","Freight":12.50,"Lines":[{"Product":"p1","Price":2,"Quantity":3},{"Product":"p2","Price":0.5,"Quantity":4}],
        "ShipTo":{"City":"Bern","Zip":null},"Big":12345678901234567890,"@metadata":{"@collection":"Orders"}}
        """;

    private readonly ScriptHarness _bench = new();

    public void Dispose() => _bench.Dispose();

    [Theory]
    [InlineData("{ Company: o.Company, City: o.ShipTo.City }", """{"Company":"companies/1","City":"Bern"}""")]
    [InlineData("{ Total: o.Lines.reduce((sum, l) => sum + l.Price * l.Quantity, 0) }", """{"Total":8}""")]
    [InlineData("{ P: o.Lines.map(l => l.Product) }", """{"P":["p1","p2"]}""")]
    [InlineData("{ ...o.ShipTo, n: Object.keys(o).length }", """{"City":"Bern","Zip":null,"n":6}""")]
    [InlineData("{ a: undefined, b: null, c: [undefined, 1] }", """{"b":null,"c":[null,1]}""")]
    [InlineData("{ 'a b': `x${o.ShipTo.City}`, \"q\\\"\": '\"\\n\\u0001é' }", "{\"a b\":\"xBern\",\"q\\\"\":\"\\\"\\n\\u0001é\"}")]
    [InlineData("{ d: new Date('2020-02-03T04:05:06Z') }", """{"d":"2020-02-03T04:05:06.0000000Z"}""")]
    [InlineData("{ d: new Date('nonsense'), n: 0/0, i: 1/0, t: true, f: false }", """{"d":null,"n":null,"i":null,"t":true,"f":false}""")]
    [InlineData("{ a: 1e21, b: 0.1 + 0.2, c: -0.5, d: 9007199254740993 }", """{"a":1E+21,"b":0.30000000000000004,"c":-0.5,"d":9007199254740992}""")]
    [InlineData("{ x: o.No.Such.Path, y: o.ShipTo.Zip.Code, z: o.No.map(v => v) }", """{"y":null}""")]
    [InlineData("{ x: o.Lines.filter(l => l.Price > 1).length /* comment */ } // end", """{"x":1}""")]
    public void Select_OfADocument_Written(string select, string expected) =>
        Assert.Equal(expected, _bench.Row(select, Order));

    [Fact]
    public void Select_NumbersPassedOn_KeepTheirText()
    {
        string row = _bench.Row("{ Big: o.Big, F: o.Freight, S: o.Big + 0, L: [o.Big] }", Order);
        Assert.Equal("""{"Big":12345678901234567890,"F":12.50,"S":1.2345678901234567E+19,"L":[12345678901234567890]}""", row);
    }

    [Theory]
    [InlineData("undefined")]
    [InlineData("null")]
    [InlineData("[]")]
    [InlineData("[null, undefined]")]
    public void Select_OfNothing_GivesNoRow(string select) => Assert.Empty(_bench.Rows(select));

    [Fact]
    public void Select_OfAnArray_GivesARowForEachElement() =>
        Assert.Equal(["""{"p":"p1"}""", """{"p":"p2"}"""], _bench.Rows("f(o)", Order,
            "function f(o) { return o.Lines.map(l => pick(l)); } function pick(l) { return { p: l.Product }; }"));

    [Fact]
    public void Documents_OfSeveralAliases_AndMissingOnes()
    {
        ScriptDocument company = ScriptHarness.Document("""{"Name":"A","Tags":["x"]}""", "companies/1");
        string row = Assert.Single(_bench.Project(
            "{ o: id(o), c: c.Name, id: id(c), m: m.Address.City, up: m.Name.toUpperCase(), tags: m.Tags.map(t => t), n: m }",
            [ScriptHarness.Document("{}", "orders/1"), company, null], ["o", "c", "m"]));
        Assert.Equal("""{"o":"orders/1","c":"A","id":"companies/1","m":null,"up":null,"tags":null,"n":null}""", row);
    }

    [Fact]
    public void Parameters_OfTheQuery_AreVariables() => Assert.Equal(
        """{"a":5,"b":["x",1],"e":"from f"}""",
        _bench.Row("{ a: $p0, b: $list, e: f() }", functions: "function f() { return 'from ' + $name; }",
            parameters: """{"p0":5,"list":["x",1],"name":"f"}"""));

    [Fact]
    public void Documents_WithManyMembersAndOddNames_ReadAsTheyAre()
    {
        string members = string.Join(',', Enumerable.Range(0, 100).Select(i => $"\"k{i}\":{{\"n\":{i}}}"));
        Assert.Equal("""{"n":100,"last":99}""", _bench.Row("{ n: Object.keys(o).length, last: o.k99.n }", $"{{{members}}}"));
        Assert.Equal("""{"a":1,"b":2,"c":"é\"","e":[],"f":{}}""", _bench.Row(
            "{ a: o['x\"y'], b: o['\u00e9'], c: o.c, e: o.e, f: o.f }",
            """{"x\"y":1,"é":2,"c":"é\"","e":[],"f":{}}"""));
        Assert.Equal("""{"p":1,"own":true,"c":2}""", _bench.Row(
            "{ p: o['__proto__'], own: o.hasOwnProperty('constructor'), c: o.constructor }", """{"__proto__":1,"constructor":2}"""));
    }

    [Fact]
    public void Layouts_OfMoreShapesThanAreKept_StayRight()
    {
        for (int i = 0; i < 1500; i++)
        {
            Assert.Equal($$"""{"v":{{i}}}""", _bench.Row($"{{ v: o.k{i % 700} }}", $$"""{"k{{i % 700}}":{{i}}}"""));
        }
    }

    [Theory]
    [InlineData("9007199254740992")]
    [InlineData("-9223372036854775808")]
    [InlineData("1.0")]
    [InlineData("-0")]
    [InlineData("-0.0")]
    [InlineData("1e5")]
    [InlineData("1E400")]
    [InlineData("0.1234567890123456789")]
    [InlineData("123456789012345")]
    [InlineData("-12345678901234")]
    public void Number_PassedOn_HasItsText(string number) => Assert.Equal(
        $$"""{"v":{{number}},"w":[{{number}}]}""", _bench.Row("{ v: o.n, w: [o.n] }", $$"""{"n":{{number}}}"""));
}
