using System.Text.Json;
using Jackdaw.Indexing;
using Jackdaw.Server.Tests.Additions;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>A server with indexes of all kinds that Lucene wrote, and a second engine. For tests of moves between them.</summary>
public abstract class EngineMoveHarness : IAsyncLifetime
{
    protected const string Path = "/admin/indexes/move-engine";
    protected const string ByName = "from u in docs.Users select new { u.Name }";
    protected const string Key = "Indexing.Static.SearchEngineType";
    protected const int Users = 20;

    protected static string[] Queries { get; } =
    [
        "from index 'People' where Name = 'Ann'", "from index 'Counts'", "from index 'Script' where Name = 'Bob'", "from Users where Name = 'Ann'",
        "from Users group by Name select count(), key()",
    ];

    private ServerFixture? _server;

    private protected StandInEngine Own { get; } = new();

    private protected ServerFixture Server => _server!;

    // A folder that was written when there was Lucene only: indexes of all kinds.
    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync(new ServerSetup { Engines = StandInEngine.LuceneAlone });
        for (int i = 0; i < Users; i++)
        {
            await Server.PutAsync($"users/{i}", "Users", $$"""{"Name":"{{(i % 2 == 0 ? "Ann" : "Bob")}}","Age":{{i}}}""");
        }

        await Server.PutIndexAsync("People", ByName);
        await Server.PutIndexAsync(
            "Counts", "from u in docs.Users select new { u.Name, Count = 1 }",
            "from r in results group r by r.Name into g select new { Name = g.Key, Count = g.Sum(x => x.Count) }");
        await Server.PutIndexAsync("Script", "map('Users', u => ({ Name: u.Name }))");
        foreach (string query in Queries)
        {
            await Server.QueryAsync(query);
        }

        await Server.SettledAsync();
        Server.Setup = Server.Setup with { Engines = StandInEngine.Both(Own) };
        await Server.RestartAsync();
    }

    public async Task DisposeAsync() => await Server.DisposeAsync();

    private protected Task<Answer> MoveAsync(string engine, params string[] names) =>
        Server.DbAsync("POST", Path, JsonSerializer.Serialize(names.Length == 0 ? new { Engine = engine } : (object)new { Engine = engine, Names = names }));

    // The worker begins to build it after the answer.
    private protected async Task<DatabaseIndex> ReplacementAsync(string name)
    {
        await Server.WaitUntilAsync(() => Server.Indexes.Find("ReplacementOf/" + name) is not null);
        return Server.Indexes.Require("ReplacementOf/" + name);
    }

    private protected async Task<JsonElement> GetAsync() => (await Server.DbAsync("GET", Path)).Json;

    private protected async Task<bool> IsEndedAsync() => (await GetAsync()).GetProperty("Status").GetString() != "Running";

    // By the operation, because the state is written before the worker has ended.
    private protected async Task UntilEndAsync()
    {
        if ((await GetAsync()).TryGetProperty("OperationId", out JsonElement id))
        {
            await Server.EndOfOperationAsync(id.GetInt64());
        }
    }

    private protected async Task WriteUntilAsync(CancellationToken end)
    {
        for (int i = 0; !end.IsCancellationRequested; i++)
        {
            await Server.PutAsync($"users/more-{i % 50}", "Users", $$"""{"Name":"Ann","Age":{{i}}}""");
        }
    }

    private protected async Task<string[][]> AnswersAsync()
    {
        List<string[]> answers = [];
        foreach (string query in Queries)
        {
            answers.Add([.. (await Server.RowsAsync(query)).Order(StringComparer.Ordinal)]);
        }

        return [.. answers];
    }

    private protected static string[] NamesOf(JsonElement state, string member) =>
        [.. state.GetProperty(member).EnumerateArray().Select(name => name.GetString()!)];

    private protected static Dictionary<string, string> ReasonsOf(JsonElement state, string member) => state.GetProperty(member).EnumerateArray()
        .ToDictionary(one => one.GetProperty("Name").GetString()!, one => one.GetProperty("Reason").GetString()!);
}
