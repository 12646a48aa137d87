using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Changes;

/// <summary>The script of a query, tried on one document.</summary>
public sealed class TryPatchTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await _server.PutAsync("users/1", "Users", """{"Name":"Ann","N":1,"Tags":["a","b"],"Firm":"firms/1"}""");
        await _server.PutAsync("firms/1", "Firms", """{"Name":"Acme"}""");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("from Users update { this.N += 1; }")]
    [InlineData("from Users as u update { u.N = $by; delete u.Name; }")]
    [InlineData("declare function twice(n) { return 2 * n; } from Users as u update { u.N = twice(u.N); }")]
    [InlineData("from Users as u load u.Firm as f update { u.FirmName = f.Name; put('firms/2', { Name: f.Name }); }")]
    [InlineData("from Users update { this.Tags.push('c'); }")]
    [InlineData("from Users update { }")]
    [InlineData("from Users where Name = 'Ann' order by N update { this.N = 7; } limit 10")]
    public async Task Try_ShowsWhatThePatchMakes_AndWritesNothing(string query)
    {
        string before = await DocumentAsync();
        long etag = LastEtag();
        Answer tried = await TryAsync(query);
        Assert.True(tried.Status == 200, tried.Text);
        Assert.Equal((before, etag), (await DocumentAsync(), LastEtag()));
        Assert.Equal(before, WithoutMetadata(tried.Json.GetProperty("OriginalDocument")));

        Answer begun = await _server.DbAsync("PATCH", "/queries?allowStale=true", Body(query));
        await _server.EndOfOperationAsync(begun.Json.GetProperty("OperationId").GetInt64());
        Assert.Equal(await DocumentAsync(), WithoutMetadata(tried.Json.GetProperty("ModifiedDocument")));
    }

    [Fact]
    public async Task Try_TellsWhatTheScriptDidBesides()
    {
        Answer tried = await TryAsync("from Users update { output('seen'); load('firms/1'); put('x/1', {}); del('firms/1'); }");

        JsonElement debug = tried.Json.GetProperty("Debug");
        Assert.Contains("seen", debug.GetProperty("Info").ToString(), StringComparison.Ordinal);
        foreach (string action in (string[])["LoadDocument", "PutDocument", "DeleteDocument"])
        {
            Assert.Equal(1, debug.GetProperty("Actions").GetProperty(action).GetArrayLength());
        }
    }

    [Theory]
    [InlineData("from Users", 400, "needs to say what it changes")]
    [InlineData("from Users update { this.N = }", 400, "")]
    [InlineData("from Users group by Name update { this.N = 1 }", 400, "a group is not a document")]
    [InlineData("from Users update { throw new Error('no such luck'); }", 500, "no such luck")]
    public async Task WrongQueries_AreRefused(string query, int status, string message)
    {
        Answer answer = await TryAsync(query);

        Assert.Equal(status, answer.Status);
        Assert.Contains(message, answer.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Try_OfNoDocument_Answers404() =>
        Assert.Equal(404, (await _server.DbAsync("PATCH", "/queries/test?id=users/9", Body("from Users update { this.N = 1; }"))).Status);

    private static string Body(string query) => JsonSerializer.Serialize(new { Query = new { Query = query, QueryParameters = new { by = 5 } } });

    private Task<Answer> TryAsync(string query) => _server.DbAsync("PATCH", "/queries/test?id=users/1", Body(query));

    private async Task<string> DocumentAsync() =>
        WithoutMetadata((await _server.DbAsync("GET", "/docs?id=users/1")).Json.GetProperty("Results")[0]);

    private long LastEtag()
    {
        using Jackdaw.Documents.Rows.DocumentReadScope read = _server.Database.BeginRead();
        return read.LastEtag.Value;
    }

    private static string WithoutMetadata(JsonElement document) =>
        string.Join(',', document.EnumerateObject().Where(member => member.Name != "@metadata").Select(member => $"{member.Name}={member.Value.GetRawText()}"));
}
