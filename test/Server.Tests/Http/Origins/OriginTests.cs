using Jackdaw.Server.Configuration;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Origins;

/// <summary>Pages of other sites against a whole server that listens on the loopback address without TLS.</summary>
public sealed class OriginTests : IAsyncLifetime
{
    private const string Upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";

    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync(new ServerSetup
    {
        AllowedOrigins = [WebOrigin.TryParse("https://app.example.com")!.Value],
        LeftOut = ["indexes"],
    });

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("GET", "/databases/db1/docs?id=a")]
    [InlineData("PUT", "/databases/db1/docs?id=a")]
    [InlineData("POST", "/databases/db1/multi_get")]
    [InlineData("OPTIONS", "/databases/db1/docs?id=a")]
    [InlineData("GET", "/databases/none/docs?id=a")]
    [InlineData("GET", "/health/live")]
    [InlineData("GET", "/metrics")]
    [InlineData("GET", "/nowhere")]
    public async Task OtherOrigin_IsRefusedOnEveryRoute(string method, string path)
    {
        (await _server.SendAsync(method, path, null, ("Origin", "http://evil.example"))).AssertProblem(403, "InvalidAuth", "http://evil.example");
        (await _server.SendAsync(method, path, null, ("Origin", "null"))).AssertProblem(403, "InvalidAuth", "'null'");
    }

    [Fact]
    public async Task OtherOrigin_WritesNothing()
    {
        await _server.DbAsync("PUT", "/docs?id=a", """{"v":1}""", ("Origin", "http://evil.example"));

        Assert.Equal(404, (await _server.DbAsync("GET", "/docs?id=a")).Status);
    }

    [Fact]
    public async Task ReboundName_IsRefused()
    {
        int port = _server.Address.Port;
        string own = $"http://evil.example:{port}"; // the page and its requests have the same origin for the browser

        (await _server.SendAsync("GET", "/databases/db1/docs?id=a", null, ("Host", $"evil.example:{port}")))
            .AssertProblem(403, "InvalidAuth", "evil.example");
        (await _server.SendAsync("GET", "/databases/db1/docs?id=a", null, ("Host", $"evil.example:{port}"), ("Origin", own)))
            .AssertProblem(403, "InvalidAuth", "header Host");
    }

    [Theory]
    [InlineData("localhost", "Origin: http://evil.example\r\n")]
    [InlineData("evil.example", "Origin: http://evil.example\r\n")]
    [InlineData("evil.example", "")]
    [InlineData("localhost", "Origin: null\r\n")]
    [InlineData("localhost", "Sec-Fetch-Site: cross-site\r\n")]
    public async Task Websocket_OfAnotherPage_IsRefused(string host, string headers)
    {
        using var socket = new RawConnection(_server.Address);
        await socket.SendAsync($"GET /databases/db1/changes HTTP/1.1\r\nHost: {host}\r\n{headers}{Upgrade}\r\n");

        Assert.StartsWith("HTTP/1.1 403", await socket.ReadHeadAsync(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Websocket_OfTheOwnPage_IsOpened()
    {
        using var socket = new RawConnection(_server.Address);
        await socket.SendAsync($"GET /databases/db1/changes HTTP/1.1\r\nHost: localhost:1\r\nOrigin: http://localhost:1\r\n{Upgrade}\r\n");

        Assert.StartsWith("HTTP/1.1 101", await socket.ReadHeadAsync(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task AllowedOrigin_GetsHeadersThatItsBrowserWants()
    {
        Answer answer = await _server.DbAsync("GET", "/docs?id=missing", null, ("Origin", "https://app.example.com"));
        Answer refused = await _server.SendAsync("GET", "/nowhere", null, ("Origin", "https://app.example.com"));
        Answer asked = await _server.DbAsync(
            "OPTIONS", "/docs", null, ("Origin", "https://app.example.com"), ("Access-Control-Request-Method", "PUT"),
            ("Access-Control-Request-Headers", "if-match"));

        Assert.Equal("https://app.example.com", answer.Header("Access-Control-Allow-Origin"));
        Assert.Equal(400, refused.Status);
        Assert.Equal("https://app.example.com", refused.Header("Access-Control-Allow-Origin"));
        Assert.Equal(204, asked.Status);
        Assert.Contains("PUT", asked.Header("Access-Control-Allow-Methods")!, StringComparison.Ordinal);
        Assert.Equal("if-match", asked.Header("Access-Control-Allow-Headers"));
    }

    [Fact]
    public async Task Answers_WithoutOrigin_HaveNoHeadersForPages() =>
        Assert.Null((await _server.SendAsync("GET", "/health/live")).Header("Access-Control-Allow-Origin"));
}
