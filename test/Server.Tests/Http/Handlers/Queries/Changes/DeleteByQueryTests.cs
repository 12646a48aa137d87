using Jackdaw.DocumentKit;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Operations;
using Jackdaw.Queries.Changes;
using Jackdaw.Queries.Planning;
using Jackdaw.Queries.Rows;
using Jackdaw.Queries.Searching;
using Jackdaw.Scripting.Caching;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Changes;

/// <summary>Deletes by query while others write.</summary>
public sealed class DeleteByQueryTests : IAsyncLifetime
{
    private static readonly QueryScripts s_scripts = new();

    private const int Users = 40;

    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await _server.PutAllAsync("Users", Enumerable.Range(0, Users).Select(i => ($"users/{i}", new Dictionary<string, object> { ["Name"] = "Ann" })));
        await _server.PutIndexAsync("Names", "from u in docs.Users select new { u.Name }");
        Assert.Equal(Users, (await _server.QueryAsync("from Users where Name = 'ann'")).Json.GetProperty("TotalResults").GetInt32());
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("from Users where Name = 'ann'")]
    [InlineData("from index Names where Name = 'ann'")]
    [InlineData("from Users where Name = 'ann' filter Name != 'zoe'")]
    public async Task Delete_DocumentWrittenAfterTheIndexWasAsked_Stays(string text)
    {
        using QueryRun query = await FindAsync(text);
        await _server.PutAsync("users/39", "Users", """{"Name":"Bob"}""");
        Operation operation = Begin(text);
        await DeleteAsync(_server.Database, query, operation);
        await AssertOnlyBobIsLeft(operation);
    }

    [Theory]
    [InlineData("from Users where Name = 'ann'")]
    [InlineData("from Users")]
    [InlineData("from Users filter Name = 'Ann'")]
    public async Task Delete_DocumentWrittenBetweenItsReadAndItsDelete_Stays(string text)
    {
        using QueryRun query = await FindAsync(text);
        var gate = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var probe = new DatabaseProbe(_server.Database) { Gate = gate.Task };
        Operation operation = Begin(text);
        Task deleting = DeleteAsync(_server.Database, query, operation);
        Assert.Equal(1, probe.WritesBegun);
        probe.Gate = null;
        await _server.PutAsync("users/39", "Users", """{"Name":"Bob"}""");
        gate.SetResult();
        await deleting;
        await AssertOnlyBobIsLeft(operation);
    }

    private async Task<QueryRun> FindAsync(string text)
    {
        QueryRun query = QueryRun.Prepare(_server.Database, new QueryRequest { Text = text }, s_scripts, CancellationToken.None);
        await query.SearchAsync(SearchRun.FirstPatience, default);
        Assert.NotEqual(true, query.IndexAnswer?.IsStale);
        return query;
    }

    private Operation Begin(string text)
    {
        OperationRegistry operations = _server.Database.Operations;
        Assert.True(operations.TryBegin(operations.NextId(), out Operation operation, text));
        return operation;
    }

    private static Task DeleteAsync(DocumentDatabase database, QueryRun query, Operation operation) =>
        new DeleteByQuery(database, query, operation, perSecondMax: null, TimeProvider.System)
            .RunAsync(default);

    private async Task AssertOnlyBobIsLeft(Operation operation)
    {
        Assert.Equal(Users - 1, operation.State.Progress.Documents);
        Assert.Equal("""{"Name":"Bob"}""", Assert.Single(await _server.RowsAsync("from Users")));
    }
}
