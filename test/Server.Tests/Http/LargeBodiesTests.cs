using Jackdaw.Server.Documents.Identity;
using Jackdaw.Server.Http.Limits;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http;

public sealed class LargeBodiesTests
{
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

        Answer refused = await server.DbAsync("POST", "/bulk_insert", body);
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
        await using ServerFixture server = await ServerFixture.StartAsync(time: time);
        using var socket = new RawConnection(server.Address);
        string half = $$"""[{"Id":"big","Type":"PUT","Document":{"f":"{{new string('x', DocumentLimits.BulkInsertBatchBytesMax + HttpLimits.StepBytes)}}""";
        await socket.SendAsync(
            $"POST /databases/db1/bulk_insert?id=7 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n{half.Length:x}\r\n{half}\r\n");

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
