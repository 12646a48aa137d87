using System.Text.Json;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Revisions;
using Jackdaw.Documents.Revisions.Walks;
using Jackdaw.Documents.Rows;
using Jackdaw.Pal.InMemory;
using Jackdaw.Storage;
using Jackdaw.TestKit;

namespace Jackdaw.Documents.Tests.Revisions.Walks;

/// <summary>Bounds of what walks over revisions do at once: revisions of one snapshot, bytes of one batch, rows of one purge.</summary>
public sealed class RevisionWalkTests : IAsyncLifetime
{
    private readonly MemoryPlatform _platform = new();
    private readonly ManualTime _time = new();
    private readonly string _id = DocumentDatabase.MakeDatabaseId();
    private readonly DatabaseSettings _settings = new();
    private DocumentDatabase _database = null!;

    public Task InitializeAsync()
    {
        Configure("""{"Default":{}}""");
        _database = Open();
        return Task.CompletedTask;
    }

    public async Task DisposeAsync() => await _database.DisposeAsync();

    [Fact]
    public async Task Enforcement_OfManyRevisions_RenewsItsSnapshot()
    {
        await PutAsync("users/1", 23, 10);
        await PutAsync("users/2", 1, 10);
        Configure("""{"Default":{"MinimumRevisionsToKeep":2}}""");
        var probe = new DatabaseProbe(_database);
        var figures = new RevisionFigures("x", "y");
        await new RevisionEnforcement(_database, _settings.Revisions, figures, _time) { RevisionsPerStep = 5 }.RunAsync(default);
        Assert.Equal((2, 24, 21), (figures.Documents, figures.Revisions, figures.Changed));
        Assert.Equal(1 + 5, probe.ScopesBegun); // the count, four full ones, and one for the rest
    }

    [Fact]
    public async Task Revert_OfManyRevisions_RenewsItsSnapshot()
    {
        await PutAsync("users/1", 1, 10);
        long ticks = _time.GetUtcNow().UtcTicks;
        _time.Advance(TimeSpan.FromSeconds(1));
        await PutAsync("users/1", 22, 20);
        var probe = new DatabaseProbe(_database);
        var figures = new RevisionFigures("x", "y");
        await new DatabaseRevert(_database, _settings.Revisions, ticks, null, figures) { RevisionsPerStep = 5 }.RunAsync(default);
        Assert.Equal((1, 23, 1), (figures.Documents, figures.Revisions, figures.Changed));
        Assert.Equal(1 + 5, probe.ScopesBegun);
    }

    [Fact]
    public async Task SearchAt_ManyRevisions_GoesOnFromItsPosition()
    {
        await PutAsync("users/1", 1, 10);
        long ticks = _time.GetUtcNow().UtcTicks;
        _time.Advance(TimeSpan.FromSeconds(1));
        await PutAsync("users/1", 6, 10);
        Etag position = Etag.Maximum;
        for (int step = 0; step < 3; step++)
        {
            int looked = 0;
            using DocumentReadScope read = _database.BeginRead();
            var reader = new RevisionReader(read.Transaction, _database.Replica);
            bool isEnded = reader.TrySearchAt(TestCommands.Key("users/1"), ticks, () => ++looked == 2, ref position, out Etag found);
            Assert.Equal((false, Etag.None), (isEnded, found));
        }

        using DocumentReadScope last = _database.BeginRead();
        var revisions = new RevisionReader(last.Transaction, _database.Replica);
        Assert.True(revisions.TrySearchAt(TestCommands.Key("users/1"), ticks, () => true, ref position, out Etag end));
        Assert.Equal(new Etag(1), end);
    }

    [Fact]
    public async Task Revert_OfLargeDocuments_WritesBatchesOfBoundedSize()
    {
        long ticks = _time.GetUtcNow().UtcTicks;
        for (int i = 0; i < 12; i++)
        {
            await PutAsync($"users/{i}", 1, 1_000_000);
        }

        await PutAsync("users/huge", 1, 6_000_000);
        _time.Advance(TimeSpan.FromSeconds(1));
        for (int i = 0; i < 12; i++)
        {
            await PutAsync($"users/{i}", 1, 10);
        }

        await PutAsync("users/huge", 1, 10);
        var probe = new DatabaseProbe(_database);
        var figures = new RevisionFigures("x", "y");
        await new DatabaseRevert(_database, _settings.Revisions, ticks, null, figures).RunAsync(default);
        Assert.Equal(13, figures.Changed);
        Assert.Equal(3, probe.BatchBytes.Count(size => size is > 3_900_000 and <= DatabaseRevert.BatchBytesMax + 1_000));
        Assert.Equal(1, probe.BatchBytes.Count(size => size > 6_000_000));
    }

    [Fact]
    public async Task Purge_OfMany_GoesOnAfterAReopening()
    {
        Configure("""{"Default":{"PurgeOnDelete":true}}""");
        await PutAsync("users/1", RevisionRules.RemovedPerWriteMax + 1_000, 10);
        await WriteAsync(TestCommands.Delete("users/1"));
        await PutAsync("users/1", 2, 10);
        _database.Environment.Abandon();
        await _database.DisposeAsync();
        _database = Open();
        while (await _database.PurgeAsync(default))
        {
        }

        using DocumentReadScope read = _database.BeginRead();
        var reader = new RevisionReader(read.Transaction, _database.Replica);
        Assert.Equal((2, 2), (read.Counts.Revisions, reader.Trees.Count(TestCommands.Key("users/1"))));
        using RevisionCursor cursor = reader.Open(TestCommands.Key("users/1"), Etag.Maximum);
        Assert.True(cursor.MoveNext() && cursor.MoveNext());
        Assert.True(read.TryGet(TestCommands.Key("users/1"), out StoredDocument document));
        Assert.Equal(DocumentFlags.HasRevisions, document.Flags);
    }

    private async Task PutAsync(string id, int times, int length)
    {
        string body = $$$"""{"F":"{{{new string('f', length)}}}","@metadata":{"@collection":"Users"}}""";
        foreach (int[] chunk in Enumerable.Range(0, times).Chunk(500))
        {
            await WriteAsync([.. chunk.Select(_ => TestCommands.Put(id, body))]);
        }
    }

    private async Task WriteAsync(params DocumentCommand[] commands)
    {
        var batch = new WriteBatch { Commands = commands };
        Assert.Equal(WriteStatus.Applied, (await _database.WriteAsync(batch, default)).Status);
    }

    private void Configure(string json)
    {
        using JsonDocument parsed = JsonDocument.Parse(json);
        Assert.True(RevisionsConfiguration.TryRead(parsed.RootElement, out RevisionsConfiguration? configuration, out _));
        _settings.Revisions = configuration;
    }

    private DocumentDatabase Open() => DocumentDatabase.Open(_platform, "/db", "db", _id, _settings, new StorageOptions { Time = _time });
}
