using System.Globalization;
using Jackdaw.Client;
using Jackdaw.Client.BulkInserts;
using Jackdaw.Client.Conventions;
using Jackdaw.Client.Sessions;

namespace Jackdaw.ClientBench;

/// <summary>Stores and documents of all cells.</summary>
internal static class Stores
{
    public const string Database = "client";

    /// <summary>A store of the database; with a distance each request takes so much longer, as if the server were elsewhere.</summary>
    public static DocumentStore Open(
        string url, Action<DocumentConventions>? configure = null, TimeSpan distance = default, HttpMessageHandler? handler = null)
    {
        var store = new DocumentStore(url, Database) { MessageHandler = distance > TimeSpan.Zero ? new DistantHandler(distance) : handler };
        configure?.Invoke(store.Conventions);
        store.Initialize();
        return store;
    }

    /// <summary>Stores documents <c>orders/0</c> and so on, unless they are there.</summary>
    public static async Task FillAsync(DocumentStore store, int count)
    {
        await using IAsyncDocumentSession session = store.OpenAsyncSession();
        if (await session.LoadAsync<Order>($"orders/{count - 1}") is not null)
        {
            return;
        }

        await using BulkInsertOperation bulk = store.BulkInsert();
        for (int i = 0; i < count; i++)
        {
            await bulk.StoreAsync(Order.Sample(i), $"orders/{i}");
        }
    }

    private sealed class DistantHandler(TimeSpan distance) : DelegatingHandler(new SocketsHttpHandler { UseCookies = false })
    {
        protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
        {
            await Task.Delay(distance, cancellationToken);
            return await base.SendAsync(request, cancellationToken);
        }
    }

    public static void Print(string cell, string metric, double value, string unit) =>
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{cell} {metric} {value:G6} {unit}"));
}
