using System.Text;
using System.Text.Json;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Revisions;
using Jackdaw.Documents.Rows;
using Jackdaw.Pal.InMemory;
using Jackdaw.Storage;

namespace Jackdaw.Documents.Tests.Revisions;

/// <summary>Revisions of versions that were made elsewhere are found by the change vectors that they came with.</summary>
public sealed class RevisionVectorTests : IAsyncLifetime
{
    private const string B = "B:7-BBBBBBBBBBBBBBBBBBBBBB";
    private const string C = "C:1-CCCCCCCCCCCCCCCCCCCCCC";

    private readonly DatabaseSettings _settings = new();
    private readonly DocumentDatabase _database;

    public RevisionVectorTests()
    {
        using JsonDocument json = JsonDocument.Parse("""{"Default":{}}""");
        Assert.True(RevisionsConfiguration.TryRead(json.RootElement, out RevisionsConfiguration? configuration, out _));
        _settings.Revisions = configuration;
        _database = DocumentDatabase.Open(
            new MemoryPlatform(), "/db", "db", DocumentDatabase.MakeDatabaseId(), _settings, new StorageOptions());
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public async Task DisposeAsync() => await _database.DisposeAsync();

    [Fact]
    public async Task GivenVectors_AndThoseThatContinueThem_AreFound()
    {
        await PutAsync(1, $"{B}, {C}");
        await PutAsync(2, null);
        await _database.WriteAsync(TestCommands.Delete("users/1"));

        string second = $"{B}, {C}, {Own(2)}";
        Assert.Equal([$"{B}, {C}, {Own(3)}", second, $"{B}, {C}"], Vectors());
        Assert.Equal(1, Find($"{B}, {C}"));
        Assert.Equal(2, Find(second));
        Assert.Equal(3, Find($"{B}, {C}, {Own(3)}"));
        Assert.Equal(0, Find(Own(2))); // its etag, but not its vector
        Assert.Equal(0, Find(B));
    }

    [Fact]
    public async Task VectorOfTwoVersions_LeadsToTheNewerOneUntilThatIsGone()
    {
        await PutAsync(1, B);
        await PutAsync(2, B);
        Assert.Equal(2, Find(B));
        await RemoveAsync(1);
        Assert.Equal(2, Find(B));
        await RemoveAsync(2);
        Assert.Equal(0, Find(B));
    }

    private async Task RemoveAsync(long etag) => Assert.Equal(WriteStatus.Applied, (await _database.WriteAsync(
        new WriteBatch { Commands = new[] { new DeleteRevisionsCommand(TestCommands.Key("users/1"), [new Etag(etag)]) } }, default)).Status);

    private async Task PutAsync(int number, string? given)
    {
        PutCommand put = TestCommands.Put("users/1", TestCommands.Json("Users", number));
        put.Given = Encoding.ASCII.GetBytes(given ?? "");
        Assert.Equal(WriteStatus.Applied, (await _database.WriteAsync(put)).Status);
    }

    private string Own(long etag) => $"A:{etag}-{_database.DatabaseId}";

    private long Find(string vector)
    {
        using DocumentReadScope read = _database.BeginRead();
        var reader = new RevisionReader(read.Transaction, _database.Replica);
        return reader.TryGet(Encoding.ASCII.GetBytes(vector), out RevisionRow row) ? row.Etag.Value : 0;
    }

    private List<string> Vectors()
    {
        using DocumentReadScope read = _database.BeginRead();
        using RevisionCursor cursor = new RevisionReader(read.Transaction, _database.Replica).Open(TestCommands.Key("users/1"), Etag.Maximum);
        List<string> vectors = [];
        while (cursor.MoveNext())
        {
            vectors.Add(_database.Replica.TextOf(cursor.Current.Version));
        }

        return vectors;
    }
}
