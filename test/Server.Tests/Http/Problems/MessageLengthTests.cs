using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Problems;

/// <summary>Requests whose head or chunks say contradictory or impossible things of the length of the body.</summary>
public sealed class MessageLengthTests : IAsyncLifetime
{
    private const string Chunked = "HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n";

    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync();

    public async Task DisposeAsync()
    {
        await _server.PutAsync("alive", "{}");
        await _server.DisposeAsync();
    }

    public static TheoryData<string, string> RoutesAndSizes()
    {
        var all = new TheoryData<string, string>();
        foreach (string route in (string[])[
            "PUT /databases/db1/docs?id=a", "POST /databases/db1/bulk_docs", "POST /databases/db1/bulk_insert?id=5",
            "PUT /admin/databases?name=x"])
        {
            foreach (string size in (string[])[
                "10000000000000000f", "7FFFFFFFFFFFFFFF", "FFFFFFFFFFFFFFFF", "80000000", "FFFFFFFFF", "7FFFFFFFF",
                "00000000000000000000001", "-1", "1g", ""])
            {
                all.Add(route, size);
            }
        }

        return all;
    }

    [Theory]
    [MemberData(nameof(RoutesAndSizes))]
    public async Task ChunkSize_ThatIsNoUsableNumber_Answers400AndCloses(string route, string size)
    {
        using var socket = new RawConnection(_server.Address);
        await socket.SendAsync($"{route} {Chunked}\r\n{size}\r\n{{\"a\":1}}\r\n0\r\n\r\n");

        string answer = await socket.ReadToEndAsync();

        AssertRefused(answer);
        Assert.Equal(404, (await _server.DbAsync("GET", "/docs?id=a")).Status);
    }

    [Theory]
    [InlineData("PUT /databases/db1/docs?id=a")]
    [InlineData("GET /databases/db1/docs?id=a")]
    [InlineData("GET /nowhere")]
    [InlineData("GET /health/live")]
    public async Task ContentLength_TogetherWithTransferEncoding_Answers400AndCloses(string route)
    {
        const string lengthFirst = "HTTP/1.1\r\nHost: localhost\r\nContent-Length: 7\r\nTransfer-Encoding: chunked\r\n";
        foreach (string head in (string[])[$"{Chunked}Content-Length: 7\r\n", lengthFirst])
        {
            using var socket = new RawConnection(_server.Address);
            await socket.SendAsync($"{route} {head}\r\n7\r\n{{\"a\":1}}\r\n0\r\n\r\n{route} {Chunked}\r\n0\r\n\r\n");

            string answer = await socket.ReadToEndAsync();

            AssertRefused(answer);
            Assert.Contains("Transfer-Encoding", answer, StringComparison.Ordinal);
        }

        Assert.Equal(404, (await _server.DbAsync("GET", "/docs?id=a")).Status);
    }

    private static void AssertRefused(string answer)
    {
        Assert.StartsWith("HTTP/1.1 400", answer, StringComparison.Ordinal);
        Assert.Contains("Connection: close", answer, StringComparison.Ordinal);
        Assert.Equal(2, answer.Split("HTTP/1.1 ").Length);
    }
}
