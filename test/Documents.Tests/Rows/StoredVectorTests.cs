using System.Text;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Pal;
using Jackdaw.Pal.InMemory;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Documents.Tests.Rows;

/// <summary>Documents and tombstones with change vectors of several replicas, in one database.</summary>
public sealed class StoredVectorTests : IAsyncLifetime
{
    private const string B = "B:7-BBBBBBBBBBBBBBBBBBBBBB";
    private const string C = "C:1-CCCCCCCCCCCCCCCCCCCCCC";

    /// <summary>Of the indexes: as many as before there were change vectors.</summary>
    private const long BytesPerReplaceMax = 170;

    private readonly MemoryPlatform _platform = new();
    private DocumentDatabase _database;

    public StoredVectorTests() => _database = Open(_platform);

    public Task InitializeAsync() => Task.CompletedTask;

    public async Task DisposeAsync() => await _database.DisposeAsync();

    [Fact]
    public async Task Put_GivenVector_IsKeptAcrossAnOpening()
    {
        await PutAsync("users/1", 1, $"{B}, {C}");
        Assert.Equal($"{B}, {C}", VectorOf("users/1"));
        await _database.DisposeAsync();
        _database = Open(_platform);

        Assert.Equal($"{B}, {C}", VectorOf("users/1"));
        Assert.Equal(TestCommands.Json("Users", 1), _database.Get("users/1")!.Body);
        Assert.Equal(new Etag(1), _database.Get("users/1")!.Etag);
    }

    [Fact]
    public async Task Put_VectorThatEtagAndReplicaSay_IsNotStored()
    {
        await PutAsync("users/1", 1, Own(1));
        await PutAsync("users/2", 1, Own(7));

        Assert.Equal(Own(1), VectorOf("users/1"));
        Assert.Equal("", ColumnOf("users/1"));
        Assert.Equal(Own(7), ColumnOf("users/2"));
    }

    [Fact]
    public async Task Rows_OfLocalWrites_AreAsLongAsWithoutChangeVectors()
    {
        await PutAsync("users/1", 1, null);
        await PutAsync("users/1", 2, null);
        await PutAsync("users/2", 1, null);
        await _database.WriteAsync(TestCommands.Delete("users/2"));

        using DocumentReadScope read = _database.BeginRead();
        var documents = new Table(read.Transaction, read.Transaction.Trees, DocumentTable.Schema);
        Assert.True(documents.TryGetByKey(TestCommands.Key("users/1"), out TableRow row));
        Assert.Equal(DocumentTable.ChangeVectorColumn, row.ColumnCount);
        var tombstones = new Table(read.Transaction, read.Transaction.Trees, TombstoneTable.Schema);
        Assert.True(tombstones.TryGetByNumber(TombstoneTable.ByEtag, 4, out row));
        Assert.Equal(TombstoneTable.ChangeVectorColumn, row.ColumnCount);
    }

    [Fact]
    public void Replace_OfALocalVersion_AllocatesNothingForItsVector()
    {
        using var environment = StorageEnvironment.Open(new MemoryPlatform(), "/other");
        Replica replica = DatabaseTree.Open(environment, DocumentDatabase.MakeDatabaseId(), NodeTag.Default);
        using WriteTransaction write = environment.BeginWrite();
        DocumentsState opened = DocumentTransaction.ReadState(write, write.Trees);
        using var transactions = new DocumentTransactions(opened, TimeProvider.System, new ChangeFeed(opened.LastEtag), replica, DocumentExtensions.None);
        DocumentTransaction documents = transactions.For(write);
        byte[] key = TestCommands.Key("users/1");
        byte[] row = DocumentRowBuilding.Build(documents.Rows, key, key, TestCommands.Put("users/1", TestCommands.Json("Users", 2)).Document).ToArray();
        documents.Insert(key, row);
        long allocated = 0;
        for (int round = 0; round < 3; round++)
        {
            allocated = GC.GetAllocatedBytesForCurrentThread();
            for (int i = 0; i < 100; i++)
            {
                Assert.True(documents.TryFind(key, out DocumentRow stored));
                documents.Replace(stored, key, row);
                Assert.Null(documents.CopyWrittenVector());
            }

            allocated = GC.GetAllocatedBytesForCurrentThread() - allocated;
        }

        Assert.InRange(allocated, 0, BytesPerReplaceMax * 100);
        Assert.Empty(transactions.Vector);
    }

    [Fact]
    public async Task Put_OverAVersionOfOthers_KeepsTheirEntries()
    {
        await PutAsync("users/1", 1, $"{B}, {C}");
        Assert.Equal($"{B}, {C}, {Own(2)}", await PutAsync("users/1", 2, null));
        Assert.Equal($"{B}, {C}, {Own(3)}", await PutAsync("USERS/1", 3, null));
        Assert.Equal($"{B}, {C}, {Own(3)}", VectorOf("users/1"));
        Assert.Equal(TestCommands.Json("Users", 3), _database.Get("users/1")!.Body);

        Assert.Equal(C, await PutAsync("users/1", 4, C));
        Assert.Equal(C, VectorOf("users/1"));
    }

    [Fact]
    public async Task Delete_AVersionOfOthers_LeavesItsVectorToTheTombstoneAndToTheNextDocument()
    {
        await PutAsync("users/1", 1, B);
        DeleteCommand delete = TestCommands.Delete("users/1");
        await _database.WriteAsync(delete);
        Assert.Equal([$"users/1 {B}, {Own(2)}"], Tombstones());

        Assert.Equal($"{B}, {Own(3)}", await PutAsync("users/1", 2, null));
        Assert.Empty(Tombstones());

        DeleteCommand given = TestCommands.Delete("users/1");
        given.Given = Encoding.ASCII.GetBytes(C);
        await _database.WriteAsync(given);
        Assert.Equal([$"users/1 {C}"], Tombstones());
    }

    [Fact]
    public async Task Put_InAnotherCollection_KeepsTheEntriesOfOthersOnBothSides()
    {
        await PutAsync("users/1", 1, B);
        PutCommand put = TestCommands.Put("users/1", TestCommands.Json("Orders", 1));
        await _database.WriteAsync(put);

        Assert.Equal($"{B}, {Own(3)}", _database.Replica.TextOf(put.Version));
        Assert.Equal($"{B}, {Own(3)}", VectorOf("users/1"));
        Assert.Equal([$"users/1 {B}, {Own(2)}"], Tombstones());
    }

    [Fact]
    public async Task Expected_VectorOfSeveral_IsComparedAsText()
    {
        await PutAsync("users/1", 1, B);
        string both = await PutAsync("users/1", 2, null);

        foreach (string wrong in new[] { Own(2), B, $"{Own(2)}, {B}", "anything", "" })
        {
            KeyedCommand[] refused =
            [
                TestCommands.Put("users/1", TestCommands.Json("Users", 3), Parse(wrong)), TestCommands.Delete("users/1", Parse(wrong)),
                TestCommands.Check("users/1", Parse(wrong)),
            ];
            foreach (KeyedCommand command in refused)
            {
                Assert.Equal(WriteStatus.Conflict, (await _database.WriteAsync(command)).Status);
                Assert.Equal(both, _database.Replica.TextOf(command.ActualVersion));
                Written later = await _database.WriteAsync(TestCommands.Put("users/2", TestCommands.Json("Users", 1)), command);
                Assert.Equal((WriteStatus.Conflict, 1), (later.Status, later.FailedCommand));
                Assert.Equal(both, _database.Replica.TextOf(command.ActualVersion));
            }
        }

        Assert.Null(_database.Get("users/2"));
        Assert.Equal(both, VectorOf("users/1"));
        PutCommand put = TestCommands.Put("users/1", TestCommands.Json("Users", 3), Parse(both));
        Assert.Equal(WriteStatus.Applied, (await _database.WriteAsync(TestCommands.Check("users/1", Parse(both)), put)).Status);
        DeleteCommand delete = TestCommands.Delete("users/1", Parse(VectorOf("users/1")));
        Assert.Equal(WriteStatus.Applied, (await _database.WriteAsync(delete)).Status);
    }

    [Fact]
    public async Task Expected_VectorOfOthersForALocalVersion_IsAConflict()
    {
        await PutAsync("users/1", 1, null);

        Assert.Equal(WriteStatus.Conflict, (await _database.WriteAsync(TestCommands.Check("users/1", Parse($"{Own(1)}, {B}")))).Status);
        Assert.Equal(WriteStatus.Conflict, (await _database.WriteAsync(TestCommands.Check("users/9", Parse(B)))).Status);
        Assert.Equal(WriteStatus.Applied, (await _database.WriteAsync(TestCommands.Check("users/1", Parse(Own(1))))).Status);
    }

    [Theory]
    [InlineData("B:07-BBBBBBBBBBBBBBBBBBBBBB")]
    [InlineData("nonsense")]
    public async Task Put_GivenTextThatIsNoVector_IsRefusedBeforeItIsQueued(string text)
    {
        ArgumentException refusal = await Assert.ThrowsAsync<ArgumentException>(() => PutAsync("users/1", 1, text));

        Assert.Contains($"'{text}'", refusal.Message, StringComparison.Ordinal);
        Assert.Contains("users/1", refusal.Message, StringComparison.Ordinal);
        Assert.Null(_database.Get("users/1"));
    }

    [Fact]
    public async Task Changes_OfFeedAndStorage_CarryTheVector()
    {
        using ChangeSubscription consumer = _database.Changes.Subscribe();
        await PutAsync("users/1", 1, B);
        await PutAsync("users/2", 1, null);
        await PutAsync("users/3", 1, C);
        await _database.WriteAsync(TestCommands.Delete("users/3"));
        await _database.WriteAsync(TestCommands.Put("users/1", TestCommands.Json("Orders", 1)));

        var told = new List<string>();
        while (consumer.TryRead(out FeedItem item))
        {
            foreach (Change change in item)
            {
                told.Add(Describe(change));
            }
        }

        Assert.Equal(
            [
                $"DocumentPut users/1 {B}", "DocumentPut users/2 ", $"DocumentPut users/3 {C}", $"DocumentDelete users/3 {C}, {Own(4)}",
                $"DocumentMove users/1 {B}, {Own(5)}", $"DocumentPut users/1 {B}, {Own(6)}",
            ],
            told);
        using DocumentReadScope read = _database.BeginRead();
        ChangeCursor changes = read.OpenChanges(default, Etag.None);
        var stored = new List<string>();
        while (changes.MoveNext())
        {
            stored.Add(Describe(changes.Current));
        }

        Assert.Equal(
            [
                "DocumentPut users/2 ", $"DocumentDelete users/3 {C}, {Own(4)}", $"DocumentDelete users/1 {B}, {Own(5)}",
                $"DocumentPut users/1 {B}, {Own(6)}",
            ],
            stored);
    }

    [Fact]
    public async Task Put_UnchangedBody_KeepsTheVectorUnlessOneIsGiven()
    {
        await PutAsync("users/1", 1, B);
        PutCommand same = TestCommands.Put("users/1", TestCommands.Json("Users", 1));
        await _database.WriteAllAsync(new WriteBatch { Commands = new[] { same }, SkipUnchanged = true });
        Assert.Equal(B, _database.Replica.TextOf(same.Version));
        Assert.Equal(new Etag(1), same.Etag);

        PutCommand given = TestCommands.Put("users/1", TestCommands.Json("Users", 1));
        given.Given = Encoding.ASCII.GetBytes(C);
        await _database.WriteAllAsync(new WriteBatch { Commands = new[] { given }, SkipUnchanged = true });
        Assert.Equal(C, VectorOf("users/1"));
    }

    [Fact]
    public async Task HiLoAndPrefixDeletes_OverAVersionOfOthers_KeepItsEntries()
    {
        PutCommand hilo = TestCommands.Put("Raven/Hilo/users", """{"Max":7,"@metadata":{"@collection":"@hilo"}}""");
        hilo.Given = Encoding.ASCII.GetBytes(B);
        await _database.WriteAsync(hilo);
        Assert.Equal(8, (await _database.NextHiLoAsync(new HiLoRequest("users", 32, 0), default)).Low);
        Assert.Equal($"{B}, {Own(2)}", VectorOf("Raven/Hilo/users"));

        await _database.WriteAsync(TestCommands.DeletePrefix("raven/"));
        Assert.Equal([$"Raven/Hilo/users {B}, {Own(3)}"], Tombstones());
    }

    [Fact]
    public async Task Id_NumberedByANodeOfSeveralLetters_EndsWithItsTag()
    {
        NodeTag node = NodeTag.TryParse("WXYZ")!;
        await using DocumentDatabase database = DocumentDatabase.Open(
            new MemoryPlatform(), "/db", "db", DocumentDatabase.MakeDatabaseId(), new DatabaseSettings(), new StorageOptions(), nodeIfNew: node);
        PutCommand put = TestCommands.Put("Users/", TestCommands.Json("Users", 1));
        await database.WriteAsync(put);

        Assert.Equal("Users/0000000000000000001-WXYZ", put.StoredId);
        Assert.Equal("Users/0000000000000000001-WXYZ", database.Get("users/0000000000000000001-wxyz")!.Id);
        Assert.Equal($"WXYZ:1-{database.DatabaseId}", database.Replica.TextOf(put.Version));

        string longest = new('x', DocumentIds.IdBytesMax - DocumentIds.NumberSuffixBytes - 3 - 1);
        PutCommand fits = TestCommands.Put(longest + "/", TestCommands.Json("Users", 1));
        await database.WriteAsync(fits);
        Assert.Equal(DocumentIds.IdBytesMax, fits.StoredId.Length);
        await Assert.ThrowsAsync<Jackdaw.Json.DocumentFormatException>(
            () => database.WriteAsync(TestCommands.Put($"x{longest}/", TestCommands.Json("Users", 1))));
    }

    private static DocumentDatabase Open(IPlatform platform) => DocumentDatabase.Open(
        platform, "/db", "db", DocumentDatabase.MakeDatabaseId(), new DatabaseSettings(), new StorageOptions());

    private static string Describe(in Change change) =>
        $"{change.Kind} {Encoding.UTF8.GetString(change.Id)} {Encoding.ASCII.GetString(change.ChangeVector)}";

    private string Own(long etag) => $"A:{etag}-{_database.DatabaseId}";

    private ExpectedVersion Parse(string text) => ExpectedVersion.Parse(text, _database.Replica);

    private async Task<string> PutAsync(string id, long number, string? given)
    {
        PutCommand put = TestCommands.Put(id, TestCommands.Json("Users", number));
        put.Given = Encoding.ASCII.GetBytes(given ?? "");
        Assert.Equal(WriteStatus.Applied, (await _database.WriteAsync(put)).Status);
        return _database.Replica.TextOf(put.Version);
    }

    private string VectorOf(string id)
    {
        using DocumentReadScope read = _database.BeginRead();
        return read.TryGet(TestCommands.Key(id), out StoredDocument document) ? _database.Replica.TextOf(document.Version) : "";
    }

    private string ColumnOf(string id)
    {
        using DocumentReadScope read = _database.BeginRead();
        Assert.True(read.TryGet(TestCommands.Key(id), out StoredDocument document));
        return Encoding.ASCII.GetString(document.ChangeVector);
    }

    private List<string> Tombstones()
    {
        using DocumentReadScope read = _database.BeginRead();
        TombstoneCursor tombstones = read.OpenTombstones(default, Etag.None);
        var found = new List<string>();
        while (tombstones.MoveNext())
        {
            found.Add($"{Encoding.UTF8.GetString(tombstones.Current.Id)} {Encoding.ASCII.GetString(tombstones.Current.ChangeVector)}");
        }

        return found;
    }
}
