using Jackdaw.Client;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Sessions;
using Jackdaw.TestServer;

namespace Shop.Tests;

public sealed class CartTests
{
    [Fact]
    public async Task Carts_OfOneCustomer_AreFound()
    {
        await using JackdawTestServer server = await JackdawTestServer.StartAsync();
        await using DocumentStore store = await server.NewStoreAsync();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await session.StoreAsync(new Cart { Customer = "customers/1" });
        await session.StoreAsync(new Cart { Customer = "customers/2" });
        await session.SaveChangesAsync();
        await store.WaitForIndexingAsync();

        List<Cart> found = await session.Query<Cart>().Where(cart => cart.Customer == "customers/1").ToListAsync();

        Assert.Single(found);
    }

    [Fact]
    public async Task Cart_NobodyBuys_IsGoneAfterADay()
    {
        await using JackdawTestServer server = await JackdawTestServer.StartAsync();
        await using DocumentStore store = await server.NewStoreAsync(new TestStoreOptions { HasExpiration = true });
        var cart = new Cart { Customer = "customers/1" };
        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            await session.StoreAsync(cart);
            session.Advanced.GetMetadataFor(cart)["@expires"] = server.Clock.GetUtcNow().UtcDateTime.AddDays(1).ToString("O");
            await session.SaveChangesAsync();
        }

        await server.AdvanceAsync(TimeSpan.FromHours(25));

        using IAsyncDocumentSession later = store.OpenAsyncSession();
        Assert.Null(await later.LoadAsync<Cart>(cart.Id));
    }

    private sealed class Cart
    {
        public string? Id { get; set; }

        public string? Customer { get; set; }
    }
}
