
namespace Jackdaw.Server.Tests.Notices;

/// <summary>Memory of those who watch. By itself: what other tests hold at the same time would be counted.</summary>
[Collection(AloneCollection.Name)]
public sealed class WatcherMemoryTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Watchers_OneHundred_TakeLittleMemoryEach()
    {
        List<NoticeClient> clients = [];
        long before = 0;
        for (int i = 0; i < 120; i++)
        {
            if (i == 20)
            {
                before = GC.GetTotalMemory(forceFullCollection: true);
            }

            clients.Add(await _server.ConnectAsync());
            await clients[^1].CommandAsync("watch-collection", "Users");
        }

        for (int i = 0; i < 50; i++)
        {
            await _server.PutEmptyAsync($"users/{i}");
        }

        foreach (NoticeClient client in clients)
        {
            await client.ReadUntilAsync(() => client.Changes.Count() >= 50);
            client.Received.Clear();
            client.Frames.Clear();
        }

        long each = (GC.GetTotalMemory(forceFullCollection: true) - before) / 100;
        clients.ForEach(client => client.Dispose());

        // The client in this process has a buffer of 64 KB itself.
        Assert.InRange(each, 0, (64 + 48) * 1024);
    }
}
