using Jackdaw.Client.Changes;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;

namespace Jackdaw.Client.Tests.Changes;

/// <summary>What a real server tells of what is written.</summary>
public sealed class ChangesTests : IAsyncLifetime
{
    private StoreFixture _fixture = null!;

    private DocumentStore Store => _fixture.Store;

    public async Task InitializeAsync() => _fixture = await StoreFixture.StartAsync();

    public async Task DisposeAsync() => await _fixture.DisposeAsync();

    [Fact]
    public async Task Documents_AllKindsOfWatches_AreTold()
    {
        IDatabaseChanges changes = Store.Changes();
        (Collector<string> one, Collector<string> all, Collector<string> prefix, Collector<string> collection) = (new(), new(), new(), new());
        await SubscribeAsync(changes.ForDocument("users/1"), change => one.Add($"{change.Type} {change.Id}"));
        await SubscribeAsync(changes.ForAllDocuments(), change => all.Add($"{change.Type} {change.Id}"));
        await SubscribeAsync(changes.ForDocumentsStartingWith("users/2"), change => prefix.Add($"{change.Type} {change.Id}"));
        await SubscribeAsync(changes.ForDocumentsInCollection<User>(), change => collection.Add($"{change.CollectionName} {change.Id}"));
        Assert.True(changes.Connected);
        await SaveAsync("users/1");
        await SaveAsync("users/20");
        await using (IAsyncDocumentSession session = Store.OpenAsyncSession())
        {
            session.Delete("users/1");
            await session.SaveChangesAsync();
        }

        Assert.Equal(["Put users/1", "Delete users/1"], await one.TakeAsync(2));
        Assert.Equal(["Put users/1", "Put users/20", "Delete users/1"], await all.TakeAsync(3));
        Assert.Equal(["Put users/20"], await prefix.TakeAsync(1));
        Assert.Equal(["Users users/1", "Users users/20", "Users users/1"], await collection.TakeAsync(3));
    }

    [Fact]
    public async Task Counters_AreTold()
    {
        await SaveAsync("users/1");
        IDatabaseChanges changes = Store.Changes();
        (Collector<string> all, Collector<string> one) = (new(), new());
        await SubscribeAsync(changes.ForAllCounters(), change => all.Add($"{change.Value}"));
        await SubscribeAsync(changes.ForCounterOfDocument("USERS/1", "Likes"), change => one.Add($"{change.Value}"));
        for (int i = 0; i < 2; i++)
        {
            await using IAsyncDocumentSession session = Store.OpenAsyncSession();
            session.CountersFor("users/1").Increment("likes", 5);
            await session.SaveChangesAsync();
        }

        Assert.Equal(["5", "10"], await all.TakeAsync(2));
        Assert.Equal(["5", "10"], await one.TakeAsync(2));
    }

    [Fact]
    public async Task Indexes_AreTold()
    {
        await SaveAsync("users/1");
        IDatabaseChanges changes = Store.Changes();
        var told = new Collector<IndexChange>();
        await SubscribeAsync(changes.ForAllIndexes(), told.Add);
        await using IAsyncDocumentSession session = Store.OpenAsyncSession();
        Assert.Single(await session.Query<User>().Where(user => user.Name == "Ann").ToListAsync());
        IndexChange change;
        do
        {
            change = await told.NextAsync();
            Assert.Equal("Auto/Users/ByName", change.Name);
        }
        while (change.Type != IndexChangeTypes.BatchCompleted);
    }

    [Fact]
    public async Task ReadAllAsync_TellsEachWriteOnce_WithRisingEtags()
    {
        await using IAsyncEnumerator<ChangeItem> items = Store.Changes().ReadAllAsync(ChangesFilter.Collection("Users")).GetAsyncEnumerator();
        Assert.True(await items.MoveNextAsync());
        Assert.IsType<ChangesGap>(items.Current);
        await Task.WhenAll(Enumerable.Range(0, 50).Select(i => SaveAsync("users/" + i)));
        long last = 0;
        var ids = new HashSet<string>();
        for (int i = 0; i < 50; i++)
        {
            Assert.True(await items.MoveNextAsync().AsTask().WaitAsync(ScriptedConnection.Limit));
            DocumentChange change = Assert.IsType<DocumentChange>(items.Current);
            Assert.True(change.Etag > last, $"{change.Etag} after {last}");
            last = change.Etag!.Value;
            Assert.True(ids.Add(change.Id), $"{change.Id} was told twice");
        }
    }

    [Fact]
    public async Task MissingDatabase_IsToldToWhoWaits()
    {
        var error = await Assert.ThrowsAnyAsync<Exceptions.DocumentDatabaseException>(() => Store.Changes("nobody").EnsureConnectedNow());
        Assert.Equal(503, error.StatusCode);
        Assert.Contains("/databases/nobody/changes", error.Message, StringComparison.Ordinal);
    }

    private static async Task SubscribeAsync<T>(IChangesObservable<T> changes, Action<T> handler)
    {
        changes.Subscribe(handler);
        await changes.EnsureSubscribedNow().WaitAsync(ScriptedConnection.Limit);
    }

    private async Task SaveAsync(string id)
    {
        await using IAsyncDocumentSession session = Store.OpenAsyncSession();
        await session.StoreAsync(new User { Id = id, Name = "Ann" });
        await session.SaveChangesAsync();
    }

    private sealed class User
    {
        public string? Id { get; set; }

        public string Name { get; set; } = "";
    }
}
