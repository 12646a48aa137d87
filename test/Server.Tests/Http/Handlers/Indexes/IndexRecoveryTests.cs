using System.Text.Json;
using Jackdaw.Pal.Simulation;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>Indexes that could not go on, and what makes them go on.</summary>
public sealed class IndexRecoveryTests : IAsyncLifetime
{
    private const string First = "from u in docs.Users select new { u.Name, Version = 1 }";
    private const string Second = "from u in docs.Users select new { u.Name, Version = 2 }";
    private readonly SimulatedPlatform _platform = new(seed: 7);
    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync(new ServerSetup { Platform = _platform });
        await _server.PutAsync("users/1", "Users", """{"Name":"Ann"}""");
        Assert.Equal(201, (await _server.PutIndexAsync("People", First)).Status);
        await _server.SettledAsync();
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Flush_ThatFails_HasTheIndexBuiltAgainWhileDocumentsServe(bool isSearchedFirst)
    {
        string folder = _server.Indexes.Require("People").Record.Folder;
        var builder = _server.Indexes.Require("People").Builder!;
        SimulatedFault fault = _platform.Inject(new SimulatedFault { Effect = FaultEffect.IoError, Kind = PalOperationKind.WritePages, PathContains = folder });
        Assert.ThrowsAny<Exception>(() => builder.Storage.Flush());
        Assert.Equal(1, fault.Fired);
        if (isSearchedFirst)
        {
            await _server.QueryAsync("from index 'People'", waits: false);
        }

        await _server.PutAsync("users/2", "Users", """{"Name":"Bob"}""");
        await _server.WaitUntilAsync(() => _server.Indexes.Require("People").Record.Folder != folder);
        await _server.SettledAsync();
        Assert.Equal("users/1,users/2", await _server.IdsAsync("from index 'People'"));
        Assert.Contains("Damage", (await _server.DbAsync("GET", "/indexes/errors?name=People")).Text, StringComparison.Ordinal);
    }

    /// <summary>It may have failed for a reason that is gone, such as a compiler that was given too little time.</summary>
    [Fact]
    public async Task Put_SameDefinitionOfAFaultyIndex_TriesItAgain()
    {
        ReadOnlyMemory<byte> good = _server.Indexes.Require("People").Record.Definition;
        byte[] broken = JsonSerializer.SerializeToUtf8Bytes(new { Name = "People", Maps = new[] { "from u in docs.Users select new { u.Name +" } });
        await _server.Indexes.ChangeAsync(["People"], record => record with { Definition = broken }, default);
        await _server.RestartAsync();
        await _server.WaitUntilAsync(() => _server.Indexes.Require("People").Fault is not null);
        await _server.Indexes.ChangeAsync(["People"], record => record with { Definition = good }, default);
        Assert.NotNull(_server.Indexes.Require("People").Fault);
        Assert.Equal(201, (await _server.PutIndexAsync("People", First)).Status);
        await _server.SettledAsync();
        Assert.Equal("users/1", await _server.IdsAsync("from index 'People' where Version = 1"));
    }

    [Fact]
    public async Task Reset_SideBySideWhileAnotherDefinitionIsOnItsWay_KeepsThatDefinition()
    {
        using (await _server.HoldIndexesAsync())
        {
            Assert.Equal(201, (await _server.PutIndexAsync("People", Second)).Status);
            Assert.Equal(204, (await _server.DbAsync("RESET", "/indexes?name=People&mode=SideBySide")).Status);
        }

        await _server.SettledAsync();
        Assert.Equal("users/1", await _server.IdsAsync("from index 'People' where Version = 2"));
    }
}
