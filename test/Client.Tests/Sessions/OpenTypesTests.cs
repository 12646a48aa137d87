using System.Dynamic;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;

namespace Jackdaw.Client.Tests.Sessions;

/// <summary>Objects that hold whatever a document has: no member of it is unknown to them.</summary>
public sealed class OpenTypesTests : IAsyncLifetime
{
    private StoreFixture _fixture = null!;

    public async Task InitializeAsync() => _fixture = await StoreFixture.StartAsync();

    public async Task DisposeAsync() => await _fixture.DisposeAsync();

    [Fact]
    public async Task Dictionary_IsSavedAgainWithItsOwnMembersOnly()
    {
        var thing = new Dictionary<string, object?> { ["Name"] = "a", ["Old"] = 1 };
        await SaveTwiceAsync(thing, () => (thing["Name"], _) = ("b", thing.Remove("Old")), "{'Name':'b'}");
    }

    [Fact]
    public async Task Expando_IsSavedAgainWithItsOwnMembersOnly()
    {
        IDictionary<string, object?> thing = new ExpandoObject();
        thing["Name"] = "a";
        await SaveTwiceAsync(thing, () => thing["Name"] = "b", "{'Name':'b'}");
    }

    [Fact]
    public async Task JsonObject_IsSavedAgainWithItsOwnMembersOnly()
    {
        var thing = new JsonObject { ["Name"] = "a" };
        await SaveTwiceAsync(thing, () => thing["Name"] = "b", "{'Name':'b'}");
    }

    [Fact]
    public async Task ExtensionData_IsSavedOnce()
    {
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        await session.StoreAsync(new { Name = "a", Size = 3, Color = "red" }, "things/1");
        await session.SaveChangesAsync();
        session.Advanced.Clear();
        Open open = (await session.LoadAsync<Open>("things/1"))!;
        Assert.False(session.Advanced.HasChanges);
        open.Name = "b";
        open.More!.Remove("Color");
        await session.SaveChangesAsync();
        Assert.Equal("{'Name':'b','Size':3}", await TextAsync("things/1"));
    }

    private async Task SaveTwiceAsync(object entity, Action change, string expected)
    {
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        await session.StoreAsync(entity, "things/1");
        await session.SaveChangesAsync();
        Assert.False(session.Advanced.HasChanges);
        change();
        await session.SaveChangesAsync();
        Assert.False(session.Advanced.HasChanges);
        Assert.Equal(expected, await TextAsync("things/1"));
    }

    private async Task<string> TextAsync(string id)
    {
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        JsonObject document = JsonNode.Parse((await session.LoadAsync<JsonElement>(id)).GetRawText())!.AsObject();
        document.Remove("@metadata");
        return document.ToJsonString().Replace('"', '\'');
    }

    private sealed class Open
    {
        public string Name { get; set; } = "";

        [JsonExtensionData]
        public Dictionary<string, JsonElement>? More { get; set; }
    }
}
