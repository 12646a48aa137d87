using System.IO.Compression;
using Jackdaw.ProcessTests.Harness;
using Jackdaw.TestKit;

namespace Jackdaw.ProcessTests;

/// <summary>Bodies, ids and names that are wrong or at a limit: status, type, and a message that says what and what to do.</summary>
public sealed class BadDocumentTests(SharedServer shared) : IClassFixture<SharedServer>, IAsyncLifetime
{
    private readonly RunningServer _server = shared.Server;

    public Task InitializeAsync() => Task.CompletedTask;

    public Task DisposeAsync() => _server.AssertServesAsync("shop");

    public static TheoryData<string, string> BrokenDocuments => new()
    {
        { "", "empty" },
        { "{", "ends" },
        { "not json", "object" },
        { "[1]", "object" },
        { "null", "object" },
        { "\uFEFF{}", "byte order mark" },
        { """{"a":1} x""", "end of the text" },
        { """{"a":1}{"b":2}""", "end of the text" },
        { """{"a":1,}""", "" },
        { """{"a":1,"a":2}""", "two" },
        { """{"a":1,"\u0061":2}""", "two" },
        { """{"\ud83d\ude00":1,"😀":2}""", "two" },
        { """{"a":"\ud800"}""", "surrogate" },
        { """{"a":"\udc00\ud800"}""", "surrogate" },
        { """{"\ud800":1}""", "surrogate" },
        { """{"a":01}""", "" },
        { """{"a":1.}""", "" },
        { """{"a":NaN}""", "" },
        { """{"a":"\x"}""", "" },
        { """{"@metadata":1}""", "@metadata" },
        { """{"@metadata":{"@collection":7}}""", "@collection" },
        { "{\"a\":" + new string('[', 256) + new string(']', 256) + "}", "256" },
        { $$"""{"a":{{string.Concat(Enumerable.Repeat("{\"a\":", 100_000))}}""", "256" },
    };

    [Theory]
    [MemberData(nameof(BrokenDocuments))]
    public async Task Put_BrokenDocument_Is400AndStoresNothing(string body, string message)
    {
        (await _server.PutAsync("shop", "broken", body)).AssertProblem(400, "BadRequestException", message);
        (await _server.SendAsync("POST", "/databases/shop/bulk_docs",
            Batch("before", "broken", body)))
            .AssertProblem(400, "BadRequestException");

        Assert.Equal(404, (await _server.GetAsync("shop", "broken")).Status);
        Assert.Equal(404, (await _server.GetAsync("shop", "before")).Status);
    }

    [Theory]
    [InlineData(new byte[] { 0xC3, 0x28 })]
    [InlineData(new byte[] { 0xC0, 0x80 })]
    [InlineData(new byte[] { 0xED, 0xA0, 0x80 })]
    [InlineData(new byte[] { 0xF5, 0x80, 0x80, 0x80 })]
    [InlineData(new byte[] { 0xFF })]
    public async Task Put_InvalidUtf8_Is400(byte[] bytes)
    {
        byte[] value = [.. "{\"a\":\""u8, .. bytes, .. "\"}"u8];
        byte[] name = [.. "{\""u8, .. bytes, .. "\":1}"u8];

        (await _server.SendAsync("PUT", "/databases/shop/docs?id=broken", value)).AssertProblem(400, "BadRequestException", "UTF-8");
        (await _server.SendAsync("PUT", "/databases/shop/docs?id=broken", name)).AssertProblem(400, "BadRequestException", "UTF-8");
        (await _server.SendAsync("PUT", "/admin/databases?name=x", value)).AssertProblem(400, "BadRequestException", "UTF-8");
    }

    [Fact]
    public async Task Put_LongNumbersAndStrings_ComeBackAsTheyWere()
    {
        string digits = string.Concat(Enumerable.Range(0, 10_000).Select(i => (char)('1' + (i % 9))));
        string text = new('y', 10 * 1024 * 1024);
        foreach (string value in (string[])[digits, "-" + digits, "0." + digits, $"{digits}.{digits}e-{digits[..5]}", $"\"{text}\""])
        {
            Assert.Equal(201, (await _server.PutAsync("shop", "long", $$"""{"v":{{value}},"w":1.0}""")).Status);
            Answer answer = await _server.GetAsync("shop", "long");
            Assert.Equal(200, answer.Status);
            Assert.Contains($"\"v\":{value},\"w\":1.0", answer.Text, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Put_RawControlCharacters_ComeBackAsValidJson()
    {
        // A client sends them raw in strings; the answer must be readable by strict parsers.
        Assert.Equal(201, (await _server.PutAsync("shop", "control", "{\"a\":\"x\u0001\t\ny\"}")).Status);
        Answer answer = await _server.GetAsync("shop", "control");
        Assert.Equal("x\u0001\t\ny", answer.Json.GetProperty("Results")[0].GetProperty("a").GetString());
    }

    [Fact]
    public async Task Put_DepthAtTheLimit_IsStored()
    {
        string nested = new string('[', 254) + new string(']', 254);
        Assert.Equal(201, (await _server.PutAsync("shop", "deep", "{\"a\":" + nested + "}")).Status);
        Assert.Contains(nested, (await _server.GetAsync("shop", "deep")).Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Put_GzipBomb_Is413AtTheLimit()
    {
        using var packed = new MemoryStream();
        using (var gzip = new GZipStream(packed, CompressionLevel.Fastest, leaveOpen: true))
        {
            byte[] spaces = [.. Enumerable.Repeat((byte)' ', 1024 * 1024)];
            for (int i = 0; i < 2000; i++)
            {
                gzip.Write(spaces);
            }
        }

        Answer answer = await _server.PutAsync("shop", "broken", "");
        Assert.Equal(400, answer.Status);
        (await _server.SendAsync("PUT", "/databases/shop/docs?id=broken", packed.ToArray(), ("Content-Encoding", "gzip")))
            .AssertProblem(413, "BadRequestException", "67108864");
        (await _server.SendAsync("PUT", "/databases/shop/docs?id=broken", "{}", ("Content-Encoding", "gzip")))
            .AssertProblem(400, "BadRequestException", "gzip");
        (await _server.SendAsync("PUT", "/databases/shop/docs?id=broken", "{}", ("Content-Encoding", "lzma")))
            .AssertProblem(415, "BadRequestException", "gzip");
    }

    [Theory]
    [InlineData("%00", "NUL")]
    [InlineData("a%00b", "NUL")]
    [InlineData("%C3%28", "UTF-8")]
    [InlineData("%ED%A0%80", "UTF-8")]
    public async Task Id_ThatIsNoText_IsRefused(string id, string message)
    {
        foreach (string method in (string[])["PUT", "GET", "DELETE"])
        {
            (await _server.SendAsync(method, $"/databases/shop/docs?id={id}", method == "PUT" ? "{}" : null))
                .AssertProblem(400, "ArgumentException", message);
        }
    }

    [Theory]
    [InlineData("../../System/headers")]
    [InlineData("..%2f..%2fSystem")]
    [InlineData("%2e%2e%2f%2e%2e")]
    [InlineData("C:\\Windows")]
    [InlineData("a b+c")]
    [InlineData("日本語/1")]
    [InlineData("a\nb\tc\u007f")]
    [InlineData("quote\"and\\back")]
    [InlineData("#fragment?query&more=1")]
    public async Task Id_OfOddText_IsJustText(string id)
    {
        Assert.Equal(201, (await _server.PutAsync("shop", id, """{"odd":1}""")).Status);
        Answer answer = await _server.GetAsync("shop", id);
        Assert.Equal(200, answer.Status);
        Assert.Equal(id, answer.Json.GetProperty("Results")[0].GetProperty("@metadata").GetProperty("@id").GetString());
        Assert.Equal(204, (await _server.SendAsync("DELETE", $"/databases/shop/docs?id={Uri.EscapeDataString(id)}")).Status);
    }

    [Fact]
    public async Task Id_AtTheLimitOf512Bytes_IsStoredAndOneMoreIsRefused()
    {
        // What counts is what is sent: U+023A has two bytes, its lower case U+2C65 three; the Kelvin sign three, its lower case one.
        string growing = string.Concat(Enumerable.Repeat("\u023A", 256));
        string shrinking = string.Concat(Enumerable.Repeat("\u212A", 170));
        foreach (string id in (string[])[new string('a', 512), growing, growing[..^11] + "/", shrinking + "ab"])
        {
            Answer stored = await _server.PutAsync("shop", id, "{}");
            Assert.Equal(201, stored.Status);
            Assert.Equal(200, (await _server.GetAsync("shop", stored.Json.GetProperty("Id").GetString()!)).Status);
        }

        string[] tooLong =
        [
            new string('a', 513),
            growing + "a",
            string.Concat(Enumerable.Repeat("\u2C65", 171)),
            shrinking + "abc",
            new string('a', 500) + "/",
            growing[..^10] + "/",
        ];
        foreach (string id in tooLong)
        {
            (await _server.PutAsync("shop", id, "{}")).AssertProblem(400, "ArgumentException", "512");
        }

        (await _server.SendAsync("POST", "/databases/shop/bulk_docs",
            Batch("before", new string('a', 513), "{}")))
            .AssertProblem(400, "BadRequestException", "512");
        Assert.Equal(404, (await _server.GetAsync("shop", "before")).Status);
    }

    [Theory]
    [InlineData("..")]
    [InlineData("%2e%2e")]
    [InlineData("..%2f..%2fetc")]
    [InlineData("a%2fb")]
    [InlineData("a%5cb")]
    [InlineData("%00")]
    [InlineData("a%00b")]
    [InlineData("d%C3%A4tabase")]
    [InlineData("%EF%BC%8E%EF%BC%8E")]
    [InlineData(".hidden")]
    [InlineData("a%20b")]
    [InlineData("")]
    public async Task DatabaseName_ThatIsNoName_IsRefused(string name) =>
        (await _server.SendAsync("PUT", $"/admin/databases?name={name}", "{}")).AssertProblem(400, "ArgumentException", "name");

    [Fact]
    public async Task DatabaseName_LengthLimit_IsNamed()
    {
        (await _server.SendAsync("PUT", $"/admin/databases?name={new string('n', 129)}", "{}")).AssertProblem(400, "ArgumentException", "128");
        string longest = new('n', 128);
        Assert.Equal(201, (await _server.SendAsync("PUT", $"/admin/databases?name={longest}", $$"""{"DatabaseName":"{{longest}}"}""")).Status);
        await _server.AssertServesAsync(longest);
    }

    [Theory]
    [InlineData("/databases/%2e%2e/docs?id=a")]
    [InlineData("/databases/..%2f..%2fSystem/docs?id=a")]
    [InlineData("/databases/../../etc/passwd")]
    [InlineData("/databases/shop/../../../etc/passwd")]
    [InlineData("/databases/nobody/docs?id=a")]
    [InlineData("/databases//docs?id=a")]
    [InlineData("/databases/shop%2Fdocs?id=a")]
    public async Task Path_ThatLeadsNowhere_IsAClearProblem(string path)
    {
        Answer answer = await _server.SendAsync("GET", path);

        Assert.True(answer.Status is 400 or 503, $"{answer.Status}: {answer.Text}");
        answer.AssertProblem(answer.Status, answer.Status == 400 ? "RouteNotFoundException" : "DatabaseDoesNotExistException");
    }

    private static string Batch(string firstId, string secondId, string secondDocument) =>
        "{\"Commands\":[{\"Type\":\"PUT\",\"Id\":\"" + firstId + "\",\"Document\":{}},{\"Type\":\"PUT\",\"Id\":\"" + secondId +
        "\",\"Document\":" + secondDocument + "}]}";
}
