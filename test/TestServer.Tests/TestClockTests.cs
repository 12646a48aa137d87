using Jackdaw.Client;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Sessions;

namespace Jackdaw.TestServer.Tests;

/// <summary>What follows the clock of a test, and what does not.</summary>
public sealed class TestClockTests
{
    private static readonly DateTimeOffset s_moment = new(2031, 5, 6, 7, 8, 9, TimeSpan.Zero);

    [Fact]
    public async Task Document_ThatExpires_GoesWhenTheClockIsThereAndNotBefore()
    {
        await using JackdawTestServer server = await JackdawTestServer.StartAsync();
        await using DocumentStore store = await server.NewStoreAsync(new TestStoreOptions { HasExpiration = true });
        await SaveAsync(store, "things/1", server.Clock.GetUtcNow() + TimeSpan.FromHours(1));
        await SaveAsync(store, "things/2", expires: null);
        await server.AdvanceAsync(TimeSpan.FromMinutes(59));
        Assert.Equal(["things/1", "things/2"], await IdsAsync(store));
        await server.AdvanceAsync(TimeSpan.FromMinutes(2));
        Assert.Equal(["things/2"], await IdsAsync(store));
    }

    [Fact]
    public async Task Documents_ThatExpireBesideWriters_AreGoneAfterEachAdvance()
    {
        await using JackdawTestServer server = await JackdawTestServer.StartAsync();
        server.Clock.StopAt(s_moment);
        await using DocumentStore store = await server.NewStoreAsync(new TestStoreOptions { HasExpiration = true });
        for (int day = 1; day <= 20; day++)
        {
            await SaveAsync(store, "things/1", server.Clock.GetUtcNow() + TimeSpan.FromDays(1));
            await server.AdvanceAsync(TimeSpan.FromDays(1));
            Assert.Empty(await IdsAsync(store));
        }

        Assert.Equal(s_moment.AddDays(20), server.Clock.GetUtcNow());
    }

    [Fact]
    public async Task Expiration_OfAUsualDatabase_IsOff()
    {
        await using JackdawTestServer server = await JackdawTestServer.StartAsync();
        await using DocumentStore store = await server.NewStoreAsync();
        await SaveAsync(store, "things/1", server.Clock.GetUtcNow() + TimeSpan.FromHours(1));
        await server.AdvanceAsync(TimeSpan.FromHours(2));
        Assert.Equal(["things/1"], await IdsAsync(store));
    }

    [Fact]
    public async Task ClockThatStands_WritesIndexesAndNotices_GoOn()
    {
        await using JackdawTestServer server = await JackdawTestServer.StartAsync();
        server.Clock.StopAt(s_moment);
        await using DocumentStore store = await server.NewStoreAsync();
        using var told = new SemaphoreSlim(0);
        using IDisposable subscription = store.Changes().ForAllDocuments().Subscribe(_ => told.Release());
        await store.Changes().ForAllDocuments().EnsureSubscribedNow();
        for (int i = 1; i <= 20; i++)
        {
            await SaveAsync(store, $"things/{i}", expires: null);
            Assert.True(await told.WaitAsync(TimeSpan.FromSeconds(30)));
        }

        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await session.Query<Thing>().Where(thing => thing.Name == "some").ToListAsync();
        await store.WaitForIndexingAsync();
        List<Thing> found = await session.Query<Thing>().Where(thing => thing.Name == "some").ToListAsync();
        Assert.Equal(20, found.Count);
        Assert.Equal(s_moment.UtcDateTime, session.Advanced.GetLastModifiedFor(found[0]));
    }

    [Fact]
    public async Task Script_AskingForTheDate_GetsThatOfTheClock()
    {
        await using JackdawTestServer server = await JackdawTestServer.StartAsync();
        server.Clock.StopAt(s_moment);
        await using DocumentStore store = await server.NewStoreAsync();
        await SaveAsync(store, "things/1", expires: null);
        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            session.Advanced.Patches.Script("things/1", "this.Name = new Date().toISOString() + new Date(Date.now()).toISOString()", 0);
            await session.SaveChangesAsync();
        }

        using IAsyncDocumentSession reader = store.OpenAsyncSession();
        Assert.Equal("2031-05-06T07:08:09.000Z2031-05-06T07:08:09.000Z", (await reader.LoadAsync<Thing>("things/1"))!.Name);
    }

    [Fact]
    public async Task Clock_LeapingAhead_EndsNoRequestAndNoSubscription()
    {
        await using JackdawTestServer server = await JackdawTestServer.StartAsync();
        await using DocumentStore store = await server.NewStoreAsync();
        using var told = new SemaphoreSlim(0);
        int lost = 0;
        store.Changes().ConnectionStatusChanged += (_, _) => lost += store.Changes().Connected ? 0 : 1; // one after the other
        using IDisposable subscription = store.Changes().ForAllDocuments().Subscribe(_ => told.Release());
        await store.Changes().ForAllDocuments().EnsureSubscribedNow();
        for (int i = 0; i < 10; i++)
        {
            Task saving = SaveAsync(store, "things/1", expires: null);
            server.Clock.Advance(TimeSpan.FromDays(365));
            await saving;
            Assert.True(await told.WaitAsync(TimeSpan.FromSeconds(30)));
        }

        Assert.Equal(0, lost);
    }

    [Fact]
    public async Task Advance_WhileDatabasesAreDeleted_WaitsForNoneOfThem()
    {
        await using JackdawTestServer server = await JackdawTestServer.StartAsync();
        for (int i = 0; i < 20; i++)
        {
            DocumentStore store = await server.NewStoreAsync(new TestStoreOptions { HasExpiration = true });
            await SaveAsync(store, "things/1", server.Clock.GetUtcNow() + TimeSpan.FromHours(1));
            await store.DisposeAsync();
            await server.AdvanceAsync(TimeSpan.FromHours(2));
        }
    }

    [Fact]
    public async Task Clock_NobodyMoves_ShowsTheSystemsTime()
    {
        await using JackdawTestServer server = await JackdawTestServer.StartAsync();
        DateTimeOffset before = TimeProvider.System.GetUtcNow();
        DateTimeOffset shown = server.Clock.GetUtcNow();
        Assert.InRange(shown, before, TimeProvider.System.GetUtcNow());
        server.Clock.Advance(TimeSpan.FromHours(1));
        Assert.InRange(server.Clock.GetUtcNow(), before.AddHours(1), TimeProvider.System.GetUtcNow().AddHours(1));
    }

    [Fact]
    public async Task Advance_OverItsBounds_IsRefusedAndChangesNothing()
    {
        await using JackdawTestServer server = await JackdawTestServer.StartAsync();
        server.Clock.StopAt(s_moment);
        Assert.Throws<ArgumentOutOfRangeException>(() => server.Clock.Advance(TimeSpan.FromTicks(-1)));
        Assert.Throws<ArgumentOutOfRangeException>(() => server.Clock.Advance(TimeSpan.MaxValue));
        Assert.Equal(s_moment, server.Clock.GetUtcNow());
    }

    private static async Task SaveAsync(DocumentStore store, string id, DateTimeOffset? expires)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        var thing = new Thing { Name = "some" };
        await session.StoreAsync(thing, id);
        if (expires is { } moment)
        {
            session.Advanced.GetMetadataFor(thing)["@expires"] = moment.UtcDateTime.ToString("O");
        }

        await session.SaveChangesAsync();
    }

    private static async Task<IEnumerable<string>> IdsAsync(DocumentStore store)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        return (await session.LoadAsync<Thing>(["things/1", "things/2"])).Where(one => one.Value is not null).Select(one => one.Key).Order();
    }
}
