using System.Runtime.InteropServices;
using System.Text.Json;
using Jackdaw.Pal.InMemory;
using Jackdaw.Storage.Paging;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>An index whose vectors are damaged is set aside and built again, while others answer.</summary>
public sealed class VectorDamageRecoveryTests : IAsyncLifetime
{
    private const int Documents = 300;
    private const string Nearest = "from index 'Near' where vector.search(V, [1, 0]) limit 3";

    private readonly MemoryPlatform _platform = new();
    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync(new ServerSetup { Platform = _platform });
        for (int i = 0; i < Documents; i++)
        {
            await _server.PutAsync($"Items/{i}", "Items", $$"""{"N":{{i}},"V":[{{Documents - i}},{{i}}]}""");
        }

        Assert.Equal(201, (await _server.PutIndexAsync("Near", "from i in docs.Items select new { i.N, V = CreateVector(i.V) }")).Status);
        Assert.Equal(201, (await _server.PutIndexAsync("Numbers", "from i in docs.Items select new { i.N }")).Status);
        await _server.SettledAsync();
        Assert.Equal("Items/0,Items/1,Items/2", await _server.IdsAsync(Nearest));
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Search_ThatMeetsADamagedPageOfVectors_NamesTheIndexAndHasItBuiltAgain()
    {
        string folder = _server.Indexes.Require("Near").Record.Folder;
        string path = $"/data/Databases/db1/Indexes/{folder}/data";
        await _server.RestartAsync(whileClosed: () => DamageColumns(path));

        Answer answer = await _server.QueryAsync(Nearest, waits: false);
        if (answer.Status != 200)
        {
            Assert.Contains("Near", answer.Text, StringComparison.Ordinal);
        }

        Assert.Equal("Items/7", await _server.IdsAsync("from index 'Numbers' where N = 7"));
        await _server.WaitUntilAsync(() => _server.Indexes.Require("Near").Record.Folder != folder);
        await _server.SettledAsync();
        Assert.Equal("Items/0,Items/1,Items/2", await _server.IdsAsync(Nearest));
        JsonElement errors = (await _server.DbAsync("GET", "/indexes/errors?name=Near")).Json.GetProperty("Results")[0].GetProperty("Errors");
        Assert.Equal("Damage", errors[0].GetProperty("Action").GetString());
    }

    // Only pages of columns: the index opens, and its entries are whole.
    private void DamageColumns(string path)
    {
        byte[] bytes = _platform.ReadAll(path);
        int damaged = 0;
        for (int page = 0; page < bytes.Length / Page.Size; page++)
        {
            if (MemoryMarshal.Read<PageHeader>(bytes.AsSpan(page * Page.Size)).Type == PageType.Column)
            {
                _platform.FlipBit(path, ((page * (long)Page.Size) + 100) * 8);
                damaged++;
            }
        }

        Assert.True(damaged > 2, $"{damaged} pages of columns");
    }
}
