using System.Globalization;
using System.Text;
using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Previews;

/// <summary>Pages of documents for tables: which documents, in which order, and how values look.</summary>
public sealed class PreviewTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("\"short\"", "\"short\"")]
    [InlineData("17", "17")]
    [InlineData("-0.5", "-0.5")]
    [InlineData("true", "true")]
    [InlineData("null", "null")]
    [InlineData("1e5", """{"Kind":"Number","Text":"1e5","Bytes":3}""")]
    [InlineData("12345678901234567890", """{"Kind":"Number","Text":"12345678901234567890","Bytes":20}""")]
    [InlineData("[1,{\"a\":2}]", """{"Kind":"Array","Text":"[1,{\u0022a\u0022:2}]","Bytes":11}""")]
    [InlineData("{}", """{"Kind":"Object","Text":"{}","Bytes":2}""")]
    public async Task Cell_OfEachKind_IsExactOrSaysWhatItIs(string value, string cell)
    {
        await PutAsync("x/1", $$"""{"V":{{value}}}""");
        JsonElement found = (await GetAsync("")).GetProperty("Results")[0].GetProperty("Fields").GetProperty("V");
        Assert.True(JsonElement.DeepEquals(JsonDocument.Parse(cell).RootElement, found), found.GetRawText());
    }

    /// <summary>Texts of all lengths around the bound, of characters of 1 to 4 bytes and of escapes: the cell is a beginning of the text.</summary>
    [Fact]
    public async Task Cell_OfALongText_IsItsBeginning()
    {
        string[] letters = ["a", "é", "漢", "😀", "\n", "\u0001", "\"", "\\", "é\n"];
        foreach (string letter in letters)
        {
            for (int length = 40; length < 300; length += 7)
            {
                string text = "x" + string.Concat(Enumerable.Repeat(letter, length));
                await PutAsync("x/1", JsonSerializer.Serialize(new { V = text }));
                JsonElement cell = (await GetAsync("")).GetProperty("Results")[0].GetProperty("Fields").GetProperty("V");
                string shown = cell.ValueKind == JsonValueKind.String ? cell.GetString()! : cell.GetProperty("Text").GetString()!;
                Assert.StartsWith(shown, text, StringComparison.Ordinal);
                Assert.True(cell.ValueKind == JsonValueKind.String ? shown == text : shown.Length >= 30, $"{length} of {letter}: {shown}");
            }
        }
    }

    [Fact]
    public async Task Columns_WhenNoneIsNamed_AreTheFirstOfThePage()
    {
        await PutAsync("x/1", "{" + string.Join(',', Enumerable.Range(0, 200).Select(i => $"\"F{i}\":{i}")) + "}");
        JsonElement page = await GetAsync("");
        Assert.Equal(Enumerable.Range(0, 50).Select(i => $"F{i}"), Texts(page.GetProperty("Columns")));
        Assert.Equal(50, page.GetProperty("Results")[0].GetProperty("Fields").EnumerateObject().Count());

        JsonElement named = await GetAsync("field=F199&field=Gone&field=F199");
        Assert.Equal(["F199", "Gone"], Texts(named.GetProperty("Columns")));
        Assert.Equal("""{"F199":199}""", named.GetProperty("Results")[0].GetProperty("Fields").GetRawText());
    }

    /// <summary>Random documents, collections, pages and writes in between: pages up to one etag fit together.</summary>
    [Fact]
    public async Task Pages_UpToAnEtag_HaveEachDocumentOnce_WhateverIsAddedMeanwhile()
    {
        int seed = Environment.TickCount;
        var random = new Random(seed);
        string[] collections = ["Users", "Orders"];
        for (int i = 0; i < 300; i++)
        {
            await PutAsync($"{collections[random.Next(2)]}/{i}", $$"""{"N":{{i}}}""");
        }

        foreach (string? collection in new[] { null, "Users", "orders" })
        {
            string filter = collection is null ? "" : $"collection={collection}&";
            JsonElement first = await GetAsync($"{filter}pageSize=1");
            long upTo = first.GetProperty("UpTo").GetInt64();
            long total = first.GetProperty("TotalResults").GetInt64();
            var ids = new List<string>();
            while (ids.Count < total)
            {
                int pageSize = random.Next(1, 60);
                JsonElement page = await GetAsync(string.Create(CultureInfo.InvariantCulture, $"{filter}start={ids.Count}&pageSize={pageSize}&upTo={upTo}"));
                ids.AddRange(page.GetProperty("Results").EnumerateArray().Select(row => row.GetProperty("Id").GetString()!));
                await PutAsync($"Users/new{random.Next()}", "{}");
            }

            bool hasNew = collection is null && ids.Exists(id => id.Contains("new", StringComparison.Ordinal));
            Assert.True(ids.Count == total && ids.Distinct().Count() == total && !hasNew, $"seed {seed}");
            await DeleteNewAsync();
        }
    }

    [Fact]
    public async Task Prefix_OrdersById_AndCountsWithinTheCollection()
    {
        await PutAsync("Users/b", "{}");
        await PutAsync("Users/a", "{}");
        await PutAsync("users/c", "{}");
        await PutAsync("Orders/a", "{}");
        JsonElement page = await GetAsync("startsWith=USERS/&start=1&pageSize=1");
        Assert.Equal("Users/b", page.GetProperty("Results")[0].GetProperty("Id").GetString());
        Assert.Equal((3, true), (page.GetProperty("TotalResults").GetInt64(), page.GetProperty("IsTotalExact").GetBoolean()));
        Assert.Equal(0, (await GetAsync("startsWith=users/&collection=Orders")).GetProperty("TotalResults").GetInt64());
        Assert.Equal(3, (await GetAsync("startsWith=users/&collection=USERS")).GetProperty("Results").GetArrayLength());
        Assert.Equal(3, (await GetAsync("collection=uSERS")).GetProperty("TotalResults").GetInt64());
    }

    [Theory]
    [InlineData("pageSize=0", "pageSize")]
    [InlineData("pageSize=1001", "1 to 1000")]
    [InlineData("start=-1", "start")]
    [InlineData("upTo=x", "upTo")]
    public async Task Parameter_ThatMakesNoSense_IsNamed(string query, string message)
    {
        Answer answer = await _server.DbAsync("GET", $"/docs/preview?{query}");
        Assert.Equal(400, answer.Status);
        Assert.Contains(message, answer.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Fields_TooMany_AreRefused()
    {
        string fields = string.Join('&', Enumerable.Range(0, 51).Select(i => $"field=F{i}"));
        Assert.Equal(400, (await _server.DbAsync("GET", $"/docs/preview?{fields}")).Status);
    }

    private static IEnumerable<string> Texts(JsonElement array) => array.EnumerateArray().Select(one => one.GetString()!);

    private async Task<JsonElement> GetAsync(string query)
    {
        Answer answer = await _server.DbAsync("GET", $"/docs/preview?{query}");
        Assert.True(answer.Status == 200, answer.Text);
        return answer.Json;
    }

    private async Task PutAsync(string id, string json)
    {
        string collection = id[..id.IndexOf('/', StringComparison.Ordinal)];
        string text = json.Insert(json.Length - 1, $"{(json.Length > 2 ? "," : "")}\"@metadata\":{{\"@collection\":\"{collection}\"}}");
        Assert.Equal(201, (await _server.DbAsync("PUT", $"/docs?id={Uri.EscapeDataString(id)}", Encoding.UTF8.GetBytes(text))).Status);
    }

    private async Task DeleteNewAsync()
    {
        JsonElement page = await GetAsync("startsWith=Users/new&pageSize=1000");
        foreach (JsonElement row in page.GetProperty("Results").EnumerateArray())
        {
            await _server.DeleteAsync(row.GetProperty("Id").GetString()!);
        }
    }
}
