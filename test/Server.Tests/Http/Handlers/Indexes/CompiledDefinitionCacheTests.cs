using Jackdaw.Indexing;
using Jackdaw.Indexing.Building;
using Jackdaw.Indexing.Mapping;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>Compiled definitions are kept beside their indexes.</summary>
public sealed class CompiledDefinitionCacheTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await _server.PutAsync("users/1", "Users", """{"Name":"Ann"}""");
        Assert.Equal(201, (await _server.PutIndexAsync("People", "from u in docs.Users select new { u.Name }")).Status);
        Assert.Equal("users/1", await _server.IdsAsync("from index 'People' where Name = 'ann'"));
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Restart_SameDefinition_CompilesNothing()
    {
        Assert.False(IsFromCache);
        await _server.RestartAsync();
        Assert.Equal("users/1", await _server.IdsAsync("from index 'People' where Name = 'ann'"));
        Assert.True(IsFromCache);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(40)]
    [InlineData(-1)]
    public async Task Restart_DamagedBytes_AreCompiledAgainAndReplaced(int damaged)
    {
        IndexBuilder builder = Builder;
        byte[] bytes = CompiledDefinitionStore.Read(builder.Storage);
        Assert.True(bytes.Length > 1000);
        bytes[damaged < 0 ? ^1 : damaged] ^= 1;
        CompiledDefinitionStore.Write(builder.Storage, bytes);
        await _server.RestartAsync();
        Assert.Equal("users/1", await _server.IdsAsync("from index 'People' where Name = 'ann'"));
        Assert.False(IsFromCache);
        await _server.RestartAsync();
        await _server.SettledAsync();
        Assert.True(IsFromCache);
    }

    [Fact]
    public async Task Restart_BytesOfAnotherDefinition_AreNotUsed()
    {
        await _server.PutIndexAsync("Ages", "from u in docs.Users select new { Name = \"other\" }");
        await _server.SettledAsync();
        byte[] other = CompiledDefinitionStore.Read(_server.Indexes.Require("Ages").Builder!.Storage);
        CompiledDefinitionStore.Write(Builder.Storage, other);
        await _server.RestartAsync();
        await _server.PutAsync("users/2", "Users", """{"Name":"Bob"}""");
        Assert.Equal("users/2", await _server.IdsAsync("from index 'People' where Name = 'bob'"));
        Assert.False(IsFromCache);
    }

    private IndexBuilder Builder => _server.Indexes.Require("People").Builder!;

    private bool IsFromCache => ((CSharpMapping)Builder.Mapping).IsFromCache;
}
