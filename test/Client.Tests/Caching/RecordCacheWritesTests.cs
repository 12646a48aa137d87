using Jackdaw.Client.Caching;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;

namespace Jackdaw.Client.Tests.Caching;

/// <summary>Records and the writes of their own store.</summary>
public sealed class RecordCacheWritesTests
{
    [Fact]
    public async Task OwnWrite_IsInTheNextRecord_WithoutWaitingForItsNotice()
    {
        await using StoreFixture fixture = await StoreFixture.StartAsync();
        using IDisposable connected = await fixture.Store.AggressivelyCacheAsync();
        await using var records = new RecordCache<Price>(fixture.Store);
        for (int i = 0; i < 300; i++)
        {
            using (IAsyncDocumentSession session = fixture.Store.OpenAsyncSession())
            {
                await session.StoreAsync(new Price(i), "prices/1");
                await session.SaveChangesAsync();
            }

            Assert.Equal(i, (await records.GetAsync("prices/1"))!.Cents);
        }
    }

    private sealed record Price(int Cents);
}
