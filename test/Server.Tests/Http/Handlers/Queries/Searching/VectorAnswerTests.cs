using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Searching;

/// <summary>vector.search in everything that takes a query, and in everything that an answer may have.</summary>
public sealed class VectorAnswerTests : IAsyncLifetime
{
    private const int Documents = 30;
    private const string Nearest = "from Items where vector.search(V, $v)";

    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        for (int i = 0; i < Documents; i++)
        {
            // The larger the number, the farther from (1, 0).
            string even = i % 2 == 0 ? "true" : "false";
            await _server.PutAsync($"Items/{i}", "Items", $$"""{"N":{{i}},"Even":{{even}},"V":[{{Documents - i}},{{i}}],"Other":"Others/1"}""");
        }

        await _server.PutAsync("Others/1", "Others", """{"Name":"other","Notes":"quick fox"}""");
        await _server.PutAsync("Items/none", "Items", """{"N":-1,"Notes":"quick fox"}""");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("", "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29")]
    [InlineData(" limit 2, 3", "2,3,4")]
    [InlineData(" order by score() limit 3", "0,1,2")]
    [InlineData(" order by score() desc limit 3", "29,28,27")]
    [InlineData(" order by N as long desc limit 2", "29,28")]
    [InlineData(" order by Even, score() limit 3", "1,3,5")]
    [InlineData(" filter N > 4 limit 2", "5,6")]
    [InlineData(" filter N > 4 limit 3, 2", "8,9")]
    [InlineData(" and Even = true limit 1, 2", "2,4")]
    [InlineData(" and any(Parts as p, p.X = 1)", "")]
    public async Task Rows_OfEachOrder_AreThoseOfThePage(string rest, string numbers)
    {
        Answer answer = await AskAsync(Nearest + rest);
        Assert.Equal(numbers, string.Join(',', Numbers(answer)));
        Answer stream = await _server.DbAsync("POST", "/streams/queries", JsonSerializer.Serialize(Body(Nearest + rest)));
        Assert.True(stream.Status == 200, stream.Text);
        Assert.Equal(numbers, string.Join(',', Numbers(stream)));
    }

    [Fact]
    public async Task Rows_OfProjections_AreInTheSameOrder()
    {
        Answer plain = await AskAsync(Nearest + " select N limit 3");
        Assert.Equal([0, 1, 2], Numbers(plain));
        Assert.All(plain.Json.GetProperty("Results").EnumerateArray(), row => Assert.Equal(
            JsonValueKind.Number, row.GetProperty("@metadata").GetProperty("@index-score").ValueKind));
        Answer scripted = await AskAsync("from Items as i where vector.search(i.V, $v) select { N: i.N } limit 3");
        Assert.Equal([0, 1, 2], Numbers(scripted));
        Answer distinct = await AskAsync(Nearest + " select distinct Even limit 2");
        Assert.Equal([true, false], distinct.Json.GetProperty("Results").EnumerateArray().Select(row => row.GetProperty("Even").GetBoolean()));
    }

    [Fact]
    public async Task Answer_WithIncludesTimingsAndExplanations_HasThem()
    {
        Answer answer = await AskAsync(Nearest + " limit 2 include Other, timings(), explanations()");
        Assert.Equal("other", answer.Json.GetProperty("Includes").GetProperty("Others/1").GetProperty("Name").GetString());
        Assert.Equal(["Items/0", "Items/1"], answer.Json.GetProperty("Explanations").EnumerateObject().Select(one => one.Name).Order(StringComparer.Ordinal));
        JsonElement search = answer.Json.GetProperty("Timings").GetProperty("Timings").GetProperty("Search");
        Assert.Contains("vector", search.GetRawText(), StringComparison.OrdinalIgnoreCase);
    }

    [Fact]
    public async Task Answer_WithHighlights_MarksTheWordsBesideTheVectors()
    {
        Answer answer = await AskAsync("from Items where vector.search(V, $v, 0.999) or search(Notes, 'quick') include highlight(Notes, 30, 1)");
        JsonElement notes = answer.Json.GetProperty("Highlightings").GetProperty("Notes");
        Assert.Contains("quick</b>", notes.GetProperty("Items/none")[0].GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Facets_OfAMinimum_CountWhatMatches()
    {
        Answer answer = await AskAsync("from Items where vector.search(V, $v, 0.9) select facet(Even)");
        JsonElement values = answer.Json.GetProperty("Results")[0].GetProperty("Values");
        int matching = Enumerable.Range(0, Documents).Count(i => Cosine(i) >= 0.9);
        Assert.Equal(matching, values.EnumerateArray().Sum(value => value.GetProperty("Count").GetInt32()));
        Assert.Equal(matching, answer.Json.GetProperty("TotalResults").GetInt32());
    }

    [Fact]
    public async Task Entries_OfTheIndex_AreShownInTheOrderOfTheScore()
    {
        Answer answer = await _server.DbAsync("POST", "/queries?debug=entries", JsonSerializer.Serialize(Body(Nearest + " and N > 3 limit 2")));
        Assert.True(answer.Status == 200, answer.Text);
        Assert.Equal(["items/4", "items/5"], answer.Json.GetProperty("Results").EnumerateArray().Select(row => row.GetProperty("id()").GetString()));
    }

    [Fact]
    public async Task NothingChanged_Is304AndAnotherVectorIsNot()
    {
        (string, string) tag = await ReadKnownTagAsync(Nearest + " limit 3");
        Assert.Equal(200, (await _server.DbAsync("POST", "/queries", JsonSerializer.Serialize(Body(Nearest + " limit 3", [0, 1])), tag)).Status);
        const string like = "from Items where vector.search(V, embedding.forDoc('Items/7')) limit 1";
        (string, string) liked = await ReadKnownTagAsync(like);
        await _server.PutAsync("Items/7", "Items", """{"N":7,"V":[0,1]}""");
        Answer changed = await _server.DbAsync("POST", "/queries", JsonSerializer.Serialize(Body(like)), liked);
        Assert.Equal(200, changed.Status);
        Assert.Equal(["Items/7"], changed.Json.GetProperty("Results").EnumerateArray().Select(IdOf));
    }

    [Fact]
    public async Task Delete_ByVectors_DeletesWhatIsFound()
    {
        const string query = "from Items where vector.search(V, $v, 0.9)";
        Answer started = await _server.DbAsync("DELETE", "/queries", JsonSerializer.Serialize(Body(query)));
        Assert.True(started.Status == 202, started.Text);
        long id = started.Json.GetProperty("OperationId").GetInt64();
        await Eventually.IsTrueAsync(async () =>
            (await _server.DbAsync("GET", $"/operations/state?id={id}")).Json.GetProperty("Status").GetString() == "Completed");
        int[] left = Numbers(await AskAsync(Nearest));
        Assert.Equal(Enumerable.Range(0, Documents).Where(i => Cosine(i) < 0.9), left);
    }

    // What the index does for its graph between batches changes the tag once more.
    private async Task<(string Name, string Value)> ReadKnownTagAsync(string query)
    {
        (string, string) tag = default;
        await Eventually.IsTrueAsync(async () =>
        {
            tag = ("If-None-Match", (await AskAsync(query)).Header("ETag")!);
            return (await _server.DbAsync("POST", "/queries", JsonSerializer.Serialize(Body(query)), tag)).Status == 304;
        });
        return tag;
    }

    private static double Cosine(int i) => (Documents - i) / Math.Sqrt(((Documents - i) * (double)(Documents - i)) + ((double)i * i));

    private static object Body(string query, double[]? vector = null) => new
    {
        Query = query,
        QueryParameters = new { v = vector ?? [1, 0] },
        WaitForNonStaleResults = true,
        WaitForNonStaleResultsTimeout = "00:01:00",
    };

    private async Task<Answer> AskAsync(string query)
    {
        Answer answer = await _server.DbAsync("POST", "/queries", JsonSerializer.Serialize(Body(query)));
        Assert.True(answer.Status == 200, $"{query}: {answer.Text}");
        return answer;
    }

    private static int[] Numbers(Answer answer) => [.. answer.Json.GetProperty("Results").EnumerateArray().Select(row => row.GetProperty("N").GetInt32())];

    private static string IdOf(JsonElement row) => row.GetProperty("@metadata").GetProperty("@id").GetString()!;
}
