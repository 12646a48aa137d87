using System.Globalization;
using System.Net.Http.Headers;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.ProcessTests.Harness;

/// <summary>One client that writes mixed batches in order, each with documents, counters and attachments, and knows what the database must
/// hold of it after any number of them.</summary>
/// <remarks>Batch n makes two documents with a small and a large attachment and a counter, copies the large attachment of batch n - 1, and
/// deletes the documents of batch n - <see cref="Kept"/>: so what is there says which batch was the last, and that it is there whole.</remarks>
internal sealed class MixedClient(string database, int number)
{
    /// <summary>Batches whose documents are there.</summary>
    public const int Kept = 4;

    private const int Contents = 5;
    private int _begun;
    private int _acknowledged;

    /// <summary>Batches that were acknowledged.</summary>
    public int Acknowledged => Volatile.Read(ref _acknowledged);

    public bool IsInDoubt => Volatile.Read(ref _begun) > Acknowledged;

    private string Prefix => string.Create(CultureInfo.InvariantCulture, $"mixed/{number}/");

    /// <summary>Writes batches until the server is gone.</summary>
    /// <returns>A refusal; null: there was none.</returns>
    public async Task<string?> RunAsync(RunningServer server)
    {
        try
        {
            while (true)
            {
                int batch = _acknowledged + 1;
                Volatile.Write(ref _begun, batch);
                Answer answer = await server.SendAsync("POST", $"/databases/{database}/bulk_docs", Body(batch));
                if (answer.Status != 201)
                {
                    return $"{answer.Status}: {answer.Text}";
                }

                Volatile.Write(ref _acknowledged, batch);
            }
        }
        catch (HttpRequestException)
        {
            return null; // the server is gone
        }
    }

    /// <summary>Compares what the server has with what it must have; afterwards the batch in doubt is known.</summary>
    /// <returns>Whether a batch was in doubt, and whether it is there.</returns>
    public async Task<(bool WasInDoubt, bool IsThere)> CheckAsync(RunningServer server)
    {
        bool wasInDoubt = IsInDoubt;
        Answer answer = await server.ExpectAsync(200, "GET", $"/databases/{database}/streams/docs?format=jsonl&startsWith={Prefix}");
        var found = new SortedDictionary<string, string>(StringComparer.Ordinal);
        foreach (string line in answer.Text.Split('\n', StringSplitOptions.RemoveEmptyEntries))
        {
            JsonElement document = JsonDocument.Parse(line).RootElement;
            found[document.GetProperty("@metadata").GetProperty("@id").GetString()!] = Describe(document);
        }

        string all = string.Join('\n', found.Select(one => $"{one.Key} {one.Value}"));
        bool isThere = wasInDoubt && all == Expected(_begun);
        Assert.True(isThere || all == Expected(_acknowledged),
            $"client {number}, {_acknowledged} acknowledged, {_begun} begun:\n{all}\ninstead of\n{Expected(_acknowledged)}\nor\n{Expected(_begun)}");
        _acknowledged = _begun = isThere ? _begun : _acknowledged;
        await CheckLastAsync(server);
        return (wasInDoubt, isThere);
    }

    private static string Describe(JsonElement document)
    {
        JsonElement metadata = document.GetProperty("@metadata");
        string attachments = metadata.TryGetProperty("@attachments", out JsonElement shown)
            ? string.Join(' ', shown.EnumerateArray().Select(one => $"{one.GetProperty("Name").GetString()}={one.GetProperty("Hash").GetString()}"))
            : "";
        string counters = metadata.TryGetProperty("@counters", out JsonElement names) ? names.GetRawText() : "";
        return $"{document.GetProperty("Batch").GetInt32()} {attachments} {counters}";
    }

    private static string Hash(byte[] bytes) => Convert.ToBase64String(SHA256.HashData(bytes));

    private static byte[] Bytes(int seed, int length)
    {
        byte[] bytes = new byte[length];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }

    // Few different ones, and the same for all clients.
    private static byte[] Small(int batch) => Bytes(batch % Contents, 2_000);

    private static byte[] Large(int batch) => Bytes(100 + (batch % Contents), 1_500_000);

    private string Expected(int last)
    {
        var documents = new SortedDictionary<string, string>(StringComparer.Ordinal);
        for (int batch = Math.Max(1, last - Kept + 1); batch <= last; batch++)
        {
            documents[$"{Prefix}{batch}/a"] = $"{batch} large={Hash(Large(batch))} small={Hash(Small(batch))} [\"Likes\"]";
            documents[$"{Prefix}{batch}/b"] = $"{batch} {(batch > 1 ? $"copied={Hash(Large(batch - 1))}" : "")} ";
        }

        return string.Join('\n', documents.Select(one => $"{one.Key} {one.Value}"));
    }

    private MultipartContent Body(int batch)
    {
        string a = $"{Prefix}{batch}/a";
        string b = $"{Prefix}{batch}/b";
        string likes = $$"""{"Type":"Increment","CounterName":"Likes","Delta":{{batch}}}""";
        List<string> commands =
        [
            $$$"""{"Id":"{{{a}}}","Document":{"Batch":{{{batch}}},"@metadata":{"@collection":"Mixed"}},"Type":"PUT"}""",
            $$$"""{"Id":"{{{b}}}","Document":{"Batch":{{{batch}}},"@metadata":{"@collection":"Revised"}},"Type":"PUT"}""",
            $$"""{"Id":"{{a}}","Name":"small","ContentType":"text/plain","Type":"AttachmentPUT"}""",
            $$$"""{"Id":"{{{a}}}","Counters":{"DocumentId":"{{{a}}}","Operations":[{{{likes}}}]},"Type":"Counters"}""",
            $$"""{"Id":"{{a}}","Name":"large","ContentType":"","Type":"AttachmentPUT"}""",
        ];
        if (batch > 1)
        {
            commands.Add($$"""{"Id":"{{Prefix}}{{batch - 1}}/a","Name":"large","DestinationId":"{{b}}","DestinationName":"copied","Type":"AttachmentCOPY"}""");
        }

        if (batch > Kept)
        {
            commands.Add($$"""{"Id":"{{Prefix}}{{batch - Kept}}/a","Type":"DELETE"}""");
            commands.Add($$"""{"Id":"{{Prefix}}{{batch - Kept}}/b","Type":"DELETE"}""");
        }

        string json = $$"""{"Commands":[{{string.Join(',', commands)}}]}""";
        return new MultipartContent("mixed")
        {
            new StringContent(json, Encoding.UTF8, new MediaTypeHeaderValue("application/json")),
            new ByteArrayContent(Small(batch)),
            new ByteArrayContent(Large(batch)),
        };
    }

    // The bytes and the counter of the newest batch.
    private async Task CheckLastAsync(RunningServer server)
    {
        if (_acknowledged > 0)
        {
            string id = $"{Prefix}{_acknowledged}/a";
            byte[] bytes = await server.Client.GetByteArrayAsync($"databases/{database}/attachments?id={id}&name=large");
            Assert.True(bytes.AsSpan().SequenceEqual(Large(_acknowledged)), $"{id}: other bytes");
            Answer counters = await server.ExpectAsync(200, "GET", $"/databases/{database}/counters?docId={id}");
            Assert.Contains($"\"TotalValue\":{_acknowledged}", counters.Text, StringComparison.Ordinal);
        }
    }
}
