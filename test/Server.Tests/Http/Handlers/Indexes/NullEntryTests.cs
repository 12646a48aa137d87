using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>A null that a document has is a value: an entry that has nothing else is found by it.</summary>
public sealed class NullEntryTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await _server.PutAsync("u/1", "Us", """{"name":null,"list":[null],"both":null}""");
        await _server.PutAsync("u/2", "Us", """{"other":1}""");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("map('Us', u => ({ name: u.name }))")]
    [InlineData("map('Us', u => ({ name: u.list }))")]
    [InlineData("map('Us', u => ({ name: u.name, both: u.both }))")]
    [InlineData("map('Us', u => { if (u.name === null) return { name: null }; })")]
    [InlineData("from u in docs.Us select new { u.name }")]
    [InlineData("from u in docs.Us select new { name = u.list }")]
    [InlineData("from u in docs.Us select new { u.name, u.both }")]
    [InlineData("docs.Us.Where(u => u.other == null).Select(u => new { name = (string)u.name })")]
    [InlineData("map('Us', u => ({ _: createField('name', u.name) }))")]
    [InlineData("from u in docs.Us select new { _ = CreateField(\"name\", u.name) }")]
    public async Task Index_EntryWhoseOnlyValuesAreNull_IsFoundAndCounted(string map)
    {
        foreach (string mode in (string[])["Default", "Exact", "Search"])
        {
            string name = $"N{mode}";
            Answer put = await _server.PutIndexAsync(name, map, more: new { Fields = new { name = new { Indexing = mode } } });
            Assert.True(put.Status == 201, put.Text);
            Assert.Equal("u/1", await _server.IdsAsync($"from index '{name}' where name = null"));
            Assert.Equal(1, await CountEntriesAsync(name));
            Assert.Equal(["NULL_VALUE"], await TermsAsync(name));
        }
    }

    [Fact]
    public async Task Index_MissingFieldsAsNull_HasAnEntryForEachDocument()
    {
        await _server.PutIndexAsync("N", "map('Us', u => ({ name: u.name }))", more: new
        {
            Configuration = new Dictionary<string, string> { ["Indexing.IndexMissingFieldsAsNull"] = "true" },
        });
        Assert.Equal("u/1,u/2", await _server.IdsAsync("from index 'N' where name = null order by id()"));
        Assert.Equal(2, await CountEntriesAsync("N"));
    }

    [Fact]
    public async Task Index_GroupOfNulls_IsOneGroup()
    {
        await _server.PutAsync("u/3", "Us", """{"name":null}""");
        await _server.PutIndexAsync(
            "N", "from u in docs.Us where u.other == null select new { u.name }",
            "from r in results group r by r.name into g select new { name = g.Key }");
        Assert.Equal(["""{"name":null}"""], await _server.RowsAsync("from index 'N' where name = null"));
        Assert.Equal(1, await CountEntriesAsync("N"));
    }

    private async Task<long> CountEntriesAsync(string name) =>
        (await _server.DbAsync("GET", $"/indexes/stats?name={name}")).Json.GetProperty("Results")[0].GetProperty("EntriesCount").GetInt64();

    private async Task<string[]> TermsAsync(string name)
    {
        JsonElement terms = (await _server.DbAsync("GET", $"/indexes/terms?name={name}&field=name")).Json.GetProperty("Terms");
        return [.. terms.EnumerateArray().Select(term => term.GetString()!)];
    }
}
