using System.Net;
using System.Security.Cryptography;
using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.ProcessTests.Harness;

/// <summary>A client that puts attachments of 10 to 20 MB, one after the other, always in the place of the one before.</summary>
internal sealed class LargeUploads(string database, int number, int seed)
{
    private const int PieceBytes = 256 * 1024;
    private readonly byte[] _source = Random(seed, 21 << 20);
    private readonly Random _random = new(seed);
    private string _known = "";
    private string _begun = "";
    private long _sent;

    public int Acknowledged { get; private set; }

    /// <summary>Bytes of the upload under way.</summary>
    public long Sent => Volatile.Read(ref _sent);

    private string Id => $"large/{number}";

    public Task PrepareAsync(RunningServer server) =>
        server.ExpectAsync(201, "PUT", $"/databases/{database}/docs?id={Id}", """{"@metadata":{"@collection":"Large"}}""");

    /// <summary>Puts attachments until the server is gone.</summary>
    /// <returns>A refusal; null: there was none.</returns>
    public async Task<string?> RunAsync(RunningServer server)
    {
        try
        {
            while (true)
            {
                int offset = _random.Next(1 << 20);
                ReadOnlyMemory<byte> bytes = _source.AsMemory(offset, _random.Next(10 << 20, 20 << 20));
                _begun = Convert.ToBase64String(SHA256.HashData(bytes.Span));
                Volatile.Write(ref _sent, 0);
                Answer answer = await server.SendAsync(
                    "PUT", $"/databases/{database}/attachments?id={Id}&name=file", new Pieces(bytes, sent => Volatile.Write(ref _sent, sent)));
                if (answer.Status != 201)
                {
                    return $"{answer.Status}: {answer.Text}";
                }

                _known = _begun;
                Acknowledged++;
            }
        }
        catch (HttpRequestException)
        {
            return null; // the server is gone
        }
    }

    /// <summary>The document shows the attachment that was acknowledged, or the one in doubt.</summary>
    /// <returns>Whether an upload was cut before its end, after at least a chunk.</returns>
    public async Task<bool> CheckAsync(RunningServer server, bool isContentRead)
    {
        Answer answer = await server.ExpectAsync(200, "GET", $"/databases/{database}/docs?id={Id}");
        string hash = answer.Json.GetProperty("Results")[0].GetProperty("@metadata").TryGetProperty("@attachments", out JsonElement shown)
            ? Assert.Single(shown.EnumerateArray()).GetProperty("Hash").GetString()!
            : "";
        Assert.True(hash == _known || hash == _begun, $"{Id} has the content '{hash}' instead of '{_known}' or '{_begun}'");
        if (isContentRead && hash.Length > 0)
        {
            byte[] bytes = await server.Client.GetByteArrayAsync($"databases/{database}/attachments?id={Id}&name=file");
            Assert.Equal(hash, Convert.ToBase64String(SHA256.HashData(bytes)));
        }

        bool isCut = hash != _begun && Sent > 2 << 20;
        (_known, _begun) = (hash, hash);
        return isCut;
    }

    private static byte[] Random(int seed, int length)
    {
        byte[] bytes = new byte[length];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }

    private sealed class Pieces(ReadOnlyMemory<byte> bytes, Action<long> report) : HttpContent
    {
        protected override async Task SerializeToStreamAsync(Stream stream, TransportContext? context)
        {
            for (int done = 0; done < bytes.Length;)
            {
                int count = Math.Min(PieceBytes, bytes.Length - done);
                await stream.WriteAsync(bytes.Slice(done, count));
                done += count;
                report(done);
            }
        }

        protected override bool TryComputeLength(out long length)
        {
            length = bytes.Length;
            return true;
        }
    }
}
