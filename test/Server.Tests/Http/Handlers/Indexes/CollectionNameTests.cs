
namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>Collections whose names have characters with an unusual case: every way to ask for them finds the same documents.</summary>
public sealed class CollectionNameTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("Orders", "orders")]
    [InlineData("Straẞen", "straßen")]
    [InlineData("\u212Aeys", "keys")]
    [InlineData("\u212Bngström", "ångström")]
    [InlineData("\u2126s", "ωs")]
    [InlineData("ÄPFEL", "äpfel")]
    public async Task Queries_OfACollection_FindTheSameByEachIndexAndAfterEachWrite(string name, string lower)
    {
        await PutAsync("a", name);
        await PutAsync("b", lower);
        await _server.PutIndexAsync("CSharp", $"from d in docs[\"{name}\"] select new {{ d.X }}");
        await _server.PutDefinitionsAsync(new { Name = "Script", Maps = new[] { $"map('{name}', d => ({{ X: d.X }}))" } });
        string[] queries =
        [
            $"from \"{name}\" where X = 1", $"from \"{lower}\" where X = 1", $"from \"{name}\"", $"from \"{lower}\" filter X = 1",
            "from index 'CSharp' where X = 1", "from index 'Script' where X = 1",
        ];
        await AssertAsync("a,b");
        await PutAsync("c", name);
        await AssertAsync("a,b,c");
        Assert.Equal(204, (await _server.DbAsync("DELETE", "/docs?id=a")).Status);
        await AssertAsync("b,c");

        async Task AssertAsync(string ids)
        {
            foreach (string query in queries)
            {
                string found = string.Join(',', (await _server.IdsAsync(query)).Split(',').Order(StringComparer.Ordinal));
                Assert.True(found == ids, $"{query}: {found} instead of {ids}");
            }
        }
    }

    private async Task PutAsync(string id, string collection)
    {
        string json = $$$"""{"X":1,"@metadata":{"@collection":"{{{collection}}}"}}""";
        Assert.Equal(201, (await _server.DbAsync("PUT", $"/docs?id={id}", json)).Status);
    }
}
