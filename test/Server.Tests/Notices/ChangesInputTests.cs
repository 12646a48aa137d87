using System.Net.WebSockets;
using Jackdaw.Server.Notices;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Notices;

/// <summary>What is no websocket, no command, or too much.</summary>
public sealed class ChangesInputTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("{\"CommandId\":1,\"Command\":\"watch-everything\"}", "no command 'watch-everything'")]
    [InlineData("nonsense", "not valid JSON")]
    [InlineData("", "not valid JSON")]
    public async Task Command_Bad_IsAnsweredAndTheSocketIsClosed(string message, string reason)
    {
        using NoticeClient client = await _server.ConnectAsync();
        await client.CommandAsync("watch-docs");
        await client.SendAsync(message);
        await client.ReadToEndAsync();
        Assert.Contains(reason, client.Of("Error").Single().GetProperty("Exception").GetString(), StringComparison.Ordinal);
        Assert.Equal(WebSocketCloseStatus.PolicyViolation, client.CloseStatus);
        await _server.ExpectReadersAsync(0);
    }

    [Fact]
    public async Task Message_TooLargeOrBinary_IsAnsweredAndTheSocketIsClosed()
    {
        using NoticeClient large = await _server.ConnectAsync();
        await large.SendAsync($$"""{"CommandId":1,"Command":"watch-doc","Param":"{{new string('x', WatchCommand.MessageBytesMax)}}"}""");
        await large.ReadToEndAsync();
        Assert.Equal(WebSocketCloseStatus.MessageTooBig, large.CloseStatus);
        Assert.Contains("16384 bytes", large.Of("Error").Single().GetProperty("Exception").GetString(), StringComparison.Ordinal);

        using NoticeClient binary = await _server.ConnectAsync();
        await binary.SendAsync([1, 2, 3], WebSocketMessageType.Binary);
        await binary.ReadToEndAsync();
        Assert.Equal(WebSocketCloseStatus.InvalidMessageType, binary.CloseStatus);
        await _server.ExpectReadersAsync(0);
    }

    [Fact]
    public async Task Watches_TooMany_AreAnsweredAndTheSocketIsClosed()
    {
        using NoticeClient client = await _server.ConnectAsync();
        string id = new('x', 500);
        for (int i = 0; i < 1900; i++)
        {
            await client.SendAsync($$"""{"CommandId":{{i}},"Command":"watch-doc","Param":"{{i}}{{id}}"}""");
        }

        await client.ReadToEndAsync();
        Assert.Contains("too many names", client.Of("Error").Single().GetProperty("Exception").GetString(), StringComparison.Ordinal);
        Assert.Equal(WebSocketCloseStatus.PolicyViolation, client.CloseStatus);
        Assert.InRange(client.Of("Confirm").Count(), 1500, 1899);
    }

    [Theory]
    [InlineData("GET /databases/db1/changes HTTP/1.1\r\nHost: localhost\r\n\r\n", "426", "is a websocket")]
    [InlineData("GET /databases/db1/changes HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n", "426", "is a websocket")]
    [InlineData(
        "GET /databases/db1/changes HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 8\r\n\r\n",
        "426", "version 13")]
    [InlineData(
        "GET /databases/db1/changes HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        + "Sec-WebSocket-Key: c2hvcnQ=\r\n\r\n",
        "400", "16 bytes in base64")]
    [InlineData(
        "GET /databases/none/changes HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        "503", "DatabaseDoesNotExistException")]
    [InlineData("GET /databases/db1/changes?extended=perhaps HTTP/1.1\r\nHost: localhost\r\n\r\n", "400", "give true or false")]
    public async Task Upgrade_Impossible_IsRefusedWithAProblem(string request, string status, string part)
    {
        using var socket = new RawConnection(_server.Address);
        await socket.SendAsync(request.Replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n", StringComparison.Ordinal));
        string answer = await socket.ReadToEndAsync();
        Assert.StartsWith($"HTTP/1.1 {status} ", answer, StringComparison.Ordinal);
        Assert.Contains(part, answer, StringComparison.Ordinal);
        await _server.ExpectReadersAsync(0);
    }

    [Fact]
    public async Task Upgrade_ByTheBook_GetsTheAnswerOfTheStandard()
    {
        using var socket = new RawConnection(_server.Address);
        await socket.SendAsync(
            "GET /Databases/DB1/Changes?throttleconnection=false HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive, Upgrade\r\nUpgrade: WebSocket\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n");
        string head = await socket.ReadHeadAsync();
        Assert.StartsWith("HTTP/1.1 101 ", head, StringComparison.Ordinal);
        Assert.Contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", head, StringComparison.Ordinal);
        Assert.DoesNotContain("Extensions", head, StringComparison.Ordinal);
        socket.Reset();
        await _server.ExpectReadersAsync(0);
    }

    [Fact]
    public async Task Frames_NotMaskedOrGarbage_EndTheConnection()
    {
        using var socket = new RawConnection(_server.Address);
        await socket.SendAsync(
            "GET /databases/db1/changes HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
        await socket.ReadHeadAsync();
        await socket.SendAsync((byte[])[0x81, 0x02, 0x7B, 0x7D, 0xFF, 0xFF, 0xFF, 0xFF]);
        await socket.ReadToEndAsync();
        await _server.ExpectReadersAsync(0);
    }
}
