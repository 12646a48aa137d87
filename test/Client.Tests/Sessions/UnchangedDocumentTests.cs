using System.Text.Json;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;

namespace Jackdaw.Client.Tests.Sessions;

/// <summary>What nobody has touched is not saved, however its document was written.</summary>
public sealed class UnchangedDocumentTests : IAsyncLifetime
{
    private StoreFixture _fixture = null!;

    public async Task InitializeAsync() => _fixture = await StoreFixture.StartAsync();

    public async Task DisposeAsync() => await _fixture.DisposeAsync();

    [Fact]
    public async Task Document_WithMoreThanItsClassAndTimesInOtherForms_IsUnchangedUntilItIsTouched()
    {
        await StoreAsync("visits/1", """{"At":"2026-01-05T00:00:00.000Z","Stops":[{"Town":"Ulm","Hours":3}],"Weather":"rain"}""");
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        Visit visit = (await session.LoadAsync<Visit>("visits/1"))!;
        Assert.False(session.Advanced.HasChanges);
        Assert.False(session.Advanced.HasChanged(visit));
        visit.Stops[0].Town = "Bonn";
        Assert.True(session.Advanced.HasChanges);
    }

    [Fact]
    public async Task Object_ThatCannotBeMadeOfADocument_IsSavedWheneverItChanges()
    {
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        var counter = new Made("a", 1);
        await session.StoreAsync(counter, "made/1");
        await session.SaveChangesAsync();
        Assert.False(session.Advanced.HasChanges);
        counter.Count = 2;
        await session.SaveChangesAsync();
        using IAsyncDocumentSession reader = _fixture.Store.OpenAsyncSession();
        Assert.Equal(2, (await reader.LoadAsync<JsonElement>("made/1")).GetProperty("Count").GetInt32());
    }

    [Fact]
    public async Task Include_BehindADeletion_DoesNotBringTheDocumentBack()
    {
        await StoreAsync("companies/1", "{}");
        await StoreAsync("orders/1", """{"Company":"companies/1"}""");
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        session.Delete("companies/1");
        await session.Include<Order>(o => o.Company).LoadAsync("orders/1");
        await session.SaveChangesAsync();
        Assert.Null(await session.LoadAsync<Company>("companies/1"));
    }

    [Fact]
    public async Task Handler_ThatDeletesMore_HasItDeletedBySameSave()
    {
        await StoreAsync("orders/1", "{}");
        await StoreAsync("orders/1/details", "{}");
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        session.Advanced.OnBeforeDelete += (_, deleted) =>
        {
            if (!deleted.DocumentId.EndsWith("/details", StringComparison.Ordinal))
            {
                session.Delete(deleted.DocumentId + "/details");
            }
        };
        session.Delete("orders/1");
        await session.SaveChangesAsync();
        using IAsyncDocumentSession reader = _fixture.Store.OpenAsyncSession();
        Assert.All(await reader.LoadAsync<Order>(["orders/1", "orders/1/details"]), one => Assert.Null(one.Value));
    }

    [Fact]
    public async Task Refresh_OfWhatCannotBeFilled_SaysSo_AndSavesNothingOld()
    {
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        var free = new Dictionary<string, object?> { ["Name"] = "a" };
        var thing = System.Collections.Immutable.ImmutableDictionary<string, string>.Empty.Add("Name", "a");
        await session.StoreAsync(free, "things/0");
        await session.StoreAsync(thing, "things/1");
        await session.SaveChangesAsync();
        await StoreAsync("things/0", """{"Name":"b"}""");
        await StoreAsync("things/1", """{"Name":"b"}""");
        await session.Advanced.RefreshAsync(free);
        Assert.Equal("b", free["Name"]!.ToString());
        await Assert.ThrowsAsync<NotSupportedException>(() => session.Advanced.RefreshAsync(thing));
        Assert.False(session.Advanced.HasChanges);
    }

    [Fact]
    public async Task Refresh_OfAClassWithComputedProperties_FillsTheOthers()
    {
        await StoreAsync("stays/1", """{"Town":"Ulm"}""");
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        Stay stay = (await session.LoadAsync<Stay>("stays/1"))!;
        await StoreAsync("stays/1", """{"Town":"Bonn"}""");
        await session.Advanced.RefreshAsync(stay);
        Assert.Equal("in Bonn", stay.Where);
        Assert.False(session.Advanced.HasChanges);
    }

    [Fact]
    public async Task Ids_RequiredOrOfOtherTypes_AreKept()
    {
        using (IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession())
        {
            await session.StoreAsync(new Demanding { Id = "demanding/1", Name = "a" });
            await session.StoreAsync(new Reading { Id = 7 }, "readings/1");
            await session.StoreAsync(new Dictionary<string, int> { ["bolts"] = 3 }, "stock/1");
            await session.SaveChangesAsync();
        }

        using IAsyncDocumentSession reader = _fixture.Store.OpenAsyncSession();
        Assert.Equal("demanding/1", (await reader.LoadAsync<Demanding>("demanding/1"))!.Id);
        Assert.Equal(7, (await reader.LoadAsync<Reading>("readings/1"))!.Id);
        Assert.Equal("readings/1", reader.Advanced.GetDocumentId(Assert.Single(await reader.Query<Reading>().Where(one => one.Id == 7).ToListAsync())));
        Assert.Equal(3, Assert.Single((await reader.LoadAsync<Dictionary<string, int>>("stock/1"))!).Value);
        Assert.False(reader.Advanced.HasChanges);
    }

    [Fact]
    public async Task Names_ReadWithoutCase_AreWrittenOnce()
    {
        await using StoreFixture fixture = await StoreFixture.StartAsync(
            conventions => conventions.CustomizeSerializer = options => options.PropertyNameCaseInsensitive = true);
        await StoreAsync("companies/1", """{"name":"a"}""", fixture.Store);
        using (IAsyncDocumentSession session = fixture.Store.OpenAsyncSession())
        {
            (await session.LoadAsync<Company>("companies/1"))!.Name = "b";
            await session.SaveChangesAsync();
        }

        using IAsyncDocumentSession reader = fixture.Store.OpenAsyncSession();
        Assert.Equal("b", (await reader.LoadAsync<Company>("companies/1"))!.Name);
    }

    [Theory]
    [InlineData("a/../b")]
    [InlineData("..")]
    [InlineData("a?x=1")]
    [InlineData("a#b")]
    [InlineData("a%2fb")]
    [InlineData("")]
    public void Database_WhoseNameIsNone_IsRefused(string name) =>
        Assert.Throws<ArgumentException>(() => _fixture.Store.OpenAsyncSession(name));

    private async Task StoreAsync(string id, string text, DocumentStore? store = null)
    {
        using IAsyncDocumentSession session = (store ?? _fixture.Store).OpenAsyncSession();
        using JsonDocument json = JsonDocument.Parse(text);
        await session.StoreAsync(json.RootElement, id);
        await session.SaveChangesAsync();
    }

    private sealed class Visit
    {
        public DateTime At { get; set; }

        public List<Stop> Stops { get; set; } = [];
    }

    private sealed class Stop
    {
        public string Town { get; set; } = "";
    }

    private sealed class Made
    {
        public Made(string name) => Name = name;

        public Made(string name, int count) => (Name, Count) = (name, count);

        public string Name { get; }

        public int Count { get; set; }
    }

    private sealed class Stay
    {
        public string Town { get; set; } = "";

        public string Where => "in " + Town;
    }

    private sealed class Demanding
    {
        public required string Id { get; set; }

        public required string Name { get; set; }
    }

    private sealed class Reading
    {
        public int Id { get; set; }
    }
}
