using System.Text;
using Jackdaw.Indexing;
using Jackdaw.Indexing.Records;
using Jackdaw.Server.Tests.Additions;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>An index says which search engine wrote it, and is opened by no other one.</summary>
public sealed class IndexEngineTests : IAsyncLifetime
{
    private const string ByName = "from u in docs.Users select new { u.Name }";
    private const string All = "from index 'People'";
    private ServerFixture _server = null!;

    private DatabaseIndex People => _server.Indexes.Require("People");

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync(new ServerSetup { Engines = StandInEngine.LuceneAlone });
        await _server.PutAsync("users/1", "Users", """{"Name":"Ann"}""");
        Assert.Equal(201, (await _server.PutIndexAsync("People", ByName)).Status);
        await _server.SettledAsync();
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("Corax")]
    [InlineData("Lucene")]
    public async Task Stats_IndexOfEitherSetting_NameTheEngineThatServes(string setting)
    {
        var configuration = new Dictionary<string, string> { ["Indexing.Static.SearchEngineType"] = setting };
        Assert.Equal(201, (await _server.PutIndexAsync("Set", ByName, more: new { Configuration = configuration })).Status);
        Assert.Equal("users/1", await _server.IdsAsync("from Users where Name = 'Ann'")); // makes an index, too
        await _server.SettledAsync();
        Assert.Equal(3, _server.Indexes.All.Count());
        foreach (DatabaseIndex index in _server.Indexes.All)
        {
            Answer stats = await _server.DbAsync("GET", "/indexes/stats?name=" + Uri.EscapeDataString(index.Name));
            Assert.Contains("\"SearchEngineType\":\"Lucene\"", stats.Text, StringComparison.Ordinal);
            Assert.Equal("Lucene", NameInFiles(index));
        }
    }

    [Fact]
    public async Task Open_RecordOfAnEngineThatIsNotThere_IsRefusedUntilTheIndexIsReset()
    {
        await _server.Indexes.ChangeAsync(["People"], record => record with { Engine = "Vespa" }, default);
        await _server.RestartAsync();
        await _server.WaitUntilAsync(() => People.Fault is not null);
        Answer query = await _server.QueryAsync(All, waits: false);
        Assert.Contains("Index 'People' was written by the search engine 'Vespa'", query.Text, StringComparison.Ordinal);
        Assert.Contains("reset the index", query.Text, StringComparison.Ordinal);
        Assert.Contains("\"SearchEngineType\":\"Vespa\"", (await _server.DbAsync("GET", "/indexes/stats?name=People")).Text, StringComparison.Ordinal);
        Assert.Equal(204, (await _server.DbAsync("RESET", "/indexes?name=People")).Status);
        await _server.SettledAsync();
        Assert.Equal("Lucene", People.Record.Engine);
        Assert.Equal("users/1", await _server.IdsAsync(All));
    }

    [Fact]
    public async Task Open_FilesOfAnotherEngineThanTheRecord_IsRefused()
    {
        Change(state => state.Put("engine"u8, "Vespa"u8));
        await _server.RestartAsync();
        await _server.WaitUntilAsync(() => People.Fault is not null);
        Assert.Contains("'People' were written by the search engine 'Vespa'", People.Fault, StringComparison.Ordinal);
        Assert.Contains("'Lucene' writes them: reset the index", People.Fault, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Open_FilesWithoutAName_AreThoseOfLuceneAndGetItsName()
    {
        Change(state => state.Delete("engine"u8));
        string folder = People.Record.Folder;
        await _server.RestartAsync();
        await _server.PutAsync("users/2", "Users", """{"Name":"Bob"}""");
        Assert.Equal("users/1,users/2", await _server.IdsAsync(All));
        Assert.Equal(folder, People.Record.Folder);
        Assert.Equal("Lucene", NameInFiles(People));
    }

    [Fact]
    public void Read_RowWithoutAnEngine_IsOfLucene()
    {
        byte[] row = IndexRecordTable.BuildRow(People.Record with { Engine = "" });
        row[0] = 1; // the version that had no such column
        Assert.Equal("Lucene", IndexRecordTable.Read(new TableRow(row, RowId.None, IndexRecordTable.Schema)).Engine);
        row = IndexRecordTable.BuildRow(People.Record with { Engine = "Vespa" });
        Assert.Equal("Vespa", IndexRecordTable.Read(new TableRow(row, RowId.None, IndexRecordTable.Schema)).Engine);
    }

    private static string NameInFiles(DatabaseIndex index)
    {
        using ReadTransaction read = StorageOf(index).BeginRead();
        return read.Trees.FindTree("index state"u8)!.TryGet("engine"u8, out ReadOnlySpan<byte> name) ? Encoding.UTF8.GetString(name) : "";
    }

    private void Change(Action<BTree> change)
    {
        using WriteTransaction write = StorageOf(People).BeginWrite();
        change(write.Trees.FindTree("index state"u8)!);
        write.Commit();
    }

    private static StorageEnvironment StorageOf(DatabaseIndex index) => index.Builder!.Storage;
}
