using System.Text;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Parsing;
using Jackdaw.Json.Tape;

namespace Jackdaw.Documents.Tests.Parsing;

public sealed class IncludePathsTests
{
    private const string Order = """
        {"companyId":"companies/1","employee":null,"number":7,"text":"",
         "nested":{"companyId":"companies/2","deep":{"id":"d/1"}},
         "lines":[{"product":"products/1","qty":1},{"qty":2},
           {"product":"products/2","tags":["t/1","t/2"]},"x",[{"product":"products/3"}]],
         "ids":["a/1","a/2",3,null,{"a":1},["a/3"]],"esc\u0061ped":"e\u002f1","a.b":"never",
         "@metadata":{"@collection":"Orders","ref":"r/1"}}
        """;

    [Theory]
    [InlineData("companyId", "companies/1")]
    [InlineData("'a.b'", "never")]
    [InlineData("lines[0].product", "products/1")]
    [InlineData("ids[1]", "a/2")]
    [InlineData("ids[9]", "")]
    [InlineData("companyId[0]", "c")]
    [InlineData("nested.$Values.id", "d/1")]
    [InlineData("nested.$Keys", "companyId,deep")]
    [InlineData("lines.$Values", "products/1,products/2,t/1,t/2,products/3")]
    [InlineData("nested.companyId", "companies/2")]
    [InlineData("nested.deep.id", "d/1")]
    [InlineData("lines.product", "products/1,products/2,products/3")]
    [InlineData("lines[].product", "products/1,products/2,products/3")]
    [InlineData("lines[].tags[]", "t/1,t/2")]
    [InlineData("lines.tags", "t/1,t/2")]
    [InlineData("ids", "a/1,a/2,a/3")]
    [InlineData("ids[]", "a/1,a/2,a/3")]
    [InlineData("escaped", "e/1")]
    [InlineData("number", "")]
    [InlineData("number(orders/)", "orders/7")]
    [InlineData("number[{0}-A]", "7-A")]
    [InlineData("number[orders/{0}-A]", "orders/7-A")]
    [InlineData("lines[].qty(q/)", "q/1,q/2")]
    [InlineData("lines[].qty[{0}-q]", "1-q,2-q")]
    [InlineData("companyId(x/)", "x/companies/1")]
    [InlineData("text", "")]
    [InlineData("text(x/)", "")]
    [InlineData("employee", "")]
    [InlineData("missing", "")]
    [InlineData("companyid", "")]
    [InlineData("companyId.more", "")]
    [InlineData("nested", "")]
    [InlineData("missing.more", "")]
    [InlineData("@metadata.ref", "r/1")]
    public void Collect_Path_FindsTheIds(string path, string expected)
    {
        using var parser = new DocumentParser(StandardExtensions.All);
        ReadOnlySpan<byte> stored = parser.Parse(Encoding.UTF8.GetBytes(Order)).Bytes.Span;
        Assert.True(IncludePath.TryParse(path, out IncludePath include));
        var ids = new List<string>();
        using var tape = new JsonTape();
        IncludePaths.Collect(tape.Read(stored), include, ids.Add);
        Assert.Equal(expected, string.Join(',', ids));
    }

    [Theory]
    [InlineData("")]
    [InlineData(".")]
    [InlineData("[]")]
    public void TryParse_NoMember_IsRefused(string path) => Assert.False(IncludePath.TryParse(path, out _));

    [Fact]
    public void Collect_DeepestDocument_IsWalked()
    {
        using var parser = new DocumentParser(StandardExtensions.All);
        string json = string.Concat(Enumerable.Repeat("{\"a\":", 255)) + "{\"b\":\"id/1\"}" + new string('}', 255);
        ReadOnlySpan<byte> stored = parser.Parse(Encoding.UTF8.GetBytes(json)).Bytes.Span;
        Assert.True(IncludePath.TryParse(string.Concat(Enumerable.Repeat("a.", 255)) + "b", out IncludePath include));
        var ids = new List<string>();
        using var tape = new JsonTape();
        IncludePaths.Collect(tape.Read(stored), include, ids.Add);
        Assert.Equal(["id/1"], ids);
    }
}
