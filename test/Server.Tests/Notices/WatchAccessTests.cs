using System.Net.WebSockets;
using System.Text.Json;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Database;
using Jackdaw.Server.Notices;

namespace Jackdaw.Server.Tests.Notices;

/// <summary>Each kind of watch asks what the caller may do, also when the route let the caller in.</summary>
public sealed class WatchAccessTests : IAsyncLifetime
{
    private readonly TestCaller _caller = new();
    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync(new ServerSetup { Caller = _caller });

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Watch_EachKind_IsConfirmedForReaders()
    {
        _caller.Grant(Access.Read, "db1");
        using NoticeClient client = await _server.ConnectAsync();
        int id = 0;
        foreach (WatchKind kind in new WatchKinds(StandardExtensions.All).All)
        {
            await client.SendAsync(Command(kind, ++id));
            await client.ReadUntilAsync(() => client.Of("Confirm").Count() == id);
        }

        Assert.Empty(client.Of("Error"));
    }

    [Fact]
    public async Task Watch_EachKindThatNeedsMore_IsRefusedAndTheSocketIsClosed()
    {
        foreach (WatchKind kind in new WatchKinds(StandardExtensions.All).All)
        {
            _caller.GrantAll();
            using NoticeClient client = await _server.ConnectAsync();
            _caller.Grant(Access.ValidUser); // the access was taken away while the connection lasts
            await client.SendAsync(Command(kind, 1));
            await client.ReadUntilAsync(() => client.Of("Error").Any() || client.Of("Confirm").Any());
            Assert.Empty(client.Of("Confirm"));
            await client.ReadToEndAsync();

            string error = client.Of("Error").Single().GetProperty("Exception").GetString()!;
            Assert.StartsWith(
                $"InvalidAuth: The command watch-{kind.Name} needs the access {kind.Access} to database 'db1'", error, StringComparison.Ordinal);
            Assert.Equal(WebSocketCloseStatus.PolicyViolation, client.CloseStatus);
        }

        await _server.ExpectReadersAsync(0);
    }

    [Fact]
    public async Task Changes_CallerWithoutRead_IsRefusedBeforeTheUpgrade()
    {
        _caller.Grant(Access.Admin, "db2");
        WebSocketException refused = await Assert.ThrowsAsync<WebSocketException>(() => _server.ConnectAsync());
        Assert.Contains("403", refused.Message, StringComparison.Ordinal);
    }

    internal static string Command(WatchKind kind, int id) => JsonSerializer.Serialize(new
    {
        CommandId = id,
        Command = $"watch-{kind.Name}",
        Param = kind.Key == WatchKey.Pair ? null : "1",
        Params = kind.Key == WatchKey.Pair ? new[] { "users/1", "Likes" } : null,
    });
}
