using System.Text;
using Jackdaw.DocumentKit;
using Jackdaw.Documents;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Databases;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Pal;
using Jackdaw.Pal.InMemory;
using Jackdaw.Pal.Native;
using Jackdaw.Server.Tests.Verbs;
using Jackdaw.Server.Verbs;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;
using Microsoft.Extensions.Logging.Abstractions;

namespace Jackdaw.Server.Tests.Formats;

/// <summary>What a storage says of itself, and who may open it.</summary>
public sealed class FormatVersionTests
{
    private const string Folder = "/data/Databases/shop";
    private const string SystemFolder = "/data/System";

    [Fact]
    public async Task Open_ANewDatabase_RecordsVersionTagAndId()
    {
        var platform = new MemoryPlatform();
        NodeTag node = NodeTag.TryParse("BC")!;
        await using (DocumentDatabase database = Open(platform, node))
        {
            Assert.Equal("BC", database.Replica.Node.Text);
        }

        Assert.Equal([DatabaseTree.Format, 0, 0, 0], Read(platform, Folder, "Database", "format")!);
        Assert.Equal("BC"u8, Read(platform, Folder, "Database", "node")!);
        Assert.Equal(ChangeVector.DatabaseIdBytes, Read(platform, Folder, "Database", "id")!.Length);
    }

    [Fact]
    public async Task Open_DatabaseOfANewerFormat_IsRefusedByName()
    {
        var platform = new MemoryPlatform();
        await Open(platform).DisposeAsync();
        Write(platform, Folder, "Database", "format", [DatabaseTree.Format + 1, 0, 0, 0]);
        long before = LastTransaction(platform);
        StorageRefusedException refusal = Assert.Throws<StorageRefusedException>(() => Open(platform));

        foreach (string part in new[] { Folder, $"version {DatabaseTree.Format + 1}", $"up to {DatabaseTree.Format}", "newer version of jackdaw", "backup" })
        {
            Assert.Contains(part, refusal.Message, StringComparison.Ordinal);
        }

        Assert.Equal(before, LastTransaction(platform));
    }

    [Fact]
    public async Task Open_ServerStorageOfANewerFormat_IsRefusedByName()
    {
        var platform = new MemoryPlatform();
        await (await OpenCatalogAsync(platform)).DisposeAsync();
        Assert.Equal([SystemStorage.Format, 0, 0, 0], Read(platform, SystemFolder, "Server", "format")!);
        Write(platform, SystemFolder, "Server", "format", [SystemStorage.Format + 1, 0, 0, 0]);
        StorageRefusedException refusal = await Assert.ThrowsAsync<StorageRefusedException>(() => OpenCatalogAsync(platform));

        Assert.Contains(SystemFolder, refusal.Message, StringComparison.Ordinal);
        Assert.Contains("server's own", refusal.Message, StringComparison.Ordinal);
        Assert.Contains($"version {SystemStorage.Format + 1}", refusal.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Catalog_DatabaseOfANewerFormat_IsFaultedAndTheOthersAreServed()
    {
        var platform = new MemoryPlatform();
        await using (DatabaseCatalog first = await OpenCatalogAsync(platform))
        {
            await first.PutRecordAsync("shop", "{}"u8.ToArray(), null, default);
            await first.PutRecordAsync("other", "{}"u8.ToArray(), null, default);
        }

        Write(platform, Folder, "Database", "format", [DatabaseTree.Format + 1, 0, 0, 0]);
        await using DatabaseCatalog catalog = await OpenCatalogAsync(platform);
        DatabaseLookup lookup = await catalog.FindOpenAsync("shop", TimeSpan.FromMinutes(1), default);

        Assert.Equal(DatabaseLookupStatus.Faulted, lookup.Status);
        Assert.Contains($"version {DatabaseTree.Format + 1}", lookup.Reason, StringComparison.Ordinal);
        Assert.Equal(DatabaseLookupStatus.Open, (await catalog.FindOpenAsync("other", TimeSpan.FromMinutes(1), default)).Status);
    }

    [Theory]
    [InlineData(new byte[] { 0, 0, 0, 0 })]
    [InlineData(new byte[] { 1 })]
    [InlineData(new byte[] { })]
    public async Task Open_VersionThatIsNone_IsDamage(byte[] version)
    {
        var platform = new MemoryPlatform();
        await Open(platform).DisposeAsync();
        Write(platform, Folder, "Database", "format", version);

        Assert.Contains(Folder, Assert.Throws<CorruptionException>(() => Open(platform)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Open_DatabaseOfBeforeVersionsWereRecorded_RecordsThemAndKeepsItsId()
    {
        var platform = new MemoryPlatform();
        string id;
        await using (DocumentDatabase database = Open(platform))
        {
            id = database.DatabaseId;
            await database.PutAsync("users/1", TestCommands.Json("Users", 1));
        }

        Write(platform, Folder, "Database", "format", null);
        Write(platform, Folder, "Database", "node", null);
        await using (DocumentDatabase database = Open(platform, NodeTag.TryParse("B")))
        {
            Assert.Equal((id, "A"), (database.DatabaseId, database.Replica.Node.Text)); // every tag was A then
            Assert.NotNull(database.Get("users/1"));
        }

        Assert.Equal([DatabaseTree.Format, 0, 0, 0], Read(platform, Folder, "Database", "format")!);
        Assert.Equal("A"u8, Read(platform, Folder, "Database", "node")!);
    }

    [Fact]
    public async Task Open_DatabaseOfAnotherTag_KeepsItsTagAndWritesNothing()
    {
        var platform = new MemoryPlatform();
        string vector;
        await using (DocumentDatabase database = Open(platform, NodeTag.TryParse("BC")))
        {
            await database.PutAsync("users/1", TestCommands.Json("Users", 1));
            vector = VectorOf(database, "users/1");
        }

        long before = LastTransaction(platform);
        await using (DocumentDatabase again = Open(platform, NodeTag.TryParse("XY")))
        {
            Assert.Equal(("BC", vector), (again.Replica.Node.Text, VectorOf(again, "users/1")));
        }

        Assert.StartsWith("BC:", vector, StringComparison.Ordinal);
        Assert.Equal("BC"u8, Read(platform, Folder, "Database", "node")!);
        Assert.Equal(before, LastTransaction(platform));
    }

    [Theory]
    [InlineData("")]
    [InlineData("b")]
    [InlineData("ABCDE")]
    [InlineData("RAFT")]
    public async Task Open_TagThatIsNone_IsDamage(string tag)
    {
        var platform = new MemoryPlatform();
        await Open(platform).DisposeAsync();
        Write(platform, Folder, "Database", "node", Encoding.ASCII.GetBytes(tag));

        Assert.Contains(Folder, Assert.Throws<CorruptionException>(() => Open(platform)).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Databases/shop", "Database")]
    [InlineData("System", "Server")]
    public async Task VerifyAndCompact_StorageOfANewerFormat_AreRefusedAndChangeNothing(string storage, string tree)
    {
        string data = Directory.CreateTempSubdirectory("jackdaw-format").FullName;
        try
        {
            await using (DatabaseCatalog catalog = await OpenCatalogAsync(new NativePlatform(), data))
            {
                await catalog.PutRecordAsync("shop", "{}"u8.ToArray(), null, default);
            }

            string folder = $"{data}/{storage}";
            Write(new NativePlatform(), folder, tree, "format", [9, 0, 0, 0]);
            (int code, string[] lines) = BranchFoldersTests.Verify(folder);
            Assert.Equal(FolderVerification.ExitCodeNotVerified, code);
            Assert.Contains("format version 9", Assert.Single(lines), StringComparison.Ordinal);
            (code, lines) = BranchFoldersTests.Compact(folder);
            Assert.Equal(FolderCompaction.ExitCodeNotDone, code);
            Assert.Contains("format version 9", Assert.Single(lines), StringComparison.Ordinal);
            Assert.Equal([9, 0, 0, 0], Read(new NativePlatform(), folder, tree, "format")!);
        }
        finally
        {
            Directory.Delete(data, recursive: true);
        }
    }

    private static DocumentDatabase Open(IPlatform platform, NodeTag? node = null) => DocumentDatabase.Open(
        platform, Folder, "shop", DocumentDatabase.MakeDatabaseId(), new DatabaseSettings(), new StorageOptions(), nodeIfNew: node);

    private static string VectorOf(DocumentDatabase database, string id)
    {
        using DocumentReadScope read = database.BeginRead();
        Assert.True(read.TryGet(Encoding.UTF8.GetBytes(id), out StoredDocument document));
        return database.Replica.TextOf(document.Version);
    }

    private static Task<DatabaseCatalog> OpenCatalogAsync(IPlatform platform, string data = "/data") => DatabaseCatalog.OpenAsync(
        platform, data, new StorageOptions(), new Progress<RecoveryProgress>(), NullLogger.Instance, default);

    private static byte[]? Read(IPlatform platform, string folder, string tree, string key)
    {
        using var storage = StorageEnvironment.Open(platform, folder);
        using ReadTransaction read = storage.BeginRead();
        return read.Trees.FindTree(tree)!.TryGet(Encoding.ASCII.GetBytes(key), out ReadOnlySpan<byte> value) ? value.ToArray() : null;
    }

    private static void Write(IPlatform platform, string folder, string tree, string key, byte[]? value)
    {
        using var storage = StorageEnvironment.Open(platform, folder);
        using WriteTransaction write = storage.BeginWrite();
        BTree stored = write.Trees.CreateTree(tree);
        if (value is null)
        {
            stored.Delete(Encoding.ASCII.GetBytes(key));
        }
        else
        {
            stored.Put(Encoding.ASCII.GetBytes(key), value);
        }

        write.Commit();
    }

    private static long LastTransaction(IPlatform platform)
    {
        using var storage = StorageEnvironment.Open(platform, Folder);
        return storage.Current.TransactionId;
    }
}
