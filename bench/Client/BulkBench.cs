using System.Buffers;
using System.Diagnostics;
using System.Net;
using System.Text;
using System.Text.Json;
using Jackdaw.Client;
using Jackdaw.Client.BulkInserts;

namespace Jackdaw.ClientBench;

/// <summary>Bulk inserts of objects through the client, and of texts that are ready.</summary>
internal static class BulkBench
{
    private const int Documents = 1_000_000;
    private const int WarmUp = 100_000;

    public static async Task RunAsync(string url)
    {
        await using DocumentStore store = Stores.Open(url);
        Order[] orders = [.. Enumerable.Range(0, 1000).Select(Order.Sample)];
        byte[][] texts = [.. orders.Select(order => JsonSerializer.SerializeToUtf8Bytes(order))];
        await InsertAsync(store, orders, WarmUp);
        await SendAsync(url, texts, WarmUp);
        double sdk = await TimeAsync(() => InsertAsync(store, orders, Documents));
        double raw = await TimeAsync(() => SendAsync(url, texts, Documents));
        Stores.Print("bulk", "sdk", sdk, "documents/s");
        Stores.Print("bulk", "raw", raw, "documents/s");
        Stores.Print("bulk", "ratio", sdk / raw, "x");
    }

    private static async Task InsertAsync(DocumentStore store, Order[] orders, int count)
    {
        await using BulkInsertOperation bulk = store.BulkInsert();
        for (int i = 0; i < count; i++)
        {
            await bulk.StoreAsync(orders[i % orders.Length] with { Id = null }, $"bulk/{i}");
        }
    }

    private static async Task<double> TimeAsync(Func<Task> insert)
    {
        var time = Stopwatch.StartNew();
        await insert();
        return Documents / time.Elapsed.TotalSeconds;
    }

    private static async Task SendAsync(string url, byte[][] texts, int count)
    {
        using var http = new HttpClient();
        using JsonDocument id = JsonDocument.Parse(
            await http.GetByteArrayAsync(new Uri($"{url}/databases/{Stores.Database}/operations/next-operation-id")));
        using var content = new TextsContent(texts, count);
        using HttpResponseMessage answer = await http.PostAsync(
            new Uri($"{url}/databases/{Stores.Database}/bulk_insert?id={id.RootElement.GetProperty("Id").GetInt64()}"), content);
        answer.EnsureSuccessStatusCode();
    }

    private sealed class TextsContent(byte[][] texts, int count) : HttpContent
    {
        protected override async Task SerializeToStreamAsync(Stream stream, TransportContext? context)
        {
            var buffer = new ArrayBufferWriter<byte>(256 * 1024);
            buffer.Write("["u8);
            for (int i = 0; i < count; i++)
            {
                byte[] text = texts[i % texts.Length];
                buffer.Write(Encoding.UTF8.GetBytes($"{(i == 0 ? "" : ",")}{{\"Id\":\"bulk/{i}\",\"Type\":\"PUT\",\"Document\":"));
                buffer.Write(text.AsSpan(0, text.Length - 1));
                buffer.Write(",\"@metadata\":{\"@collection\":\"Orders\"}}}"u8);
                if (buffer.WrittenCount > 128 * 1024)
                {
                    await stream.WriteAsync(buffer.WrittenMemory);
                    buffer.ResetWrittenCount();
                }
            }

            buffer.Write("]"u8);
            await stream.WriteAsync(buffer.WrittenMemory);
        }

        protected override bool TryComputeLength(out long length)
        {
            length = 0;
            return false;
        }
    }
}
