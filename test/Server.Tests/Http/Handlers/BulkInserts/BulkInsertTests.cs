using System.IO.Compression;
using System.Text;
using System.Text.Json;
using Jackdaw.Documents;
using Jackdaw.Json;
using Jackdaw.Server.Http.Limits;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.BulkInserts;

public sealed class BulkInsertTests : IAsyncLifetime
{
    private const string Head = "POST /databases/db1/bulk_insert?id=7&nodeTag=A HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n";

    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Post_BodyThatNeverEnds_IsAnsweredAtTheClosingBracket()
    {
        using var socket = new RawConnection(_server.Address);
        await socket.SendAsync($"{Head}\r\n");
        await socket.SendAsync(Chunk("""[{"Id":"users/b1","Type":"PUT","Document":{"n":1,"@metadata":{"@collection":"Users"}}}"""));
        await socket.SendAsync(Chunk(""",{"Type":"HeartBeat"}"""));
        await socket.SendAsync(Chunk("]"));

        string answer = await socket.ReadHeadAsync();

        Assert.StartsWith("HTTP/1.1 201", answer, StringComparison.Ordinal);
        Assert.Contains("Content-Length: 0", answer, StringComparison.Ordinal);
        Assert.Contains("Connection: close", answer, StringComparison.Ordinal);
        Assert.Equal(200, (await _server.DbAsync("GET", "/docs?id=users/b1")).Status);
        await AssertStateAsync("Completed");
        socket.Shutdown(); // otherwise the server waits some seconds for the rest of the body
        await socket.ReadToEndAsync();
    }

    [Fact]
    public async Task Post_SenderPauses_IsStoredAndFreesItsMemory()
    {
        var time = new ManualTime();
        await using ServerFixture server = await ServerFixture.StartAsync(new ServerSetup { Time = time });
        using var socket = new RawConnection(server.Address);
        await socket.SendAsync($"{Head}\r\n{Chunk("[" + Put("users/1"))}");
        await AdvanceUntilAsync(time, async () => (await server.DbAsync("HEAD", "/docs?id=users/1")).Status == 200);
        await socket.SendAsync(Chunk("," + Put("users/2")) + Chunk("]"));

        Assert.StartsWith("HTTP/1.1 201", await socket.ReadHeadAsync(), StringComparison.Ordinal);
        Answer state = await server.DbAsync("GET", "/operations/state?id=7");
        Assert.Equal("Completed", state.Json.GetProperty("Status").GetString());
        Assert.Equal(2, state.Json.GetProperty("Progress").GetProperty("BatchCount").GetInt64());
        Assert.Equal(200, (await server.DbAsync("HEAD", "/docs?id=users/2")).Status);
    }

    [Fact]
    public async Task Post_SenderTrickles_IsStoredAndReportedMeanwhile()
    {
        using var socket = new RawConnection(_server.Address);
        await socket.SendAsync($"{Head}\r\n{Chunk("[" + Put("users/0"))}");
        await WaitForStateAsync("InProgress");
        int sent = 0;
        JsonElement progress = default;
        for (long began = Environment.TickCount64; !(progress.ValueKind == JsonValueKind.Object && progress.GetProperty("BatchCount").GetInt64() > 1);)
        {
            Assert.True(Environment.TickCount64 - began < 30_000, "Nothing is stored while documents trickle in.");
            string counter = """{"Type":"Increment","CounterName":"n","Delta":1}""";
            await socket.SendAsync(Chunk("," + Put($"users/{++sent}"))
                + Chunk($$$""",{"Id":"users/0","Type":"Counters","Counters":{"DocumentId":"users/0","Operations":[{{{counter}}}]}}"""));
            await Task.Delay(50); // the trickle: a tenth of the time after which a pause ends a batch
            progress = (await _server.DbAsync("GET", "/operations/state?id=7")).Json.GetProperty("Progress");
        }

        Assert.Equal(200, (await _server.DbAsync("HEAD", "/docs?id=users/1")).Status);
        Assert.NotNull(progress.GetProperty("LastProcessedId").GetString());
        await socket.SendAsync(Chunk("]"));
        Assert.StartsWith("HTTP/1.1 201", await socket.ReadHeadAsync(), StringComparison.Ordinal);
        JsonElement end = (await _server.DbAsync("GET", "/operations/state?id=7")).Json.GetProperty("Progress");
        Assert.Equal(sent + 1, end.GetProperty("DocumentsProcessed").GetInt64());
    }

    [Fact]
    public async Task Post_ContentOfAnAttachmentPauses_StoresWhatCameBefore()
    {
        var time = new ManualTime();
        await using ServerFixture server = await ServerFixture.StartAsync(new ServerSetup { Time = time });
        using var socket = new RawConnection(server.Address);
        const string attachment = """{"Id":"users/1","Type":"AttachmentPUT","Name":"a","ContentType":"","ContentLength":6}""";
        await socket.SendAsync($"{Head}\r\n{Chunk("[" + Put("users/1") + "," + attachment + "abc")}");
        await AdvanceUntilAsync(time, async () => (await server.DbAsync("HEAD", "/docs?id=users/1")).Status == 200);
        Assert.Equal(404, (await server.DbAsync("GET", "/attachments?id=users/1&name=a")).Status);
        await socket.SendAsync(Chunk("def") + Chunk("," + Put("users/2")) + Chunk("]"));

        Assert.StartsWith("HTTP/1.1 201", await socket.ReadHeadAsync(), StringComparison.Ordinal);
        Assert.Equal("abcdef", (await server.DbAsync("GET", "/attachments?id=users/1&name=a")).Text);
        Assert.Equal(200, (await server.DbAsync("HEAD", "/docs?id=users/2")).Status);
        JsonElement progress = (await server.DbAsync("GET", "/operations/state?id=7")).Json.GetProperty("Progress");
        Assert.Equal((2, 1), (progress.GetProperty("DocumentsProcessed").GetInt64(), progress.GetProperty("AttachmentsProcessed").GetInt64()));
    }

    [Fact]
    public async Task Post_SenderPausesAfterARefusedDocument_LearnsIt()
    {
        var time = new ManualTime();
        await using ServerFixture server = await ServerFixture.StartAsync(new ServerSetup { Time = time });
        using var socket = new RawConnection(server.Address);
        await socket.SendAsync($"{Head}\r\n{Chunk("[" + Put("users/1", "\"A:99-AAAAAAAAAAAAAAAAAAAAAA\""))}");

        Task<string> answer = socket.ReadHeadAsync();
        await AdvanceUntilAsync(time, () => Task.FromResult(answer.IsCompleted));
        Assert.StartsWith("HTTP/1.1 409", await answer, StringComparison.Ordinal);
        Assert.Contains("finished batches are stored: none", (await server.DbAsync("GET", "/operations/state?id=7")).Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task NextOperationId_NumberThatAClientBrought_IsNotGivenOut()
    {
        Assert.Equal(201, (await _server.DbAsync("POST", "/bulk_insert?id=1", "[]")).Status);
        Assert.Equal(201, (await _server.DbAsync("POST", "/bulk_insert?id=2", "[]")).Status);

        Answer next = await _server.DbAsync("GET", "/operations/next-operation-id");

        Assert.Equal(3, next.Json.GetProperty("Id").GetInt64());
        Assert.Equal(201, (await _server.DbAsync("POST", "/bulk_insert?id=3", "[]")).Status);
    }

    [Fact]
    public async Task Post_GzipBodyWithoutTrailer_IsAnsweredAtTheClosingBracket()
    {
        using var compressed = new MemoryStream();
        using var gzip = new GZipStream(compressed, CompressionLevel.Fastest);
        gzip.Write("""[{"Id":"a","Type":"PUT","Document":{}}]"""u8);
        gzip.Flush();
        byte[] bytes = compressed.ToArray();
        using var socket = new RawConnection(_server.Address);
        await socket.SendAsync($"{Head}Content-Encoding: gzip\r\n\r\n{bytes.Length:x}\r\n");
        await socket.SendAsync(bytes);
        await socket.SendAsync("\r\n");

        Assert.StartsWith("HTTP/1.1 201", await socket.ReadHeadAsync(), StringComparison.Ordinal);
        Assert.Equal(200, (await _server.DbAsync("GET", "/docs?id=a")).Status);
    }

    [Fact]
    public async Task Post_ManyMegabytes_IsStoredInBatchesAndCounted()
    {
        string filler = new('x', 1000);
        var body = new StringBuilder("[");
        for (int i = 0; i < 10_000; i++)
        {
            body.Append(i > 0 ? "," : "").Append($$$"""{"Id":"users/{{{i}}}","Type":"PUT","Document":{"f":"{{{filler}}}"}}""");
        }

        Answer answer = await _server.DbAsync("POST", "/bulk_insert?id=7", body.Append(']').ToString());

        Assert.Equal((201, "0"), (answer.Status, answer.Header("Content-Length")));
        Assert.InRange(_server.Probe.Batches, 2, 4);
        JsonElement state = await AssertStateAsync("Completed");
        Assert.Equal(10_000, state.GetProperty("Result").GetProperty("DocumentsProcessed").GetInt64());
        Assert.Equal("users/9999", state.GetProperty("Progress").GetProperty("LastProcessedId").GetString());
    }

    [Theory]
    [InlineData("""[{"Id":"a","Type":"PUT","Document":{}},{"Id":"b","Type":"Fly"}]""", 400, "Fly")]
    [InlineData("""[{"Id":"a","Type":"PUT","Document":{}}""", 400, "closing bracket")]
    [InlineData("""[{"Id":"a","Type":"PUT","Document":{"x":1,"x":1}}]""", 400, "two")]
    [InlineData("""{"Id":"a"}""", 400, "'['")]
    [InlineData("""[{"Id":"a","Type":"Counters","Counters":{}}]""", 400, "no Operations")]
    [InlineData("", 400, "closing bracket")]
    public async Task Post_BrokenBody_FailsAndTheOperationSaysWhy(string body, int status, string message)
    {
        (await _server.DbAsync("POST", "/bulk_insert?id=7", body)).AssertProblem(status, "Exception", message);

        JsonElement result = (await AssertStateAsync("Faulted")).GetProperty("Result");
        Assert.Contains(message, result.GetProperty("Error").GetString(), StringComparison.Ordinal);
        Assert.Equal(status, result.GetProperty("StatusCode").GetInt32());
        Assert.StartsWith("Raven.Client.Documents.Operations.OperationExceptionResult", result.GetProperty("$type").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Post_SkipOverwriteIfUnchanged_KeepsTheVersion()
    {
        const string body = """[{"Id":"a","Type":"PUT","Document":{"n":1}}]""";
        await _server.DbAsync("POST", "/bulk_insert?id=1", body);
        string? tag = (await _server.DbAsync("GET", "/docs?id=a")).Header("ETag");

        await _server.DbAsync("POST", "/bulk_insert?id=2&skipOverwriteIfUnchanged=true", body);

        Assert.Equal(tag, (await _server.DbAsync("GET", "/docs?id=a")).Header("ETag"));
    }

    [Theory]
    [InlineData("")]
    [InlineData("A:99999")]
    public async Task Post_VersionDemandNotMet_IsAConflictAndWritesNothingOfTheBatch(string changeVector)
    {
        await _server.DbAsync("PUT", "/docs?id=a", "{}");
        string? tag = (await _server.DbAsync("GET", "/docs?id=a")).Header("ETag");
        string demand = $"\"ChangeVector\":\"{changeVector}\"";

        Answer answer = await _server.DbAsync("POST", "/bulk_insert?id=7",
            $$$"""[{"Id":"b","Type":"PUT","Document":{}},{"Id":"a","Type":"PUT",{{{demand}}},"Document":{"n":1}}]""");

        Assert.Equal(409, answer.Status);
        Assert.Equal(tag, (await _server.DbAsync("GET", "/docs?id=a")).Header("ETag"));
        Assert.Equal(404, (await _server.DbAsync("GET", "/docs?id=b")).Status);
        await AssertStateAsync("Faulted");
    }

    [Fact]
    public async Task Post_DatabaseBeingClosed_IsWorthAnotherTry()
    {
        _server.Probe.Refusal = WriteStatus.Closing;

        Answer answer = await _server.DbAsync("POST", "/bulk_insert?id=7", """[{"Id":"a","Type":"PUT","Document":{}}]""");

        answer.AssertProblem(503, "BulkInsertAbortedException", "its database is being closed", "finished batches are stored");
        Assert.NotNull(answer.Header("Retry-After"));
        await AssertStateAsync("Faulted");
    }

    /// <summary>What other requests are told, that nothing was written, is true of the last batch alone.</summary>
    [Theory]
    [InlineData(WriteStatus.DiskFull, 507)]
    [InlineData(WriteStatus.QueueFull, 503)]
    [InlineData(null, 409)]
    [InlineData(null, 400)]
    public async Task Post_FailureAfterABatchIsStored_TellsThatItIsKept(WriteStatus? refusal, int status)
    {
        string last = status switch
        {
            409 => """{"Id":"a","Type":"PUT","ChangeVector":"A:9","Document":{}}""",
            400 => """{"Id":"a","Type":"Fly"}""",
            _ => """{"Id":"a","Type":"PUT","Document":{}}""",
        };
        string filler = new('x', DocumentLimits.BulkInsertBatchBytesMax);
        using var socket = new RawConnection(_server.Address);
        await socket.SendAsync($"{Head}\r\n{Chunk($$$"""[{"Id":"first","Type":"PUT","Document":{"f":"{{{filler}}}"}},""")}");
        await WaitForStateAsync("InProgress", "1 documents in 1 batches");
        _server.Probe.Refusal = refusal;
        await socket.SendAsync($"{Chunk(last + "]")}0\r\n\r\n");

        string answer = await socket.ReadToEndAsync();

        Assert.StartsWith($"HTTP/1.1 {status}", answer, StringComparison.Ordinal);
        Assert.DoesNotContain("othing was written", answer, StringComparison.Ordinal);
        Assert.Contains("Documents of finished batches are stored: 1, the last one 'first'.", answer, StringComparison.Ordinal);
        JsonElement result = (await AssertStateAsync("Faulted")).GetProperty("Result");
        Assert.Contains("finished batches are stored: 1,", result.GetProperty("Error").GetString(), StringComparison.Ordinal);
        Assert.Equal(404, (await _server.DbAsync("GET", "/docs?id=a")).Status);
        Assert.Equal(200, (await _server.DbAsync("GET", "/docs?id=first&metadataOnly=true")).Status);
    }

    [Fact]
    public async Task Post_NumberInUse_IsRefused()
    {
        await _server.DbAsync("POST", "/bulk_insert?id=7", "[]");

        (await _server.DbAsync("POST", "/bulk_insert?id=7", "[]")).AssertProblem(
            400, "ArgumentException", "next-operation-id");
    }

    [Fact]
    public async Task Kill_RunningInsert_EndsItAsCanceled()
    {
        using var socket = new RawConnection(_server.Address);
        await socket.SendAsync($"{Head}\r\n{Chunk("[")}");
        await WaitForStateAsync("InProgress");

        Assert.Equal(204, (await _server.DbAsync("POST", "/operations/kill?id=7&nodeTag=A")).Status);

        Assert.StartsWith("HTTP/1.1 500", await socket.ReadHeadAsync(), StringComparison.Ordinal);
        await AssertStateAsync("Canceled");
    }

    [Fact]
    public async Task Kill_WhileTheLastBatchIsStored_IsAnsweredAsAKillAndTellsWhatIsStored()
    {
        var gate = new TaskCompletionSource();
        _server.Probe.Gate = gate.Task;
        Task<Answer> insert = _server.DbAsync("POST", "/bulk_insert?id=7", """[{"Id":"a","Type":"PUT","Document":{}}]""");
        while (_server.Probe.WritesBegun == 0)
        {
            await Task.Yield();
        }

        Assert.Equal(204, (await _server.DbAsync("POST", "/operations/kill?id=7")).Status);
        gate.SetResult();

        (await insert).AssertProblem(500, "BulkInsertAbortedException", "it was killed", "1, the last one 'a'");
        await AssertStateAsync("Canceled");
        Assert.Equal(200, (await _server.DbAsync("GET", "/docs?id=a")).Status);
    }

    [Fact]
    public async Task Close_OfTheConnection_FaultsTheOperationAndKeepsFinishedBatches()
    {
        using (var socket = new RawConnection(_server.Address))
        {
            await socket.SendAsync($"{Head}\r\n{Chunk("[")}");
            await WaitForStateAsync("InProgress");
        }

        await WaitForStateAsync("Faulted");
    }

    [Fact]
    public async Task Operations_NumbersGrowAndUnknownOnesAre404()
    {
        long first = (await _server.DbAsync("GET", "/operations/next-operation-id")).Json.GetProperty("Id").GetInt64();
        Answer second = await _server.DbAsync("GET", "/operations/next-operation-id");

        Assert.Equal(first + 1, second.Json.GetProperty("Id").GetInt64());
        Assert.Equal("A", second.Json.GetProperty("NodeTag").GetString());
        Assert.Equal(404, (await _server.DbAsync("GET", "/operations/state?id=999&nodeTag=A")).Status);
        Assert.Equal(404, (await _server.DbAsync("POST", "/operations/kill?id=999")).Status);
        (await _server.DbAsync("GET", "/operations/state")).AssertProblem(400, "ArgumentException", "id");
    }

    [Theory]
    [InlineData("", "[{\"n\":3}", 3)]
    [InlineData("&startsWith=users/&start=1&pageSize=1", "", 1)]
    public async Task Stream_Documents_InBothForms(string query, string firstPart, int count)
    {
        for (int i = 1; i <= 3; i++)
        {
            await _server.PutAsync($"users/{i}", $$"""{"n":{{i}}}""");
        }

        Answer lines = await _server.DbAsync("GET", $"/streams/docs?format=jsonl{query}&");
        Answer whole = await _server.DbAsync("GET", $"/streams/docs?{query}");

        Assert.True(lines.Status == 200, lines.Text);
        string[] split = lines.Text.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal(count, split.Length);
        Assert.Equal(firstPart.Length > 0
            ? 3
            : 2, JsonDocument.Parse(split[0]).RootElement.GetProperty("n").GetInt32());
        Assert.Equal(count, whole.Json.GetProperty("Results").GetArrayLength());
        Assert.EndsWith("\n", lines.Text, StringComparison.Ordinal);
        Assert.Null(whole.Header("Content-Length"));
    }

    [Fact]
    public async Task Stream_LongerThanOneStep_RenewsItsSnapshotAndMissesNothing()
    {
        string filler = new('x', 10_000);
        for (int i = 0; i < 40; i++)
        {
            await _server.PutAsync($"users/{i:00}", $$"""{"f":"{{filler}}"}""");
        }

        foreach (string query in (string[])["", "startsWith=users/", "etag=1"])
        {
            int before = _server.Probe.ScopesBegun;
            Answer answer = await _server.DbAsync("GET", $"/streams/docs?{query}");
            string[] ids = [.. answer.Json.GetProperty("Results").EnumerateArray()
                .Select(document => document.GetProperty("@metadata").GetProperty("@id").GetString()!)];

            Assert.Equal(40, ids.Distinct().Count());
            Assert.Equal(40, ids.Length);
            Assert.True(_server.Probe.ScopesBegun - before >= 5);
        }
    }

    private static string Put(string id, string changeVector = "null") =>
        $$$"""{"Id":"{{{id}}}","ChangeVector":{{{changeVector}}},"Type":"PUT","Document":{"n":1}}""";

    private static Task AdvanceUntilAsync(ManualTime time, Func<Task<bool>> isDone) =>
        time.AdvanceUntilAsync(HttpLimits.BulkInsertPauseTime, isDone, "It waits for the sender for ever.");

    private static string Chunk(string text) => $"{Encoding.UTF8.GetByteCount(text):x}\r\n{text}\r\n";

    private async Task<JsonElement> AssertStateAsync(string status)
    {
        Answer answer = await _server.DbAsync("GET", "/operations/state?id=7&nodeTag=A");
        Assert.Equal(200, answer.Status);
        Assert.Equal(status, answer.Json.GetProperty("Status").GetString());
        return answer.Json;
    }

    private async Task WaitForStateAsync(string status, string progress = "")
    {
        using var deadline = new CancellationTokenSource(TimeSpan.FromSeconds(20));
        string last = "";
        while (!last.Contains($"\"{status}\"", StringComparison.Ordinal) || !last.Contains(progress, StringComparison.Ordinal))
        {
            Assert.False(deadline.IsCancellationRequested, $"Still: {last}");
            last = (await _server.DbAsync("GET", "/operations/state?id=7")).Text;
            await Task.Yield();
        }
    }
}
