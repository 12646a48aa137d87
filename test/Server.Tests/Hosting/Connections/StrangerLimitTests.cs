using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Hosting.Connections;

/// <summary>What strangers can take from others on a server that runs.</summary>
public sealed class StrangerLimitTests : IDisposable
{
    private readonly SecuredFolder _folder = new SecuredFolder().WithKeys();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Connections_ThatBeginNoHandshake_LeaveRoomForClients()
    {
        await using ServerFixture server = await ServerFixture.StartAsync(_folder.Setup);
        RawConnection[] idle = [.. Enumerable.Range(0, 1_200).Select(_ => new RawConnection(server.Address))];
        await Task.WhenAll(idle.Select(one => one.TrySendAsync("\u0016\u0003\u0001")));
        await Eventually.IsTrueAsync(() => server.Server.Handshakes >= 1_000, () => $"{server.Server.Handshakes} are counted");
        Answer answer = await server.SendAsync("GET", "/databases");
        Array.ForEach(idle, one => one.Dispose());
        await Eventually.IsTrueAsync(() => server.Server.Handshakes == 0, () => $"{server.Server.Handshakes} are still counted");
        Assert.Equal(200, answer.Status);
    }

    [Fact]
    public async Task Client_WithAKnownCertificate_ConnectsAsOftenAsItLikes()
    {
        await using ServerFixture server = await ServerFixture.StartAsync(_folder.Setup);
        for (int i = 0; i < 100; i++)
        {
            using HttpClient client = server.MakeClient(SecuredFolder.ReadAdministrator(_folder.Security));
            Assert.Equal(200, (await Answer.ToAsync(client, "GET", "/databases", null)).Status);
        }
    }
}
