using System.Diagnostics;
using System.Globalization;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;
using Jackdaw.ProcessTests.Harness;
using Jackdaw.TestKit;

namespace Jackdaw.ProcessTests;

/// <summary>A client that reads a stream as slowly as it is allowed to holds nothing back.</summary>
public sealed class SlowStreamTests(ITestOutputHelper output) : IDisposable
{
    /// <summary>Twenty times what the buffers of a connection take.</summary>
    private const int Documents = 24_000;

    private const int DocumentBytes = 1000;
    private const int BytesPerSecond = 1000;

    private static readonly TimeSpan s_slowTime = TimeSpan.FromSeconds(3);

    /// <summary>An idle storage flushes after two seconds.</summary>
    private static readonly TimeSpan s_flushPatience = TimeSpan.FromSeconds(30);

    private readonly TestFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public Task Stream_ReadAtOneKilobytePerSecond_FlushesGoOnAndEachDocumentComesOnce() => StreamAsync("", isById: false);

    [Fact]
    [Trait("Tier", "Full")]
    public Task StreamById_ReadAtOneKilobytePerSecond_FlushesGoOnAndEachDocumentComesOnce() => StreamAsync("startsWith=fixed/", isById: true);

    private async Task StreamAsync(string query, bool isById)
    {
        using RunningServer server = await RunningServer.StartAsync(_folder);
        await server.CreateDatabaseAsync("shop");
        await FillAsync(server);
        using Socket client = await BeginAsync(server, query);
        using var stopping = new CancellationTokenSource();
        Task<int> writing = RewriteAsync(server, isById, stopping.Token);
        Task<byte[]> slow = ReadSlowlyAsync(client);
        (long retained, long age) = await WatchAsync(server, slow);
        byte[] beginning = await slow;
        await stopping.CancelAsync();
        int batches = await writing;
        await WaitUntilAllIsFlushedAsync(server);
        Assert.True(beginning.Length < Documents * DocumentBytes / 4, "The client was not slow.");
        string text = Encoding.UTF8.GetString(beginning) + Encoding.UTF8.GetString(await ReadToEndAsync(client));

        output.WriteLine($"{batches} batches beside it; readers of the stream seen: at most {age} ms old, {retained >> 10} KB retained");
        Assert.InRange(age, 0, 1500);
        Assert.InRange(retained, 0, 16 << 20);
        AssertEachOnce(text);
    }

    private static async Task FillAsync(RunningServer server)
    {
        const int batch = 1000;
        for (int first = 0; first < Documents; first += batch)
        {
            IEnumerable<string> puts = Enumerable.Range(first, batch).Select(i => Put($"fixed/{i:D6}", i));
            await server.ExpectAsync(201, "POST", "/databases/shop/bulk_docs", $$"""{"Commands":[{{string.Join(',', puts)}}]}""");
        }
    }

    private static string Put(string id, int number) =>
        $$"""{"Type":"PUT","Id":"{{id}}","Document":{"n":{{number}},"text":"{{new string('x', DocumentBytes)}}"} }""";

    // The order by id keeps also what is written meanwhile; by etag only what is not.
    private static async Task<int> RewriteAsync(RunningServer server, bool isById, CancellationToken stopping)
    {
        var random = new Random(5);
        int batches = 0;
        for (; !stopping.IsCancellationRequested; batches++)
        {
            string prefix = isById ? "fixed" : "other";
            IEnumerable<string> puts = Enumerable.Range(0, 20).Select(_ => random.Next(Documents))
                .Select(i => Put(string.Create(CultureInfo.InvariantCulture, $"{prefix}/{i:D6}"), i));
            await server.ExpectAsync(201, "POST", "/databases/shop/bulk_docs", $$"""{"Commands":[{{string.Join(',', puts)}}]}""");
        }

        return batches;
    }

    private static async Task<Socket> BeginAsync(RunningServer server, string query)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { ReceiveBufferSize = 4096 };
        await socket.ConnectAsync(server.Address.Host, server.Address.Port);
        string request = $"GET /databases/shop/streams/docs?format=jsonl&{query} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        await socket.SendAsync(Encoding.ASCII.GetBytes(request));
        return socket;
    }

    private static async Task<byte[]> ReadSlowlyAsync(Socket socket)
    {
        using var received = new MemoryStream();
        byte[] bytes = new byte[BytesPerSecond / 10];
        long started = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(started) < s_slowTime)
        {
            int read = await socket.ReceiveAsync(bytes);
            Assert.True(read > 0, "The server ended the stream.");
            received.Write(bytes, 0, read);
            await Task.Delay(100); // the pace of a slow client
        }

        return received.ToArray();
    }

    private static async Task<byte[]> ReadToEndAsync(Socket socket)
    {
        using var received = new MemoryStream();
        byte[] bytes = new byte[1 << 16];
        for (int read = await socket.ReceiveAsync(bytes); read > 0; read = await socket.ReceiveAsync(bytes))
        {
            received.Write(bytes, 0, read);
        }

        return received.ToArray();
    }

    /// <summary>Looks at the statistics until the slow time is over.</summary>
    private static async Task<(long RetainedMax, long AgeMax)> WatchAsync(RunningServer server, Task until)
    {
        long retained = 0, age = 0;
        while (!until.IsCompleted)
        {
            JsonElement reader = (await ReportAsync(server)).GetProperty("OldestReader");
            if (reader.ValueKind == JsonValueKind.Object && reader.GetProperty("Kind").GetString() is "Stream")
            {
                retained = Math.Max(retained, reader.GetProperty("RetainedScratchBytes").GetInt64());
                age = Math.Max(age, reader.GetProperty("AgeMilliseconds").GetInt64());
            }

            await Task.WhenAny(until, Task.Delay(20)); // figures now and then
        }

        return (retained, age);
    }

    /// <summary>The client is still in the middle of its stream: a snapshot of it would keep pages in scratch.</summary>
    private static Task WaitUntilAllIsFlushedAsync(RunningServer server) => Eventually.ReadAsync(
        () => ReportAsync(server),
        report => report.GetProperty("FlushedTransaction").GetInt64() == report.GetProperty("TransactionId").GetInt64()
            && report.GetProperty("ScratchBytes").GetInt64() == 0,
        report => $"Something is held back: {report}",
        s_flushPatience);

    private static async Task<JsonElement> ReportAsync(RunningServer server) =>
        (await server.ExpectAsync(200, "GET", "/databases/shop/debug/storage")).Json;

    private static void AssertEachOnce(string response)
    {
        int[] times = new int[Documents];
        foreach (string line in Unchunk(response).Split('\n', StringSplitOptions.RemoveEmptyEntries))
        {
            string id = JsonDocument.Parse(line).RootElement.GetProperty("@metadata").GetProperty("@id").GetString()!;
            if (id.StartsWith("fixed/", StringComparison.Ordinal))
            {
                times[int.Parse(id["fixed/".Length..], CultureInfo.InvariantCulture)]++;
            }
        }

        Assert.All(times, count => Assert.Equal(1, count));
    }

    private static string Unchunk(string response)
    {
        var body = new StringBuilder();
        int position = response.IndexOf("\r\n\r\n", StringComparison.Ordinal) + 4;
        while (true)
        {
            int end = response.IndexOf("\r\n", position, StringComparison.Ordinal);
            int length = int.Parse(response.AsSpan(position, end - position), NumberStyles.HexNumber, CultureInfo.InvariantCulture);
            if (length == 0)
            {
                return body.ToString();
            }

            body.Append(response, end + 2, length); // all of it is ASCII
            position = end + 2 + length + 2;
        }
    }
}
