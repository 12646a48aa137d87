using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Exports;

/// <summary>Files of documents: every document once, values as they are, and no formulas.</summary>
public sealed class ExportTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("\"plain\"", "plain")]
    [InlineData("\"a,b\"", "\"a,b\"")]
    [InlineData("\"say \\\"x\\\"\"", "\"say \"\"x\"\"\"")]
    [InlineData("\"two\\nlines\"", "\"two\nlines\"")]
    [InlineData("\"=1+1\"", "'=1+1")]
    [InlineData("\"+1\"", "'+1")]
    [InlineData("\"-1\"", "'-1")]
    [InlineData("\"@a\"", "'@a")]
    [InlineData("\"\\t=1\"", "'\t=1")]
    [InlineData("\"\\r=1\"", "\"'\r=1\"")]
    [InlineData("\"\\n=1\"", "\"'\n=1\"")]
    [InlineData("\"\\uff1d1\"", "'\uff1d1")]
    [InlineData("-1", "-1")]
    [InlineData("12345678901234567890", "12345678901234567890")]
    [InlineData("null", "")]
    [InlineData("true", "true")]
    [InlineData("[1,2]", "\"[1,2]\"")]
    [InlineData("{\"a\":1}", "\"{\"\"a\"\":1}\"")]
    [InlineData("{}", "{}")]
    public async Task Csv_CellOfEachKind_IsTextThatNoSpreadsheetRuns(string value, string cell)
    {
        await _server.PutAsync("x/1", $$"""{"V":{{value}}}""");
        Assert.Equal($"@id,V\r\nx/1,{cell}\r\n", await ExportAsync("format=csv"));
    }

    [Fact]
    public async Task Csv_CharactersOfTwoUnits_StayWhole()
    {
        for (int length = 0; length < 60; length++)
        {
            string text = new string('a', length) + "😀" + new string('b', length);
            await _server.PutAsync("x/1", JsonSerializer.Serialize(new { V = text }));
            Assert.Equal($"@id,V\r\nx/1,{text}\r\n", await ExportAsync("format=csv"));
        }
    }

    [Fact]
    public async Task Csv_NameAsLongAsAText_IsNoColumn()
    {
        await _server.PutAsync("x/1", $$"""{"{{new string('n', 300)}}":1,"V":2}""");
        Assert.Equal("@id,V\r\nx/1,2\r\n", await ExportAsync("format=csv"));
    }

    [Fact]
    public async Task Head_ReadsNothing()
    {
        using var question = new HttpRequestMessage(HttpMethod.Head, new Uri("/databases/db1/docs/export?format=csv", UriKind.Relative));
        using HttpResponseMessage answer = await _server.Client.SendAsync(question);
        Assert.Equal((200, 0L), ((int)answer.StatusCode, answer.Content.Headers.ContentLength));
    }

    [Fact]
    public async Task Csv_NamesAndIds_AreGuardedToo()
    {
        await _server.PutAsync("=x", """{"@a":1,"b,c":2}""");
        Assert.Equal("@id,'@a,\"b,c\"\r\n'=x,1,2\r\n", await ExportAsync("format=csv"));
    }

    [Fact]
    public async Task Files_OfMoreThanOneStep_HaveEachDocumentOnce()
    {
        const int documents = 3000;
        await _server.PutAllAsync("Users", Enumerable.Range(0, documents).Select(i => ($"users/{i}", new Dictionary<string, object>
        {
            ["Name"] = new string('x', 100),
            [i % 2 == 0 ? "Even" : "Odd"] = i,
        })));
        await _server.PutAsync("others/1", "Others", """{"Name":"y"}""");

        using JsonDocument json = JsonDocument.Parse(await ExportAsync("collection=Users"));
        IEnumerable<string?> ids = json.RootElement.EnumerateArray().Select(one => one.GetProperty("@metadata").GetProperty("@id").GetString());
        Assert.Equal(documents, ids.Distinct().Count());

        string[] lines = (await ExportAsync("format=csv&collection=Users")).Split("\r\n");
        Assert.Equal(documents, lines[1..^1].Select(line => line[..line.IndexOf(',', StringComparison.Ordinal)]).Distinct().Count());
        Assert.Equal(["@id", "Even", "Name", "Odd"], lines[0].Split(',').Order(StringComparer.Ordinal));

        string[] named = (await ExportAsync("format=csv&field=Odd&field=Gone")).Split("\r\n");
        Assert.Equal((documents + 3, "@id,Odd,Gone"), (named.Length, named[0]));
    }

    [Fact]
    public async Task Collection_WithoutDocuments_GivesAnEmptyFile()
    {
        Assert.Equal("@id\r\n", await ExportAsync("format=csv&collection=Nobody"));
        Assert.Equal("[\n]\n", await ExportAsync("collection=Nobody"));
    }

    [Fact]
    public async Task Csv_WithTooManyColumns_AsksForNames()
    {
        string members = string.Join(',', Enumerable.Range(0, 1001).Select(i => $"\"F{i}\":{i}"));
        await _server.PutAsync("x/1", $"{{{members}}}");
        Answer refused = await _server.DbAsync("GET", "/docs/export?format=csv");
        Assert.Equal(400, refused.Status);
        Assert.Contains("field=", refused.Text, StringComparison.Ordinal);
        Assert.Equal("@id,F1000\r\nx/1,1000\r\n", await ExportAsync("format=csv&field=F1000"));
    }

    [Fact]
    public async Task Format_ThatIsNotKnown_IsRefused() => Assert.Equal(400, (await _server.DbAsync("GET", "/docs/export?format=xml")).Status);

    private async Task<string> ExportAsync(string query)
    {
        using HttpResponseMessage answer = await _server.Client.GetAsync(new Uri($"/databases/db1/docs/export?{query}", UriKind.Relative));
        Assert.Equal(200, (int)answer.StatusCode);
        Assert.Equal("attachment", answer.Content.Headers.ContentDisposition!.DispositionType);
        return await answer.Content.ReadAsStringAsync();
    }
}
