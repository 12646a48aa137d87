using System.Net.WebSockets;
using System.Text;
using System.Text.Json;
using System.Threading.Channels;
using Jackdaw.Client.Changes.Feed;

namespace Jackdaw.Client.Tests.Changes;

/// <summary>A server of notices that does only what a test says, over real websockets in memory.</summary>
internal sealed class ScriptedServer
{
    private readonly Channel<ScriptedConnection> _connections = Channel.CreateUnbounded<ScriptedConnection>();

    /// <summary>What the next attempts to connect end with; null: they succeed.</summary>
    public Exception? Refusal { get; set; }

    /// <summary>Attempts never end.</summary>
    public bool Hangs { get; set; }

    /// <summary>Addresses of all attempts.</summary>
    public List<Uri> Attempts { get; } = [];

    public FeedSettings Settings(TimeProvider? time = null, params Uri[] servers) =>
        new(servers.Length > 0 ? servers : [new Uri("http://first")], "db1", ConnectAsync)
        {
            Time = time ?? TimeProvider.System,
            Jitter = new Random(1),
        };

    /// <summary>The next connection of the client.</summary>
    public async Task<ScriptedConnection> AcceptAsync() => await _connections.Reader.ReadAsync().AsTask().WaitAsync(ScriptedConnection.Limit);

    private async ValueTask<WebSocket> ConnectAsync(Uri address, CancellationToken token)
    {
        lock (Attempts)
        {
            Attempts.Add(address);
        }

        if (Hangs)
        {
            await Task.Delay(Timeout.Infinite, token); // until the client gives up
        }

        if (Refusal is not null)
        {
            throw Refusal;
        }

        (PipeStream client, PipeStream server) = PipeStream.Connect();
        _connections.Writer.TryWrite(new ScriptedConnection(WebSocket.CreateFromStream(server, new WebSocketCreationOptions { IsServer = true })));
        return WebSocket.CreateFromStream(client, new WebSocketCreationOptions());
    }
}

/// <summary>The server's end of one connection.</summary>
internal sealed class ScriptedConnection(WebSocket socket)
{
    public static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);

    /// <summary>Reads a command of the client, as <c>watch-doc users/1</c>, and its number.</summary>
    public async Task<(string Text, long Id)> NextAsync()
    {
        byte[] buffer = new byte[16 * 1024];
        WebSocketReceiveResult part = await socket.ReceiveAsync(new ArraySegment<byte>(buffer), default).WaitAsync(Limit);
        if (part.MessageType == WebSocketMessageType.Close)
        {
            return ("close", 0);
        }

        using JsonDocument json = JsonDocument.Parse(buffer.AsMemory(0, part.Count));
        JsonElement command = json.RootElement;
        string text = command.GetProperty("Command").GetString()!;
        string? param = command.GetProperty("Param").GetString();
        return (param is null ? text : $"{text} {param}", command.GetProperty("CommandId").GetInt64());
    }

    /// <summary>Reads a command and confirms it.</summary>
    public async Task<string> ConfirmNextAsync()
    {
        (string text, long id) = await NextAsync();
        await ConfirmAsync(id);
        return text;
    }

    public Task ConfirmAsync(long id) => SendAsync($$"""[{"CommandId":{{id}},"Type":"Confirm"}]""");

    public Task PutAsync(string id, string collection = "Users", long etag = 1)
    {
        string value = $$"""{"Type":"Put","Id":"{{id}}","CollectionName":"{{collection}}","ChangeVector":"A:{{etag}}-x","Etag":{{etag}}}""";
        return SendAsync($$"""[{"Type":"DocumentChange","Value":{{value}}}]""");
    }

    public Task SendAsync(string frame, WebSocketMessageType type = WebSocketMessageType.Text, bool isWhole = true) =>
        socket.SendAsync(Encoding.UTF8.GetBytes(frame), type, isWhole, default).WaitAsync(Limit);

    /// <summary>Ends when the client has left.</summary>
    public async Task WaitForEndAsync()
    {
        try
        {
            while ((await NextAsync()).Text != "close")
            {
                // Commands that it sent before.
            }
        }
        catch (Exception ended) when (ended is WebSocketException or IOException or ObjectDisposedException or OperationCanceledException)
        {
        }
    }

    public void Cut() => socket.Abort();
}
