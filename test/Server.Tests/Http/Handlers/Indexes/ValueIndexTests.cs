using Jackdaw.Documents.CompareExchange;
using Jackdaw.Documents.Rows;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>Compare exchange values in definitions: an index follows those that its documents load.</summary>
public sealed class ValueIndexTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("from u in docs.Users let e = LoadCompareExchangeValue(\"emails/\" + u.Name) select new { Domain = e.Domain }")]
    [InlineData("from u in docs.Users select new { Domain = LoadCompareExchangeValue(new[] { \"emails/\" + u.Name }).Select(e => e.Domain) }")]
    [InlineData("map('Users', u => { const e = cmpxchg('emails/' + u.Name); return { Domain: e ? e.Domain : null }; })")]
    public async Task Index_ThatLoadsValues_FollowsTheirChanges(string map)
    {
        Assert.Equal(201, (await _server.PutIndexAsync("ByDomain", map)).Status);
        await _server.PutAsync("users/1", "Users", """{"Name":"Ann"}""");
        await _server.PutAsync("users/2", "Users", """{"Name":"bob"}""");
        Assert.Equal("", await FindAsync("x.org"));

        long index = await PutAsync("Emails/ann", 0, "x.org");
        Assert.Equal("users/1", await FindAsync("x.org"));
        await PutAsync("emails/BOB", 0, "x.org");
        Assert.Equal("users/1,users/2", await FindAsync("x.org"));
        index = await PutAsync("emails/ann", index, "y.org");
        Assert.Equal("users/2", await FindAsync("x.org"));
        Assert.Equal("users/1", await FindAsync("y.org"));
        await _server.RestartAsync();
        Assert.Equal(200, (await _server.DbAsync("DELETE", $"/cmpxchg?key=emails%2Fann&index={index}")).Status);
        Assert.Equal("", await FindAsync("y.org"));
        await PutAsync("other", 0, "z.org");
        Assert.Equal("users/2", await FindAsync("x.org"));
        Assert.Null(_server.Indexes.Require("ByDomain").Failures.Last); // a value that is missing is null
    }

    [Fact]
    public async Task Changes_OfValues_AreReadInOrderAndTheOldestDeletionsAreForgotten()
    {
        long first = await PutAsync("a", 0, "1");
        await _server.DbAsync("DELETE", $"/cmpxchg?key=a&index={first}");
        long last = await PutAsync("b", 0, "1");

        using DocumentReadScope read = _server.Database.BeginRead();
        Assert.Equal(["a 2", "b 3"], ValueChanges.Read(read.Transaction, 0, 10).Select(one => $"{(char)one.Key[0]} {one.Etag}"));
        Assert.Equal(["b 3"], ValueChanges.Read(read.Transaction, 2, 10).Select(one => $"{(char)one.Key[0]} {one.Etag}"));
        Assert.Equal(["a 2"], ValueChanges.Read(read.Transaction, 0, 1).Select(one => $"{(char)one.Key[0]} {one.Etag}"));
        Assert.Equal(last, ValueChanges.LastEtag(read.Transaction));
        Assert.Equal(0, ValueChanges.ForgottenEtag(read.Transaction.Trees));
    }

    private async Task<long> PutAsync(string key, long index, string domain)
    {
        string value = $$$"""{"Object":{"Domain":"{{{domain}}}"}}""";
        Answer answer = await _server.DbAsync("PUT", $"/cmpxchg?key={Uri.EscapeDataString(key)}&index={index}", value);
        Assert.True(answer.Json.GetProperty("Successful").GetBoolean(), answer.Text);
        return answer.Json.GetProperty("Index").GetInt64();
    }

    private Task<string> FindAsync(string domain) => _server.IdsAsync($"from index 'ByDomain' where Domain = '{domain}' order by id()");
}
