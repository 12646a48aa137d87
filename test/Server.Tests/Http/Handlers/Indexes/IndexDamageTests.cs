using System.Buffers.Binary;
using System.Text;
using System.Text.Json;
using Jackdaw.Indexing.Outputs;
using Jackdaw.Pal.InMemory;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>Damaged pages of each structure of an index: it is built again by itself, and is right again; documents are written all the time.</summary>
public sealed class IndexDamageTests : IAsyncLifetime
{
    private const int PageBytes = 8192;
    private const int OwnerTagOffset = 36;
    private const int Orders = 200; // of one group: it has partial results

    /// <summary>Part of the row: too long for a file that is stored in one value, and it cannot be compressed.</summary>
    private static readonly string s_text = Convert.ToHexString(RandomBytes(3000));

    private readonly MemoryPlatform _platform = new();
    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync(new ServerSetup { Platform = _platform });
        await PutOrdersAsync(1);
        await _server.PutAsync("companies/1", "Companies", """{"Name":"Acme"}""");
    }

    private async Task PutIndexAsync(string engine)
    {
        object more = new
        {
            OutputReduceToCollection = "Totals",
            PatternForOutputReduceToCollectionReferences = "lists/{Name}",
            Configuration = new Dictionary<string, string> { ["Indexing.Static.SearchEngineType"] = engine },
        };
        Answer answer = await _server.PutIndexAsync(
            "Orders",
            "from o in docs.Orders let c = LoadDocument(o.Company, \"Companies\") select new { Name = c.Name, Count = 1, Sum = 10 / o.Size, Text = \"\" }",
            "from r in results group r by r.Name into g select new { Name = g.Key, Count = g.Sum(x => x.Count), Sum = g.Sum(x => x.Sum), "
            + $"Text = \"{s_text}\" }}",
            more);
        Assert.True(answer.Status == 201, answer.Text);
        await _server.PutAsync("orders/bad", "Orders", """{"Size":0,"Company":"companies/1"}""");
        await _server.SettledAsync();
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("files", "Lucene")]
    [InlineData("chunks", "Lucene")]
    [InlineData("segments")]
    [InlineData("segment list")]
    [InlineData("segment fields")]
    [InlineData("index state")]
    [InlineData("index errors")]
    [InlineData("references")]
    [InlineData("reference lists")]
    [InlineData("reduce documents")]
    [InlineData("reduce groups")]
    [InlineData("reduce rows")]
    [InlineData("reduce partials")]
    [InlineData("output groups")]
    [InlineData("output references")]
    [InlineData("output pending")]
    [InlineData("compiled")]
    [InlineData("")]
    public async Task Damage_OfOneStructure_IsMendedByARebuild(string tree, string engine = "Corax")
    {
        await PutIndexAsync(engine);

        // Something is left to write for it, so that no structure is empty.
        Assert.Equal(204, (await _server.DbAsync("POST", "/admin/indexes/stop")).Status);
        string folder = Assert.Single(_platform.ListDirectory("/data/Databases/db1/Indexes"));
        int damaged = 0;
        await _server.RestartAsync(whileClosed: () =>
        {
            FillOutbox("/data/Databases/db1", folder);
            damaged = Damage($"/data/Databases/db1/Indexes/{folder}/data", tree);
        });
        Assert.True(damaged > 0, $"no page of '{tree}'");
        await PutOrdersAsync(2);
        await _server.PutAsync("companies/1", "Companies", """{"Name":"Zeta"}""");
        await _server.DbAsync("POST", "/queries", """{"Query":"from index 'Orders'"}"""); // what only searches read is found, too
        await _server.SettledAsync();
        string expected = $$"""{"Name":"Zeta","Count":{{Orders}},"Sum":{{Orders * 5}},"Text":"{{s_text}}"}""";
        Assert.Equal([expected], await _server.RowsAsync("from index 'Orders'"));
        Assert.Equal([expected], await _server.RowsAsync("from Totals"));
        JsonElement lists = (await _server.QueryAsync("from 'Totals/References'")).Json.GetProperty("Results");
        Assert.Equal("lists/Zeta", Assert.Single(lists.EnumerateArray()).GetProperty("Id").GetString());
        Answer errors = await _server.DbAsync("GET", "/indexes/errors?name=Orders");
        Assert.Contains("orders/bad", errors.Text, StringComparison.Ordinal);
        Assert.Single(_platform.ListDirectory("/data/Databases/db1/Indexes"));
    }

    /// <summary>What a kill leaves between a batch of the index and the transaction of its documents: a row that is not written yet.</summary>
    private void FillOutbox(string database, string folder)
    {
        using var root = StorageEnvironment.Open(_platform, database);
        using var branch = StorageEnvironment.OpenBranch(root, $"{database}/Indexes/{folder}");
        using (WriteTransaction write = branch.BeginWrite())
        {
            using BTreeCursor groups = write.Trees.FindTree(OutputStore.GroupsTree)!.OpenCursor();
            Assert.True(groups.Seek([]));
            byte[] pending = [OutputStore.GroupKind, .. groups.Key];
            write.Trees.CreateTree(OutputStore.PendingTree).Put(pending, """{"Name":"Acme","Count":1,"Sum":1}"""u8);
            write.Commit();
        }

        branch.Flush();
        branch.Sync();
    }

    private static byte[] RandomBytes(int count)
    {
        byte[] bytes = new byte[count];
        new Random(count).NextBytes(bytes);
        return bytes;
    }

    private int Damage(string path, string tree)
    {
        byte[] file = _platform.ReadAll(path).ToArray();
        uint tag = tree.Length == 0 ? TreeCatalog.RootOwnerTag : TreeCatalog.OwnerTagOf(Encoding.UTF8.GetBytes(tree));
        int damaged = 0;
        for (int at = 0; at + PageBytes <= file.Length; at += PageBytes)
        {
            if (BinaryPrimitives.ReadUInt32LittleEndian(file.AsSpan(at + OwnerTagOffset)) == tag)
            {
                _platform.FlipBit(path, (at + 100) * 8L);
                damaged++;
            }
        }

        return damaged;
    }

    private Task PutOrdersAsync(int size) => _server.PutAllAsync("Orders", Enumerable.Range(0, Orders).Select(i =>
        ($"orders/{i}", new Dictionary<string, object> { ["Company"] = "companies/1", ["Size"] = size })));
}
