using System.Globalization;
using System.Net.WebSockets;
using System.Security.Cryptography.X509Certificates;
using System.Text.Json;
using Jackdaw.Security.Callers;
using Jackdaw.Server.Http.Handlers.Live;
using Jackdaw.Server.Live;
using Jackdaw.Server.Tests.Notices;
using Jackdaw.Server.Tests.Security;
using Jackdaw.TestKit;
using Microsoft.Extensions.Logging;

namespace Jackdaw.Server.Tests.Live;

/// <summary>The websockets with requests and with lines of the log: each entry once, in order, or counted as missed.</summary>
public sealed class TailTests
{
    private const string Requests = "/databases/db1/live/requests";

    [Fact]
    public void Tail_RandomReadsAndWrites_GivesEachEntryOnceOrCountsIt()
    {
        const int seed = 20261128;
        var random = new Random(seed);
        var tail = new Tail<long>(16);
        long written = 0;
        (long At, long Got, long Missed)[] readers = new (long, long, long)[4];
        for (int i = 0; i < 20_000; i++)
        {
            if (random.Next(3) > 0)
            {
                tail.Add(++written);
                continue;
            }

            ref (long At, long Got, long Missed) reader = ref readers[random.Next(readers.Length)];
            var found = new List<long>();
            (long newest, long missed) = tail.Read(reader.At, found);
            Assert.Equal(written, newest);
            Assert.True(found.SequenceEqual(Enumerable.Range(0, found.Count).Select(n => newest - found.Count + 1 + n)), $"seed {seed}, step {i}");
            Assert.Equal(newest - reader.At, found.Count + missed);
            Assert.True(missed == 0 || found.Count == 16);
            reader = (newest, reader.Got + found.Count, reader.Missed + missed);
        }

        Assert.All(readers, reader => Assert.Equal(reader.At, reader.Got + reader.Missed));
        Assert.All(readers, reader => Assert.True(reader.Missed > 0));
    }

    [Fact]
    public void RequestTails_OfSeveralDatabases_KeepOnlyWhatIsWatched()
    {
        var tails = new RequestTails();
        tails.Add(Entry("a", "early"));
        Assert.True(tails.IsEmpty);
        IDisposable first = tails.Watch("a", out Tail<RequestEntry> entries);
        IDisposable second = tails.Watch("a", out Tail<RequestEntry> same);
        Assert.Same(entries, same);
        tails.Add(Entry("b", "other"));
        tails.Add(Entry("a", new string('x', 30_000)));
        Assert.Equal(1, entries.Newest);
        var found = new List<RequestEntry>();
        entries.Read(0, found);
        Assert.InRange(Assert.Single(found).Path.Length, 500, 520);
        first.Dispose();
        Assert.False(tails.IsEmpty);
        second.Dispose();
        Assert.True(tails.IsEmpty);
        using IDisposable again = tails.Watch("a", out Tail<RequestEntry> fresh);
        Assert.Equal(0, fresh.Newest);

        static RequestEntry Entry(string database, string path) => new(default, database, "GET", path, "", 200, default, "x", null);
    }

    [Fact]
    public async Task Log_WithMoreLinesThanAreKept_BeginsWithTheLastAndMissesNone()
    {
        using var tail = new LogTail(TimeProvider.System);
        ILogger logger = tail.CreateLogger("Test");
        for (int i = 0; i < LogTail.EntriesMax + 500; i++)
        {
            logger.LogInformation("line {Number}", i);
        }

        await using ServerFixture server = await ServerFixture.StartAsync(new ServerSetup { Log = tail });
        using LiveClient client = await LiveClient.ConnectAsync(server, path: "/admin/logs/tail");
        JsonElement frame = (await client.ReadAsync())!.Value;
        Assert.Equal(LogTail.EntriesMax, frame.GetProperty("Entries").GetArrayLength());
        Assert.Equal("line 500", frame.GetProperty("Entries")[0].GetProperty("Message").GetString());
        Assert.Equal(0, frame.GetProperty("Missed").GetInt64());
    }

    [Fact]
    public async Task Requests_OfTheDatabase_AreToldInTheirOrder()
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        await server.SendAsync("PUT", "/admin/databases?name=other", """{"DatabaseName":"other"}""");
        Assert.False(server.Server.IsWatchingRequests);
        using LiveClient client = await LiveClient.ConnectAsync(server, path: Requests);
        await client.ReadAsync();
        Assert.True(server.Server.IsWatchingRequests);
        await server.PutEmptyAsync("users/1");
        await server.SendAsync("GET", "/databases/other/stats");
        Assert.Equal(404, (await server.DbAsync("GET", "/docs?id=nobody")).Status);
        await server.SendAsync("GET", "/databases");
        await server.DbAsync("GET", "/docs?id=last");
        List<JsonElement> entries = await ReadUntilAsync(client, entry => entry.GetProperty("Parameters").GetString() == "?id=last");
        Assert.Equal(
            ["PUT 201 /databases/db1/docs?id=users%2F1", "GET 404 /databases/db1/docs?id=nobody", "GET 404 /databases/db1/docs?id=last"],
            entries.Select(Title));
        JsonElement put = entries[0];
        Assert.True(put.GetProperty("Milliseconds").GetDouble() > 0);
        Assert.Equal("everyone", put.GetProperty("Caller").GetString());
        Assert.Equal("127.0.0.1", put.GetProperty("Address").GetString());
    }

    [Theory]
    [InlineData("contains=USERS/2", "PUT 201 /databases/db1/docs?id=users%2F2")]
    [InlineData("method=get", "GET 404 /databases/db1/docs?id=nobody")]
    [InlineData("minStatus=400", "GET 404 /databases/db1/docs?id=nobody")]
    [InlineData("minMilliseconds=3600000", "")]
    public async Task Requests_WithAFilter_AreOnlyThose(string filter, string expected)
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        using LiveClient all = await LiveClient.ConnectAsync(server, path: Requests);
        await all.ReadAsync();
        using LiveClient client = await LiveClient.ConnectAsync(server, path: $"{Requests}?{filter}");
        await client.ReadAsync();
        await server.PutEmptyAsync("users/1");
        await server.PutEmptyAsync("users/2");
        await server.DbAsync("GET", "/docs?id=nobody");
        await server.DbAsync("HEAD", "/docs?id=users/1");
        await ReadUntilAsync(all, entry => entry.GetProperty("Method").GetString() == "HEAD");
        List<JsonElement> entries = await ReadUntilAsync(client, expected.Length == 0 ? 0 : 1);
        Assert.Equal(expected, string.Join(", ", entries.Select(Title)));
    }

    [Fact]
    public async Task Requests_MoreThanAFrameHolds_AreCountedAsMissed()
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        using LiveClient client = await LiveClient.ConnectAsync(server, path: $"{Requests}?method=HEAD");
        await client.ReadAsync();
        const int sent = 4 * TailHandlers.RequestsOfFrameMax;
        for (int i = 0; i < sent; i++)
        {
            await server.DbAsync("HEAD", $"/docs?id={i}");
        }

        long told = 0;
        long missed = 0;
        string last = "";
        await client.ReadUntilAsync(frame =>
        {
            JsonElement entries = frame.GetProperty("Entries");
            Assert.InRange(entries.GetArrayLength(), 0, TailHandlers.RequestsOfFrameMax);
            told += entries.GetArrayLength();
            missed += frame.GetProperty("Missed").GetInt64();
            last = entries.GetArrayLength() > 0 ? entries.EnumerateArray().Last().GetProperty("Parameters").GetString()! : last;
            return told + missed >= sent;
        });
        Assert.Equal(sent, told + missed);
        Assert.Equal($"?id={sent - 1}", last);
    }

    [Fact]
    public async Task Requests_WhenTheLastReaderGoes_AreNotKept()
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        using (LiveClient client = await LiveClient.ConnectAsync(server, path: Requests))
        {
            await client.ReadAsync();
            Assert.True(server.Server.IsWatchingRequests);
        }

        await Eventually.IsTrueAsync(() => !server.Server.IsWatchingRequests);
    }

    [Fact]
    public async Task Log_HasWhatWasWrittenBeforeAndAfter()
    {
        using var loggers = LoggerFactory.Create(_ => { });
        using var tail = new LogTail(TimeProvider.System);
        loggers.AddProvider(tail);
        await using ServerFixture server = await ServerFixture.StartAsync(new ServerSetup { Log = tail });
        ILogger logger = loggers.CreateLogger("Test.Of.Logs");
        logger.LogInformation("The number is {Number}", 42);
        logger.LogError(new InvalidOperationException("it broke"), "<b>failed</b>");
        using LiveClient client = await LiveClient.ConnectAsync(server, path: "/admin/logs/tail?contains=test.of.logs");
        List<JsonElement> entries = await ReadUntilAsync(client, 2);
        Assert.Equal(["Information: The number is 42", "Error: <b>failed</b>"], entries.Select(LineOf));
        Assert.Contains("it broke", entries[1].GetProperty("Failure").GetString(), StringComparison.Ordinal);
        logger.LogWarning("{Text}", new string('x', 100_000));
        string text = (await ReadUntilAsync(client, 1))[0].GetProperty("Message").GetString()!;
        Assert.Equal(LogTail.TextMax + 1, text.Length);

        using LiveClient errors = await LiveClient.ConnectAsync(server, path: "/admin/logs/tail?minLevel=error&contains=broke");
        Assert.Equal(["Error: <b>failed</b>"], (await ReadUntilAsync(errors, 1)).Select(LineOf));
        Answer wrong = await server.SendAsync("GET", "/admin/logs/tail?minLevel=loud");
        wrong.AssertProblem(400, "ArgumentException", "minLevel must be one of Trace", "not 'loud'");
    }

    [Theory]
    [InlineData(Requests)]
    [InlineData("/admin/logs/tail")]
    public async Task Stop_EndsTheSocketInOrder_AndPlainRequestsAreToldToUpgrade(string path)
    {
        ServerFixture server = await ServerFixture.StartAsync();
        Assert.Equal(426, (await server.SendAsync("GET", path)).Status);
        using LiveClient client = await LiveClient.ConnectAsync(server, path: path);
        await client.ReadAsync();
        await server.DisposeAsync();
        while (await client.ReadAsync() is not null)
        {
        }

        Assert.Equal(WebSocketCloseStatus.EndpointUnavailable, client.CloseStatus);
    }

    [Fact]
    public async Task Caller_WhoseCertificateGoes_IsCut()
    {
        await using SecuredFixture secured = await SecuredFixture.StartAsync();
        using X509Certificate2 admin = secured.AddUser("admin", DatabasePermission.Admin, "db1");
        using LiveClient client = await LiveClient.ConnectAsync(
            secured.Server,
            options =>
            {
                options.RemoteCertificateValidationCallback = (_, _, _, _) => true;
                options.ClientCertificates.Add(admin);
            },
            Requests);
        await client.ReadAsync();
        secured.Registry.Delete(admin.Thumbprint);
        while (await client.ReadAsync() is not null)
        {
        }
    }

    private static string Title(JsonElement entry)
    {
        string path = $"{entry.GetProperty("Path")}{entry.GetProperty("Parameters")}";
        return string.Create(CultureInfo.InvariantCulture, $"{entry.GetProperty("Method")} {entry.GetProperty("Status")} {path}");
    }

    private static string LineOf(JsonElement entry) => $"{entry.GetProperty("Level")}: {entry.GetProperty("Message")}";

    private static Task<List<JsonElement>> ReadUntilAsync(LiveClient client, Func<JsonElement, bool> isLast) =>
        ReadAsync(client, entries => entries.Count > 0 && isLast(entries[^1]));

    // At least so many, and what is in a frame after them.
    private static Task<List<JsonElement>> ReadUntilAsync(LiveClient client, int count) => ReadAsync(client, entries => entries.Count >= count);

    private static async Task<List<JsonElement>> ReadAsync(LiveClient client, Predicate<List<JsonElement>> isEnough)
    {
        var entries = new List<JsonElement>();
        await client.ReadUntilAsync(frame =>
        {
            entries.AddRange(frame.GetProperty("Entries").EnumerateArray());
            return isEnough(entries);
        });
        return entries;
    }
}
