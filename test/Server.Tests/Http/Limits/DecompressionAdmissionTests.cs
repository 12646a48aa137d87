using System.IO.Compression;
using System.Text;
using Jackdaw.Documents.Batches;
using Jackdaw.Json;
using Jackdaw.Server.Http.Limits;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Limits;

public sealed class DecompressionAdmissionTests
{
    private static readonly (string Method, string Path)[] s_routes =
        [("PUT", "/docs?id=big"), ("POST", "/bulk_docs"), ("POST", "/bulk_insert")];

    [Fact]
    public async Task GrowTo_BeyondTheSharedPart_WaitsForTheOneWhoIsAlone()
    {
        using var limit = new DecompressionAdmissionLimit(100);
        using var first = new DecompressionAdmission(limit);
        using var second = new DecompressionAdmission(limit);
        using var third = new DecompressionAdmission(limit);
        await first.GrowToAsync(60, default);
        await second.GrowToAsync(40, default);

        await first.GrowToAsync(1000, default);
        Assert.Equal(40, limit.Shared.Held);
        ValueTask waits = third.GrowToAsync(61, default);
        Assert.False(waits.IsCompleted);
        await second.GrowToAsync(100, default);
        first.Dispose();

        await waits;
        Assert.Equal(100, limit.Shared.Held);
    }

    [Fact]
    public void Default_IsTheSmallerOf256MegabytesAnd5Percent_ButRoomForOneLargest()
    {
        using var limit = new DecompressionAdmissionLimit();
        long memory = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes;

        long all = limit.Shared.BytesMax + DecompressionAdmissionLimit.LargestBytes;

        Assert.True(all <= Math.Max(Math.Min(256L << 20, memory / 20), DecompressionAdmissionLimit.LargestBytes + (16 << 20)));
        Assert.True(DecompressionAdmissionLimit.LargestBytes > BatchParser.BatchBytesMax);
    }

    // Whoever waits holds what it has: that must never be all of them.
    [Fact]
    public async Task GrowTo_ByManyAtOnce_StaysBelowTheLimitAndEnds()
    {
        int seed = Environment.TickCount;
        const int sharedMax = 1000;
        const int largest = 700;
        using var limit = new DecompressionAdmissionLimit(sharedMax);
        long held = 0;
        long heldMax = 0;
        await Parallel.ForAsync(0, 200, new ParallelOptions { MaxDegreeOfParallelism = 16 }, async (i, cancellation) =>
        {
            var random = new Random(seed + i);
            using var admission = new DecompressionAdmission(limit);
            int end = random.Next(1, largest);
            int has = 0;
            while (has < end)
            {
                int next = Math.Min(end, has + random.Next(1, 200));
                await admission.GrowToAsync(next, cancellation);
                InterlockedMax(ref heldMax, Interlocked.Add(ref held, next - has));
                has = next;
                await Task.Yield();
            }

            Interlocked.Add(ref held, -has);
        }).WaitAsync(TimeSpan.FromSeconds(30));

        Assert.True(heldMax <= sharedMax + largest, $"{heldMax} bytes at once, seed {seed}");
        Assert.Equal(0, limit.Shared.Held);
        await limit.Alone.EnterAsync(default);
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task Put_ManyBombsAtOnce_AreRefusedAndGiveEverythingBack()
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        byte[] document = Gzip(new string(' ', DocumentLimits.DocumentBytesMax + 1024));
        byte[] command = Gzip(Body("/bulk_insert", BulkInsertReader.CommandBytesMax));
        Task<Answer>[] answers = [.. Enumerable.Range(0, 8).Select(i => i % 4 == 0
            ? server.DbAsync("POST", "/bulk_insert", command, ("Content-Encoding", "gzip"))
            : server.DbAsync("PUT", "/docs?id=a", document, ("Content-Encoding", "gzip")))];

        foreach (Answer answer in await Task.WhenAll(answers))
        {
            // Who had to wait for more than the time for that is told to come back.
            Assert.True(answer.Status is 413 or 503, answer.Text);
        }

        DecompressionAdmissionLimit limit = server.Server.Decompression;
        Assert.Equal(413, (await server.DbAsync("PUT", "/docs?id=a", document, ("Content-Encoding", "gzip"))).Status);
        Assert.Equal(0, limit.Shared.Held);
        await limit.Alone.EnterAsync(default).AsTask().WaitAsync(TimeSpan.FromSeconds(5));
    }

    [Fact]
    public async Task CompressedBodies_WhileNothingIsLeft_LargeAreRefusedAndSmallDoNotWait()
    {
        const int largeBytes = 3 * DocumentLimits.BulkInsertBatchBytesMax;
        await using ServerFixture server = await ServerFixture.StartAsync();
        DecompressionAdmissionLimit limit = server.Server.Decompression;
        Assert.True(limit.Shared.TryTake(limit.Shared.BytesMax));
        await limit.Alone.EnterAsync(default);
        TimeSpan enough = TimeSpan.FromMinutes(1);
        limit.Alone.WaitTime = enough; // for what is sent meanwhile

        Task<Answer>[] large = [.. s_routes.Select(route => SendAsync(server, route, largeBytes))];
        foreach ((string Method, string Path) route in s_routes)
        {
            Assert.Equal(201, (await SendAsync(server, route, HttpLimits.LargeBodyBytes / 2)).Status);
            Assert.Equal(201, (await server.DbAsync(route.Method, route.Path, Body(route.Path, largeBytes))).Status);
        }

        Assert.All(large, answer => Assert.False(answer.IsCompleted, "A large one did not wait."));
        limit.Alone.Leave();
        Assert.All(await Task.WhenAll(large), answer => Assert.Equal(201, answer.Status)); // one after the other

        await limit.Alone.EnterAsync(default);
        limit.Alone.WaitTime = TimeSpan.FromMilliseconds(200); // however long it is, nobody leaves
        foreach ((string Method, string Path) route in s_routes)
        {
            (await SendAsync(server, route, largeBytes)).AssertProblem(503, "TimeoutException", "large requests");
        }

        limit.Alone.Leave();
        limit.Alone.WaitTime = enough;
        foreach ((string Method, string Path) route in s_routes)
        {
            await server.PutAsync("big", "{}");
            Assert.Equal(201, (await SendAsync(server, route, largeBytes)).Status);
            Assert.Equal(Value(largeBytes), (await server.DbAsync("GET", "/docs?id=big")).Json.GetProperty("Results")[0].GetProperty("a").GetString());
        }
    }

    private static Task<Answer> SendAsync(ServerFixture server, (string Method, string Path) route, int bytes) =>
        server.DbAsync(route.Method, route.Path, Gzip(Body(route.Path, bytes)), ("Content-Encoding", "gzip"));

    private static string Body(string path, int bytes)
    {
        string document = $$"""{"a":"{{Value(bytes)}}"}""";
        string command = $$"""{"Id":"big","Type":"PUT","Document":{{document}}}""";
        return path switch
        {
            "/bulk_docs" => $$"""{"Commands":[{{command}}]}""",
            "/bulk_insert" => $"[{command}]",
            _ => document,
        };
    }

    // Each place has its own text: pieces that are put together in another order are noticed.
    private static string Value(int bytes) =>
        string.Create(bytes, 0, static (text, _) =>
        {
            for (int i = 0; i < text.Length; i++)
            {
                text[i] = (char)('a' + (i / 1013 % 26));
            }
        });

    private static byte[] Gzip(string text)
    {
        using var output = new MemoryStream();
        using (var stream = new GZipStream(output, CompressionLevel.Fastest))
        {
            stream.Write(Encoding.UTF8.GetBytes(text));
        }

        return output.ToArray();
    }

    private static void InterlockedMax(ref long max, long value)
    {
        for (long seen = Volatile.Read(ref max); value > seen; seen = Volatile.Read(ref max))
        {
            Interlocked.CompareExchange(ref max, value, seen);
        }
    }
}
