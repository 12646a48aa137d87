using System.Text;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Databases;
using Jackdaw.Documents.Identity;
using Jackdaw.Pal.InMemory;
using Jackdaw.Storage;
using Microsoft.Extensions.Logging.Abstractions;

namespace Jackdaw.Documents.Tests.Changes;

/// <summary>What consumers are told when an administrator takes the database from them.</summary>
public sealed class FeedEndTests : IAsyncLifetime
{
    private DatabaseCatalog _catalog = null!;

    public async Task InitializeAsync()
    {
        _catalog = await DatabaseCatalog.OpenAsync(
            new MemoryPlatform(), "/data", new StorageOptions(), new Progress<RecoveryProgress>(), NullLogger.Instance, default);
        await _catalog.PutRecordAsync("shop", Encoding.UTF8.GetBytes("""{"DatabaseName":"shop"}"""), null, default);
    }

    public async Task DisposeAsync() => await _catalog.DisposeAsync();

    [Fact]
    public async Task Disabling_OfADatabase_EndsItsFeedAndEnablingBeginsAnother()
    {
        DocumentDatabase database = Find();
        ValueTask<FeedItem> read = database.Changes.Subscribe().ReadAsync();
        await _catalog.SetDisabledAsync("shop", true, default);
        Assert.Equal(FeedEndReason.DatabaseClosed, (await read).Reason);
        await _catalog.SetDisabledAsync("shop", false, default);

        Assert.NotSame(database.Changes, Find().Changes);
        using ChangeSubscription again = Find().Changes.Subscribe();
        await Find().PutAsync("users/1", TestCommands.Json("Users", 1));
        Assert.Equal(new Etag(1), (await again.ReadAsync()).Last);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Deletion_OfADatabase_IsToldAsSuch(bool hard)
    {
        ValueTask<FeedItem> read = Find().Changes.Subscribe().ReadAsync();
        await _catalog.DeleteAsync("shop", hard, default);

        Assert.Equal(FeedEndReason.DatabaseDeleted, (await read).Reason);
    }

    [Fact]
    public async Task Stop_OfTheServer_EndsTheFeed()
    {
        ValueTask<FeedItem> read = Find().Changes.Subscribe().ReadAsync();
        await _catalog.DisposeAsync();

        Assert.Equal(FeedEndReason.DatabaseClosed, (await read).Reason);
    }

    private DocumentDatabase Find() => Assert.IsType<DocumentDatabase>(_catalog.Find("shop").Database);
}
