using System.Globalization;
using System.IO.Compression;
using System.Text;
using Jackdaw.DocumentKit;
using Jackdaw.Documents;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.CompareExchange;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Databases;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Pal.Native;
using Jackdaw.Server.Tests.Verbs;
using Jackdaw.Server.Verbs;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Verification;
using Jackdaw.TestKit;
using Microsoft.Extensions.Logging.Abstractions;

namespace Jackdaw.Server.Tests.Formats;

/// <summary>A data folder of every format version, as the program of its time wrote it, is committed beside this file and must open.</summary>
/// <remarks>
/// When the format version is raised, the folder of the new one is added: run the test
/// <see cref="Archive_OfTheVersionThatIsWritten_IsThere"/> with JACKDAW_FORMAT_ARCHIVE=1 and commit the file that it makes. Those of older
/// versions are never made again.
/// </remarks>
public sealed class CommittedDatabaseTests : IDisposable
{
    private const string B = "B:7-BBBBBBBBBBBBBBBBBBBBBB";
    private const string Later = "later";

    // Longer than fits a page, so that its row is a run of pages of its own.
    private static readonly string s_long = $$$"""{"Text":"{{{new string('x', 9000)}}}","@metadata":{"@collection":"Long"}}""";

    /// <summary>Bytes: pages and preallocated files are mostly zeros.</summary>
    private const int ArchiveBytesMax = 32 * 1024;

    private readonly string _data = Directory.CreateTempSubdirectory("jackdaw-archive").FullName;

    private string Shop => _data + "/Databases/shop";

    public void Dispose() => Directory.Delete(_data, recursive: true);

    [Fact]
    public async Task Archive_OfTheVersionThatIsWritten_IsThere()
    {
        string archive = ArchiveOf(DatabaseTree.Format);
        if (Environment.GetEnvironmentVariable("JACKDAW_FORMAT_ARCHIVE") == "1" && !File.Exists(archive))
        {
            await WriteContentsAsync();
            await new FeatureContents(_data, "features").WriteAsync();
            Assert.Equal(FolderCompaction.ExitCodeDone, BranchFoldersTests.Compact(_data).Code);
            Array.ForEach(Directory.GetFiles(_data, "lock", SearchOption.AllDirectories), File.Delete); // they name this process
            ZipFile.CreateFromDirectory(_data, archive, CompressionLevel.SmallestSize, includeBaseDirectory: false);
        }

        Assert.True(File.Exists(archive), $"'{archive}' is missing: set JACKDAW_FORMAT_ARCHIVE=1, run this test, and commit the file.");
        Assert.InRange(new FileInfo(archive).Length, 1, ArchiveBytesMax);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task Open_DataOfAFormat_HasEverything(int format)
    {
        Unpack(format);
        Assert.Equal(FolderVerification.ExitCodeSound, BranchFoldersTests.Verify(_data).Code);
        for (int opening = 0; opening < 2; opening++)
        {
            await using DatabaseCatalog catalog = await OpenAsync();
            DatabaseLookup lookup = await catalog.FindOpenAsync("shop", TimeSpan.FromMinutes(1), default);
            Assert.Equal((DatabaseLookupStatus.Open, null), (lookup.Status, lookup.Reason));
            await CheckContentsAsync(lookup.Database!, opening);
        }

        Assert.Equal(FolderVerification.ExitCodeSound, BranchFoldersTests.Verify(_data).Code);
    }

    [Theory]
    [InlineData(2)]
    [InlineData(3)]
    public async Task Open_DataOfAVersion_HasWhatCameWithVersion2(int format)
    {
        Unpack(format);
        var contents = new FeatureContents(_data, "features");
        await contents.CheckAsync(0);
        await contents.CheckAsync(1);
        Assert.Equal(FolderVerification.ExitCodeSound, BranchFoldersTests.Verify(_data).Code);
    }

    [Fact]
    public async Task Open_DataOfVersion1_TakesWhatCameLater()
    {
        Unpack(1);
        var contents = new FeatureContents(_data, "shop");
        await contents.WriteAsync();
        await contents.CheckAsync(0);
        Assert.Equal(FolderVerification.ExitCodeSound, BranchFoldersTests.Verify(_data).Code);
    }

    [Fact]
    public void Open_UnderALaterSchema_ReadsDefaultsAndTakesRowsOfBothVersions()
    {
        Unpack(DatabaseTree.Format);
        TableSchema documents = Grow(DocumentTable.Schema);
        TableSchema tombstones = Grow(TombstoneTable.Schema);
        TableSchema[] schemas = [documents, tombstones, CompareExchangeTable.Schema];
        using (var storage = StorageEnvironment.Open(new NativePlatform(), Shop))
        {
            Assert.Empty(EnvironmentVerifier.Verify(storage, schemas));
            CheckDefaults(storage, documents, expected: 6);
            CheckDefaults(storage, tombstones, expected: 2);
            WriteLaterRow(storage, documents);
        }

        using (var storage = StorageEnvironment.Open(new NativePlatform(), Shop))
        {
            Assert.Empty(EnvironmentVerifier.Verify(storage, schemas));
            using ReadTransaction read = storage.BeginRead();
            var table = new Table(read, read.Trees, documents);
            Assert.True(table.TryGetByKey(TestCommands.Key("users/1"), out TableRow row));
            Assert.Equal((documents.Version, "written"), (row.Version, LaterOf(row, documents)));
            Assert.Equal(B, Encoding.ASCII.GetString(row.GetColumn(DocumentTable.ChangeVectorColumn)));
            Assert.True(table.TryGetByKey(TestCommands.Key("users/2"), out row));
            Assert.Equal((DocumentTable.Schema.Version, "default"), (row.Version, LaterOf(row, documents)));
        }
    }

    /// <summary>The schema as a later version of the program may have it.</summary>
    private static TableSchema Grow(TableSchema today)
    {
        var column = new TableColumn(Later) { Since = today.Version + 1, Default = "default"u8.ToArray() };
        var schema = new TableSchema(today.Name, [.. today.Columns, column]);
        foreach (TableIndex index in today.Indexes)
        {
            _ = index.Kind switch
            {
                TableIndexKind.Key => schema.AddKeyIndex(index.Name, index.Column, index.ColumnCount),
                TableIndexKind.Number => schema.AddNumberIndex(index.Name, index.Column, index.ByteOrder),
                _ => schema.AddPartitionedNumberIndex(index.Name, index.PartitionColumn, index.Column, index.ByteOrder),
            };
        }

        return schema;
    }

    private static string LaterOf(TableRow row, TableSchema schema) => Encoding.ASCII.GetString(row.GetColumn(schema.Columns.Count - 1));

    private static void CheckDefaults(StorageEnvironment storage, TableSchema schema, int expected)
    {
        using ReadTransaction read = storage.BeginRead();
        var table = new Table(read, read.Trees, schema);
        TableNumberCursor cursor = table.OpenNumbers(schema.Indexes.Single(index => index.Kind == TableIndexKind.Number));
        int found = 0;
        for (bool on = cursor.SeekFirst(); on; on = cursor.MoveNext())
        {
            Assert.Equal("default", LaterOf(cursor.Row, schema));
            found++;
        }

        Assert.Equal(expected, found);
    }

    /// <summary>Replaces the row of users/1 by one with the later column and a change vector.</summary>
    private static void WriteLaterRow(StorageEnvironment storage, TableSchema documents)
    {
        using WriteTransaction write = storage.BeginWrite();
        var table = new Table(write, write.Trees, documents);
        Assert.True(table.TryGetByKey(TestCommands.Key("users/1"), out TableRow stored));
        using var builder = new TableRowBuilder(documents);
        for (int i = 0; i < DocumentTable.ChangeVectorColumn; i++)
        {
            builder.Add(stored.GetColumn(i));
        }

        builder.Add(Encoding.ASCII.GetBytes(B));
        for (int i = DocumentTable.ChangeVectorColumn + 1; i < documents.Columns.Count - 1; i++)
        {
            builder.Add(default);
        }

        table.Update(stored, builder.Add("written"u8).Finish().Span);
        write.Commit();
    }

    /// <summary>Path of an archive beside this file.</summary>
    internal static string ArchiveOf(string name)
    {
        string folder = AppContext.BaseDirectory;
        while (!File.Exists(Path.Combine(folder, "Server.sln")))
        {
            folder = Path.GetDirectoryName(folder)!;
        }

        return Path.Combine(folder, "test", "Server.Tests", "Formats", name + ".zip");
    }

    private static string ArchiveOf(int format) => ArchiveOf(string.Create(CultureInfo.InvariantCulture, $"format-{format}"));

    private static string Vector(DocumentDatabase database, string id)
    {
        using DocumentReadScope read = database.BeginRead();
        Assert.True(read.TryGet(TestCommands.Key(id), out StoredDocument document), id);
        return database.Replica.TextOf(document.Version);
    }

    private void Unpack(int format) => ZipFile.ExtractToDirectory(ArchiveOf(format), _data);

    // At a clock that stands still: old tombstones would be trimmed while they are looked at.
    private Task<DatabaseCatalog> OpenAsync() => DatabaseCatalog.OpenAsync(
        new NativePlatform(), _data, new StorageOptions { Time = new ManualTime() }, new Progress<RecoveryProgress>(), NullLogger.Instance, default);

    private async Task WriteContentsAsync()
    {
        await using DatabaseCatalog catalog = await OpenAsync();
        await catalog.PutRecordAsync("shop", """{"DatabaseName":"shop"}"""u8.ToArray(), null, default);
        var database = catalog.Find("shop").Database!;
        await database.PutAsync("users/1", TestCommands.Json("Users", 1)); // etag 1
        await database.PutAsync("Users/2", TestCommands.Json("Users", 2));
        PutCommand given = TestCommands.Put("users/3", TestCommands.Json("Users", 3));
        given.Given = Encoding.ASCII.GetBytes(B);
        await database.WriteAsync(given);
        await database.PutAsync("long", s_long);
        PutCommand gone = TestCommands.Put("gone/1", TestCommands.Json("Users", 4));
        gone.Given = Encoding.ASCII.GetBytes(B);
        await database.WriteAsync(gone, TestCommands.Put("gone/2", TestCommands.Json("Orders", 5))); // 5 and 6
        await database.WriteAsync(TestCommands.Delete("gone/1"), TestCommands.Delete("gone/2")); // 7 and 8
        await database.WriteAsync(TestCommands.Put("users|", TestCommands.Json("Users", 9)));
        await database.NextHiLoAsync(new HiLoRequest("users", 32, 0), default);
        var value = new PutCompareExchangeCommand { IsAlone = true };
        value.SetKey("Key/1"u8.ToArray(), "key/1"u8.ToArray());
        value.SetValue("""{"Object":1}"""u8.ToArray());
        await database.WriteAsync(value);
    }

    private static async Task CheckContentsAsync(DocumentDatabase database, int opening)
    {
        Assert.Equal(new DocumentCopy("users/1", new Etag(1), "Users", TestCommands.Json("Users", 1)), database.Get("users/1"));
        Assert.Equal(new DocumentCopy("Users/2", new Etag(2), "Users", TestCommands.Json("Users", 2)), database.Get("users/2"));
        Assert.Equal($"A:2-{database.DatabaseId}", Vector(database, "users/2"));
        Assert.Equal(B, Vector(database, "users/3"));
        Assert.Equal(s_long, database.Get("long")!.Body);
        Assert.Equal([$"gone/1 {B}, A:7-{database.DatabaseId}", "gone/2 "], Tombstones(database));
        Assert.Equal(33 + (32 * opening), (await database.NextHiLoAsync(new HiLoRequest("users", 32, 0), default)).Low);
        PutCommand identity = TestCommands.Put("users|", TestCommands.Json("Users", 9));
        await database.WriteAsync(identity);
        Assert.Equal($"users/{5 + opening}", identity.StoredId);
        using DocumentReadScope read = database.BeginRead();
        Assert.Equal(1, CompareExchangeTable.Open(read.Transaction).Count);
    }

    private static List<string> Tombstones(DocumentDatabase database)
    {
        using DocumentReadScope read = database.BeginRead();
        TombstoneCursor tombstones = read.OpenTombstones(default, Etag.None);
        var found = new List<string>();
        while (tombstones.MoveNext())
        {
            found.Add($"{Encoding.UTF8.GetString(tombstones.Current.Id)} {Encoding.ASCII.GetString(tombstones.Current.ChangeVector)}");
        }

        return found;
    }
}
