using Jackdaw.Client.DocumentQueries;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;

namespace Jackdaw.Client.Tests.DocumentQueries;

/// <summary>Document queries of sessions on a server, in both kinds of sessions.</summary>
public sealed class DocumentQueryResultTests : IAsyncLifetime
{
    private StoreFixture _fixture = null!;

    private DocumentStore Store => _fixture.Store;

    public async Task InitializeAsync()
    {
        _fixture = await StoreFixture.StartAsync();
        using IAsyncDocumentSession session = Store.OpenAsyncSession();
        for (int i = 0; i < 20; i++)
        {
            await session.StoreAsync(
                new Ticket { City = i % 3 == 0 ? "ulm" : "bonn", Price = i, Notes = i == 7 ? "a quick brown fox" : "nothing", Owner = "owners/1" },
                $"tickets/{i:00}");
        }

        await session.StoreAsync(new Owner { Name = "Ann" }, "owners/1");
        await session.SaveChangesAsync();
    }

    public async Task DisposeAsync() => await _fixture.DisposeAsync();

    [Fact]
    public async Task Terminals_OfBothKinds_GiveTheSame()
    {
        using IAsyncDocumentSession session = Store.OpenAsyncSession();
        using IDocumentSession blocking = Store.OpenSession();
        IAsyncDocumentQuery<Ticket> query = session.Advanced.AsyncDocumentQuery<Ticket>().WhereEquals(t => t.City, "ulm").OrderByDescending(t => t.Price);
        IDocumentQuery<Ticket> same = blocking.Advanced.DocumentQuery<Ticket>().WhereEquals("City", "ulm").OrderByDescending("Price", OrderingType.Long);
        query.WaitForNonStaleResults().Statistics(out QueryStatistics statistics);
        Assert.Equal([18, 15, 12, 9, 6, 3, 0], (await query.ToListAsync()).Select(t => t.Price));
        Assert.Equal([18, 15, 12, 9, 6, 3, 0], same.ToList().Select(t => t.Price));
        Assert.Equal([18, 15, 12, 9, 6, 3, 0], same.Select(t => t.Price));
        Assert.Equal(7, statistics.TotalResults);
        Assert.Equal((18, 18), ((await query.FirstAsync()).Price, same.First().Price));
        Assert.Equal((7, 7L, 7), (await query.CountAsync(), same.LongCount(), same.Count()));
        Assert.True(await query.AnyAsync() && same.Any());
        await Assert.ThrowsAsync<InvalidOperationException>(() => query.SingleAsync());
        Assert.Throws<InvalidOperationException>(() => same.Single());
        Assert.Equal([15, 12], (await query.Skip(1).Take(2).ToArrayAsync()).Select(t => t.Price));
        IDocumentQuery<Ticket> none = blocking.Advanced.DocumentQuery<Ticket>().WhereEquals("City", "rom");
        Assert.Null(none.FirstOrDefault() ?? none.SingleOrDefault());
        Assert.Null(await session.Advanced.AsyncDocumentQuery<Ticket>().WhereEquals("City", "rom").FirstOrDefaultAsync());
        Assert.Equal("tickets/03", (await session.Advanced.AsyncDocumentQuery<Ticket>().WhereEquals("Id", "tickets/03").SingleOrDefaultAsync())!.Id);
    }

    [Fact]
    public async Task Rows_OfADocumentQuery_AreTrackedProjectedOrStreamed()
    {
        using IAsyncDocumentSession session = Store.OpenAsyncSession();
        Ticket tracked = await session.Advanced.AsyncDocumentQuery<Ticket>().WhereEquals(t => t.Price, 7).Include(t => t.Owner).WaitForNonStaleResults()
            .SingleAsync();
        Assert.Same(tracked, await session.LoadAsync<Ticket>("tickets/07"));
        Assert.Equal("Ann", (await session.LoadAsync<Owner>("owners/1"))!.Name);
        Assert.Equal(1, session.Advanced.NumberOfRequests);
        IAsyncDocumentQuery<Ticket> first = session.Advanced.AsyncDocumentQuery<Ticket>().OrderBy(t => t.Price).Take(2).WaitForNonStaleResults();
        Assert.Equal(["ulm", "bonn"], await first.SelectFields<string>("City").ToListAsync());
        Assert.Equal([new Row("ulm", 0), new Row("bonn", 1)], await first.SelectFields<Row>("City", "Price").ToListAsync());
        Assert.Equal([0, 1], (await first.SelectFields<Settable>().ToListAsync()).Select(row => row.Price));
        Assert.Equal(2, (await first.ToListAsync()).Count);
        List<int> streamed = [];
        IAsyncDocumentQuery<Ticket> some = session.Advanced.AsyncDocumentQuery<Ticket>().WhereBetween(t => t.Price, 3, 5).OrderBy(t => t.Price);
        await foreach (Ticket ticket in some.AsAsyncEnumerable())
        {
            streamed.Add(ticket.Price);
        }

        Assert.Equal([3, 4, 5], streamed);
        using IDocumentSession other = Store.OpenSession();
        Assert.False(other.Advanced.IsLoaded(other.Advanced.DocumentQuery<Ticket>().NoTracking().First().Id!));
    }

    [Fact]
    public async Task Groups_OfADocumentQuery_AreRowsOfAnotherType()
    {
        using IAsyncDocumentSession session = Store.OpenAsyncSession();
        List<Group> groups = await session.Advanced.AsyncDocumentQuery<Ticket>().GroupBy(t => t.City).SelectKey().SelectCount().SelectSum("Price", "Sum")
            .WhereGreaterThan("Count", 1).OrderBy("City").WaitForNonStaleResults().OfType<Group>().ToListAsync();
        Assert.Equal([new Group("bonn", 13, 127), new Group("ulm", 7, 63)], groups);
    }

    [Fact]
    public async Task Searches_OfADocumentQuery_FindWordsAndMarkThem()
    {
        using IAsyncDocumentSession session = Store.OpenAsyncSession();
        IAsyncDocumentQuery<Ticket> query = session.Advanced.AsyncDocumentQuery<Ticket>().Search(t => t.Notes, "quick fox", SearchOperator.And).Boost(2)
            .OrderByScore().Highlight(t => t.Notes, 50, 2, out Highlightings highlightings).WaitForNonStaleResults();
        Assert.Equal("tickets/07", Assert.Single(await query.ToListAsync()).Id);
        Assert.Contains("quick", Assert.Single(highlightings.GetFragments("tickets/07")), StringComparison.Ordinal);
        Assert.Equal("tickets/07", (await session.Advanced.AsyncDocumentQuery<Ticket>().WhereLucene("Notes", "nothi* AND -nothing").OrElse()
            .WhereEquals("Notes", "a quick brown fxo").Fuzzy(0.7m).WaitForNonStaleResults().SingleAsync()).Id);
        Assert.Equal(["tickets/07"], (await session.Query<Ticket>().Where(t => t.Price > 3).ToAsyncDocumentQuery()
            .WhereStartsWith(t => t.Notes, "a quick").WaitForNonStaleResults().ToListAsync()).Select(t => t.Id));
    }

    private sealed record Row(string City, int Price);

    private sealed record Group(string City, int Count, int Sum);

    private sealed class Settable
    {
        public int Price { get; set; }
    }

    private sealed class Owner
    {
        public string Name { get; set; } = "";
    }

    private sealed class Ticket
    {
        public string? Id { get; set; }

        public string City { get; set; } = "";

        public int Price { get; set; }

        public string Notes { get; set; } = "";

        public string Owner { get; set; } = "";
    }
}
