using Jackdaw.Client.BulkInserts;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Operations;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;
using Jackdaw.Client.Tests.Sessions;

namespace Jackdaw.Client.Tests;

/// <summary>Bulk inserts and operations of databases against a real server.</summary>
public sealed class BulkInsertTests : IAsyncLifetime
{
    private StoreFixture _fixture = null!;

    private DocumentStore Store => _fixture.Store;

    public async Task InitializeAsync() => _fixture = await StoreFixture.StartAsync();

    public async Task DisposeAsync() => await _fixture.DisposeAsync();

    [Fact]
    public async Task BulkInsert_OfManyFromSeveralTasks_StoresAll()
    {
        await using (BulkInsertOperation bulk = Store.BulkInsert())
        {
            await Task.WhenAll(Enumerable.Range(0, 4).Select(async part =>
            {
                for (int i = 0; i < 500; i++)
                {
                    await bulk.StoreAsync(new Order { Company = $"companies/{part}", Number = i });
                }
            }));
        }

        IReadOnlyDictionary<string, long> collections = await Store.Maintenance.SendAsync(new GetCollectionStatisticsOperation());
        Assert.Equal(2000, collections["Orders"]);
        using IAsyncDocumentSession session = Store.OpenAsyncSession();
        Assert.NotNull(await session.LoadAsync<Order>("orders/2000-A"));
    }

    [Fact]
    public async Task BulkInsert_OfAnObjectThatCannotBeWritten_GoesOnWithTheNext()
    {
        var ring = new Ring();
        ring.Next = ring;
        await using (BulkInsertOperation bulk = Store.BulkInsert())
        {
            await Assert.ThrowsAsync<System.Text.Json.JsonException>(() => bulk.StoreAsync(ring, "rings/1"));
            await bulk.StoreAsync(new Order { Number = 1 }, "orders/1");
            await Assert.ThrowsAsync<System.Text.Json.JsonException>(() => bulk.StoreAsync(ring, "rings/2"));
            await bulk.StoreAsync(new Order { Number = 2 }, "orders/2 \"ä\\");
            Assert.Equal("orders/1-A", await bulk.StoreAsync(new Order { Id = "" }));
            await Assert.ThrowsAsync<ArgumentException>(() => bulk.StoreAsync(new Order(), "orders/"));
            await Assert.ThrowsAnyAsync<ArgumentException>(() => bulk.StoreAsync(new Order(), "half \ud800"));
            await Assert.ThrowsAsync<ArgumentException>(() => bulk.StoreAsync(new Order(), "orders|"));
            await Assert.ThrowsAsync<System.Text.Json.JsonException>(() => bulk.StoreAsync(ring, "rings/3"));
        }

        using IAsyncDocumentSession session = Store.OpenAsyncSession();
        Assert.All(await session.LoadAsync<Order>(["orders/1", "orders/2 \"ä\\", "orders/1-A"]), one => Assert.NotNull(one.Value));
    }

    [Fact]
    public async Task BulkInsert_ThatTheServerRefuses_SaysWhy()
    {
        BulkInsertOperation bulk = Store.BulkInsert("none");
        BulkInsertAbortedException aborted = await Assert.ThrowsAsync<BulkInsertAbortedException>(async () =>
        {
            await bulk.StoreAsync(new Order(), "orders/1");
            await bulk.DisposeAsync();
        });
        Assert.Contains("none", aborted.Message, StringComparison.Ordinal);
        await bulk.DisposeAsync();
    }

    [Fact]
    public async Task Databases_AreCreatedListedAndDeleted()
    {
        await Store.Maintenance.Server.SendAsync(new CreateDatabaseOperation("second"));
        Assert.Equal(["db1", "second"], await Store.Maintenance.Server.SendAsync(new GetDatabaseNamesOperation()));
        using (IAsyncDocumentSession session = Store.OpenAsyncSession("second"))
        {
            await session.StoreAsync(new Order());
            await session.SaveChangesAsync();
        }

        DatabaseStatistics statistics = Store.Maintenance.ForDatabase("second").Send(new GetStatisticsOperation());
        Assert.Equal(2, statistics.CountOfDocuments); // with that of the ids
        await Store.Maintenance.Server.SendAsync(new DeleteDatabaseOperation("second", hardDelete: true));
        Assert.Equal(["db1"], await Store.Maintenance.Server.SendAsync(new GetDatabaseNamesOperation()));
    }

    private sealed class Ring
    {
        public Ring? Next { get; set; }
    }
}
