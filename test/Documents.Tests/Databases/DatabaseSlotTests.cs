using System.Text;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Databases;
using Jackdaw.Pal.Simulation;
using Jackdaw.Storage;
using Jackdaw.TestKit;
using Microsoft.Extensions.Logging.Abstractions;

namespace Jackdaw.Documents.Tests.Databases;

public sealed class DatabaseSlotTests
{
    [Fact]
    public async Task Storage_StopsAgainAndAgain_IsReopenedThreeTimesAndThenStaysDown()
    {
        var platform = new SimulatedPlatform();
        await using DatabaseCatalog store = await DatabaseCatalog.OpenAsync(
            platform, "/data", new StorageOptions(), new Progress<RecoveryProgress>(), NullLogger.Instance, default);
        byte[] json = Encoding.UTF8.GetBytes("{}");
        await store.PutRecordAsync("shop", json, null, default);
        await store.PutRecordAsync("other", json, null, default);
        for (int i = 1; i <= ReopenBudget.ReopensMax + 1; i++)
        {
            await store.Find("shop").Database!.PutAsync($"kept/{i}", TestCommands.Json("Kept", i));
            SimulatedFault fault = platform.Inject(new SimulatedFault
            {
                Effect = FaultEffect.IoError,
                Kind = PalOperationKind.WriteJournal,
                PathContains = "Databases/shop",
            });
            await WriteUntilItStopsAsync(store.Find("shop").Database!);
            Assert.Equal(1, fault.Fired);
            DatabaseLookupStatus expected = i <= ReopenBudget.ReopensMax ? DatabaseLookupStatus.Open : DatabaseLookupStatus.Faulted;
            DatabaseLookup lookup = await WaitAsync(store, expected);
            if (expected == DatabaseLookupStatus.Open)
            {
                Assert.All(Enumerable.Range(1, i), k => Assert.NotNull(lookup.Database!.Get($"kept/{k}")));
            }
        }

        Assert.Contains("stays closed", store.Find("shop").Reason, StringComparison.Ordinal);
        Assert.Equal(DatabaseLookupStatus.Open, store.Find("other").Status);
        await store.SetDisabledAsync("shop", true, default);
        await store.SetDisabledAsync("shop", false, default);
        Assert.NotNull(store.Find("shop").Database!.Get("kept/4"));
    }

    // The fault may hit a write of the storage's own threads beside a put that succeeds: then the next one meets it.
    private static async Task WriteUntilItStopsAsync(DocumentDatabase database)
    {
        await Assert.ThrowsAsync<StoragePoisonedException>(async () =>
        {
            for (int i = 0; i < 100; i++)
            {
                await database.PutAsync("other/1", TestCommands.Json("Other", i));
            }
        });
    }

    private static async Task<DatabaseLookup> WaitAsync(DatabaseCatalog store, DatabaseLookupStatus status)
    {
        DocumentDatabase? failed = store.Find("shop").Database;
        return await Eventually.ReadAsync(
            () => Task.FromResult(store.Find("shop")),
            lookup => lookup.Status == status && (status != DatabaseLookupStatus.Open || !IsFailed(lookup.Database!)),
            lookup => $"shop is {lookup.Status} ({lookup.Reason}) instead of {status}; it was {failed?.Name}");
    }

    private static bool IsFailed(DocumentDatabase database)
    {
        try
        {
            database.BeginRead().Dispose();
            return false;
        }
        catch (Exception e) when (e is StoragePoisonedException or ObjectDisposedException)
        {
            return true;
        }
    }
}
