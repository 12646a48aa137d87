using System.Net;
using System.Text;
using System.Text.Json;
using Jackdaw.Server.Configuration;
using Jackdaw.Server.Documents.Databases;
using Jackdaw.Server.Hosting;
using Jackdaw.Server.Tests.Http.Memory;
using Microsoft.Extensions.Logging.Abstractions;

namespace Jackdaw.Server.Tests.Http;

/// <summary>A whole server on a free port of the loopback address, with the in-memory store and a database
/// "db1".</summary>
internal sealed class ServerFixture : IAsyncDisposable
{
    private ServerFixture(JackdawServer server, MemoryStore store, HttpClient client)
    {
        Server = server;
        Store = store;
        Client = client;
    }

    public JackdawServer Server { get; }

    public MemoryStore Store { get; }

    public HttpClient Client { get; }

    public MemoryDatabase Database => Store.Database("db1");

    public Uri Address => Client.BaseAddress!;

    public static ServerOptions Options { get; } = new()
    {
        ServerUrl = new ListenAddress("127.0.0.1", 0),
        DataDir = "unused",
        RunInMemory = true,
    };

    public static async Task<ServerFixture> StartAsync(OpenServerStore? open = null, bool waitUntilOpen = true)
    {
        var store = new MemoryStore(TimeProvider.System);
        await store.PutRecordAsync("db1", Encoding.UTF8.GetBytes("""{"DatabaseName":"db1"}"""), null, default);
        var server = new JackdawServer(
            Options, open ?? ((_, _, _) => Task.FromResult<ServerStore>(store)), NullLoggerFactory.Instance, TimeProvider.System);
        await server.StartAsync(CancellationToken.None);
        if (waitUntilOpen)
        {
            await server.Opened;
        }

        var handler = new SocketsHttpHandler { AutomaticDecompression = DecompressionMethods.None };
        var client = new HttpClient(handler)
        {
            BaseAddress = new Uri(server.Address),
            Timeout = TimeSpan.FromSeconds(30),
        };
        return new ServerFixture(server, store, client);
    }

    public async ValueTask DisposeAsync()
    {
        Client.Dispose();
        await Server.DisposeAsync();
    }

    /// <summary>Sends a request; the path stands behind the database's.</summary>
    public Task<Answer> DbAsync(
        string method, string path, object? body = null, params (string Name, string Value)[] headers) =>
        SendAsync(method, $"/databases/db1{path}", body, headers);

    /// <summary>Sends a request; the body is a string, bytes, an HttpContent, or null.</summary>
    public async Task<Answer> SendAsync(
        string method, string path, object? body = null, params (string Name, string Value)[] headers)
    {
        using var request = new HttpRequestMessage(new HttpMethod(method), new Uri(Address + path.TrimStart('/')));
        request.Content = body switch
        {
            null => null,
            string text => new ByteArrayContent(Encoding.UTF8.GetBytes(text)),
            byte[] bytes => new ByteArrayContent(bytes),
            _ => (HttpContent)body,
        };
        foreach ((string name, string value) in headers)
        {
            if (!request.Headers.TryAddWithoutValidation(name, value))
            {
                request.Content!.Headers.TryAddWithoutValidation(name, value);
            }
        }

        using HttpResponseMessage response = await Client.SendAsync(request);
        string content = await response.Content.ReadAsStringAsync();
        var all = response.Headers.Concat(response.Content.Headers)
            .ToDictionary(
                header => header.Key, header => string.Join(',', header.Value), StringComparer.OrdinalIgnoreCase);
        return new Answer((int)response.StatusCode, content, all);
    }

    public async Task PutAsync(string id, string json) =>
        Assert.Equal(201, (await DbAsync("PUT", $"/docs?id={id}", json)).Status);
}

/// <summary>What came back.</summary>
internal sealed record Answer(int Status, string Text, IReadOnlyDictionary<string, string> Headers)
{
    public JsonElement Json => JsonDocument.Parse(Text).RootElement;

    public string? Header(string name) => Headers.GetValueOrDefault(name);

    /// <summary>Checks that this is an error as clients expect it, and that its message says something.</summary>
    public Answer AssertProblem(int status, string typeEnd, string messagePart)
    {
        Assert.True(Status == status, $"Status {Status} instead of {status}: {Text}");
        Assert.EndsWith(typeEnd, Json.GetProperty("Type").GetString(), StringComparison.Ordinal);
        Assert.Contains(messagePart, Json.GetProperty("Message").GetString(), StringComparison.OrdinalIgnoreCase);
        Assert.False(string.IsNullOrEmpty(Json.GetProperty("Url").GetString()));
        Assert.False(string.IsNullOrEmpty(Json.GetProperty("Error").GetString()));
        Assert.Equal("7.2.0.0", Header("Raven-Server-Version"));
        return this;
    }
}
