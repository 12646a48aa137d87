using System.Text.Json;

namespace Jackdaw.Server.Tests.Notices;

/// <summary>Readers that do not keep up, and what the feed cannot keep.</summary>
public sealed class SlowReaderTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task LargeTransaction_BeyondTheFeed_IsToldWholeFromTheStorage()
    {
        using NoticeClient documents = await _server.ConnectAsync();
        using NoticeClient counters = await _server.ConnectAsync();
        await documents.CommandAsync("watch-prefix", "many/");
        await counters.CommandAsync("watch-counters");
        string id = new('x', 400);
        await _server.PutEmptyAsync("many/gone");
        IEnumerable<object> commands = Enumerable.Range(0, 6000).Select(i => NoticeRequests.PutCommand($"many/{i}/{id}", "Many"));
        await _server.WriteAsync(commands.Append(new { Type = "DELETE", Id = "many/gone" }));
        await documents.ReadUntilAsync(() => documents.Changes.Count() >= 6002);
        string[] ids = [.. documents.Changes.Select(change => change.GetProperty("Id").GetString()!)];
        Assert.Equal(["many/gone", .. Enumerable.Range(0, 6000).Select(i => $"many/{i}/{id}"), "many/gone"], ids);
        Assert.Equal("Delete", documents.Changes.Last().GetProperty("Type").GetString());

        // Counters cannot be read again: their watchers are told to begin anew.
        await counters.ReadToEndAsync();
        Assert.Contains("missed", counters.Of("Error").Single().GetProperty("Exception").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task SlowReader_OfficialClient_IsDisconnectedAndOthersAreNot()
    {
        _server.Notices.WaitingBytesMax = 200_000;
        using NoticeClient slow = await _server.ConnectAsync(receiveBufferBytes: 4096);
        using NoticeClient extended = await _server.ConnectAsync("?extended=true", receiveBufferBytes: 4096);
        using NoticeClient other = await _server.ConnectAsync();
        foreach (NoticeClient client in (NoticeClient[])[slow, extended, other])
        {
            await client.CommandAsync("watch-docs");
        }

        string id = new('x', 480);
        int rounds = 1000;
        for (int i = 0; i < rounds; i++)
        {
            if (rounds == 1000 && _server.Notices.ReaderCount == 2)
            {
                rounds = (2 * i) + 10; // the other slow reader may have had more room in the system's buffers
            }

            await _server.WriteAsync(Enumerable.Range(0, 100).Select(j => NoticeRequests.PutCommand($"{i}/{j}/{id}", "C")));
            await other.ReadUntilAsync(() => other.EndsWith($"{i}/99/{id}")); // keeps up however busy the machine is
        }

        Assert.Equal(2, _server.Notices.ReaderCount);
        Assert.True(rounds < 1000, "nobody was disconnected");
        await _server.PutEmptyAsync("last");
        await other.ReadUntilAsync(() => other.EndsWith("last"));
        await slow.ReadToEndAsync();
        Assert.False(slow.EndsWith("last"));

        await extended.ReadUntilAsync(() => extended.EndsWith("last"));
        long told = 0;
        foreach (JsonElement notice in extended.Received.Where(notice => notice.TryGetProperty("Value", out _)))
        {
            JsonElement value = notice.GetProperty("Value");
            bool isGap = notice.GetProperty("Type").GetString() == "Gap";
            long after = isGap ? value.GetProperty("After").GetInt64() : value.GetProperty("Etag").GetInt64() - 1;
            Assert.True(after <= told || told == 0, $"etags {told} to {after} are missing, and no gap says so");
            told = isGap ? value.GetProperty("Last").GetInt64() : after + 1;
        }

        Assert.NotEmpty(extended.Of("Gap"));
    }
}
