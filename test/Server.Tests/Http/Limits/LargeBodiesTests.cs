using Jackdaw.Documents.Answers;
using Jackdaw.Json;
using Jackdaw.Server.Http.Limits;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Limits;

public sealed class LargeBodiesTests
{
    private const string Attach = """{"Id":"big","Name":"a","Type":"AttachmentPUT"}""";

    [Fact]
    public async Task Enter_WithoutAPlace_WaitsUntilOneIsLeft()
    {
        using var places = new LargeBodyAdmission(1);
        await places.EnterAsync(CancellationToken.None);

        ValueTask second = places.EnterAsync(CancellationToken.None);
        Assert.False(second.IsCompleted);
        places.Leave();

        await second;
    }

    [Fact]
    public async Task Put_ManyLargeBodiesOneAfterTheOther_GiveTheirPlacesBack()
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        string body = $$"""{"f":"{{new string('x', 2 * HttpLimits.LargeBodyBytes)}}"}""";
        for (int i = 0; i < 70; i++)
        {
            await server.PutAsync($"big/{i % 2}", body);
        }
    }

    [Fact]
    public async Task BulkInsert_CommandsAboveABatch_NeedAPlaceUntilTheyAreStored()
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        LargeBodyAdmission places = server.Server.LargeBodyAdmission;
        string document = $$"""{"f":"{{new string('x', DocumentLimits.BulkInsertBatchBytesMax + HttpLimits.StepBytes)}}"}""";
        string body = $"[{string.Join(',', Enumerable.Range(0, 3).Select(i => $$"""{"Id":"big/{{i}}","Type":"PUT","Document":{{document}}}"""))}]";
        await TakeAllAsync(places);
        TimeSpan usual = places.WaitTime;
        places.WaitTime = TimeSpan.FromMilliseconds(200); // all places are taken: it is refused, however long it waits

        Answer refused = await server.DbAsync("POST", "/bulk_insert", body);
        places.WaitTime = usual;
        Answer small = await server.DbAsync("POST", "/bulk_insert", """[{"Id":"small","Type":"PUT","Document":{}}]""");
        places.Leave();
        Answer stored = await server.DbAsync("POST", "/bulk_insert", body);

        refused.AssertProblem(503, "TimeoutException", "large requests", "finished batches are stored: none");
        Assert.NotNull(refused.Header("Retry-After"));
        Assert.Equal((201, 201), (small.Status, stored.Status));
        Assert.Equal(1, await TakeAllAsync(places));
    }

    [Fact]
    public async Task BulkInsert_PauseInACommandAboveABatch_EndsIt()
    {
        var time = new ManualTime();
        await using ServerFixture server = await ServerFixture.StartAsync(new ServerSetup { Time = time });
        using var socket = new RawConnection(server.Address);
        string half = $$"""[{"Id":"big","Type":"PUT","Document":{"f":"{{new string('x', DocumentLimits.BulkInsertBatchBytesMax + HttpLimits.StepBytes)}}""";
        await socket.SendAsync(
            $"POST /databases/db1/bulk_insert?id=7 HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n{half.Length:x}\r\n{half}\r\n");

        Task<string> answer = socket.ReadHeadAsync();
        await time.AdvanceUntilAsync(HttpLimits.LargeCommandStepTime, () => Task.FromResult(answer.IsCompleted), "It waits for the sender for ever.");
        Assert.StartsWith("HTTP/1.1 408", await answer, StringComparison.Ordinal);
        Assert.Contains("paused for 30 s", (await server.DbAsync("GET", "/operations/state?id=7")).Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Upload_WithoutRoomForItsBuffers_IsRefusedUntilThereIs()
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        await server.PutAsync("users/1", "{}");
        AnswerAdmission limit = server.Server.UploadBuffers;
        const string path = "/attachments?id=users/1&name=a";
        byte[] large = new byte[3 * HttpLimits.LargeBodyBytes];
        Assert.True(limit.TryTake(limit.BytesMax));

        Answer refused = await server.DbAsync("PUT", path, large);
        Answer small = await server.DbAsync("PUT", path, new byte[1_000]);
        limit.Give(limit.BytesMax);
        Answer stored = await server.DbAsync("PUT", path, large);

        refused.AssertProblem(503, "TimeoutException", "try again");
        Assert.NotNull(refused.Header("Retry-After"));
        Assert.Equal((201, 201, 0L), (small.Status, stored.Status, limit.Held));
    }

    [Fact]
    public async Task Batch_WhoseAttachmentsArrive_HoldsNoPlaceAmongLargeBodies()
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        LargeBodyAdmission places = server.Server.LargeBodyAdmission;
        AnswerAdmission limit = server.Server.WaitingBatches;
        await TakeAllAsync(places);
        places.Leave();
        using var socket = new RawConnection(server.Address);
        await socket.SendAsync(
            "POST /databases/db1/bulk_docs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: multipart/mixed; boundary=b\r\n" +
            $"Transfer-Encoding: chunked\r\n\r\n{Chunk($"--b\r\n\r\n{{\"Commands\":[{LargePut()},{Attach}]}}\r\n--b\r\n\r\nsome of the content")}");
        await Eventually.IsTrueAsync(() => limit.Held > 0, () => "The batch is not counted while its attachment arrives.");

        await server.PutAsync("other", $$"""{"f":"{{new string('x', 2 * HttpLimits.LargeBodyBytes)}}"}""");
        await socket.SendAsync($"{Chunk("\r\n--b--\r\n")}0\r\n\r\n");

        Assert.StartsWith("HTTP/1.1 201", await socket.ReadToEndAsync(), StringComparison.Ordinal);
        await Eventually.IsTrueAsync(() => limit.Held == 0, () => "The batch is counted for ever.");
        Assert.Equal(1, await TakeAllAsync(places));
    }

    [Fact]
    public async Task Batch_WithoutRoomToWaitForItsAttachments_IsRefusedUntilThereIs()
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        AnswerAdmission limit = server.Server.WaitingBatches;
        Assert.True(limit.TryTake(limit.BytesMax));

        Answer refused = await server.DbAsync("POST", "/bulk_docs", AttachmentRequests.Multipart($"{LargePut()},{Attach}", [1]));
        Answer small = await server.DbAsync("POST", "/bulk_docs", AttachmentRequests.Multipart(
            $$$"""{"Id":"big","Type":"PUT","Document":{}},{{{Attach}}}""", [1]));
        limit.Give(limit.BytesMax);
        Answer stored = await server.DbAsync("POST", "/bulk_docs", AttachmentRequests.Multipart($"{LargePut()},{Attach}", [1]));

        refused.AssertProblem(503, "TimeoutException", "try again");
        Assert.Equal((201, 201), (small.Status, stored.Status));
    }

    [Fact]
    public async Task BulkInsert_PauseInTheContentOfAnAttachment_EndsIt()
    {
        var time = new ManualTime();
        await using ServerFixture server = await ServerFixture.StartAsync(new ServerSetup { Time = time });
        AnswerAdmission limit = server.Server.UploadBuffers;
        using var socket = new RawConnection(server.Address);
        await socket.SendAsync(
            "POST /databases/db1/bulk_insert?id=7 HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" +
            Chunk($"[{Inserted(4 * HttpLimits.LargeBodyBytes)}{new string('x', HttpLimits.LargeBodyBytes)}"));
        await Eventually.IsTrueAsync(() => limit.Held > 0, () => "The buffers of the content are not counted.");

        Task<string> answer = socket.ReadHeadAsync();
        await time.AdvanceUntilAsync(HttpLimits.LargeCommandStepTime, () => Task.FromResult(answer.IsCompleted), "It waits for the sender for ever.");
        Assert.StartsWith("HTTP/1.1 408", await answer, StringComparison.Ordinal);
        Assert.Contains("attachment paused for 30 s", (await server.DbAsync("GET", "/operations/state?id=7")).Text, StringComparison.Ordinal);
        await Eventually.IsTrueAsync(() => limit.Held == 0, () => $"{limit.Held} bytes are held.");
    }

    [Fact]
    public async Task BulkInsert_WithoutRoomForTheBuffersOfAContent_IsRefusedUntilThereIs()
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        AnswerAdmission limit = server.Server.UploadBuffers;
        string body = $"[{Inserted(3 * HttpLimits.LargeBodyBytes)}{new string('x', 3 * HttpLimits.LargeBodyBytes)}]";
        Assert.True(limit.TryTake(limit.BytesMax));

        Answer refused = await server.DbAsync("POST", "/bulk_insert", body);
        Answer small = await server.DbAsync("POST", "/bulk_insert", $"[{Inserted(3)}abc]");
        limit.Give(limit.BytesMax);
        Answer stored = await server.DbAsync("POST", "/bulk_insert", body);

        refused.AssertProblem(503, "TimeoutException", "finished batches are stored: none");
        Assert.Equal((201, 201, 0L), (small.Status, stored.Status, limit.Held));
    }

    [Fact]
    public async Task BulkInsert_AttachmentPutAboveABatch_IsRefusedAndLeavesItsPlace()
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        LargeBodyAdmission places = server.Server.LargeBodyAdmission;
        await TakeAllAsync(places);
        places.Leave();
        string padding = new(' ', DocumentLimits.BulkInsertBatchBytesMax + (2 * HttpLimits.StepBytes));

        Answer refused = await server.DbAsync("POST", "/bulk_insert", $"[{Inserted(3)[..^1]}{padding}}}abc]");

        refused.AssertProblem(413, "Exception", "before its content");
        Assert.Equal(1, await TakeAllAsync(places));
    }

    private static string LargePut() => $$$"""{"Id":"big","Type":"PUT","Document":{"f":"{{{new string('x', 2 * HttpLimits.LargeBodyBytes)}}}"}}""";

    private static string Inserted(int bytes) =>
        $$$"""{"Id":"users/1","Type":"PUT","Document":{}},{"Id":"users/1","Type":"AttachmentPUT","Name":"a","ContentLength":{{{bytes}}}}""";

    private static string Chunk(string text) => $"{text.Length:x}\r\n{text}\r\n";

    /// <summary>Takes the places that are left, and says how many.</summary>
    private static async Task<int> TakeAllAsync(LargeBodyAdmission places)
    {
        using var cancelled = new CancellationTokenSource();
        for (int taken = 0; ; taken++)
        {
            Task place = places.EnterAsync(cancelled.Token).AsTask();
            if (!place.IsCompletedSuccessfully)
            {
                await cancelled.CancelAsync();
                await Assert.ThrowsAnyAsync<OperationCanceledException>(() => place);
                return taken;
            }
        }
    }
}
