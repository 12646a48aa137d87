namespace Jackdaw.ProcessTests.Harness;

/// <summary>One server with a database "shop" for all tests of a class.</summary>
public sealed class SharedServer : IAsyncLifetime
{
    private readonly TestFolder _folder = new();

    internal RunningServer Server { get; private set; } = null!;

    public async Task InitializeAsync()
    {
        Server = await RunningServer.StartAsync(_folder);
        await Server.CreateDatabaseAsync("shop");
    }

    public async Task DisposeAsync()
    {
        await Server.StopAsync();
        Server.Dispose();
        ProcessEnd verified = await JackdawProcess.RunAsync(_folder.Path, "verify", _folder.Data);
        _folder.Dispose();
        Assert.True(verified.Code == 0, $"After the tests: {verified}");
    }
}
