using Jackdaw.ProcessTests.Harness;

namespace Jackdaw.ProcessTests;

/// <summary>A client that pauses while it reads an answer larger than all buffers between it and the server.</summary>
public sealed class SlowAnswerTests : IDisposable
{
    private const int DocumentBytes = 32 << 20;
    private const int ReadBeforePauseBytes = 1 << 20;

    /// <summary>More than Kestrel gives a client by itself, and two of its heartbeats.</summary>
    private static readonly TimeSpan s_pause = TimeSpan.FromSeconds(9);

    private readonly TestFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    [Trait("Tier", "Full")]
    public async Task Answer_WhoseClientPauses_IsNotCutOff()
    {
        using RunningServer server = await RunningServer.StartAsync(_folder);
        await server.CreateDatabaseAsync("shop");
        string body = "{\"v\":\"" + new string('x', DocumentBytes) + "\"}";
        Assert.Equal(201, (await server.PutAsync("shop", "large", body)).Status);
        using HttpResponseMessage answer = await server.Client.GetAsync(
            new Uri("/databases/shop/docs?id=large", UriKind.Relative), HttpCompletionOption.ResponseHeadersRead);
        await using Stream content = await answer.Content.ReadAsStreamAsync();
        byte[] buffer = new byte[ReadBeforePauseBytes];
        await content.ReadExactlyAsync(buffer);

        await Task.Delay(s_pause); // the pause of the client is what is tested

        long read = ReadBeforePauseBytes;
        for (int count; (count = await content.ReadAsync(buffer)) > 0; read += count)
        {
        }

        Assert.Equal(answer.Content.Headers.ContentLength, read);
        Assert.InRange(read, DocumentBytes, DocumentBytes + 1000);
        await server.StopAsync();
    }
}
