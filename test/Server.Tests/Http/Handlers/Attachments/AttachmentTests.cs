using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Attachments;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Attachments;

/// <summary>PUT, GET, HEAD and DELETE of one attachment.</summary>
public sealed class AttachmentTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await _server.PutAsync("users/1", """{"Name":"Ann","@metadata":{"@collection":"Users"}}""");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Put_ThenGet_GivesTheBytesAndWhatIsKnownOfThem()
    {
        string before = await _server.VersionAsync("users/1");
        Answer put = await _server.PutAttachmentAsync("Users%2F1", "a.txt", "abc", "&contentType=text%2Fplain");
        Assert.Equal(201, put.Status);
        string version = put.Json.GetProperty("ChangeVector").GetString()!;
        string hash = AttachmentRequests.Sha256("abc");
        Assert.Equal(
            $$"""{"DocumentId":"Users/1","ChangeVector":"{{version}}","Name":"a.txt","ContentType":"text/plain","Hash":"{{hash}}","""
            + "\"Size\":3,\"RemoteParameters\":null}",
            put.Text);

        (int status, byte[] bytes, HttpResponseMessage message) = await _server.GetBytesAsync("users/1", "A.TXT");
        Assert.Equal((200, "abc"), (status, Encoding.UTF8.GetString(bytes)));
        Assert.Equal($"\"{version}\"", message.Headers.ETag!.ToString());
        Assert.Equal("text/plain", message.Content.Headers.ContentType!.ToString());
        Assert.Equal(AttachmentRequests.Sha256("abc"), message.Headers.GetValues("Attachment-Hash").Single());
        Assert.Equal("3", message.Headers.GetValues("Attachment-Size").Single());
        Assert.Equal("attachment; filename=\"a.txt\"; filename*=UTF-8''a.txt", message.Content.Headers.GetValues("Content-Disposition").Single());
        Assert.Equal("bytes", message.Headers.AcceptRanges.Single());

        JsonElement metadata = await _server.MetadataAsync("users/1");
        Assert.Equal(
            $$"""[{"Name":"a.txt","Hash":"{{AttachmentRequests.Sha256("abc")}}","ContentType":"text/plain","Size":3,"RemoteParameters":null}]""",
            metadata.GetProperty("@attachments").GetRawText());
        Assert.Equal("HasAttachments", metadata.GetProperty("@flags").GetString());
        Assert.NotEqual(before, metadata.GetProperty("@change-vector").GetString());
        Assert.NotEqual(version, metadata.GetProperty("@change-vector").GetString());
    }

    [Fact]
    public async Task Put_OfADocumentWithAttachments_KeepsThemWhateverItSays()
    {
        await _server.PutAttachmentAsync("users/1", "a", "abc");
        await _server.PutAsync("users/1", """{"Name":"Bob","@metadata":{"@collection":"Other","@attachments":[],"@flags":"HasCounters"}}""");
        Assert.Equal("a", await _server.NamesAsync("users/1"));
        Assert.Equal("HasAttachments", (await _server.MetadataAsync("users/1")).GetProperty("@flags").GetString());
        Assert.Equal(3, (await _server.GetBytesAsync("users/1", "a")).Bytes.Length);
    }

    [Fact]
    public async Task Put_Again_ReplacesIt()
    {
        Answer first = await _server.PutAttachmentAsync("users/1", "a", "abc", "&contentType=text%2Fplain");
        Answer second = await _server.PutAttachmentAsync("users/1", "A", "defg");
        Assert.NotEqual(first.Json.GetProperty("ChangeVector").GetString(), second.Json.GetProperty("ChangeVector").GetString());
        Assert.Equal("A", await _server.NamesAsync("users/1"));
        (_, byte[] bytes, HttpResponseMessage message) = await _server.GetBytesAsync("users/1", "a");
        Assert.Equal("defg", Encoding.UTF8.GetString(bytes));
        Assert.Null(message.Content.Headers.ContentType);
        Assert.Equal((1, 1), await _server.CountAsync());
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(AttachmentLimits.ChunkBytes - 1)]
    [InlineData(AttachmentLimits.ChunkBytes)]
    [InlineData(AttachmentLimits.ChunkBytes + 1)]
    [InlineData((3 * AttachmentLimits.ChunkBytes) + 5)]
    public async Task Put_AnySize_ComesBackWholeAndInParts(int length)
    {
        byte[] bytes = new byte[length];
        new Random(length).NextBytes(bytes);
        Answer put = await _server.PutAttachmentAsync("users/1", "a", bytes);
        Assert.Equal((201, length), (put.Status, put.Json.GetProperty("Size").GetInt32()));
        (int status, byte[] got, _) = await _server.GetBytesAsync("users/1", "a");
        Assert.Equal(200, status);
        Assert.True(bytes.AsSpan().SequenceEqual(got));
        if (length > 10)
        {
            foreach ((int first, int last) in new[] { (0, 9), (length - 5, length - 1), (length / 3, (length / 3 * 2) + 1) })
            {
                (status, got, HttpResponseMessage message) = await _server.GetBytesAsync("users/1", "a", ("Range", $"bytes={first}-{last}"));
                Assert.Equal(206, status);
                Assert.Equal($"bytes {first}-{last}/{length}", message.Content.Headers.ContentRange!.ToString());
                Assert.True(bytes.AsSpan(first, last - first + 1).SequenceEqual(got), $"{first}-{last}");
            }
        }
    }

    [Theory]
    [InlineData("bytes=2-", 206, "cdefghij", "bytes 2-9/10")]
    [InlineData("bytes=-3", 206, "hij", "bytes 7-9/10")]
    [InlineData("bytes=-30", 206, "abcdefghij", "bytes 0-9/10")]
    [InlineData("bytes=8-30", 206, "ij", "bytes 8-9/10")]
    [InlineData("bytes=10-", 416, "", "bytes */10")]
    [InlineData("bytes=-0", 416, "", "bytes */10")]
    [InlineData("bytes=0-1,4-5", 200, "abcdefghij", null)]
    [InlineData("bytes=5-2", 200, "abcdefghij", null)]
    [InlineData("lines=1-2", 200, "abcdefghij", null)]
    [InlineData("nonsense", 200, "abcdefghij", null)]
    public async Task Get_Ranges_AreThoseOfTheStandard(string range, int status, string expected, string? contentRange)
    {
        await _server.PutAttachmentAsync("users/1", "a", "abcdefghij");
        (int actual, byte[] bytes, HttpResponseMessage message) = await _server.GetBytesAsync("users/1", "a", ("Range", range));
        Assert.Equal((status, expected), (actual, Encoding.UTF8.GetString(bytes)));
        Assert.Equal(contentRange, message.Content.Headers.ContentRange?.ToString());
    }

    [Fact]
    public async Task Get_RangeOfAnotherVersion_IsAll()
    {
        Answer put = await _server.PutAttachmentAsync("users/1", "a", "abcdefghij");
        string version = put.Json.GetProperty("ChangeVector").GetString()!;
        Assert.Equal(206, (await _server.GetBytesAsync("users/1", "a", ("Range", "bytes=0-1"), ("If-Range", $"\"{version}\""))).Status);
        Assert.Equal(200, (await _server.GetBytesAsync("users/1", "a", ("Range", "bytes=0-1"), ("If-Range", "\"A:1-x\""))).Status);
    }

    [Fact]
    public async Task GetAndHead_OfAKnownVersion_Are304()
    {
        string version = (await _server.PutAttachmentAsync("users/1", "a", "abc")).Json.GetProperty("ChangeVector").GetString()!;
        foreach (string method in new[] { "GET", "HEAD" })
        {
            Answer known = await _server.DbAsync(method, "/attachments?id=users/1&name=a", null, ("If-None-Match", $"\"{version}\""));
            Assert.Equal((304, $"\"{version}\""), (known.Status, known.Header("ETag")));
            Answer other = await _server.DbAsync(method, "/attachments?id=users/1&name=a", null, ("If-None-Match", "\"A:1-x\""));
            Assert.Equal((200, $"\"{version}\"", "3", AttachmentRequests.Sha256("abc")),
                (other.Status, other.Header("ETag"), other.Header("Attachment-Size"), other.Header("Attachment-Hash")));
            Assert.Equal(method == "GET" ? "abc" : "", other.Text);
            Assert.Equal(404, (await _server.DbAsync(method, "/attachments?id=users/1&name=b")).Status);
            Assert.Equal(404, (await _server.DbAsync(method, "/attachments?id=users/2&name=a")).Status);
        }
    }

    [Fact]
    public async Task Post_OfADocument_IsAGet()
    {
        await _server.PutAttachmentAsync("users/1", "a", "abc");
        Assert.Equal("abc", (await _server.DbAsync("POST", "/attachments?id=users/1&name=a", """{"Type":"Document","ChangeVector":null}""")).Text);
        (await _server.DbAsync("POST", "/attachments?id=users/1&name=a", """{"Type":"Other"}""")).AssertProblem(400, "ArgumentException", "Other");
    }

    [Fact]
    public async Task Delete_OneThatIsThereOrNot_Is204()
    {
        await _server.PutAttachmentAsync("users/1", "a", "abc");
        string before = await _server.VersionAsync("users/1");
        Assert.Equal(204, (await _server.DbAsync("DELETE", "/attachments?id=users/1&name=b")).Status);
        Assert.Equal(before, await _server.VersionAsync("users/1"));
        Assert.Equal(204, (await _server.DbAsync("DELETE", "/attachments?id=users/1&name=A")).Status);
        Assert.NotEqual(before, await _server.VersionAsync("users/1"));
        JsonElement metadata = await _server.MetadataAsync("users/1");
        Assert.False(metadata.TryGetProperty("@attachments", out _) || metadata.TryGetProperty("@flags", out _));
        Assert.Equal(204, (await _server.DbAsync("DELETE", "/attachments?id=users/none&name=b")).Status);
        Assert.Equal((0, 0), await _server.CountAsync());
    }

    [Fact]
    public async Task Delete_OfTheDocument_DeletesItsAttachments()
    {
        await _server.PutAttachmentAsync("users/1", "a", "abc");
        await _server.PutAsync("users/12", "{}");
        await _server.PutAttachmentAsync("users/12", "a", "abc");
        await _server.DbAsync("DELETE", "/docs?id=users/1");
        Assert.Equal(404, (await _server.GetBytesAsync("users/1", "a")).Status);
        await _server.PutAsync("users/1", "{}");
        Assert.Equal(404, (await _server.GetBytesAsync("users/1", "a")).Status);
        Assert.Equal("", await _server.NamesAsync("users/1"));
        Assert.Equal((1, 1), await _server.CountAsync());
    }

    [Fact]
    public async Task Names_WithAnyCharacters_ComeBack()
    {
        const string name = "ü \"q\" \\ <&> \u0001\u20ac.png";
        string encoded = Uri.EscapeDataString(name);
        Assert.Equal(name, (await _server.PutAttachmentAsync("users/1", encoded, "abc")).Json.GetProperty("Name").GetString());
        Assert.Equal(name, await _server.NamesAsync("users/1"));
        (int status, _, HttpResponseMessage message) = await _server.GetBytesAsync("users/1", encoded);
        Assert.Equal(200, status);
        Assert.Equal(
            $"attachment; filename=\"_ 'q' ' <&> __.png\"; filename*=UTF-8''{encoded}", message.Content.Headers.GetValues("Content-Disposition").Single());
    }

    [Fact]
    public async Task Put_CompressedAndInPieces_StoresWhatItMeans()
    {
        byte[] bytes = Encoding.UTF8.GetBytes(string.Concat(Enumerable.Range(0, 200_000).Select(i => $"{i} ")));
        using var compressed = new MemoryStream();
        using (var gzip = new System.IO.Compression.GZipStream(compressed, System.IO.Compression.CompressionLevel.Fastest, leaveOpen: true))
        {
            gzip.Write(bytes);
        }

        var body = new StreamContent(new MemoryStream(compressed.ToArray()));
        Answer put = await _server.PutAttachmentAsync("users/1", "a", body, "", ("Content-Encoding", "gzip"), ("Transfer-Encoding", "chunked"));
        Assert.Equal((201, AttachmentRequests.Sha256(bytes)), (put.Status, put.Json.GetProperty("Hash").GetString()));
        (await _server.PutAttachmentAsync("users/1", "b", "no gzip", "", ("Content-Encoding", "gzip"))).AssertProblem(400, "BadRequestException", "gzip");
        Assert.Equal("a", await _server.NamesAsync("users/1"));
    }

    [Fact]
    public async Task Statistics_CountAttachmentsAndContents()
    {
        await _server.PutAttachmentAsync("users/1", "a", "abc");
        await _server.PutAttachmentAsync("users/1", "b", "abc");
        await _server.PutAttachmentAsync("users/1", "c", "other");
        Assert.Equal((3, 2), await _server.CountAsync());
        string hash = Uri.EscapeDataString(AttachmentRequests.Sha256("abc"));
        Assert.Equal(2, (await _server.DbAsync("GET", $"/attachments/exists?hash={hash}")).Json.GetProperty("Count").GetInt32());
        Assert.Equal(2, (await _server.DbAsync("GET", $"/attachments/hash?hash={hash}")).Json.GetProperty("Count").GetInt32());
        string none = Uri.EscapeDataString(AttachmentRequests.Sha256("none"));
        Assert.Equal(0, (await _server.DbAsync("GET", $"/attachments/exists?hash={none}")).Json.GetProperty("Count").GetInt32());
        (await _server.DbAsync("GET", "/attachments/exists?hash=abc")).AssertProblem(400, "ArgumentException", "44 characters");
        (await _server.DbAsync("GET", "/attachments/exists")).AssertProblem(400, "", "hash");
    }

    [Fact]
    public async Task Bulk_GetsThoseThatThereAre_AndDeletesThem()
    {
        await _server.PutAsync("users/2", "{}");
        byte[] large = new byte[AttachmentLimits.ChunkBytes + 10];
        await _server.PutAttachmentAsync("users/1", "a", "abc");
        await _server.PutAttachmentAsync("users/2", "b", large);
        const string list =
            """{"Type":"Document","Attachments":[{"DocumentId":"users/2","Name":"b"},{"DocumentId":"users/1","Name":"none"},"""
            + """{"DocumentId":"Users/1","Name":"a"}]}""";
        using HttpResponseMessage response = await _server.Client.PostAsync(
            new Uri("/databases/db1/attachments/bulk", UriKind.Relative), new StringContent(list));
        byte[] body = await response.Content.ReadAsByteArrayAsync();
        string json = Encoding.UTF8.GetString(body.AsSpan(0, body.AsSpan().IndexOf("]}"u8) + 2));
        JsonElement[] found = [.. JsonDocument.Parse(json).RootElement.GetProperty("AttachmentsMetadata").EnumerateArray()];
        Assert.Equal(["b", "a"], found.Select(one => one.GetProperty("Name").GetString()));
        Assert.Equal([.. large, .. "abc"u8], body[json.Length..]);

        Assert.Equal(204, (await _server.DbAsync("DELETE", "/attachments/bulk", list)).Status);
        Assert.Equal((0, 0), await _server.CountAsync());
        Assert.Equal(204, (await _server.DbAsync("DELETE", "/attachments/bulk", """{"Attachments":[]}""")).Status);
        (await _server.DbAsync("DELETE", "/attachments/bulk", "{}")).AssertProblem(400, "BadRequestException", "Attachments");
        (await _server.DbAsync("POST", "/attachments/bulk", """{"Attachments":[1]}""")).AssertProblem(400, "BadRequestException", "Attachments");
        (await _server.DbAsync("POST", "/attachments/bulk", """{"Attachments":[{"DocumentId":"users/1"}]}""")).AssertProblem(400, "ArgumentException", "name");
        (await _server.DbAsync("POST", "/attachments/bulk", """{"Attachments":[{"Name":"a"}]}""")).AssertProblem(400, "ArgumentException", "id");
    }
}
