using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Databases;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Running;
using Jackdaw.Indexing.Sources;
using Jackdaw.Pal;
using Jackdaw.Pal.InMemory;
using Jackdaw.Server.Configuration;
using Jackdaw.Server.Tests.Http;
using Jackdaw.Storage;
using Jackdaw.TestKit;
using Microsoft.Extensions.Logging.Abstractions;

namespace Jackdaw.Server.Tests.Indexing.Endpoints;

/// <summary>A whole server whose one database, "shop", has indexes; its storages survive <see cref="RestartAsync"/>.</summary>
internal sealed class IndexedServer : IAsyncDisposable
{
    private readonly IPlatform _platform;
    private readonly TimeProvider _time;
    private ServerFixture _server = null!;
    private DatabaseCatalog _catalog = null!;
    private string _settings = "{}";
    private string _data = "/data";

    private IndexedServer(IPlatform platform, TimeProvider time)
    {
        _platform = platform;
        _time = time;
    }

    public HttpClient Client => _server.Client;

    /// <summary>What definitions may map, from the next opening on; null: what the program has.</summary>
    public KnownSources? Sources { get; set; }

    /// <summary>The threads of its indexes; one, so that a test can hold it.</summary>
    public IndexingWorkers Workers { get; } = new(threadsMax: 1);

    /// <summary>Those of the database, opened when it is not open yet.</summary>
    public DatabaseIndexes Indexes => Database.FindPart<DatabaseIndexes>()!;

    public DocumentDatabase Database => _catalog.Find("shop").Database!;

    /// <summary>Starts it; the settings, a JSON object, are those of the database's record when it is created.</summary>
    public static async Task<IndexedServer> StartAsync(
        IPlatform? platform = null, TimeProvider? time = null, string settings = "{}", string data = "/data", KnownSources? sources = null)
    {
        var server = new IndexedServer(platform ?? new MemoryPlatform(), time ?? TimeProvider.System)
        {
            _settings = settings,
            _data = data,
            Sources = sources,
        };
        await server.OpenAsync();
        return server;
    }

    public async ValueTask DisposeAsync() => await _server.DisposeAsync();

    /// <summary>Closes everything in order and opens it again.</summary>
    public async Task RestartAsync(Action? whileClosed = null)
    {
        await _server.DisposeAsync();
        whileClosed?.Invoke();
        await OpenAsync();
    }

    public Task<Answer> SendAsync(string method, string path, object? body = null) =>
        Answer.ToAsync(Client, method, "/databases/shop" + path, body);

    /// <summary>Stores a JSON object as a document of a collection.</summary>
    public async Task PutAsync(string id, string collection, string json)
    {
        string rest = json.Length > 2 ? json[1..^1] + "," : "";
        Answer answer = await SendAsync("PUT", $"/docs?id={id}", $$$"""{{{{rest}}}"@metadata":{"@collection":"{{{collection}}}"}}""");
        Assert.True(answer.Status == 201, answer.Text);
    }

    /// <summary>Stores many documents of a collection, in one transaction.</summary>
    public async Task PutAllAsync(string collection, IEnumerable<(string Id, Dictionary<string, object> Fields)> documents)
    {
        var metadata = new Dictionary<string, string> { ["@collection"] = collection };
        object[] commands =
        [
            .. documents.Select(one => new { Type = "PUT", one.Id, Document = new Dictionary<string, object>(one.Fields) { ["@metadata"] = metadata } }),
        ];
        Answer answer = await SendAsync("POST", "/bulk_docs", JsonSerializer.Serialize(new { Commands = commands }));
        Assert.True(answer.Status == 201, answer.Text);
    }

    public async Task DeleteAsync(string id) => Assert.Equal(204, (await SendAsync("DELETE", $"/docs?id={id}")).Status);

    /// <summary>Puts a definition of C# texts.</summary>
    public Task<Answer> PutIndexAsync(string name, string map, string? reduce = null, object? more = null) =>
        PutDefinitionsAsync(Merge(new { Name = name, Maps = new[] { map }, Reduce = reduce }, more));

    public async Task<Answer> PutDefinitionsAsync(params object[] definitions) =>
        await SendAsync("PUT", "/admin/indexes", JsonSerializer.Serialize(new { Indexes = definitions }));

    /// <summary>Runs a query that waits for its index.</summary>
    public async Task<Answer> QueryAsync(string query, bool waits = true, object? more = null)
    {
        var request = new { Query = query, WaitForNonStaleResults = waits, WaitForNonStaleResultsTimeout = "00:01:00" };
        return await SendAsync("POST", "/queries", JsonSerializer.Serialize(Merge(request, more)));
    }

    /// <summary>The results of a query, each as JSON without its metadata.</summary>
    public async Task<string[]> RowsAsync(string query, object? more = null)
    {
        Answer answer = await QueryAsync(query, more: more);
        Assert.True(answer.Status == 200, answer.Text);
        Assert.False(answer.Json.GetProperty("IsStale").GetBoolean(), answer.Text);
        return [.. answer.Json.GetProperty("Results").EnumerateArray().Select(WithoutMetadata)];
    }

    /// <summary>The ids of the results of a query.</summary>
    public async Task<string> IdsAsync(string query)
    {
        Answer answer = await QueryAsync(query);
        Assert.True(answer.Status == 200, answer.Text);
        Assert.False(answer.Json.GetProperty("IsStale").GetBoolean(), answer.Text);
        return string.Join(',', answer.Json.GetProperty("Results").EnumerateArray()
            .Select(row => row.GetProperty("@metadata").GetProperty("@id").GetString()));
    }

    /// <summary>Waits until no index is being replaced, and each has read everything or does not work.</summary>
    public async Task SettledAsync()
    {
        await WaitUntilAsync(IsSettled);
        await Indexes.ChangeAsync([], record => record, default); // behind a swap that is still removing files
    }

    /// <summary>Waits for something that comes with a change of the indexes.</summary>
    public async Task WaitUntilAsync(Func<bool> isDone)
    {
        while (true)
        {
            Task next = Indexes.Changed.Next;
            if (isDone())
            {
                return;
            }

            await next.WaitAsync(TimeSpan.FromMinutes(1));
        }
    }

    /// <summary>Keeps all indexes from working until what is returned is disposed.</summary>
    public async Task<IDisposable> HoldIndexesAsync()
    {
        var hold = new IndexHold(Workers);
        await hold.Began.WaitAsync(TimeSpan.FromMinutes(1));
        return hold;
    }

    private bool IsSettled()
    {
        using DocumentReadScope read = Database.BeginRead();
        if (Indexes.IsCleaning || !Indexes.All.All(index => IsSettled(index, read)))
        {
            return false;
        }

        // What an index wrote meanwhile is read by others.
        using DocumentReadScope now = Database.BeginRead();
        return now.LastEtag == read.LastEtag;
    }

    private static bool IsSettled(DatabaseIndex index, DocumentReadScope read)
    {
        bool isIdle = index.Record.State != IndexState.Normal || index.IsPaused;
        return index.Record.Replaces is null && (isIdle
            || (index.IsActive && index.Builder is { HasPendingOutputs: false } && index.CutoffOf(read) is { } cutoff && index.HasPassed(cutoff)));
    }

    public static string WithoutMetadata(JsonElement row) =>
        "{" + string.Join(',', row.EnumerateObject().Where(member => member.Name != "@metadata")
            .Select(member => $"\"{member.Name}\":{member.Value.GetRawText()}")) + "}";

    private static Dictionary<string, object?> Merge(object first, object? second)
    {
        var members = new Dictionary<string, object?>();
        foreach (object? part in (ReadOnlySpan<object?>)[first, second])
        {
            foreach (System.Reflection.PropertyInfo property in part?.GetType().GetProperties() ?? [])
            {
                members[property.Name] = property.GetValue(part);
            }
        }

        return members;
    }

    private async Task OpenAsync()
    {
        var kind = new IndexPartKind(Workers, new IndexFactory(RegisteredEngines.All, Sources), _time, NullLogger.Instance);
        _catalog = await DatabaseCatalog.OpenAsync(
            _platform, _data, new StorageOptions(), NodeTag.Default, StandardExtensions.All, [kind],
            new Progress<RecoveryProgress>(), NullLogger.Instance, default);
        if (_catalog.GetRecord("shop") is null)
        {
            await _catalog.PutRecordAsync("shop", Encoding.UTF8.GetBytes($$"""{"DatabaseName":"shop","Settings":{{_settings}}}"""), null, default);
        }

        _server = await ServerFixture.StartAsync((_, _, _) => Task.FromResult(_catalog));
        Assert.Equal(200, (await SendAsync("GET", "/stats")).Status); // opens the database
    }
}

/// <summary>Takes the one thread of the indexes.</summary>
internal sealed class IndexHold : IDisposable
{
    private readonly TaskCompletionSource _began = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly ManualResetEventSlim _end = new();

    public IndexHold(IndexingWorkers workers) => new IndexWork(workers, () =>
    {
        _began.SetResult();
        _end.Wait();
        return false;
    }).Signal();

    public Task Began => _began.Task;

    public void Dispose() => _end.Set();
}
