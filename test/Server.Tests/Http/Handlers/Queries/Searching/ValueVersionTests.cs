using System.Net;
using System.Net.Http.Json;
using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Searching;

/// <summary>Answers that read compare exchange values: clients may keep them, and learn of each change of a value.</summary>
public sealed class ValueVersionTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await _server.PutAsync("cs/1", "Cs", """{"Ext":"k","Keys":["k","none",null],"N":1}""");
        await _server.PutIndexAsync("I", "from c in docs.Cs select new { c.Ext, c.N }");
        await SetAsync("k", 0, "1");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("from Cs include cmpxchg(Ext)")]
    [InlineData("from Cs where N = 1 include cmpxchg(Ext)")]
    [InlineData("from index 'I' include cmpxchg('Ext')")]
    [InlineData("from Cs where N = cmpxchg('k')")]
    [InlineData("from Cs filter N = cmpxchg('k')")]
    [InlineData("from index 'I' where N = cmpxchg('k')")]
    [InlineData("from Cs as c select { V: cmpxchg(c.Ext) }")]
    [InlineData("from Cs select N, cmpxchg('k') as V")]
    [InlineData("declare function f(c) { includes.cmpxchg(c.Ext); return c; } from Cs as c select f(c)")]
    [InlineData("declare function f(c) { includes.cmpxchg(c.Keys); return { N: c.N }; } from index 'I' as c select f(c)")]
    public async Task Query_ThatReadsAValue_IsKnownUntilTheValueChanges(string query)
    {
        (_, string? tag, long etag) = await AskAsync(query, null);
        Assert.NotNull(tag);
        Assert.Equal(HttpStatusCode.NotModified, (await AskAsync(query, tag)).Status);
        long index = await SetAsync("k", await IndexOfAsync("k"), "2");
        (HttpStatusCode status, string? next, long changed) = await AskAsync(query, tag);
        Assert.Equal(HttpStatusCode.OK, status);
        Assert.NotEqual(tag, next);
        Assert.NotEqual(etag, changed);
        Assert.Equal(200, (await _server.DbAsync("DELETE", $"/cmpxchg?key=k&index={index}")).Status);
        Assert.Equal(HttpStatusCode.OK, (await AskAsync(query, next)).Status);
    }

    [Theory]
    [InlineData("declare function f(c) { includes.cmpxchg(c.Ext); return c; } from Cs as c select f(c)", "k")]
    [InlineData("from Cs as c select { N: includes.cmpxchg(c.Ext) }", "k")]
    [InlineData("declare function f(c) { includes.cmpxchg(c.Keys); includes.cmpxchg(c.Keys); return c; } from Cs as c select f(c)", "k,none")]
    [InlineData("declare function f(c) { includes.cmpxchg(c.Missing); includes.cmpxchg(null); return c; } from Cs as c select f(c)", "")]
    [InlineData("declare function f(c) { includes.cmpxchg(c.Ext); return c; } from Cs as c where c.N = 1 select f(c) include cmpxchg(c.Keys)", "k,none")]
    [InlineData("declare function f(c) { includes.cmpxchg('k'); return c; } from index 'I' as c select f(c)", "k")]
    [InlineData("declare function f(c) { includes.cmpxchg(c.E); return c; } from Cs as c group by c.Ext select { E: key() }", "")]
    public async Task Script_IncludesValues_ByOneKeyOrSeveral(string query, string keys)
    {
        Answer answer = await _server.QueryAsync(query);
        Assert.True(answer.Status == 200, answer.Text);
        string[] found = answer.Json.TryGetProperty("CompareExchangeValueIncludes", out JsonElement values)
            ? [.. values.EnumerateObject().Select(value => value.Name)] : [];
        Assert.Equal(keys, string.Join(',', found.Order(StringComparer.Ordinal)));
        if (keys.StartsWith('k'))
        {
            Assert.Equal(1, values.GetProperty("k").GetProperty("Value").GetProperty("Object").GetInt32());
        }
    }

    [Fact]
    public async Task Script_IncludesADocument_AsIncludeDoes()
    {
        await _server.PutAsync("ds/1", "Ds", "{}");
        Answer answer = await _server.QueryAsync(
            "declare function f(c) { includes.document('ds/1'); return c; } from Cs as c select f(c)");
        Assert.Equal(["ds/1"], answer.Json.GetProperty("Includes").EnumerateObject().Select(one => one.Name));
    }

    [Fact]
    public async Task Script_OfAStream_IsToldThatItCannotInclude()
    {
        string query = Uri.EscapeDataString("declare function f(c) { includes.cmpxchg(c.Ext); return c; } from Cs as c select f(c)");
        Answer answer = await _server.DbAsync("GET", $"/streams/queries?query={query}");
        Assert.Contains("includes.cmpxchg() brings values along, which this answer (a stream) cannot", answer.Text, StringComparison.Ordinal);
    }

    private async Task<(HttpStatusCode Status, string? Tag, long Etag)> AskAsync(string query, string? tag)
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, "databases/db1/queries")
        {
            Content = JsonContent.Create(new { Query = query, WaitForNonStaleResults = true }),
        };
        if (tag is not null)
        {
            request.Headers.TryAddWithoutValidation("If-None-Match", tag);
        }

        using HttpResponseMessage response = await _server.Client.SendAsync(request);
        string text = await response.Content.ReadAsStringAsync();
        Assert.True(response.StatusCode is HttpStatusCode.OK or HttpStatusCode.NotModified, text);
        long etag = text.Length == 0 ? 0 : JsonDocument.Parse(text).RootElement.GetProperty("ResultEtag").GetInt64();
        return (response.StatusCode, response.Headers.ETag?.ToString(), etag);
    }

    private async Task<long> SetAsync(string key, long index, string value)
    {
        Answer answer = await _server.DbAsync("PUT", $"/cmpxchg?key={key}&index={index}", $$"""{"Object":{{value}}}""");
        Assert.True(answer.Json.GetProperty("Successful").GetBoolean(), answer.Text);
        return answer.Json.GetProperty("Index").GetInt64();
    }

    private async Task<long> IndexOfAsync(string key) =>
        (await _server.DbAsync("GET", $"/cmpxchg?key={key}")).Json.GetProperty("Results")[0].GetProperty("Index").GetInt64();
}
