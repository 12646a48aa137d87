using Jackdaw.Client.BulkInserts;
using Jackdaw.Client.Indexes;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Operations;
using Jackdaw.Client.Operations.CompareExchange;
using Jackdaw.Client.Operations.Indexes;
using Jackdaw.Client.Operations.Revisions;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Sessions;

namespace Jackdaw.Client.Tests.Http;

/// <summary>A call of each kind that reads an answer, for tests of what servers may send.</summary>
internal static class ClientCalls
{
    private const string Counted = "Orders/Counted";

    public static readonly IReadOnlyDictionary<string, Func<DocumentStore, Task>> All = new Dictionary<string, Func<DocumentStore, Task>>
    {
        ["load"] = InSession(session => session.LoadAsync<Order>("orders/1")),
        ["load with include"] = InSession(session => session.Include<Order>(o => o.Company).LoadAsync("orders/1")),
        ["load several"] = InSession(session => session.LoadAsync<Order>(["orders/1", "orders/2", "companies/1"])),
        ["load untracked"] = In(new SessionOptions { NoTracking = true }, session => session.LoadAsync<Order>(["orders/1", "orders/2"])),
        ["load cluster-wide"] = In(
            new SessionOptions { TransactionMode = TransactionMode.ClusterWide }, session => session.LoadAsync<Order>(["orders/1", "orders/none"])),
        ["load, blocking"] = Blocking(session => session.Load<Order>("orders/1")),
        ["load by beginning"] = InSession(session => session.Advanced.LoadStartingWithAsync<Order>("orders/")),
        ["load if changed"] = InSession(session => session.Advanced.ConditionalLoadAsync<Order>("orders/1", "A:1-x")),
        ["exists"] = InSession(session => session.Advanced.ExistsAsync("orders/1")),
        ["refresh"] = InSession(RefreshAsync),
        ["save"] = InSession(SaveAsync),
        ["save, blocking"] = Blocking(SaveBlocking),
        ["save with id of the server"] = InSession(async session =>
        {
            await session.StoreAsync(new Order { Company = "x" }, "orders/");
            await session.SaveChangesAsync();
        }),
        ["save with id of a range"] = InSession(async session =>
        {
            await session.StoreAsync(new Order { Company = "x" });
            await session.SaveChangesAsync();
        }),
        ["save cluster-wide"] = In(new SessionOptions { TransactionMode = TransactionMode.ClusterWide }, async session =>
        {
            session.Advanced.ClusterTransaction.CreateCompareExchangeValue("new/" + Guid.NewGuid(), 1);
            await session.SaveChangesAsync();
        }),
        ["query"] = InSession(session => session.Query<Order>().Where(o => o.Company == "companies/1").ToListAsync()),
        ["query with include"] = InSession(session => session.Query<Order>().Include(o => o.Company).ToListAsync()),
        ["query, projected"] = InSession(session => session.Query<Order>().Select(o => new { o.Company, o.Number }).ToListAsync()),
        ["query, values"] = InSession(session => session.Query<Order>().Select(o => o.Number).ToListAsync()),
        ["query, count"] = InSession(session => session.Query<Order>().CountAsync()),
        ["query, blocking"] = Blocking(session => session.Query<Order>().ToList()),
        ["query, raw"] = InSession(session => session.Advanced.RawQuery<Order>("from Orders where Number > 0 include timings()").ToListAsync()),
        ["query, facets"] = InSession(session => session.Query<Order>(Counted).AggregateBy(f => f.ByField(o => o.Company).SumOn(o => o.Number)).ExecuteAsync()),
        ["query, suggestions"] = InSession(session => session.Query<Order>(Counted).SuggestUsing(s => s.ByField(o => o.Company, "companie")).ExecuteAsync()),
        ["query, timings and scores"] = InSession(session =>
            session.Query<Order>(Counted).Search(o => o.Company, "companies*").Customize(c => c.Timings(out _)).IncludeExplanations(out _).ToListAsync()),
        ["query, fragments"] = InSession(session =>
            session.Query<Order>(Counted).Search(o => o.Company, "companies*").Highlight(o => o.Company, 35, 4, out _).ToListAsync()),
        ["stream"] = InSession(async session => await ReadAsync(session.Advanced.StreamAsync(session.Query<Order>()))),
        ["stream by beginning"] = InSession(async session => await ReadAsync(session.Advanced.StreamAsync<Order>("orders/"))),
        ["stream, blocking"] = Blocking(session => _ = session.Advanced.Stream<Order>("orders/").Count()),
        ["lazy loads"] = InSession(LazyAsync),
        ["cached loads"] = CachedAsync,
        ["revisions"] = InSession(session => session.Advanced.Revisions.GetForAsync<Order>("orders/1")),
        ["revisions, count"] = InSession(session => session.Advanced.Revisions.GetCountForAsync("orders/1")),
        ["revisions, metadata"] = InSession(session => session.Advanced.Revisions.GetMetadataForAsync("orders/1")),
        ["counters"] = InSession(session => session.CountersFor("orders/1").GetAllAsync()),
        ["counters, some"] = InSession(session => session.CountersFor("orders/1").GetAsync(["likes", "none"])),
        ["attachment"] = InSession(async session => (await session.Advanced.Attachments.GetAsync("orders/1", "a.txt"))?.Dispose()),
        ["compare exchange"] = In(
            new SessionOptions { TransactionMode = TransactionMode.ClusterWide },
            session => session.Advanced.ClusterTransaction.GetCompareExchangeValuesAsync<int>(["number", "none"])),
        ["bulk insert"] = async store =>
        {
            await using BulkInsertOperation bulk = store.BulkInsert();
            await bulk.StoreAsync(new Order { Number = 3 }, "orders/3");
        },
        ["patch"] = store => store.Operations.SendAsync(new PatchOperation<Order>("orders/1", null, new PatchRequest { Script = "this.Number = 2" })),
        ["patch by query"] = async store =>
        {
            Operation operation = await store.Operations.SendAsync(new PatchByQueryOperation("from Orders update { this.Number = 5 }"));
            await operation.WaitForCompletionAsync(TimeSpan.FromSeconds(30));
        },
        ["counter batch"] = Sends(() => new CounterBatchOperation(
            new DocumentCountersOperation("orders/1", new CounterOperation(CounterOperationType.Increment, "likes", 1)))),
        ["counters by operation"] = Sends(() => new GetCountersOperation("orders/1")),
        ["attachment put"] = Sends(() => new PutAttachmentOperation("orders/1", "b.txt", new MemoryStream([1, 2]))),
        ["compare exchange get"] = Sends(() => new GetCompareExchangeValueOperation<int>("number")),
        ["compare exchange list"] = Sends(() => new GetCompareExchangeValuesOperation<int>("n")),
        ["compare exchange put"] = Sends(() => new PutCompareExchangeValueOperation<int>("number", 2, 0)),
        ["statistics"] = Maintains(() => new GetStatisticsOperation()),
        ["statistics, detailed"] = Maintains(() => new GetDetailedStatisticsOperation()),
        ["statistics of collections"] = Maintains(() => new GetCollectionStatisticsOperation()),
        ["identity"] = Maintains(() => new NextIdentityForOperation("orders")),
        ["identities"] = Maintains(() => new GetIdentitiesOperation()),
        ["index put"] = Maintains(() => new PutIndexesOperation(Definition())),
        ["index changed"] = Maintains(() => new IndexHasChangedOperation(Definition())),
        ["index"] = Maintains(() => new GetIndexOperation(Counted)),
        ["indexes"] = Maintains(() => new GetIndexesOperation()),
        ["index names"] = Maintains(() => new GetIndexNamesOperation()),
        ["index statistics"] = Maintains(() => new GetIndexStatisticsOperation(Counted)),
        ["index errors"] = Maintains(() => new GetIndexErrorsOperation()),
        ["index terms"] = Maintains(() => new GetTermsOperation(Counted, "Company")),
        ["indexing status"] = Maintains(() => new GetIndexingStatusOperation()),
        ["expiration"] = Maintains(() => new GetExpirationConfigurationOperation()),
        ["revisions configuration"] = Maintains(() => new GetRevisionsConfigurationOperation()),
        ["client configuration"] = Maintains(() => new GetClientConfigurationOperation()),
        ["database names"] = store => store.Maintenance.Server.SendAsync(new GetDatabaseNamesOperation()),
        ["build number"] = store => store.Maintenance.Server.SendAsync(new GetBuildNumberOperation()),
    };

    /// <summary>Stores what the calls read.</summary>
    public static async Task PrepareAsync(DocumentStore store)
    {
        await store.Maintenance.SendAsync(new ConfigureRevisionsOperation(new RevisionsConfiguration { Default = new RevisionsCollectionConfiguration() }));
        await store.Maintenance.SendAsync(new PutIndexesOperation(Definition()));
        await store.Operations.SendAsync(new PutCompareExchangeValueOperation<int>("number", 1, 0));
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await session.StoreAsync(new Company { Name = "Hook & Eye" }, "companies/1");
        await session.StoreAsync(new Order { Company = "companies/1", Number = 1, Lines = [new Line("p", 1, 2.5m)] }, "orders/1");
        await session.StoreAsync(new Order { Company = "companies/2", Number = 2 }, "orders/2");
        session.CountersFor("orders/1").Increment("likes", 7);
        session.Advanced.Attachments.Store("orders/1", "a.txt", new MemoryStream([1, 2, 3]), "text/plain");
        session.Advanced.WaitForIndexesAfterSaveChanges();
        await session.SaveChangesAsync();
    }

    private static IndexDefinition Definition() => new()
    {
        Name = Counted,
        Maps = { "from o in docs.Orders select new { o.Company, o.Number }" },
        Fields =
        {
            ["Company"] = new IndexFieldOptions
            {
                Indexing = FieldIndexing.Search, Storage = FieldStorage.Yes, TermVector = FieldTermVector.WithPositionsAndOffsets, Suggestions = true,
            },
        },
    };

    private static Func<DocumentStore, Task> InSession(Func<IAsyncDocumentSession, Task> call) => In(new SessionOptions(), call);

    private static Func<DocumentStore, Task> In(SessionOptions options, Func<IAsyncDocumentSession, Task> call) => async store =>
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession(options);
        await call(session);
    };

    // On another thread: a call that hangs must not hold the test.
    private static Func<DocumentStore, Task> Blocking(Action<IDocumentSession> call) => store => Task.Run(() =>
    {
        using IDocumentSession session = store.OpenSession();
        call(session);
    });

    private static Func<DocumentStore, Task> Sends<T>(Func<DocumentOperation<T>> make) => store => store.Operations.SendAsync(make());

    private static Func<DocumentStore, Task> Maintains<T>(Func<DatabaseOperation<T>> make) => store => store.Maintenance.SendAsync(make());

    private static async Task SaveAsync(IAsyncDocumentSession session)
    {
        await session.StoreAsync(new Order { Company = "companies/1", Number = 1 }, "orders/1");
        session.Delete("orders/none");
        session.CountersFor("orders/2").Increment("likes");
        session.Advanced.Patches.Set<Order, int>("orders/2", o => o.Number, 4);
        await session.SaveChangesAsync();
    }

    private static void SaveBlocking(IDocumentSession session)
    {
        session.Store(new Order { Company = "companies/1", Number = 1 }, "orders/1");
        session.SaveChanges();
    }

    private static async Task RefreshAsync(IAsyncDocumentSession session)
    {
        var order = new Order { Company = "companies/1" };
        await session.StoreAsync(order, "orders/1");
        await session.SaveChangesAsync();
        await session.Advanced.RefreshAsync(order);
    }

    private static async Task LazyAsync(IAsyncDocumentSession session)
    {
        Lazy<Task<Order?>> one = session.Advanced.Lazily.LoadAsync<Order>("orders/1");
        Lazy<Task<List<Order>>> some = session.Advanced.RawQuery<Order>("from Orders").LazilyAsync();
        await session.Advanced.Eagerly.ExecuteAllPendingLazyOperationsAsync();
        await one.Value;
        await some.Value;
    }

    // Within a scope of the aggressive cache answers are read for what they depend on, too.
    private static async Task CachedAsync(DocumentStore store)
    {
        using (store.AggressivelyCacheFor(TimeSpan.FromMinutes(1), Conventions.AggressiveCacheMode.DoNotTrackChanges))
        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            await session.Include<Order>(o => o.Company).LoadAsync("orders/1");
            await session.Query<Order>().Include(o => o.Company).ToListAsync();
        }
    }

    private static async Task ReadAsync<T>(IAsyncEnumerable<T> all)
    {
        await foreach (T _ in all)
        {
        }
    }
}
