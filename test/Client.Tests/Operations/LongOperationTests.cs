using Jackdaw.Client.Changes;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Operations;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;

namespace Jackdaw.Client.Tests.Operations;

/// <summary>Changes of all results of a query: they go on on the server, and are waited for.</summary>
public sealed class LongOperationTests : IAsyncLifetime
{
    private StoreFixture _fixture = null!;

    private DocumentStore Store => _fixture.Store;

    public async Task InitializeAsync()
    {
        _fixture = await StoreFixture.StartAsync();
        using IAsyncDocumentSession session = Store.OpenAsyncSession();
        for (int i = 0; i < 50; i++)
        {
            await session.StoreAsync(new Item { Number = i, Kind = i % 2 == 0 ? "even" : "odd" }, $"items/{i:00}");
        }

        await session.SaveChangesAsync();
    }

    public async Task DisposeAsync() => await _fixture.DisposeAsync();

    [Fact]
    public async Task PatchByQuery_WithParameters_ChangesWhatItFinds()
    {
        var query = new IndexQuery
        {
            Query = "from Items where Kind = $kind update { this.Number += args.by; }",
            QueryParameters = new Dictionary<string, object?> { ["kind"] = "odd", ["by"] = 1000 },
        };
        var options = new QueryOperationOptions { RetrieveDetails = true, StaleTimeout = TimeSpan.FromMinutes(1) };
        Operation operation = await Store.Operations.SendAsync(new PatchByQueryOperation(query, options));
        OperationProgress? seen = null;
        operation.OnProgressChanged += (_, progress) => seen = progress;
        OperationResult result = await operation.WaitForCompletionAsync();
        Assert.Equal((25L, query.Query), (result.DocumentsProcessed, result.Query));
        Assert.Equal(25, result.Details.Count);
        Assert.All(result.Details, changed => Assert.Equal("Patched", changed.Status));
        Assert.Equal((25L, 25L), (seen!.Processed, seen.Total));
        Assert.Equal(25, await CountAsync("from Items where Number >= 1000"));
    }

    [Fact]
    public void DeleteByQuery_Blocking_DeletesWhatItFinds()
    {
        var query = new IndexQuery
        {
            Query = "from Items where id() in ($ids)",
            QueryParameters = new Dictionary<string, object?> { ["ids"] = new[] { "items/01", "items/02" } },
        };
        OperationResult result = Store.Operations.Send(new DeleteByQueryOperation(query)).WaitForCompletion(TimeSpan.FromMinutes(1));
        Assert.Equal(2, result.DocumentsProcessed);
        Assert.Equal(48, Store.Maintenance.Send(new GetStatisticsOperation()).CountOfDocuments);
    }

    [Fact]
    public async Task DeleteByQuery_WithACondition_AsksTheCollectionOrTheIndex()
    {
        int limit = 10;
        var fresh = new QueryOperationOptions { StaleTimeout = TimeSpan.FromMinutes(1) };
        await (await Store.Operations.SendAsync(new DeleteByQueryOperation<Item>(null, x => x.Number < limit && x.Kind == "odd", fresh)))
            .WaitForCompletionAsync();
        Assert.Equal(45, await CountAsync("from Items"));
        using (var client = new HttpClient(_fixture.Server.CreateHandler()))
        {
            using var definition = new StringContent(
                """{"Indexes":[{"Name":"Items/ByNumber","Maps":["from item in docs.Items select new { item.Number }"]}]}""");
            using HttpResponseMessage made = await client.PutAsync(new Uri($"{Store.Urls[0]}/databases/db1/admin/indexes"), definition);
            made.EnsureSuccessStatusCode();
        }

        await (await Store.Operations.SendAsync(new DeleteByQueryOperation<Item>("Items/ByNumber", x => x.Number >= 40, fresh))).WaitForCompletionAsync();
        Assert.Equal(35, await CountAsync("from Items"));
        await Assert.ThrowsAsync<QueryTranslationException>(
            () => Store.Operations.SendAsync(new DeleteByQueryOperation<Item>("Items/ByNumber", x => x.Number + 1 > 40)));
    }

    [Fact]
    public async Task WaitForCompletion_OfAFailure_ThrowsItsExceptionWithItsFacts()
    {
        Operation operation = await Store.Operations.SendAsync(
            new PatchByQueryOperation("from Items where id() = 'items/03' update { throw new Error('no way'); }"));
        var failure = await Assert.ThrowsAsync<JavaScriptException>(() => operation.WaitForCompletionAsync());
        Assert.Contains("no way", failure.Message, StringComparison.Ordinal);
        Assert.EndsWith(".JavaScriptException", failure.ServerType, StringComparison.Ordinal);
        Assert.Equal(500, failure.StatusCode);
        Assert.Equal(OperationStatus.Faulted, (await operation.GetStateAsync()).Status);
        await Assert.ThrowsAsync<InvalidQueryException>(() => Store.Operations.SendAsync(new PatchByQueryOperation("from Items")));
        await Assert.ThrowsAsync<IndexDoesNotExistException>(() => Store.Operations.SendAsync(new DeleteByQueryOperation("from index 'None'")));
    }

    [Fact]
    public async Task Kill_OfAnOperationThatGoesOn_EndsIt()
    {
        var slow = new QueryOperationOptions { MaxOpsPerSecond = 1 };
        Operation operation = await Store.Operations.SendAsync(new PatchByQueryOperation("from Items update { this.Seen = true; }", slow));
        var late = await Assert.ThrowsAsync<RequestTimeoutException>(() => operation.WaitForCompletionAsync(TimeSpan.FromMilliseconds(50)));
        Assert.Contains($"Operation {operation.Id} ", late.Message, StringComparison.Ordinal);
        Assert.Throws<RequestTimeoutException>(() => operation.WaitForCompletion(TimeSpan.FromMilliseconds(50)));
        using var given = new CancellationTokenSource();
        await given.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => operation.WaitForCompletionAsync(given.Token));
        Assert.Equal(OperationStatus.InProgress, (await operation.GetStateAsync()).Status);
        await Store.Operations.GetOperation(operation.Id).KillAsync();
        var killed = await Assert.ThrowsAsync<OperationCanceledException>(() => operation.WaitForCompletionAsync());
        Assert.Contains("was killed", killed.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Operation_ThatTheServerDoesNotKnow_SaysSo()
    {
        Operation unknown = Store.Operations.GetOperation(123456);
        var failure = await Assert.ThrowsAsync<DocumentDatabaseException>(() => unknown.WaitForCompletionAsync());
        Assert.Contains("123456", failure.Message, StringComparison.Ordinal);
        Assert.Contains("db1", failure.Message, StringComparison.Ordinal);
        await Assert.ThrowsAsync<DocumentDatabaseException>(() => unknown.KillAsync());
    }

    private async Task<long> CountAsync(string rql)
    {
        using IAsyncDocumentSession session = Store.OpenAsyncSession();
        await session.Advanced.RawQuery<Item>(rql).WaitForNonStaleResults().Statistics(out QueryStatistics statistics).ToListAsync();
        return statistics.TotalResults;
    }

    private sealed class Item
    {
        public int Number { get; set; }

        public string Kind { get; set; } = "";
    }
}
