using Jackdaw.Client;
using Jackdaw.Client.Sessions;

namespace Jackdaw.ClientBench;

/// <summary>Requests that are left of a thousand reads of ten thousand documents, while another program writes one document for each hundred reads.</summary>
internal static class RequestsBench
{
    private const int Documents = 10_000;
    private const int Reads = 50_000;

    public static async Task RunAsync(string url)
    {
        await using DocumentStore store = Stores.Open(url);
        await using DocumentStore other = Stores.Open(url);
        await Stores.FillAsync(store, 100_000);
        using IDisposable scope = await store.AggressivelyCacheAsync();
        for (int i = 0; i < Documents; i++)
        {
            await LoadAsync(store, i);
        }

        var random = new Random(1);
        int requests = 0;
        int control = 0;
        HashSet<int> unsuspected = [.. Enumerable.Range(0, Documents)]; // if any change made all suspect
        for (int i = 0; i < Reads; i++)
        {
            if (i % 100 == 0)
            {
                unsuspected.Clear();
                using IAsyncDocumentSession session = other.OpenAsyncSession();
                int written = random.Next(Documents);
                await session.StoreAsync(Order.Sample(i), $"orders/{written}");
                await session.SaveChangesAsync();
            }

            int read = random.Next(Documents);
            requests += await LoadAsync(store, read);
            control += unsuspected.Add(read) ? 1 : 0;
        }

        Stores.Print("requests", "per-1000-reads", requests * 1000.0 / Reads, "requests");
        Stores.Print("requests", "any-change-makes-all-suspect", control * 1000.0 / Reads, "requests");
        Stores.Print("requests", "ratio", (double)control / requests, "x");
    }

    private static async Task<int> LoadAsync(DocumentStore store, int number)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession(new SessionOptions { NoTracking = true });
        await session.LoadAsync<Order>($"orders/{number}");
        return session.Advanced.NumberOfRequests;
    }
}
