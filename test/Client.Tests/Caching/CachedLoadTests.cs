using System.Text;
using System.Text.Json;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;
using Jackdaw.TestKit;
using Xunit.Abstractions;

namespace Jackdaw.Client.Tests.Caching;

/// <summary>What a load costs that the cache answers, besides making the object from JSON.</summary>
public sealed class CachedLoadTests(ITestOutputHelper output)
{
    [Theory]
    [InlineData(false, 600)]
    [InlineData(true, 700)]
    public async Task Load_ThatTheCacheAnswers_AllocatesLittleBesideTheObject(bool isTracking, long allowed)
    {
        await using StoreFixture fixture = await StoreFixture.StartAsync();
        using (IAsyncDocumentSession session = fixture.Store.OpenAsyncSession())
        {
            await session.StoreAsync(new Order("orders/1", "companies/1", 3));
            await session.SaveChangesAsync();
        }

        using IDisposable scope = await fixture.Store.AggressivelyCacheAsync();
        await Eventually.IsTrueAsync(async () => await RequestsOfLoadAsync(fixture.Store, isTracking) == 0);
        byte[] text = Encoding.UTF8.GetBytes("""{"Company":"companies/1","Total":3,"Id":"orders/1"}""");
        (long load, long reading) = (long.MaxValue, 0);
        JsonSerializer.Deserialize<Order>(text);

        // Code that is not optimized yet allocates more: until then it is measured again.
        for (long deadline = Environment.TickCount64 + 20_000; load - reading > allowed && Environment.TickCount64 < deadline;)
        {
            long start = GC.GetAllocatedBytesForCurrentThread();
            Task<int> requests = RequestsOfLoadAsync(fixture.Store, isTracking);
            load = Math.Min(load, GC.GetAllocatedBytesForCurrentThread() - start);
            Assert.True(requests.IsCompletedSuccessfully, "A load that the cache answers has ended when it returns.");
            start = GC.GetAllocatedBytesForCurrentThread();
            JsonSerializer.Deserialize<Order>(text);
            reading = GC.GetAllocatedBytesForCurrentThread() - start;
        }

        output.WriteLine($"{load} bytes, of which the object is {reading}");
        Assert.InRange(load - reading, 0, allowed);
    }

    private static async Task<int> RequestsOfLoadAsync(DocumentStore store, bool isTracking)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession(new SessionOptions { NoTracking = !isTracking });
        return await session.LoadAsync<Order>("orders/1") is { Total: 3 } ? session.Advanced.NumberOfRequests : throw new InvalidOperationException();
    }

    private sealed record Order(string? Id, string Company, int Total);
}
