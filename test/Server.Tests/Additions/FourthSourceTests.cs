using System.Text.Json;
using Jackdaw.Indexing;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Sources;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Additions;

/// <summary>A source that only these tests have is indexed as the product's own are: <see cref="MeasureSource"/>.</summary>
public sealed class FourthSourceTests : IAsyncLifetime
{
    private const string CSharp = "from m in timeSeries.Users.Heart select new { m.Value }";
    private const string Script = "timeSeries.map('Users', 'Heart', m => ({ Value: m.Value }))";

    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        // The clock stands still: nothing but the writes wakes an index.
        _server = await ServerFixture.StartAsync(
            new ServerSetup { DatabaseTime = new ManualTime(), Sources = new KnownSources(new CounterSource(), new MeasureSource()) });
        await _server.PutAsync("users/1", "Users", "{}");
        await _server.PutAsync("users/2", "Users", "{}");
        await _server.PutAsync("dogs/1", "Dogs", "{}");
        await MeasureAsync("users/1", "Heart", 60);
        await MeasureAsync("users/1", "Weight", 90);
        await MeasureAsync("users/2", "Heart", 90);
        await MeasureAsync("dogs/1", "Heart", 90);
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData(CSharp)]
    [InlineData(Script)]
    public async Task Index_OfTheSource_HasItsItemsAndFollowsThem(string map)
    {
        await PutIndexAsync(map);
        Assert.Equal("users/2", await FindAsync(90));

        long index = await MeasureAsync("users/1", "heart", 90);
        Assert.Equal("users/1,users/2", await FindAsync(90));
        Assert.Equal(200, (await _server.DbAsync("DELETE", $"/cmpxchg?key={NameOf("users/1", "heart")}&index={index}")).Status);
        Assert.Equal("users/2", await FindAsync(90));
        await _server.DeleteAsync("users/2");
        Assert.Equal("", await FindAsync(90));
    }

    [Fact]
    public async Task Index_WhenItemsAreWritten_IsWokenThoughNobodyAsks()
    {
        await PutIndexAsync(CSharp);
        await _server.SettledAsync();
        long mapped = Hearts.Totals.Mapped;
        await MeasureAsync("users/1", "Heart", 61);
        await _server.SettledAsync();
        Assert.Equal(mapped + 1, Hearts.Totals.Mapped);
        Assert.Null(Hearts.Failures.Last);
    }

    [Fact]
    public async Task Index_WhileItemsAreUnread_IsStaleForQueriesAndStatistics()
    {
        await PutIndexAsync(CSharp);
        await _server.SettledAsync();
        using (await _server.HoldIndexesAsync())
        {
            long etag = await MeasureAsync("users/1", "Heart", 90);
            Answer answer = await _server.QueryAsync("from index 'Hearts'", waits: false);
            Assert.True(answer.Json.GetProperty("IsStale").GetBoolean());
            string reasons = (await _server.DbAsync("GET", "/indexes/staleness?name=Hearts")).Text;
            Assert.True(reasons.Contains($"There are changes of measures up to etag {etag}", StringComparison.Ordinal), reasons);
            JsonElement shown = (await StatisticsAsync()).GetProperty("Collections").GetProperty("@measures");
            Assert.Equal((etag - 1, 1), (shown.GetProperty("LastProcessedDocumentEtag").GetInt64(), shown.GetProperty("DocumentLag").GetInt32()));
        }

        Assert.Equal("users/1,users/2", await FindAsync(90));
        JsonElement statistics = await StatisticsAsync();
        Assert.Equal(("TimeSeries", false), (statistics.GetProperty("SourceType").GetString(), statistics.GetProperty("IsStale").GetBoolean()));
        Assert.Equal((2, 0), (statistics.GetProperty("EntriesCount").GetInt32(),
            statistics.GetProperty("Collections").GetProperty("@measures").GetProperty("DocumentLag").GetInt32()));
    }

    [Fact]
    public async Task Index_OpenedAgain_GoesOnWhereItWas()
    {
        await PutIndexAsync(CSharp);
        await _server.SettledAsync();
        long mapped = Hearts.Totals.Mapped;
        await _server.RestartAsync();
        Assert.Equal("users/2", await FindAsync(90));
        Assert.Equal(mapped, Hearts.Totals.Mapped);

        await MeasureAsync("users/1", "Heart", 90);
        Assert.Equal("users/1,users/2", await FindAsync(90));
        Assert.Equal(mapped + 1, Hearts.Totals.Mapped);
    }

    [Fact]
    public async Task Write_ThatWaitsForIndexes_WaitsForThatOfTheSource()
    {
        await PutIndexAsync(CSharp);
        await MeasureAsync("users/1", "Heart", 90);
        Assert.Equal(201, (await _server.DbAsync("POST", "/bulk_docs?waitForIndexesTimeout=00:01:00",
            """{"Commands":[{"Type":"PUT","Id":"users/3","Document":{"@metadata":{"@collection":"Users"}}}]}""")).Status);
        Answer answer = await _server.QueryAsync("from index 'Hearts' where Value = 90", waits: false);
        Assert.Equal(2, answer.Json.GetProperty("TotalResults").GetInt32());
    }

    [Theory]
    [InlineData(false, "maps TimeSeries, which this version of jackdaw does not have")]
    [InlineData(true, "reads 'measures', a source that this version of jackdaw does not know. A newer version built it")]
    public async Task Index_OpenedByAProgramWithoutTheSource_IsFaultyAndSaysWhy(bool hasAnother, string reason)
    {
        await PutIndexAsync(CSharp);
        await _server.SettledAsync();
        _server.Setup = _server.Setup with { Sources = hasAnother ? new KnownSources(new MeasureSource("others")) : null };
        await _server.RestartAsync();
        await _server.WaitUntilAsync(() => Hearts.Fault is not null);
        Assert.Contains(reason, Hearts.Fault, StringComparison.Ordinal);
        Answer answer = await _server.QueryAsync("from index 'Hearts'", waits: false);
        Assert.Contains(reason, answer.Text.Replace("\\u0027", "'", StringComparison.Ordinal), StringComparison.Ordinal);
        Assert.Equal("users/1,users/2", await _server.IdsAsync("from Users order by id()")); // the database itself is served
    }

    private DatabaseIndex Hearts => _server.Indexes.Require("Hearts");

    private static string NameOf(string document, string measure) => Uri.EscapeDataString(MeasureSource.NameOf(document, measure));

    // Clients cannot put it: definitions of time series are refused before anybody looks for their source.
    private async Task PutIndexAsync(string map)
    {
        using var json = JsonDocument.Parse(JsonSerializer.Serialize(new { Name = "Hearts", Maps = new[] { map } }));
        await _server.Indexes.PutAsync(IndexDefinitionReader.Read(json.RootElement), IndexSources.None, default);
    }

    private async Task<long> MeasureAsync(string document, string measure, int value)
    {
        string stored = (await _server.DbAsync("GET", $"/cmpxchg?key={NameOf(document, measure)}")).Text;
        using var found = JsonDocument.Parse(stored.Length == 0 ? "{}" : stored);
        long index = found.RootElement.TryGetProperty("Results", out JsonElement results) && results.GetArrayLength() > 0
            && results[0].ValueKind == JsonValueKind.Object ? results[0].GetProperty("Index").GetInt64() : 0;
        Answer answer = await _server.DbAsync("PUT", $"/cmpxchg?key={NameOf(document, measure)}&index={index}", $$"""{"Object":{{value}}}""");
        Assert.True(answer.Json.GetProperty("Successful").GetBoolean(), answer.Text);
        return answer.Json.GetProperty("Index").GetInt64();
    }

    private Task<string> FindAsync(int value) => _server.IdsAsync($"from index 'Hearts' where Value = {value} order by id()");

    private async Task<JsonElement> StatisticsAsync()
    {
        JsonElement answer = (await _server.DbAsync("GET", "/indexes/stats?name=Hearts")).Json;
        return answer.TryGetProperty("Results", out JsonElement results) ? results[0] : answer;
    }
}
