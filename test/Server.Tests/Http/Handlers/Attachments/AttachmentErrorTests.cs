using System.Net.Sockets;
using System.Text;
using Jackdaw.Documents.Attachments;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Attachments;

/// <summary>What is refused, with what answer, and that nothing stays behind.</summary>
public sealed class AttachmentErrorTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await _server.PutAsync("users/1", "{}");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData(3)]
    [InlineData((2 * AttachmentLimits.ChunkBytes) + 3)]
    public async Task Put_ToAMissingDocument_NamesIt(int length)
    {
        Answer answer = await _server.PutAttachmentAsync("users/2", "a", new byte[length]);
        answer.AssertProblem(500, "Documents.DocumentDoesNotExistException", "users/2", "store the document first");
        await AssertNothingAsync();
    }

    [Fact]
    public async Task Put_OtherVersion_IsAConflictAndChangesNothing()
    {
        string first = (await _server.PutAttachmentAsync("users/1", "a", "abc")).Json.GetProperty("ChangeVector").GetString()!;
        Answer replaced = await _server.PutAttachmentAsync("users/1", "a", "def", "", ("If-Match", $"\"{first}\""));
        string second = replaced.Json.GetProperty("ChangeVector").GetString()!;
        string document = await _server.VersionAsync("users/1");
        Answer put = await _server.PutAttachmentAsync("users/1", "a", "ghi", "", ("If-Match", $"\"{first}\""));
        put.AssertProblem(409, "ConcurrencyException", "'a'", "users/1", first, second);
        Assert.Equal((first, second), (put.Json.GetProperty("ExpectedChangeVector").GetString(), put.Json.GetProperty("ActualChangeVector").GetString()));
        (await _server.PutAttachmentAsync("users/1", "none", "x", "", ("If-Match", $"\"{first}\"")))
            .AssertProblem(409, "ConcurrencyException", "does not exist");
        (await _server.DbAsync("DELETE", "/attachments?id=users/1&name=a", null, ("If-Match", $"\"{first}\""))).AssertProblem(409, "ConcurrencyException");
        (await _server.DbAsync("DELETE", "/attachments?id=users/1&name=none", null, ("If-Match", $"\"{first}\""))).AssertProblem(409, "ConcurrencyException");
        Assert.Equal("def", Encoding.UTF8.GetString((await _server.GetBytesAsync("users/1", "a")).Bytes));
        Assert.Equal(document, await _server.VersionAsync("users/1"));
        Assert.Equal(204, (await _server.DbAsync("DELETE", "/attachments?id=users/1&name=a", null, ("If-Match", $"\"{second}\""))).Status);
        Assert.Equal((0, 0), await _server.CountAsync());
    }

    public static TheoryData<string, string> BadNames => new()
    {
        { "", "name" },
        { "a%00b", "NUL" },
        { new string('n', 513), "512 bytes" },
        { new string('n', 100_000)[..20_000], "512 bytes" },
    };

    [Theory]
    [MemberData(nameof(BadNames))]
    public async Task AnyRequest_WithABadName_SaysWhy(string name, string reason)
    {
        foreach (string method in new[] { "PUT", "GET", "DELETE" })
        {
            (await _server.DbAsync(method, $"/attachments?id=users/1&name={name}", method == "PUT" ? "abc" : null))
                .AssertProblem(400, "ArgumentException", reason);
        }

        await AssertNothingAsync();
    }

    [Theory]
    [InlineData("/attachments?name=a", "id is empty")]
    [InlineData("/attachments?id=users/1", "name")]
    [InlineData("/attachments?id=users/1&name=a&contentType=a%0Ab", "printable")]
    [InlineData("/attachments?id=users/1&name=a&contentType=%C3%BC", "U+00FC")]
    public async Task Put_WithBadParameters_SaysWhy(string path, string reason)
    {
        (await _server.DbAsync("PUT", path, "abc")).AssertProblem(400, "ArgumentException", reason);
        await AssertNothingAsync();
    }

    [Fact]
    public async Task Put_LongestNameAndType_AreTaken()
    {
        string name = new('N', 512);
        string type = new('t', 512);
        await _server.PutAsync(new string('D', 512), "{}");
        Answer put = await _server.PutAttachmentAsync(new string('D', 512), name, "abc", $"&contentType={type}");
        Assert.Equal(201, put.Status);
        Assert.Equal(type, (await _server.GetBytesAsync(new string('d', 512), name)).Message.Content.Headers.GetValues("Content-Type").Single());
        (await _server.PutAttachmentAsync("users/1", "a", "abc", $"&contentType={type}t")).AssertProblem(400, "ArgumentException", "512 characters");
    }

    [Fact]
    public async Task Put_RemoteParameters_AreNotSupported()
    {
        (await _server.PutAttachmentAsync("users/1", "a", "abc", "&remoteAt=2030-01-01&remoteIdentifier=s3"))
            .AssertProblem(501, "NotSupportedException", "remote");
        await AssertNothingAsync();
    }

    [Fact]
    public async Task Put_OtherHashThanItSays_IsRefused()
    {
        (await _server.PutAttachmentAsync("users/1", "a", "abc", "", ("Attachment-Hash", AttachmentRequests.Sha256("abd"))))
            .AssertProblem(400, "ArgumentException", AttachmentRequests.Sha256("abd"), AttachmentRequests.Sha256("abc"));
        byte[] large = new byte[AttachmentLimits.ChunkBytes + 1];
        (await _server.PutAttachmentAsync("users/1", "a", large, "", ("Attachment-Hash", AttachmentRequests.Sha256("abd"))))
            .AssertProblem(400, "ArgumentException");
        await AssertNothingAsync();
        Assert.Equal(201, (await _server.PutAttachmentAsync("users/1", "a", "abc", "", ("Attachment-Hash", AttachmentRequests.Sha256("abc")))).Status);
    }

    [Fact]
    public async Task Put_LargerThanAllowed_IsRefusedBeforeItIsSent()
    {
        using var socket = new RawConnection(_server.Address);
        const long bytes = AttachmentLimits.AttachmentBytesMax + 1;
        await socket.SendAsync($"PUT /databases/db1/attachments?id=users/1&name=a HTTP/1.1\r\nHost: localhost\r\nContent-Length: {bytes}\r\n\r\n");
        string answer = await socket.ReadUntilAsync("2 GBytes)");
        Assert.StartsWith("HTTP/1.1 413", answer, StringComparison.Ordinal);
        Assert.Contains("2147483648 bytes (2 GBytes)", answer, StringComparison.Ordinal);
        await AssertNothingAsync();
    }

    /// <summary>Cut off before and after the first chunk went to the storage.</summary>
    [Theory]
    [InlineData(1000)]
    [InlineData((2 * AttachmentLimits.ChunkBytes) + 1000)]
    public async Task Put_WhoseConnectionBreaks_LeavesNothing(int sent)
    {
        using (var socket = new TcpClient())
        {
            await socket.ConnectAsync(_server.Address.Host, _server.Address.Port);
            NetworkStream stream = socket.GetStream();
            await stream.WriteAsync(Encoding.ASCII.GetBytes(
                $"PUT /databases/db1/attachments?id=users/1&name=a HTTP/1.1\r\nHost: localhost\r\nContent-Length: {sent + 1}\r\n\r\n"));
            await stream.WriteAsync(new byte[sent]);
            await Eventually.IsTrueAsync(
                () => sent < AttachmentLimits.ChunkBytes || _server.Database.ContentHolds.Count == 1, () => "the first chunk was not written");
        }

        await Eventually.IsTrueAsync(() => _server.Database.ContentHolds.Count == 0, () => "the upload was not given up");
        await AssertNothingAsync();
    }

    [Fact]
    public async Task Put_WhoseChunksCannotBeWritten_IsRefusedAndLeavesNothing()
    {
        byte[] large = new byte[(3 * AttachmentLimits.ChunkBytes) + 1];
        _server.Probe.Refusal = Jackdaw.Documents.WriteStatus.DiskFull;
        (await _server.PutAttachmentAsync("users/1", "a", large)).AssertProblem(507, "RavenException", "full");
        _server.Probe.Refusal = null;
        await AssertNothingAsync();
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task Put_ToADocumentThatShowsTooMuch_IsRefused()
    {
        // With the longest types some 13,000 are more than what a document may show; the batch that goes beyond it is still taken.
        string commands(int from, int count) => string.Join(',', Enumerable.Range(from, count).Select(i =>
            $$"""{"Id":"users/1","Name":"{{i}}","Type":"AttachmentPUT","ContentType":"{{new string('t', 512)}}"}"""));
        const int perBatch = 6000;
        for (int i = 0; i < 4; i++)
        {
            Answer stored = await _server.DbAsync("POST", "/bulk_docs",
                AttachmentRequests.Multipart(commands(i * perBatch, perBatch), [.. Enumerable.Repeat(Array.Empty<byte>(), perBatch)]));
            if (stored.Status != 201)
            {
                stored.AssertProblem(400, "InvalidOperationException", "8 MB", "users/1");
                return;
            }
        }

        Assert.Fail("A document may show anything.");
    }

    private async Task AssertNothingAsync()
    {
        Assert.Equal((0, 0), await _server.CountAsync());
        Assert.Equal("", await _server.NamesAsync("users/1"));
        await Eventually.IsTrueAsync(
            () =>
            {
                using var read = _server.Database.BeginRead();
                return (read.Transaction.Trees.FindTree(ContentTable.ChunksName)?.EntryCount ?? 0) == 0;
            },
            () => "chunks are left");
        Assert.Equal(0, _server.Database.ContentHolds.Count);
    }
}
