using System.Net.WebSockets;
using Jackdaw.Server.Http.Limits;

namespace Jackdaw.Server.Tests.Notices;

/// <summary>How connections end, and how they are counted.</summary>
public sealed class ChangesEndTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Stop_WithOpenSockets_EndsThemInOrder()
    {
        using NoticeClient client = await _server.ConnectAsync();
        await client.CommandAsync("watch-docs");
        await _server.PutEmptyAsync("users/1");
        long began = TimeProvider.System.GetTimestamp();
        Task stopped = _server.Server.StopAsync();
        await client.ReadToEndAsync();
        await stopped;
        Assert.Equal("Put users/1", client.Told);
        Assert.Equal((WebSocketCloseStatus.EndpointUnavailable, "The server is stopping."), (client.CloseStatus, client.CloseReason));
        Assert.InRange(TimeProvider.System.GetElapsedTime(began), TimeSpan.Zero, HttpLimits.StopTime);
    }

    [Fact]
    public async Task Stop_WithAClientThatDoesNotAnswer_IsNotHeldUp()
    {
        using NoticeClient client = await _server.ConnectAsync();
        await client.CommandAsync("watch-docs");
        long began = TimeProvider.System.GetTimestamp();
        await _server.Server.StopAsync();
        Assert.InRange(TimeProvider.System.GetElapsedTime(began), TimeSpan.Zero, HttpLimits.StopTime);
    }

    [Theory]
    [InlineData(false, "Database 'db1' was closed.")]
    [InlineData(true, "Database 'db1' was deleted.")]
    public async Task Database_DisabledOrDeleted_EndsTheSocketsAfterEverythingIsTold(bool isDeleted, string reason)
    {
        using NoticeClient client = await _server.ConnectAsync();
        await client.CommandAsync("watch-docs");
        await _server.PutEmptyAsync("users/1");
        Task ended = isDeleted
            ? _server.Databases.DeleteAsync("db1", hard: true, default).AsTask()
            : _server.Databases.SetDisabledAsync("db1", true, default).AsTask();
        await client.ReadToEndAsync();
        await ended;
        Assert.Equal("Put users/1", client.Told);
        Assert.Equal((WebSocketCloseStatus.EndpointUnavailable, reason), (client.CloseStatus, client.CloseReason));
        if (!isDeleted)
        {
            await _server.Databases.SetDisabledAsync("db1", false, default);
            await _server.DbAsync("GET", "/stats");
            using NoticeClient again = await _server.ConnectAsync();
            await again.CommandAsync("watch-docs");
            await _server.PutEmptyAsync("users/2");
            await again.ReadUntilAsync(() => again.Told == "Put users/2");
        }
    }

    [Fact]
    public async Task Metrics_OpenSocket_IsNoSlowRequest()
    {
        using (NoticeClient client = await _server.ConnectAsync())
        {
            await client.CommandAsync("watch-docs");
            string open = (await _server.SendAsync("GET", "/metrics")).Text;
            Assert.Contains("jackdaw_http_request_duration_seconds_count{route=\"/databases/*/changes\"} 1\n", open, StringComparison.Ordinal);
            Assert.Contains("jackdaw_changes_connections 1\n", open, StringComparison.Ordinal);
            await client.CloseAsync();
        }

        await _server.ExpectReadersAsync(0);
        string text = "";
        for (int i = 0; i < 1000 && !text.Contains("jackdaw_changes_connections 0\n", StringComparison.Ordinal); i++)
        {
            text = (await _server.SendAsync("GET", "/metrics")).Text;
        }

        Assert.Contains("jackdaw_changes_connections 0\n", text, StringComparison.Ordinal);
        Assert.Contains("jackdaw_http_request_duration_seconds_count{route=\"/databases/*/changes\"} 1\n", text, StringComparison.Ordinal);
    }
}
