using Jackdaw.Documents.Answers;
using Jackdaw.Server.Http.Limits;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Limits;

/// <summary>What large answers hold while their clients do not read them is counted, bounded and given back.</summary>
public sealed class AnswerMemoryTests
{
    private const int Large = 3 * HttpLimits.LargeBodyBytes;

    private static readonly string s_body = $$"""{"f":"{{new string('x', Large)}}"}""";

    [Fact]
    public void TryTake_MoreThanIsLeft_TakesNothing()
    {
        var memory = new AnswerAdmission(100);
        Assert.True(memory.TryTake(60));
        Assert.False(memory.TryTake(41));
        Assert.True(memory.TryTake(40));
        memory.Give(100);
        Assert.Equal(0, memory.Held);
    }

    [Fact]
    public async Task TryTake_BesideOneThatIsRefused_GetsWhatIsLeft()
    {
        var memory = new AnswerAdmission(100);
        bool isOver = false;
        Task refused = Task.Run(() =>
        {
            while (!Volatile.Read(ref isOver))
            {
                Assert.False(memory.TryTake(101));
            }
        });
        int missed = 0;
        for (int i = 0; i < 1_000_000; i++)
        {
            if (memory.TryTake(50))
            {
                memory.Give(50);
            }
            else
            {
                missed++;
            }
        }

        Volatile.Write(ref isOver, true);
        await refused;
        Assert.Equal(0, missed);
    }

    [Theory]
    [InlineData("GET", "/docs?id=a", "")]
    [InlineData("GET", "/docs?id=a&id=b", "")]
    [InlineData("GET", "/docs?startsWith=", "")]
    [InlineData("GET", "/collections/docs?name=@empty", "")]
    [InlineData("POST", "/docs", """{"Ids":["a","b"]}""")]
    public async Task LargeAnswer_WithoutMemoryForIt_IsRefusedAndTriedAgain(string method, string path, string sent)
    {
        await using ServerFixture server = await StartAsync();
        AnswerAdmission memory = server.Server.Answers;
        Assert.True(memory.TryTake(memory.BytesMax));

        Answer refused = await server.DbAsync(method, path, sent);
        Assert.Equal(503, refused.Status);
        Assert.NotNull(refused.Header("Retry-After"));
        Assert.Contains("pageSize", refused.Text, StringComparison.Ordinal);
        Assert.Equal(200, (await server.DbAsync("GET", "/docs?id=small")).Status);

        memory.Give(memory.BytesMax);
        Answer answer = await server.DbAsync(method, path, sent);
        Assert.Equal(200, answer.Status);
        Assert.True(answer.Text.Length > Large);
        await Eventually.IsTrueAsync(() => memory.Held == 0); // the client may have the end of the answer before the server has ended
    }

    [Fact]
    public async Task MultiGet_WithoutMemoryForOne_RefusesThatOne()
    {
        await using ServerFixture server = await StartAsync();
        AnswerAdmission memory = server.Server.Answers;
        Assert.True(memory.TryTake(memory.BytesMax));

        Answer answer = await server.DbAsync("POST", "/multi_get",
            """{"Requests":[{"Url":"/databases/db1/docs","Query":"?id=a"},{"Url":"/databases/db1/docs","Query":"?id=small"}]}""");

        Assert.Equal(200, answer.Status);
        Assert.Contains("\"StatusCode\":503", answer.Text, StringComparison.Ordinal);
        Assert.Contains("\"StatusCode\":200", answer.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Stream_WithoutMemoryForADocument_IsCut()
    {
        await using ServerFixture server = await StartAsync();
        AnswerAdmission memory = server.Server.Answers;
        Assert.True(memory.TryTake(memory.BytesMax));

        using var socket = new RawConnection(server.Address);
        await socket.SendAsync("GET /databases/db1/streams/docs?startsWith= HTTP/1.1\r\nHost: localhost\r\n\r\n");

        Assert.DoesNotContain("\r\n0\r\n\r\n", await socket.ReadToEndAsync(), StringComparison.Ordinal);
        Assert.Equal(memory.BytesMax, memory.Held);
    }

    [Fact]
    public Task LargeAnswer_ClientGoesWithoutReading_GivesItsMemoryBack() => GoWithoutReadingAsync("/docs?startsWith=");

    [Theory]
    [InlineData("/docs?id=a")]
    [InlineData("/streams/docs?startsWith=")]
    [Trait("Tier", "Full")]
    public Task LargeAnswerOfOtherKinds_ClientGoesWithoutReading_GivesItsMemoryBack(string path) => GoWithoutReadingAsync(path);

    private async Task GoWithoutReadingAsync(string path)
    {
        await using ServerFixture server = await StartAsync(new string('x', 8 * Large)); // More than sockets hold.
        using (var socket = new RawConnection(server.Address))
        {
            await socket.SendAsync($"GET /databases/db1{path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
            await Eventually.IsTrueAsync(() => server.Server.Answers.Held > 0);
            socket.Reset();
        }

        await Eventually.IsTrueAsync(() => server.Server.Answers.Held == 0);
    }

    private static async Task<ServerFixture> StartAsync(string? text = null)
    {
        ServerFixture server = await ServerFixture.StartAsync();
        string body = text is null ? s_body : $$"""{"f":"{{text}}"}""";
        await server.PutAsync("a", body);
        await server.PutAsync("b", body);
        await server.PutAsync("small", "{}");
        return server;
    }
}
