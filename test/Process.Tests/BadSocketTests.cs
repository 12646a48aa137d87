using Jackdaw.ProcessTests.Harness;
using Jackdaw.TestKit;

namespace Jackdaw.ProcessTests;

/// <summary>What comes over a socket that is no request, or a strange one. After each case the server serves.</summary>
public sealed class BadSocketTests(SharedServer shared) : IClassFixture<SharedServer>, IAsyncLifetime
{
    private readonly RunningServer _server = shared.Server;

    public Task InitializeAsync() => Task.CompletedTask;

    public Task DisposeAsync() => _server.AssertServesAsync("shop");

    [Theory]
    [InlineData("\u0000\u0001\u0002 garbage\r\n\r\n", "400")]
    [InlineData("\u0016\u0003\u0001\u0000\u0005\u0001\u0000\u0000\u0001\r\n\r\n", "400")]
    [InlineData("GET\r\n\r\n", "400")]
    [InlineData("GET / HTTP/9.9\r\n\r\n", "505")]
    [InlineData("GET / HTTP/1.1\r\n\r\n", "400")]
    [InlineData("GET / HTTP/1.1\r\nHost: localhost\r\nHost: y\r\n\r\n", "400")]
    [InlineData("GET / HTTP/1.1\r\nHost: localhost\r\nno colon\r\n\r\n", "400")]
    [InlineData("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n", "400")]
    [InlineData("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n", "400")]
    [InlineData("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: gibberish\r\n\r\n", "400")]
    [InlineData("GET /databases/%00/stats HTTP/1.1\r\nHost: localhost\r\n\r\n", "400")]
    public async Task Garbage_IsRefusedAndTheConnectionClosed(string bytes, string status)
    {
        using var socket = new RawConnection(_server.Address);
        await socket.TrySendAsync(bytes);

        Assert.StartsWith($"HTTP/1.1 {status}", await socket.ReadToEndAsync(), StringComparison.Ordinal);
    }

    /// <summary>Each end of a connection comes as another exception; the operation says the same of all.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task BulkInsert_WhoseClientGoes_EndsAsCutOffByTheClient(bool isReset)
    {
        for (int i = 0; i < 5; i++)
        {
            long id = (await _server.ExpectAsync(200, "GET", "/databases/shop/operations/next-operation-id")).Json.GetProperty("Id").GetInt64();
            using (var socket = new RawConnection(_server.Address))
            {
                await socket.SendAsync($"POST /databases/shop/bulk_insert?id={id} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "1\r\n[\r\n");
                await WaitForStateAsync(id, "InProgress"); // a reset drops what was not read
                if (isReset)
                {
                    socket.Reset();
                }
                else
                {
                    socket.Shutdown();
                    await socket.ReadToEndAsync();
                }
            }

            Assert.Contains("its client closed the connection", await WaitForStateAsync(id, "Faulted"), StringComparison.Ordinal);
        }
    }

    private async Task<string> WaitForStateAsync(long id, string wanted)
    {
        Answer found = await Eventually.ReadAsync(
            () => Answer.ToAsync(_server.Client, "GET", $"/databases/shop/operations/state?id={id}", null),
            state => state.Status == 200 && state.Text.Contains(wanted, StringComparison.Ordinal),
            patience: JackdawProcess.Patience);
        return found.Text;
    }

    [Fact]
    public async Task RandomBytes_OnManyConnections_NeverStopTheServer()
    {
        var random = new Random(20261);
        for (int i = 0; i < 200; i++)
        {
            byte[] bytes = new byte[random.Next(1, 4000)];
            random.NextBytes(bytes);
            using var socket = new RawConnection(_server.Address);
            await socket.TrySendAsync(bytes);
            await socket.TrySendAsync("\r\n\r\n");
            socket.Shutdown();
            Assert.DoesNotContain(" 20", (await socket.ReadToEndAsync()).Split('\n')[0], StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("GET /databases/shop/do")]
    [InlineData("GET /databases/shop/docs?id=half HTTP/1.1\r\nHo")]
    [InlineData("PUT /databases/shop/docs?id=half HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{\"half\":")]
    [InlineData("PUT /databases/shop/docs?id=half HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{}")]
    [InlineData("PUT /databases/shop/docs?id=half HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n")]
    [InlineData("PUT /databases/shop/docs?id=half HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}XX")]
    [InlineData("PUT /databases/shop/docs?id=half HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}")]
    [InlineData("POST /databases/shop/bulk_docs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999\r\n\r\n" +
        "{\"Commands\":[{\"Type\":\"PUT\",\"Id\":\"half\",\"Document\":{}}]}")]
    public async Task HalfARequest_ThenClose_StoresNothing(string bytes)
    {
        using (var socket = new RawConnection(_server.Address))
        {
            await socket.TrySendAsync(bytes);
            socket.Shutdown();
            Assert.DoesNotContain(" 201 ", await socket.ReadToEndAsync(), StringComparison.Ordinal);
        }

        Assert.Equal(404, (await _server.GetAsync("shop", "half")).Status);
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task SlowDrip_OnManyConnections_LeavesOthersUntouchedAndIsCut()
    {
        List<RawConnection> drips = [];
        for (int i = 0; i < 200; i++)
        {
            drips.Add(new RawConnection(_server.Address));
            await drips[^1].TrySendAsync(i % 2 == 0 ? "G" : "PUT /databases/shop/docs?id=half HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{");
        }

        for (int i = 0; i < 20; i++)
        {
            await _server.AssertServesAsync("shop");
        }

        // Headers must come within 15 seconds, bodies with 240 bytes a second after 5.
        Assert.Matches("^HTTP/1.1 408", await drips[0].ReadToEndAsync());
        Assert.DoesNotContain(" 201 ", await drips[1].ReadToEndAsync(), StringComparison.Ordinal);
        drips.ForEach(drip => drip.Dispose());
        Assert.Equal(404, (await _server.GetAsync("shop", "half")).Status);
    }

    [Fact]
    public async Task Headers_OverTheirLimits_AreRefused()
    {
        string many = string.Concat(Enumerable.Range(0, 101).Select(i => $"h{i}: x\r\n"));
        foreach ((string head, string status) in ((string, string)[])[
            ($"GET / HTTP/1.1\r\nHost: localhost\r\n{many}\r\n", "431"),
            ($"GET / HTTP/1.1\r\nHost: localhost\r\nbig: {new string('x', 40_000)}\r\n\r\n", "431"),
            ($"GET /{new string('x', 40_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n", "414")])
        {
            using var socket = new RawConnection(_server.Address);
            await socket.TrySendAsync(head);
            Assert.StartsWith($"HTTP/1.1 {status}", await socket.ReadToEndAsync(), StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task PipelinedRequests_AreAnsweredInOrder()
    {
        using var socket = new RawConnection(_server.Address);
        const string put = "PUT /databases/shop/docs?id=pipe HTTP/1.1\r\nHost: localhost\r\nContent-Length: 7\r\n\r\n{\"p\":1}";
        const string get = "GET /databases/shop/docs?id=pipe HTTP/1.1\r\nHost: localhost\r\n\r\n";
        const string bad = "GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n";
        await socket.TrySendAsync(put + get + bad + get.Replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n", StringComparison.Ordinal));

        string answers = await socket.ReadToEndAsync();

        Assert.Equal(["201", "200", "400", "200"], answers.Split("HTTP/1.1 ")[1..].Select(answer => answer[..3]));
    }

    [Fact]
    public async Task BrokenBody_DoesNotSpoilTheNextRequestOfItsConnection()
    {
        using var socket = new RawConnection(_server.Address);
        const string bad = "PUT /databases/shop/docs?id=pipe2 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{\"p\":1,,}";
        const string good = "PUT /databases/shop/docs?id=pipe2 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 7\r\nConnection: close\r\n\r\n{\"p\":1}";
        await socket.TrySendAsync(bad + good);

        string answers = await socket.ReadToEndAsync();

        Assert.Equal(["400", "201"], answers.Split("HTTP/1.1 ")[1..].Select(answer => answer[..3]));
    }

    [Theory]
    [InlineData("HEAD", "/databases/shop/docs?id=alive", "200")]
    [InlineData("HEAD", "/databases/shop/docs?id=none", "404")]
    [InlineData("HEAD", "/health/ready", "200")]
    [InlineData("OPTIONS", "/databases/shop/docs", "405")]
    [InlineData("OPTIONS", "*", "400")]
    [InlineData("TRACE", "/databases/shop/docs", "405")]
    [InlineData("CONNECT", "x:1", "4")]
    [InlineData("BREW", "/databases/shop/docs", "405")]
    public async Task UnusualMethod_IsAnsweredAndHeadHasNoBody(string method, string target, string status)
    {
        await _server.AssertServesAsync("shop");
        using var socket = new RawConnection(_server.Address);
        await socket.TrySendAsync($"{method} {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

        string answer = await socket.ReadToEndAsync();

        Assert.StartsWith($"HTTP/1.1 {status}", answer, StringComparison.Ordinal);
        if (method == "HEAD")
        {
            Assert.EndsWith("\r\n\r\n", answer, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task ChunkedBodyOverTheLimit_IsCutAtTheLimit()
    {
        using var socket = new RawConnection(_server.Address);
        await socket.TrySendAsync("PUT /databases/shop/docs?id=half HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
        byte[] chunk = System.Text.Encoding.Latin1.GetBytes($"{0x100000:x}\r\n{new string(' ', 0x100000)}\r\n");
        Task<string> answer = socket.ReadUntilAsync("\r\n\r\n");
        for (int i = 0; i < 64; i++)
        {
            Assert.True(await socket.TrySendAsync(chunk));
        }

        Assert.False(answer.IsCompleted); // As much as is allowed.
        await socket.TrySendAsync(chunk);

        Assert.StartsWith("HTTP/1.1 413", await answer, StringComparison.Ordinal);
    }

    [Fact]
    public async Task ContentLengthOverTheLimit_IsRefusedBeforeTheBody()
    {
        using var socket = new RawConnection(_server.Address);
        await socket.TrySendAsync("PUT /databases/shop/docs?id=half HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n");

        string answer = await socket.ReadUntilAsync("\"Error\"");

        Assert.StartsWith("HTTP/1.1 413", answer, StringComparison.Ordinal);
        Assert.Contains("67108864", answer, StringComparison.Ordinal);
        Assert.Contains("Connection: close", answer, StringComparison.Ordinal);
    }
}
