using System.Text;
using Jackdaw.Server.Hosting;
using Jackdaw.Server.Http.Limits;
using Jackdaw.TestKit;
using Microsoft.AspNetCore.Server.Kestrel.Core;

namespace Jackdaw.Server.Tests.Hosting;

public sealed class SocketTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync();

    public async Task DisposeAsync()
    {
        // Whatever a test did to its sockets: the server still serves.
        await _server.PutAsync("alive", "{}");
        await _server.DisposeAsync();
    }

    [Theory]
    [InlineData("\u0000\u0001\u0002 garbage\r\n\r\n")]
    [InlineData("GET\r\n\r\n")]
    [InlineData("GET / HTTP/9.9\r\n\r\n")]
    [InlineData("GET /databases/%00/stats HTTP/1.1\r\nHost: localhost\r\n\r\n")]
    [InlineData("GET / HTTP/1.1\r\nno colon\r\n\r\n")]
    [InlineData("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n")]
    public async Task Garbage_OnTheSocket_IsRefusedAndTheConnectionClosed(string bytes)
    {
        using var socket = new RawConnection(_server.Address);
        await socket.SendAsync(bytes);

        string answer = await socket.ReadToEndAsync();

        Assert.Matches("^HTTP/1.1 (400|505)", answer);
    }

    [Fact]
    public async Task TlsHello_OnThePlainSocket_ClosesTheConnection()
    {
        using var socket = new RawConnection(_server.Address);
        await socket.SendAsync((byte[])[0x16, 0x03, 0x01, 0x00, 0x05, 0x01, 0x00, 0x00, 0x01, 0x0A, 0x0D, 0x0A]);
        socket.Shutdown();

        Assert.DoesNotContain("200 OK", await socket.ReadToEndAsync(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("GET /databases/db1/do")]
    [InlineData("GET /databases/db1/docs?id=a HTTP/1.1\r\nHo")]
    [InlineData("PUT /databases/db1/docs?id=a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{\"half\":")]
    [InlineData("PUT /databases/db1/docs?id=a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"a\"")]
    [InlineData("POST /databases/db1/bulk_docs HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")]
    public async Task HalfARequest_ThenClose_StoresNothing(string bytes)
    {
        using var socket = new RawConnection(_server.Address);
        await socket.SendAsync(bytes);
        socket.Shutdown();
        string answer = await socket.ReadToEndAsync();

        Assert.DoesNotContain(" 201 ", answer, StringComparison.Ordinal);
        Assert.Equal(404, (await _server.DbAsync("GET", "/docs?id=a")).Status);
    }

    [Fact]
    public async Task SlowDrip_OnManyConnections_LeavesOthersUntouched()
    {
        List<RawConnection> sockets = [];
        for (int i = 0; i < 100; i++)
        {
            sockets.Add(new RawConnection(_server.Address));
            await sockets[^1].SendAsync(i % 2 == 0
                ? "G" : "PUT /databases/db1/docs?id=a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{");
        }

        for (int i = 0; i < 20; i++)
        {
            await _server.PutAsync($"b/{i}", "{}");
        }

        sockets.ForEach(socket => socket.Dispose());
    }

    [Fact]
    public void Limits_OfKestrel_EndSlowSenders()
    {
        var options = new KestrelServerOptions();
        KestrelSetup.Configure(options, ServerFixture.Options.ServerUrl, static _ => { });
        KestrelServerLimits limits = options.Limits;

        Assert.Equal(HttpLimits.RequestHeadersTime, limits.RequestHeadersTimeout);
        Assert.Equal(HttpLimits.KeepAliveTime, limits.KeepAliveTimeout);
        Assert.NotNull(limits.MinRequestBodyDataRate);
        Assert.Null(limits.MaxRequestBodySize);
    }

    [Fact]
    public async Task Headers_OverTheirLimits_AreRefused()
    {
        string many = string.Concat(Enumerable.Range(0, HttpLimits.HeaderCountMax + 5).Select(i => $"h{i}: x\r\n"));
        foreach (string head in (string[])[
            $"GET / HTTP/1.1\r\nHost: localhost\r\n{many}\r\n",
            $"GET / HTTP/1.1\r\nHost: localhost\r\nbig: {new string('x', HttpLimits.HeaderBytesMax)}\r\n\r\n",
            $"GET /{new string('x', HttpLimits.RequestLineBytesMax)} HTTP/1.1\r\nHost: localhost\r\n\r\n"])
        {
            using var socket = new RawConnection(_server.Address);
            await socket.TrySendAsync(head);
            Assert.Matches("^HTTP/1.1 (431|414)", await socket.ReadHeadAsync());
        }
    }

    [Fact]
    public async Task PipelinedRequests_AreAnsweredInOrder()
    {
        await _server.PutAsync("a", "{}");
        using var socket = new RawConnection(_server.Address);
        string one = "GET /databases/db1/docs?id=a HTTP/1.1\r\nHost: localhost\r\n\r\n";
        await socket.SendAsync(
            $"{one}GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n{one.Replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")}");

        string answers = await socket.ReadToEndAsync();

        Assert.Equal(["200", "400", "200"], answers.Split("HTTP/1.1 ")[1..].Select(answer => answer[..3]));
        Assert.Equal(3, answers.Split("Raven-Server-Version: 7.2.0.0").Length - 1);
    }

    [Fact]
    public async Task Expect100_IsHonoured()
    {
        using var socket = new RawConnection(_server.Address);
        await socket.SendAsync(
            "PUT /databases/db1/docs?id=e HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
        Assert.StartsWith("HTTP/1.1 100", await socket.ReadHeadAsync(), StringComparison.Ordinal);

        await socket.SendAsync(Encoding.UTF8.GetBytes("{}"));

        Assert.Contains("HTTP/1.1 201", await socket.ReadUntilAsync("ChangeVector"), StringComparison.Ordinal);
    }
}
