using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers;

/// <summary>Counts and sizes in statistics are those of what is stored.</summary>
public sealed class StatisticsSizeTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Collections_WithRevisions_HaveSizesThatAddUp()
    {
        await _server.DbAsync("POST", "/admin/revisions/config", """{"Collections":{"Users":{"Disabled":false}}}""");
        await _server.PutAsync("orders/1", "Orders", """{"n":1}""");
        long before = 0;
        for (int i = 0; i < 5; i++)
        {
            await _server.PutAsync($"users/{i % 2}", "Users", $$"""{"n":{{i}}}""");
            (long documents, long revisions, long tombstones, long all) = await SizesAsync("Users");
            Assert.True(revisions > before && documents > 0, "A version adds its bytes.");
            Assert.Equal(documents + revisions + tombstones, all);
            before = revisions;
        }

        Assert.Equal(0, (await SizesAsync("Orders")).Revisions);
        await _server.DeleteAsync("users/0");
        (_, long withDeletion, long deleted, long sum) = await SizesAsync("Users");
        Assert.True(withDeletion > before && deleted > 0 && sum > withDeletion + deleted);
        Answer stats = await _server.DbAsync("GET", "/stats");
        Assert.Equal(6, stats.Json.GetProperty("CountOfRevisionDocuments").GetInt64());
        Assert.Equal((2, 1), (stats.Json.GetProperty("CountOfDocuments").GetInt64(), stats.Json.GetProperty("CountOfTombstones").GetInt64()));
    }

    [Fact]
    public async Task LastDocEtag_IsThatOfADocument()
    {
        await _server.PutAsync("users/1", "Users", "{}");
        await _server.DbAsync("PUT", "/cmpxchg?key=a&index=0", """{"Object":1}""");
        JsonElement stats = (await _server.DbAsync("GET", "/stats")).Json;
        Assert.Equal((1, 2), (stats.GetProperty("LastDocEtag").GetInt64(), stats.GetProperty("LastDatabaseEtag").GetInt64()));
    }

    [Fact]
    public async Task Databases_AreListedWithTheirIndexes()
    {
        await _server.PutIndexAsync("I", "from u in docs.Us select new { u.Name }");
        JsonElement one = (await _server.SendAsync("GET", "/databases?name=db1")).Json.GetProperty("Databases")[0];
        Assert.Equal(1, one.GetProperty("IndexesCount").GetInt32());
    }

    private async Task<(long Documents, long Revisions, long Tombstones, long All)> SizesAsync(string collection)
    {
        JsonElement one = (await _server.DbAsync("GET", "/collections/stats/detailed")).Json.GetProperty("Collections").GetProperty(collection);
        return (BytesOf("DocumentsSize"), BytesOf("RevisionsSize"), BytesOf("TombstonesSize"), BytesOf("Size"));

        long BytesOf(string name) => one.GetProperty(name).GetProperty("SizeInBytes").GetInt64();
    }
}
