using System.Text;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Operations;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;

namespace Jackdaw.Client.Tests.Sessions;

/// <summary>What sessions change beside documents, and queries in RQL.</summary>
public sealed class SessionPartTests : IAsyncLifetime
{
    private StoreFixture _fixture = null!;

    private DocumentStore Store => _fixture.Store;

    public async Task InitializeAsync()
    {
        _fixture = await StoreFixture.StartAsync();
        using IAsyncDocumentSession session = Store.OpenAsyncSession();
        await session.StoreAsync(new Order { Company = "companies/1", Number = 1 }, "orders/1");
        await session.StoreAsync(new Order { Company = "companies/2", Number = 2 }, "orders/2");
        await session.SaveChangesAsync();
    }

    public async Task DisposeAsync() => await _fixture.DisposeAsync();

    [Fact]
    public async Task Counters_AreSavedWithTheSession()
    {
        using (IAsyncDocumentSession session = Store.OpenAsyncSession())
        {
            session.CountersFor("orders/1").Increment("Likes", 3);
            session.CountersFor("orders/1").Increment("Views");
            Assert.Null(await session.CountersFor("orders/1").GetAsync("Likes"));
            await session.SaveChangesAsync();
        }

        using IAsyncDocumentSession reader = Store.OpenAsyncSession();
        SessionCounters counters = reader.CountersFor((await reader.LoadAsync<Order>("orders/1"))!);
        Assert.Equal(3, await counters.GetAsync("likes"));
        Assert.Equal([1, null], (await counters.GetAsync(["Views", "None"])).OrderByDescending(one => one.Key).Select(one => one.Value));
        counters.Delete("Likes");
        await reader.SaveChangesAsync();
        Assert.Equal("Views", Assert.Single(await counters.GetAllAsync()).Key);
    }

    [Fact]
    public async Task Attachment_WhoseSaveHasFailed_IsSentAsAWholeByTheNextOne()
    {
        using var content = new MemoryStream([1, 2, 3]);
        using (IAsyncDocumentSession session = Store.OpenAsyncSession())
        {
            var order = new Order();
            await session.StoreAsync(order, "wrong version", "orders/9");
            session.Advanced.Attachments.Store("orders/9", "a", content);
            await Assert.ThrowsAsync<ConcurrencyException>(() => session.SaveChangesAsync());
            await session.StoreAsync(order, "", "orders/9");
            await session.SaveChangesAsync();
        }

        Assert.True(content.CanRead);
        using IDocumentSession reader = Store.OpenSession();
        Assert.True(reader.Advanced.Attachments.Exists("orders/9", "a"));
        Assert.False(reader.Advanced.Attachments.Exists("orders/9", "b"));
        Assert.Null(reader.Advanced.Attachments.Get("orders/9", "b"));
        using AttachmentResult found = reader.Advanced.Attachments.Get("orders/9", "a")!;
        using var read = new MemoryStream();
        found.Content.CopyTo(read);
        Assert.Equal([1, 2, 3], read.ToArray());
    }

    [Fact]
    public async Task Attachments_GoAndComeAsStreams()
    {
        byte[] photo = new byte[3_000_000];
        new Random(1).NextBytes(photo);
        using (IAsyncDocumentSession session = Store.OpenAsyncSession())
        {
            session.Advanced.Attachments.Store("orders/1", "photo.png", new MemoryStream(photo), "image/png");
            session.Advanced.Attachments.Store("orders/2", "note.txt", new MemoryStream("hello"u8.ToArray()));
            await session.SaveChangesAsync();
            session.Advanced.Attachments.Move("orders/2", "note.txt", "orders/1", "moved.txt");
            await session.SaveChangesAsync();
            Assert.False(await session.Advanced.Attachments.ExistsAsync("orders/2", "note.txt"));
        }

        using IAsyncDocumentSession reader = Store.OpenAsyncSession();
        using (AttachmentResult result = (await reader.Advanced.Attachments.GetAsync("orders/1", "photo.png"))!)
        {
            var read = new MemoryStream();
            await result.Content.CopyToAsync(read);
            Assert.Equal(photo, read.ToArray());
            Assert.Equal(("image/png", 3_000_000L), (result.ContentType, result.Size));
        }

        using AttachmentResult moved = (await reader.Advanced.Attachments.GetAsync("orders/1", "moved.txt"))!;
        using var text = new StreamReader(moved.Content, Encoding.UTF8);
        Assert.Equal("hello", await text.ReadToEndAsync());
        Assert.Null(await reader.Advanced.Attachments.GetAsync("orders/1", "none"));
    }

    [Fact]
    public async Task Patches_ChangeWhatIsNotLoaded()
    {
        using (IAsyncDocumentSession session = Store.OpenAsyncSession())
        {
            session.Advanced.Patches.Set<Order, string?>("orders/1", order => order.Company, "it's \"new\"");
            session.Advanced.Patches.Increment<Order, int>("orders/2", order => order.Number, 40);
            await session.SaveChangesAsync();
        }

        using IAsyncDocumentSession reader = Store.OpenAsyncSession();
        Assert.Equal("it's \"new\"", (await reader.LoadAsync<Order>("orders/1"))!.Company);
        Assert.Equal(42, (await reader.LoadAsync<Order>("orders/2"))!.Number);
    }

    [Fact]
    public async Task RawQuery_TracksDocumentsAndReadsProjections()
    {
        using IAsyncDocumentSession session = Store.OpenAsyncSession();
        List<Order> orders = await session.Advanced.RawQuery<Order>("from Orders where Company = $company").AddParameter("company", "companies/2")
            .WaitForNonStaleResults().Statistics(out QueryStatistics statistics).ToListAsync();
        Assert.Equal("orders/2", Assert.Single(orders).Id);
        Assert.Equal(1, statistics.TotalResults);
        Assert.Same(orders[0], await session.LoadAsync<Order>("orders/2"));
        List<Named> names = await session.Advanced.RawQuery<Named>("from Orders order by id() select Company as Name").ToListAsync();
        Assert.Equal(["companies/1", "companies/2"], names.Select(one => one.Name));
        List<string?> streamed = [];
        await foreach (Order order in session.Advanced.RawQuery<Order>("from Orders").AsAsyncEnumerable())
        {
            streamed.Add(order.Id);
        }

        Assert.Equal(["orders/1", "orders/2"], streamed.Order());
    }

    [Fact]
    public async Task Refresh_GivesTheObjectWhatIsStored()
    {
        using IAsyncDocumentSession session = Store.OpenAsyncSession();
        Order order = (await session.LoadAsync<Order>("orders/1"))!;
        using (IAsyncDocumentSession other = Store.OpenAsyncSession())
        {
            (await other.LoadAsync<Order>("orders/1"))!.Company = "theirs";
            await other.SaveChangesAsync();
        }

        order.Number = 99;
        await session.Advanced.RefreshAsync(order);
        Assert.Equal(("theirs", 1), (order.Company, order.Number));
        Assert.False(session.Advanced.HasChanges);
        Assert.Equal(["orders/1", "orders/2"], (await session.Advanced.LoadStartingWithAsync<Order>("orders/")).Select(one => one.Id));
    }

    private sealed record Named(string Name);
}
