namespace Jackdaw.Server.Tests.Scripting;

/// <summary>Select clauses in JavaScript: what they see of documents and what becomes of what they return.</summary>
public sealed class ScriptProjectionTests : IDisposable
{
    private const string Order =
        """{"Company":"companies/1","Freight":12.50,"Lines":[{"Product":"p1","Price":2,"Quantity":3},{"Product":"p2","Price":0.5,"Quantity":4}],"ShipTo":{"City":"Bern","Zip":null},"Big":12345678901234567890,"@metadata":{"@collection":"Orders"}}""";

    private readonly ScriptBench _bench = new();

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
}
