using System.IO.Compression;
using System.Text;
using Jackdaw.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Bodies;

public sealed class RequestBodyTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    public static TheoryData<string, string> BrokenDocuments => new()
    {
        { "", "empty" },
        { "{", "ends" },
        { "not json", "object" },
        { "{\"a\":1,\"a\":2}", "two" },
        { "{\"a\":1} x", "end of the text" },
        { "{\"a\":1}{\"b\":2}", "end of the text" },
        { "[1]", "object" },
        { "\uFEFF{}", "byte order mark" },
        { "{\"a\":\"\\ud800\"}", "surrogate" },
        { "{'a':1}", "expected" },
        { "{\"a\":NaN}", "" },
        { "{\"@metadata\":1}", "@metadata" },
        { "{\"a\":" + new string('[', 300) + new string(']', 300) + "}", "256" },
    };

    [Theory]
    [MemberData(nameof(BrokenDocuments))]
    public async Task Put_BrokenDocument_Answers400AndStoresNothing(string body, string message)
    {
        (await _server.DbAsync("PUT", "/docs?id=a", body)).AssertProblem(400, "BadRequestException", message);

        Assert.Equal(404, (await _server.DbAsync("GET", "/docs?id=a")).Status);
    }

    [Fact]
    public async Task Put_InvalidUtf8_Answers400()
    {
        byte[] body = [.. "{\"a\":\""u8, 0xC3, 0x28, .. "\"}"u8];

        (await _server.DbAsync("PUT", "/docs?id=a", body)).AssertProblem(400, "BadRequestException", "UTF-8");
        (await _server.SendAsync("PUT", "/admin/databases?name=x", body)).AssertProblem(
            400, "BadRequestException", "UTF-8");
    }

    [Theory]
    [InlineData("gzip")]
    [InlineData("GZIP")]
    [InlineData("deflate")]
    [InlineData("deflate", "bare")]
    [InlineData("br")]
    [InlineData("identity")]
    public async Task Put_CompressedBody_IsDecoded(string encoding, string? compression = null)
    {
        byte[] body = Compress("""{"n":5}"""u8.ToArray(), compression ?? encoding);

        Assert.Equal(201, (await _server.DbAsync("PUT", "/docs?id=a", body, ("Content-Encoding", encoding))).Status);
        Assert.Equal(
            5, (await _server.DbAsync("GET", "/docs?id=a")).Json.GetProperty("Results")[0].GetProperty("n").GetInt32());
    }

    [Fact]
    public async Task Put_ZstdBody_IsDecoded()
    {
        // One raw block: magic number, frame header (single segment, 7 bytes), last block of 7 bytes.
        byte[] body = [0x28, 0xB5, 0x2F, 0xFD, 0x20, 0x07, 0x39, 0x00, 0x00, .. """{"n":5}"""u8];

        Assert.Equal(201, (await _server.DbAsync("PUT", "/docs?id=a", body, ("Content-Encoding", "zstd"))).Status);
    }

    [Theory]
    [InlineData("gzip")]
    [InlineData("deflate")]
    [InlineData("br")]
    [InlineData("zstd")]
    public async Task Put_BodyThatIsNotWhatItsEncodingSays_Answers400(string encoding) =>
        (await _server.DbAsync("PUT", "/docs?id=a", """{"a":"this is plain text"}""", ("Content-Encoding", encoding)))
            .AssertProblem(400, "BadRequestException", encoding);

    [Theory]
    [InlineData("lzma")]
    [InlineData("gzip, gzip, gzip, gzip")]
    public async Task Put_UnknownEncoding_Answers415(string encoding) =>
        (await _server.DbAsync("PUT", "/docs?id=a", "{}", ("Content-Encoding", encoding))).AssertProblem(
            415, "BadRequestException", "gzip");

    [Theory]
    [InlineData("gzip", "")]
    [InlineData("br", "ends too early")]
    public async Task Put_TruncatedBody_Answers400(string encoding, string message)
    {
        byte[] whole = Compress(Encoding.UTF8.GetBytes($$"""{"a":"{{Convert.ToHexString(Sample(4000))}}"}"""), encoding);

        (await _server.DbAsync("PUT", "/docs?id=a", whole[..(whole.Length / 2)], ("Content-Encoding", encoding)))
            .AssertProblem(400, "BadRequestException", message);
    }

    [Theory]
    [InlineData("PUT", "/docs?id=a", "{}")]
    [InlineData("POST", "/bulk_docs", """{"Commands":[{"Id":"a","Type":"PUT","Document":{}}]}""")]
    [InlineData("POST", "/bulk_insert", """[{"Id":"a","Type":"PUT","Document":{}}]""")]
    public async Task CompressedBody_OfARequestThatFailsInTheServer_Answers500(string method, string path, string body)
    {
        _server.Probe.Gate = Task.FromException(new InvalidOperationException("boom"));

        Answer answer = await _server.DbAsync(method, path, Compress(Encoding.UTF8.GetBytes(body), "br"), ("Content-Encoding", "br"));

        answer.AssertProblem(500, "InvalidOperationException", "boom");
    }

    [Fact]
    public async Task Put_LargeBrotliBody_IsDecoded()
    {
        string value = Convert.ToHexString(Sample(1_500_000));
        byte[] body = Compress(Encoding.UTF8.GetBytes($$"""{"a":"{{value}}"}"""), "br");

        Assert.Equal(201, (await _server.DbAsync("PUT", "/docs?id=a", body, ("Content-Encoding", "br"))).Status);
        Assert.Equal(value, (await _server.DbAsync("GET", "/docs?id=a")).Json.GetProperty("Results")[0].GetProperty("a").GetString());
    }

    [Fact]
    public async Task Put_ContentLengthOverTheLimit_Answers413WithoutReadingIt()
    {
        using var socket = new RawConnection(_server.Address);
        await socket.SendAsync(
            $"PUT /databases/db1/docs?id=a HTTP/1.1\r\nHost: localhost\r\nContent-Length: {DocumentLimits.DocumentBytesMax + 1}\r\n\r\n");

        string answer = await socket.ReadHeadAsync();

        Assert.StartsWith("HTTP/1.1 413", answer, StringComparison.Ordinal);
        Assert.Contains("Connection: close", answer, StringComparison.Ordinal);
        await _server.PutAsync("a", "{}");
    }

    [Fact]
    public async Task Put_ChunkedBodyOverTheLimit_Answers413()
    {
        using var socket = new RawConnection(_server.Address);
        await socket.SendAsync("PUT /admin/databases?name=x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
        string chunk = $"{0x100000:x}\r\n{new string(' ', 0x100000)}\r\n";
        Task<string> answer = socket.ReadHeadAsync();
        for (int megabytes = 0; megabytes < 20 && !answer.IsCompleted; megabytes++)
        {
            await socket.TrySendAsync(chunk);
        }

        Assert.StartsWith("HTTP/1.1 413", await answer, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Put_GzipBomb_Answers413WhenTheLimitIsReached()
    {
        // 65 MB of spaces become 65 KB.
        byte[] bomb = Compress([.. Enumerable.Repeat((byte)' ', DocumentLimits.DocumentBytesMax + 1024)], "gzip");
        Assert.True(bomb.Length < 1_000_000);

        (await _server.DbAsync("PUT", "/docs?id=a", bomb, ("Content-Encoding", "gzip"))).AssertProblem(
            413, "BadRequestException", "67108864");

        await _server.PutAsync("a", "{}");
    }

    private static byte[] Compress(byte[] bytes, string encoding)
    {
        using var output = new MemoryStream();
        using (Stream stream = encoding.ToLowerInvariant() switch
        {
            "gzip" => new GZipStream(output, CompressionLevel.Fastest, leaveOpen: true),
            "deflate" => new ZLibStream(output, CompressionLevel.Fastest, leaveOpen: true),
            "bare" => new DeflateStream(output, CompressionLevel.Fastest, leaveOpen: true),
            "br" => new BrotliStream(output, CompressionLevel.Fastest, leaveOpen: true),
            _ => new BufferedStream(output),
        })
        {
            stream.Write(bytes);
            stream.Flush();
            return encoding == "identity" ? output.ToArray() : Finish(stream, output);
        }
    }

    private static byte[] Finish(Stream stream, MemoryStream output)
    {
        stream.Dispose();
        return output.ToArray();
    }

    private static byte[] Sample(int count)
    {
        byte[] bytes = new byte[count];
        new Random(42).NextBytes(bytes);
        return bytes;
    }
}
