using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;

namespace Jackdaw.Client.Tests.Sessions;

/// <summary>The calls that block do the same, on the caller's thread.</summary>
public sealed class SyncSessionTests : IAsyncLifetime
{
    private StoreFixture _fixture = null!;

    private DocumentStore Store => _fixture.Store;

    public async Task InitializeAsync() => _fixture = await StoreFixture.StartAsync();

    public async Task DisposeAsync() => await _fixture.DisposeAsync();

    [Fact]
    public void Session_StoreLoadChangeDelete()
    {
        var order = new Order { Company = "companies/1" };
        using (IDocumentSession session = Store.OpenSession())
        {
            session.Store(order);
            session.Store(new Company { Name = "Acme" }, "companies/1");
            session.SaveChanges();
        }

        using (IDocumentSession session = Store.OpenSession())
        {
            Order loaded = session.Include<Order>(one => one.Company).Load<Order>(order.Id!)!;
            Assert.Equal("Acme", session.Load<Company>(loaded.Company)!.Name);
            Assert.Equal(1, session.Advanced.NumberOfRequests);
            Assert.True(session.Advanced.Exists("companies/1"));
            Assert.Equal([order.Id], session.Query<Order>().Where(one => one.Company == "companies/1").ToList().Select(one => one.Id));
            session.Delete(loaded);
            session.SaveChanges();
        }

        using IDocumentSession last = Store.OpenSession();
        Assert.Null(last.Load<Order>(order.Id));
        Assert.Equal([true, false], last.Load<Company>(["companies/1", "companies/2"]).OrderBy(one => one.Key).Select(one => one.Value is not null));
    }

    [Fact]
    public void Conflict_Throws()
    {
        using IDocumentSession session = Store.OpenSession();
        session.Store(new Order(), changeVector: "", "orders/1");
        session.SaveChanges();
        using IDocumentSession other = Store.OpenSession();
        other.Store(new Order(), changeVector: "", "orders/1");
        Assert.Throws<ConcurrencyException>(other.SaveChanges);
    }
}
