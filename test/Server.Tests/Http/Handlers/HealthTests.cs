using System.Net.Sockets;
using Jackdaw.Documents.Databases;
using Jackdaw.Documents.Operations;
using Jackdaw.Server.Http.Limits;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers;

public sealed class HealthTests
{
    [Fact]
    public async Task Ready_DuringRecovery_AnswersItsProgressAndOtherRoutesWait()
    {
        var release = new TaskCompletionSource<DatabaseCatalog>();
        await using ServerFixture server = await ServerFixture.StartAsync(new ServerSetup
        {
            Open = (_, progress, _) =>
            {
                progress.Report(new RecoveryProgress("replaying the journal of 'shop'", 3, 10));
                return release.Task;
            },
        });
        Answer ready = await server.SendAsync("GET", "/health/ready");
        while (!ready.Text.Contains("shop", StringComparison.Ordinal))
        {
            // The opening begins on another thread; the answer is the signal.
            ready = await server.SendAsync("GET", "/health/ready");
        }

        Assert.Equal(503, ready.Status);
        Assert.Equal("Starting", ready.Json.GetProperty("Status").GetString());
        Assert.Equal(3, ready.Json.GetProperty("Done").GetInt64());
        Assert.Equal(200, (await server.SendAsync("GET", "/health/live")).Status);
        Assert.Equal(200, (await server.SendAsync("GET", "/build/version")).Status);
        Assert.Equal(405, (await server.SendAsync("POST", "/health/live")).Status);
        Answer other = await server.DbAsync("GET", "/docs?id=a");
        other.AssertProblem(503, "DatabaseLoadTimeoutException", "3 of 10");
        Assert.NotNull(other.Header("Retry-After"));

        release.SetResult(server.Databases);
        await server.Server.Opened;

        Assert.Equal(200, (await server.SendAsync("GET", "/health/ready")).Status);
        Assert.Equal(404, (await server.DbAsync("GET", "/docs?id=a")).Status);
    }

    [Fact]
    public async Task Ready_AfterAFailedOpening_SaysWhy()
    {
        await using ServerFixture server = await ServerFixture.StartAsync(
            new ServerSetup { Open = (_, _, _) => Task.FromException<DatabaseCatalog>(new IOException("headers is damaged")) });
        await Assert.ThrowsAsync<IOException>(() => server.Server.Opened);

        Answer ready = await server.SendAsync("GET", "/health/ready");

        Assert.Equal((503, "Failed"), (ready.Status, ready.Json.GetProperty("Status").GetString()));
        Assert.Equal("The data in '/data' cannot be opened: headers is damaged", ready.Json.GetProperty("Failure").GetString());
        (await server.DbAsync("GET", "/stats")).AssertProblem(503, "Exception", "headers is damaged");
    }

    [Fact]
    public async Task Ready_DatabaseThatCannotBeUsed_IsNamedAndTheServerIsReady()
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        Assert.Equal("[] 0", Faulted(await server.SendAsync("GET", "/health/ready")));

        var faulted = new DatabaseLookup(DatabaseLookupStatus.Faulted, null, "its disk is gone");
        server.Show(faulted);
        Answer ready = await server.SendAsync("GET", "/health/ready");

        Assert.Equal((200, "Ready"), (ready.Status, ready.Json.GetProperty("Status").GetString()));
        Assert.Equal("""[{"Name":"db1","Reason":"its disk is gone"}] 1""", Faulted(ready));
        for (int i = 0; i < 100; i++)
        {
            await server.Databases.PutRecordAsync($"more{i}", "{}"u8.ToArray(), null, default);
            server.Show(faulted, $"more{i}");
        }

        ready = await server.SendAsync("GET", "/health/ready");
        Assert.Equal((100, 101), (ready.Json.GetProperty("FaultedDatabases").GetArrayLength(), ready.Json.GetProperty("FaultedCount").GetInt32()));

        static string Faulted(Answer answer) => $"{answer.Json.GetProperty("FaultedDatabases")} {answer.Json.GetProperty("FaultedCount")}";
    }

    [Fact]
    public async Task Metrics_AfterRequests_CountThemByRoute()
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        await server.PutAsync("a", "{}");
        await server.DbAsync("GET", "/docs?id=a");
        await server.SendAsync("GET", "/build/version");

        Answer answer = await server.SendAsync("GET", "/metrics");

        Assert.StartsWith("text/plain; version=0.0.4", answer.Header("Content-Type"), StringComparison.Ordinal);
        Assert.Contains("jackdaw_http_request_duration_seconds_count{route=\"/databases/*/docs\"} 2\n", answer.Text, StringComparison.Ordinal);
        Assert.Contains(
            "# TYPE jackdaw_http_request_duration_seconds histogram", answer.Text, StringComparison.Ordinal);
        Assert.Contains("le=\"+Inf\"} 1\n", answer.Text, StringComparison.Ordinal);
        Assert.Contains("dotnet_gc_collections_total", answer.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Stop_UnderLoad_AnswersWhatItTookAndClosesTheStore()
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        await server.PutAsync("a", "{}");
        using var idle = new RawConnection(server.Address);
        using var half = new RawConnection(server.Address);
        await half.SendAsync("PUT /databases/db1/docs?id=x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{");
        Task<int>[] clients = [.. Enumerable.Range(0, 8).Select(_ => LoadAsync(server))];

        var clock = System.Diagnostics.Stopwatch.StartNew();
        await server.Server.StopAsync();

        Assert.True(clock.Elapsed < TimeSpan.FromSeconds(12), $"Stopping took {clock.Elapsed}.");
        Assert.Throws<ObjectDisposedException>(() => server.Database.BeginRead());
        Assert.All(await Task.WhenAll(clients), answered => Assert.True(answered >= 0));
    }

    [Fact]
    public async Task Stop_DuringABulkInsert_EndsItWithAFault()
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        using var socket = new RawConnection(server.Address);
        await socket.SendAsync(
            "POST /databases/db1/bulk_insert?id=7 HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n[\r\n");
        while ((await server.DbAsync("GET", "/operations/state?id=7")).Status != 200)
        {
            await Task.Yield();
        }

        await server.Server.StopAsync();

        string answer = await socket.ReadToEndAsync();
        Assert.StartsWith("HTTP/1.1 503", answer, StringComparison.Ordinal);
        Assert.Contains("Retry-After: ", answer, StringComparison.Ordinal);
        Assert.Contains("the server is stopping. Documents of finished batches are stored", answer, StringComparison.Ordinal);
        Assert.True(server.Database.Operations.TryFind(7, out Operation operation));
        Assert.Equal(OperationStatus.Faulted, operation.State.Status);
    }

    /// <summary>What does not come cannot be waited for; whose headers came is told.</summary>
    [Theory]
    [InlineData("GET /databases/db1/docs?id=a HTTP/1.1\r\nHo", false)]
    [InlineData("PUT /databases/db1/docs?id=x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{", true)]
    [InlineData("PUT /databases/db1/docs?id=x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n", true)]
    [InlineData("POST /databases/db1/bulk_docs HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n", true)]
    [InlineData("PUT /databases/db1/docs?id=x HTTP/1.1\r\nHost: localhost\r\nContent-Encoding: gzip\r\nContent-Length: 9\r\n\r\n", true)]
    public async Task Stop_WithARequestThatDoesNotComeWhole_IsShort(string half, bool isAnswered)
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        using var socket = new RawConnection(server.Address);
        await socket.SendAsync(half);
        if (isAnswered)
        {
            await WaitForWorkAsync(server);
        }
        else
        {
            await server.PutAsync("a", "{}"); // Nothing tells when half of a head was read; a request takes longer.
        }

        var clock = System.Diagnostics.Stopwatch.StartNew();
        await server.Server.StopAsync();

        Assert.True(clock.Elapsed < HttpLimits.StopTime - TimeSpan.FromSeconds(2), $"Stopping took {clock.Elapsed}.");
        string answer = await socket.ReadToEndAsync();
        Assert.Equal(isAnswered, answer.StartsWith("HTTP/1.1 503", StringComparison.Ordinal));
        Assert.Equal(isAnswered, answer.Contains("Retry-After: ", StringComparison.Ordinal));
        Assert.Equal(isAnswered, answer.Contains("nothing was written, send it again", StringComparison.Ordinal));
    }

    /// <summary>Each look at what is in work comes late there: the stop is longer by some of them, not by the sum of them.</summary>
    [Fact]
    public async Task Stop_OnABusyMachineWithARequestThatDoesNotComeWhole_IsShort()
    {
        await using ServerFixture server = await ServerFixture.StartAsync(new ServerSetup { Time = new LateTime(TimeSpan.FromMilliseconds(400)) });
        using var socket = new RawConnection(server.Address);
        await socket.SendAsync("POST /databases/db1/bulk_docs HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n");
        await WaitForWorkAsync(server);

        var clock = System.Diagnostics.Stopwatch.StartNew();
        await server.Server.StopAsync();

        Assert.True(clock.Elapsed < HttpLimits.StopTime - TimeSpan.FromSeconds(2), $"Stopping took {clock.Elapsed}.");
        Assert.StartsWith("HTTP/1.1 503", await socket.ReadToEndAsync(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("")]
    [InlineData("Content-Encoding: identity\r\n")]
    public async Task Stop_WhileABodyStillComes_StoresItAndSaysSo(string encoding)
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        using var socket = new RawConnection(server.Address);
        await socket.SendAsync($"PUT /databases/db1/docs?id=x HTTP/1.1\r\nHost: localhost\r\n{encoding}Content-Length: 20000\r\n\r\n{{");
        await WaitForWorkAsync(server);

        Task stopped = server.Server.StopAsync();
        await WaitUntilClosedAsync(server); // The stop has told everybody by then.
        for (int i = 0; i < 19; i++)
        {
            await socket.SendAsync(new string(' ', 1000));
        }

        await socket.SendAsync(new string(' ', 998) + "}");
        await stopped;

        Assert.StartsWith("HTTP/1.1 201", await socket.ReadToEndAsync(), StringComparison.Ordinal);
        Assert.Equal(1, server.Probe.Batches);
    }

    // What is sent before a stop and not read yet is no request.
    private static async Task WaitForWorkAsync(ServerFixture server)
    {
        while (server.Server.RequestsInWork == 0)
        {
            await Task.Yield();
        }
    }

    private static async Task WaitUntilClosedAsync(ServerFixture server)
    {
        try
        {
            while (true)
            {
                new RawConnection(server.Address).Dispose();
                await Task.Yield();
            }
        }
        catch (SocketException)
        {
            // Nobody listens any more.
        }
    }

    private static async Task<int> LoadAsync(ServerFixture server)
    {
        int answered = 0;
        try
        {
            while (true)
            {
                Answer answer = await server.DbAsync("GET", "/docs?id=a");
                Assert.True(answer.Status is 200 or 503);
                answered++;
            }
        }
        catch (HttpRequestException)
        {
            return answered; // The listener is closed.
        }
    }
}
