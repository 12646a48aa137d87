using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Databases;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Indexing;
using Jackdaw.Indexing.Running;
using Jackdaw.Pal.InMemory;
using Jackdaw.Pal.Native;
using Jackdaw.Server.Configuration;
using Jackdaw.Server.Http.Handlers;
using Jackdaw.Server.Notices;
using Jackdaw.Server.Tests.Http;
using Jackdaw.Storage;
using Jackdaw.TestKit;
using Microsoft.Extensions.Logging.Abstractions;

namespace Jackdaw.Server.Tests.Notices;

/// <summary>A whole server in memory whose one database, "db1", has indexes and tells its changes.</summary>
internal sealed class NoticeServer : IAsyncDisposable
{
    private NoticeServer(DatabaseCatalog catalog, ServerFixture server)
    {
        Catalog = catalog;
        Server = server;
    }

    public DatabaseCatalog Catalog { get; }

    public ServerFixture Server { get; }

    public DocumentDatabase Database => Catalog.Find("db1").Database!;

    public DatabaseNotices Notices => Database.FindPart<DatabaseNotices>()!;

    /// <param name="extensions">What documents can have besides their text; null: what the program has.</param>
    /// <param name="folder">Where its files lie; null: in memory.</param>
    public static async Task<NoticeServer> StartAsync(
        TimeProvider? time = null, Caller? caller = null, DocumentExtensions? extensions = null, string? folder = null)
    {
        var indexes = new IndexPartKind(
            new IndexingWorkers(threadsMax: 1), new IndexFactory(RegisteredEngines.All), TimeProvider.System, NullLogger.Instance);
        var notices = new NoticePartKind(OperationHandlers.WriteState, TimeProvider.System, NullLogger.Instance);
        DatabaseCatalog catalog = await DatabaseCatalog.OpenAsync(
            folder is null ? new MemoryPlatform() : new NativePlatform(), folder ?? "/data", new StorageOptions(), NodeTag.Default,
            extensions ?? StandardExtensions.All, [indexes, notices], new Progress<RecoveryProgress>(), NullLogger.Instance, default);
        if (catalog.GetRecord("db1") is null)
        {
            await catalog.PutRecordAsync("db1", Encoding.UTF8.GetBytes("""{"DatabaseName":"db1"}"""), null, default);
        }

        var server = new NoticeServer(catalog, await ServerFixture.StartAsync((_, _, _) => Task.FromResult(catalog), time: time, caller: caller));
        Assert.Equal(200, (await server.SendAsync("GET", "/stats")).Status); // opens the database
        return server;
    }

    public async ValueTask DisposeAsync() => await Server.DisposeAsync();

    public Task<Answer> SendAsync(string method, string path, object? body = null) => Server.DbAsync(method, path, body);

    public async Task PutAsync(string id, string collection = "Users") => Assert.Equal(201, (await SendAsync(
        "PUT", $"/docs?id={Uri.EscapeDataString(id)}", $$$"""{"@metadata":{"@collection":"{{{collection}}}"}}""")).Status);

    /// <summary>Writes a batch of commands and gives their results.</summary>
    public async Task<JsonElement[]> WriteAsync(IEnumerable<object> commands)
    {
        Answer answer = await SendAsync("POST", "/bulk_docs", JsonSerializer.Serialize(new { Commands = commands }));
        Assert.True(answer.Status == 201, answer.Text);
        return [.. answer.Json.GetProperty("Results").EnumerateArray()];
    }

    public static object PutCommand(string id, string collection) => new
    {
        Type = "PUT",
        Id = id,
        Document = new Dictionary<string, object> { ["@metadata"] = new Dictionary<string, string> { ["@collection"] = collection } },
    };

    /// <summary>A websocket that is told of the database's changes.</summary>
    public Task<NoticeClient> ConnectAsync(string query = "", int? receiveBufferBytes = null) =>
        NoticeClient.ConnectAsync(Server.Address, $"/databases/db1/changes{query}", receiveBufferBytes);

    /// <summary>Waits until so many clients are told of changes.</summary>
    public Task ExpectReadersAsync(int count) =>
        Eventually.IsTrueAsync(() => Notices.ReaderCount == count, () => $"{Notices.ReaderCount} readers instead of {count}");
}
