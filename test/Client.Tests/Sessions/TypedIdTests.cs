using System.Text.Json;
using System.Text.Json.Nodes;
using Jackdaw.Client.Conventions;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;

namespace Jackdaw.Client.Tests.Sessions;

/// <summary>Ids that are not texts, and properties that hold the version of a document.</summary>
public sealed class TypedIdTests : IAsyncLifetime
{
    private StoreFixture _fixture = null!;

    public async Task InitializeAsync() => _fixture = await StoreFixture.StartAsync();

    public async Task DisposeAsync() => await _fixture.DisposeAsync();

    [Fact]
    public async Task Version_IsFilledAndDemanded()
    {
        var page = new Page { Text = "a" };
        using (IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession())
        {
            await session.StoreAsync(page);
            await session.SaveChangesAsync();
        }

        Assert.NotNull(page.Version);
        Assert.Equal("""{"Text":"a"}""", await TextAsync(page.Id!));
        using (IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession())
        {
            Page mine = (await session.LoadAsync<Page>(page.Id))!;
            Assert.Equal(page.Version, mine.Version);
            mine.Text = "b";
            await session.SaveChangesAsync();
            Assert.NotEqual(page.Version, mine.Version);
        }

        page.Text = "from an old form";
        using IAsyncDocumentSession late = _fixture.Store.OpenAsyncSession();
        await late.StoreAsync(page);
        await Assert.ThrowsAsync<ConcurrencyException>(() => late.SaveChangesAsync());
        using IAsyncDocumentSession again = _fixture.Store.OpenAsyncSession();
        await again.StoreAsync(new Page { Id = page.Id, Text = "new" });
        await Assert.ThrowsAsync<ConcurrencyException>(() => again.SaveChangesAsync());
    }

    [Fact]
    public async Task Ids_OfOtherTypes_MakeAndFindDocuments()
    {
        var order = new GuidOrder();
        var first = new NumberOrder { Text = "a" };
        var second = new TypedOrder();
        using (IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession())
        {
            await session.StoreAsync(order);
            second.Before = new OrderId(order.Id);
            await session.StoreAsync(first);
            await session.StoreAsync(second);
            await session.SaveChangesAsync();
            Assert.Equal(order.Id.ToString(), session.Advanced.GetDocumentId(order));
            Assert.Equal($"numberOrders/{first.Id}", session.Advanced.GetDocumentId(first), ignoreCase: true);
        }

        using (IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession())
        {
            Assert.Equal(order.Id, (await session.LoadAsync<GuidOrder>(order.Id))!.Id);
            Assert.Equal("a", (await session.LoadAsync<NumberOrder>(first.Id))!.Text);
            Assert.Equal(second.Before, (await session.LoadAsync<TypedOrder>(second.Id))!.Before);
            Assert.Null(await session.LoadAsync<NumberOrder>(77L));
            Assert.Equal(["a", null], (await session.LoadAsync<NumberOrder>([first.Id, 77])).Values.Select(one => one?.Text));
            await Assert.ThrowsAsync<ArgumentException>(() => session.LoadAsync<NumberOrder>(1.5));
            session.Delete<NumberOrder>(first.Id);
            await session.SaveChangesAsync();
        }

        using (IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession())
        {
            TypedOrder loaded = (await session.Include<TypedOrder>(one => one.Before).LoadAsync<TypedOrder>(second.Id.Value.ToString()))!;
            Assert.NotNull(await session.LoadAsync<GuidOrder>(loaded.Before.Value));
            Assert.Equal(1, session.Advanced.NumberOfRequests);
        }

        using IDocumentSession blocking = _fixture.Store.OpenSession();
        Assert.Null(blocking.Load<NumberOrder>(first.Id));
        Assert.Equal(second.Id, Assert.Single(Orders(blocking).Where(one => one.Before == second.Before)).Id);
        Assert.Equal(second.Id, Assert.Single(Orders(blocking).Where(one => one.Id == second.Id && one.Before.Value == order.Id)).Id);
    }

    [Fact]
    public async Task RegisteredIds_AreWholeIdsOfDocuments()
    {
        await using StoreFixture fixture = await StoreFixture.StartAsync(conventions =>
            conventions.RegisterIdConverter<Sku>(sku => $"items/{sku.Maker}-{sku.Number}", text =>
                new Sku(text["items/".Length..].Split('-')[0], int.Parse(text.Split('-')[1], System.Globalization.CultureInfo.InvariantCulture))));
        using IAsyncDocumentSession session = fixture.Store.OpenAsyncSession();
        await session.StoreAsync(new Item { Id = new("acme", 7), Parts = [new("acme", 8)] });
        await session.StoreAsync(new Item { Id = new("acme", 8) });
        await Assert.ThrowsAsync<InvalidOperationException>(() => session.StoreAsync(new Item()));
        await session.SaveChangesAsync();
        session.Advanced.Clear();
        Item item = (await session.Include<Item>(one => one.Parts).LoadAsync<Item>("items/acme-7"))!;
        Item part = (await session.LoadAsync<Item>(item.Parts[0]))!;
        Assert.Equal(new Sku("acme", 8), part.Id);
        Assert.Equal(2, session.Advanced.NumberOfRequests);
    }

    private static IDocumentQueryable<TypedOrder> Orders(IDocumentSession session) =>
        session.Query<TypedOrder>().Customize(query => query.WaitForNonStaleResults());

    private async Task<string> TextAsync(string id)
    {
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        JsonObject document = JsonNode.Parse((await session.LoadAsync<JsonElement>(id)).GetRawText())!.AsObject();
        document.Remove("@metadata");
        return document.ToJsonString();
    }

    private sealed class Page
    {
        public string? Id { get; set; }

        [DocumentVersion]
        public string? Version { get; set; }

        public string Text { get; set; } = "";
    }

    private sealed class GuidOrder
    {
        public Guid Id { get; private set; }
    }

    private sealed class NumberOrder
    {
        public int Id { get; private set; }

        public string Text { get; set; } = "";
    }

    private readonly record struct OrderId(Guid Value);

    private sealed class TypedOrder
    {
        public OrderId Id { get; private set; }

        public OrderId Before { get; set; }
    }

    private sealed record Sku(string Maker, int Number);

    private sealed class Item
    {
        public Sku? Id { get; set; }

        public List<Sku> Parts { get; set; } = [];
    }
}
