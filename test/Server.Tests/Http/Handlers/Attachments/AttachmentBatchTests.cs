using System.Globalization;
using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Attachments;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Attachments;

/// <summary>Attachments in bulk_docs and bulk_insert.</summary>
public sealed class AttachmentBatchTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await _server.PutAsync("users/1", """{"@metadata":{"@collection":"Users"}}""");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("mixed")]
    [InlineData("form-data")]
    public async Task Batch_PutsADocumentAndItsAttachments_AnswersTheVersionOfTheDocument(string kind)
    {
        byte[] large = new byte[(2 * AttachmentLimits.ChunkBytes) + 3];
        new Random(1).NextBytes(large);
        Answer answer = await _server.DbAsync("POST", "/bulk_docs", AttachmentRequests.Multipart(
            kind,
            """
            {"Id":"users/2","Document":{"Name":"Bob","@metadata":{"@collection":"Users"}},"Type":"PUT"},
            {"Id":"users/2","Name":"a.txt","ContentType":"text/plain","ChangeVector":null,"Type":"AttachmentPUT"},
            {"Id":"Users/2","Name":"large","Type":"AttachmentPUT"},
            {"Id":"users/1","Name":"none","Type":"AttachmentDELETE"}
            """,
            "abc"u8.ToArray(), large));
        Assert.True(answer.Status == 201, answer.Text);
        JsonElement[] results = [.. answer.Json.GetProperty("Results").EnumerateArray()];
        string version = await _server.VersionAsync("users/2");
        Assert.Equal("AttachmentPUT", results[1].GetProperty("Type").GetString());
        Assert.Equal(("users/2", "a.txt", "text/plain", 3, AttachmentRequests.Sha256("abc")), (
            results[1].GetProperty("Id").GetString(), results[1].GetProperty("Name").GetString(), results[1].GetProperty("ContentType").GetString(),
            results[1].GetProperty("Size").GetInt32(), results[1].GetProperty("Hash").GetString()));
        Assert.Equal(version, results[1].GetProperty("DocumentChangeVector").GetString());
        Assert.Equal(version, results[2].GetProperty("DocumentChangeVector").GetString());
        Assert.Equal("", results[2].GetProperty("ContentType").GetString());
        Assert.NotEqual(version, results[2].GetProperty("ChangeVector").GetString());
        Assert.Equal(("AttachmentDELETE", "users/1"), (results[3].GetProperty("Type").GetString(), results[3].GetProperty("@id").GetString()));
        Assert.Equal(await _server.VersionAsync("users/1"), results[3].GetProperty("DocumentChangeVector").GetString());
        Assert.True((await _server.GetBytesAsync("users/2", "large")).Bytes.AsSpan().SequenceEqual(large));
        Assert.Equal("a.txt,large", await _server.NamesAsync("users/2"));
    }

    [Fact]
    public async Task Batch_ManyContents_StayWithinWhatMayBeInMemory()
    {
        byte[][] contents = [.. Enumerable.Range(0, 12).Select(i => Enumerable.Repeat((byte)i, AttachmentLimits.ChunkBytes - i).ToArray())];
        string commands = string.Join(',', contents.Select((_, i) => $$"""{"Id":"users/1","Name":"{{i:D2}}","Type":"AttachmentPUT"}"""));
        Answer answer = await _server.DbAsync("POST", "/bulk_docs", AttachmentRequests.Multipart(commands, contents));
        Assert.True(answer.Status == 201, answer.Text);
        for (int i = 0; i < contents.Length; i++)
        {
            Assert.True((await _server.GetBytesAsync("users/1", i.ToString("D2", CultureInfo.InvariantCulture))).Bytes.AsSpan().SequenceEqual(contents[i]));
        }

        Assert.InRange(_server.Probe.Batches, 9, 11); // the document, the chunks that did not fit, the batch
    }

    /// <summary>Shown names are escaped, so that each takes 3 KB: the limit is 8 MB.</summary>
    [Theory]
    [InlineData(2_800, 400)]
    [InlineData(2, 201)]
    public async Task Batch_WithManyCopies_IsBoundByWhatItsDocumentWouldShow(int names, int status)
    {
        await _server.PutAttachmentAsync("users/1", "a", "abc");
        string name = string.Concat(Enumerable.Repeat("\\u0001", 500));
        Answer answer = await BatchAsync([.. Enumerable.Range(0, 2_800).SelectMany(i => (string[])
        [
            $$"""{"Id":"users/1","Name":"{{name}}{{i % names}}","Type":"AttachmentDELETE"}""",
            $$"""{"Id":"users/1","Name":"a","DestinationId":"users/1","DestinationName":"{{name}}{{i % names}}","Type":"AttachmentCOPY"}""",
        ])]);
        Assert.True(answer.Status == status, answer.Text[..Math.Min(answer.Text.Length, 1_000)]);
        if (status != 201)
        {
            answer.AssertProblem(400, "InvalidOperationException", "as many attachments as it may");
        }

        Assert.Equal((status == 201 ? names + 1 : 1, 1), await _server.CountAsync());
    }

    [Fact]
    public async Task Batch_CopiesAndMoves_AnswersBothDocuments()
    {
        await _server.PutAsync("users/2", "{}");
        await _server.PutAttachmentAsync("users/1", "a", "abc", "&contentType=text%2Fplain");
        Answer answer = await BatchAsync(
            """{"Id":"users/1","Name":"a","DestinationId":"users/2","DestinationName":"B","Type":"AttachmentCOPY"}""",
            """{"Id":"users/1","Name":"a","DestinationId":"Users/1","DestinationName":"c","Type":"AttachmentMOVE"}""");
        Assert.True(answer.Status == 201, answer.Text);
        JsonElement copied = answer.Json.GetProperty("Results")[0];
        JsonElement moved = answer.Json.GetProperty("Results")[1];
        string hash = AttachmentRequests.Sha256("abc");
        Assert.Equal(
            ("users/2", "B", hash, "text/plain", 3, await _server.VersionAsync("users/2")),
            (copied.GetProperty("Id").GetString(), copied.GetProperty("Name").GetString(), copied.GetProperty("Hash").GetString(),
                copied.GetProperty("ContentType").GetString(), copied.GetProperty("Size").GetInt32(), copied.GetProperty("DocumentChangeVector").GetString()));
        string version = await _server.VersionAsync("users/1");
        Assert.Equal(
            ("users/1", "a", "Users/1", "c", hash, version, version),
            (moved.GetProperty("Id").GetString(), moved.GetProperty("Name").GetString(), moved.GetProperty("DestinationId").GetString(),
                moved.GetProperty("DestinationName").GetString(), moved.GetProperty("Hash").GetString(),
                moved.GetProperty("DocumentChangeVector").GetString(), moved.GetProperty("DestinationDocumentChangeVector").GetString()));
        Assert.Equal(("c", "B"), (await _server.NamesAsync("users/1"), await _server.NamesAsync("users/2")));
        Assert.Equal((2, 1), await _server.CountAsync());

        // Onto itself, in another spelling.
        Assert.Equal(201, (await BatchAsync("""{"Id":"users/1","Name":"c","DestinationId":"users/1","DestinationName":"C","Type":"AttachmentMOVE"}""")).Status);
        Assert.Equal("C", await _server.NamesAsync("users/1"));
    }

    [Theory]
    [InlineData("COPY", "users/2", "G1", "other")]
    [InlineData("COPY", "users/2", "g1", "abc")]
    [InlineData("COPY", "users/1", "b", "other")]
    [InlineData("COPY", "Users/1", "A", "abc")]
    [InlineData("MOVE", "users/2", "g1", "other")]
    [InlineData("MOVE", "users/2", "G1", "abc")]
    [InlineData("MOVE", "users/1", "b", "other")]
    public async Task Batch_TransfersOntoAnAttachment_IsAConflictAndWritesNothing(string kind, string toId, string toName, string content)
    {
        await _server.PutAsync("users/2", "{}");
        await _server.PutAttachmentAsync("users/1", "a", "abc");
        await _server.PutAttachmentAsync("users/1", "b", content);
        await _server.PutAttachmentAsync("users/2", "g1", content);
        Answer answer = await BatchAsync(
            """{"Id":"users/7","Document":{},"Type":"PUT"}""",
            $$"""{"Id":"users/1","Name":"a","DestinationId":"{{toId}}","DestinationName":"{{toName}}","Type":"Attachment{{kind}}"}""");
        answer.AssertProblem(409, "ConcurrencyException", toId, toName);
        Assert.Equal(404, (await _server.DbAsync("GET", "/docs?id=users/7")).Status);
        Assert.Equal(("a,b", "g1"), (await _server.NamesAsync("users/1"), await _server.NamesAsync("users/2")));
        Assert.Equal("abc", Encoding.UTF8.GetString((await _server.GetBytesAsync("users/1", "a")).Bytes));
        Assert.Equal(content, Encoding.UTF8.GetString((await _server.GetBytesAsync("users/2", "g1")).Bytes));

        // A place that the same batch frees is free.
        Answer freed = await BatchAsync(
            $$"""{"Id":"{{toId}}","Name":"{{toName}}","Type":"AttachmentDELETE"}""",
            $$"""{"Id":"users/1","Name":"b","DestinationId":"{{toId}}","DestinationName":"{{toName}}","Type":"Attachment{{kind}}"}""");
        Assert.Equal(toName.Equals("b", StringComparison.Ordinal) ? 500 : 201, freed.Status);
    }

    [Theory]
    [InlineData("""{"Id":"users/1","Name":"x","ToId":"users/1","ToName":"b","Type":"AttachmentCOPY"}""", 500, "AttachmentDoesNotExistException", "'x'")]
    [InlineData("""{"Id":"users/1","Name":"x","ToId":"users/1","ToName":"b","Type":"AttachmentMOVE"}""", 500, "AttachmentDoesNotExistException", "'x'")]
    [InlineData("""{"Id":"users/9","Name":"x","ToId":"users/1","ToName":"b","Type":"AttachmentMOVE"}""", 500, "DocumentDoesNotExistException", "users/9")]
    [InlineData("""{"Id":"users/1","Name":"a","ToId":"users/9","ToName":"b","Type":"AttachmentMOVE"}""", 500, "DocumentDoesNotExistException", "users/9")]
    [InlineData("""{"Id":"users/1","Name":"a","ToId":"users/1","ToName":"","Type":"AttachmentMOVE"}""", 400, "BadRequestException", "DestinationName")]
    [InlineData("""{"Id":"users/1","Name":"a","ToName":"b","Type":"AttachmentCOPY"}""", 400, "BadRequestException", "DestinationId")]
    [InlineData("""{"Id":"users/1","Type":"AttachmentDELETE"}""", 400, "BadRequestException", "Name")]
    [InlineData("""{"Name":"a","Type":"AttachmentDELETE"}""", 400, "BadRequestException", "id is empty")]
    [InlineData("""{"Id":"users/1","Name":"a","ChangeVector":"A:1-x","Type":"AttachmentDELETE"}""", 409, "ConcurrencyException", "'a'")]
    [InlineData("""{"Id":"users/1","Name":"b","ChangeVector":"A:1-x","Type":"AttachmentDELETE"}""", 409, "ConcurrencyException", "does not exist")]
    [InlineData("""{"Id":"users/1","Name":"a","ChangeVector":"","Type":"AttachmentDELETE"}""", 409, "ConcurrencyException", "that it does not exist")]
    [InlineData("""{"Id":"users/1","Name":"a","Type":"AttachmentPUT"}""", 400, "BadRequestException", "multipart")]
    [InlineData("""{"Id":"users/1","Name":"a","AttachmentType":"Revision","Type":"AttachmentCOPY"}""", 501, "Exception", "revisions")]
    public async Task Batch_ThatCannotBe_SaysWhyAndWritesNothing(string command, int status, string type, string reason)
    {
        await _server.PutAttachmentAsync("users/1", "a", "abc");
        string version = await _server.VersionAsync("users/1");
        command = command.Replace("\"To", "\"Destination", StringComparison.Ordinal);
        Answer answer = await BatchAsync("""{"Id":"users/7","Document":{},"Type":"PUT"}""", command);
        answer.AssertProblem(status, type, reason);
        Assert.Equal(404, (await _server.DbAsync("GET", "/docs?id=users/7")).Status);
        Assert.Equal(version, await _server.VersionAsync("users/1"));
    }

    [Fact]
    public async Task Multipart_ThatDoesNotFitItsCommands_SaysWhy()
    {
        const string put = """{"Id":"users/1","Name":"a","Type":"AttachmentPUT"}""";
        (await PostAsync(put)).AssertProblem(400, "BadRequestException", "command 0", "only 0 parts");
        (await PostAsync($"{put},{put}", [1])).AssertProblem(400, "BadRequestException", "command 1", "only 1 parts");
        (await PostAsync(put, [1], [2])).AssertProblem(400, "BadRequestException", "more parts");
        (await PostRawAsync("multipart/mixed", "x")).AssertProblem(400, "BadRequestException", "boundary");
        (await PostRawAsync("multipart/mixed; boundary=b", "no part at all")).AssertProblem(400, "BadRequestException", "multipart");
        string main = $"--b\r\nContent-Type: application/json\r\n\r\n{{\"Commands\":[{put}]}}\r\n--b\r\n\r\nthe content stops here";
        (await PostRawAsync("multipart/mixed; boundary=b", main)).AssertProblem(400, "BadRequestException", "cannot be read");
        (await PostRawAsync("multipart/mixed; boundary=b", "--b\r\n\r\nno json\r\n--b--\r\n")).AssertProblem(400, "BadRequestException");
        (await PostRawAsync("multipart/mixed; boundary=b", "--b\r\nContent-Encoding: gzip\r\n\r\nno gzip\r\n--b--\r\n"))
            .AssertProblem(400, "BadRequestException");
        Assert.Equal((0, 0), await _server.CountAsync());
    }

    [Fact]
    public async Task Multipart_WithACompressedFirstPart_IsRead()
    {
        using var compressed = new MemoryStream();
        using (var gzip = new System.IO.Compression.GZipStream(compressed, System.IO.Compression.CompressionLevel.Fastest, leaveOpen: true))
        {
            gzip.Write("""{"Commands":[{"Id":"users/1","Name":"a","Type":"AttachmentPUT"}]}"""u8);
        }

        var main = new ByteArrayContent(compressed.ToArray());
        main.Headers.TryAddWithoutValidation("Content-Encoding", "gzip");
        Answer answer = await _server.DbAsync("POST", "/bulk_docs", new MultipartContent("mixed") { main, new ByteArrayContent([1, 2]) });
        Assert.True(answer.Status == 201, answer.Text);
        Assert.Equal([1, 2], (await _server.GetBytesAsync("users/1", "a")).Bytes);
    }

    [Fact]
    public async Task Batch_PatchesBesideAttachments_IsOneTransaction()
    {
        Answer answer = await _server.DbAsync("POST", "/bulk_docs", AttachmentRequests.Multipart(
            """
            {"Id":"users/1","Patch":{"Script":"this.Seen = true"},"Type":"PATCH"},
            {"Id":"users/1","Name":"a","Type":"AttachmentPUT"}
            """,
            [1]));
        Assert.True(answer.Status == 201, answer.Text);
        Assert.True((await _server.DbAsync("GET", "/docs?id=users/1")).Json.GetProperty("Results")[0].GetProperty("Seen").GetBoolean());
        Assert.Equal("a", await _server.NamesAsync("users/1"));
        await _server.DbAsync("PATCH", "/docs?id=users/1", """{"Patch":{"Script":"this.Count = getMetadata(this)['@attachments'].length"}}""");
        Assert.Equal(1, (await _server.DbAsync("GET", "/docs?id=users/1")).Json.GetProperty("Results")[0].GetProperty("Count").GetInt32());
        Assert.Equal("a", await _server.NamesAsync("users/1"));
    }

    [Theory]
    [InlineData(int.MaxValue)]
    [InlineData(1000)]
    [InlineData(7)]
    public async Task BulkInsert_WithContents_StoresThem(int piece)
    {
        byte[] large = new byte[piece < 1000 ? 3000 : (2 * AttachmentLimits.ChunkBytes) + 5];
        new Random(2).NextBytes(large);
        byte[] body =
        [
            .. """[{"Id":"p/1","Type":"PUT","Document":{}},"""u8,
            .. """{"Id":"p/1","Type":"AttachmentPUT","Name":"}]\"","ContentType":"a/b","ContentLength":3}"""u8, .. "}]{"u8,
            .. ""","""u8, .. """{"Type":"HeartBeat"},{"Id":"p/1","Type":"AttachmentPUT","Name":"empty","ContentLength":0},"""u8,
            .. Encoding.UTF8.GetBytes($$"""{"Id":"P/1","Type":"AttachmentPUT","Name":"large","ContentLength":{{large.Length}}}"""), .. large,
            .. """,{"Id":"p/2","Type":"PUT","Document":{}}]"""u8,
        ];
        Answer answer = await _server.DbAsync("POST", "/bulk_insert?id=5", new StreamContent(new PiecewiseStream(body, piece)));
        Assert.True(answer.Status == 201, answer.Text);
        Assert.Equal("}]{", Encoding.UTF8.GetString((await _server.GetBytesAsync("p/1", "%7D]%22")).Bytes));
        Assert.Empty((await _server.GetBytesAsync("p/1", "empty")).Bytes);
        Assert.True((await _server.GetBytesAsync("p/1", "large")).Bytes.AsSpan().SequenceEqual(large));
        Assert.Equal(200, (await _server.DbAsync("GET", "/docs?id=p/2")).Status);
        JsonElement result = (await _server.DbAsync("GET", "/operations/state?id=5")).Json.GetProperty("Result");
        Assert.Equal((2, 3, 5), (Count("DocumentsProcessed"), Count("AttachmentsProcessed"), Count("Total")));

        int Count(string name) => result.GetProperty(name).GetInt32();
    }

    [Theory]
    [InlineData("""[{"Id":"users/1","Type":"AttachmentPUT","Name":"a"}]""", 400, "BadRequestException", "ContentLength")]
    [InlineData("""[{"Id":"users/1","Type":"AttachmentPUT","Name":"a","ContentLength":-1}]""", 400, "BadRequestException", "0 or more")]
    [InlineData("""[{"Id":"users/1","Type":"AttachmentPUT","Name":"a","ContentLength":2147483649}]""", 413, "BadRequestException", "2147483649")]
    [InlineData("""[{"Id":"users/1","Type":"AttachmentPUT","Name":"a","ContentLength":9}abc""", 400, "BadRequestException", "ends before")]
    [InlineData("""[{"Id":"users/1","Type":"AttachmentPUT","Name":"a","ContentLength":1}abc]""", 400, "BadRequestException", "'b'")]
    [InlineData("""[{"Id":"users/9","Type":"AttachmentPUT","Name":"a","ContentLength":1}a]""", 500, "DocumentDoesNotExistException", "users/9")]
    [InlineData("""[{"Id":"users/1","Type":"AttachmentPUT","Name":"","ContentLength":1}a]""", 400, "BadRequestException", "Name")]
    public async Task BulkInsert_ThatCannotBe_SaysWhy(string body, int status, string type, string reason)
    {
        (await _server.DbAsync("POST", "/bulk_insert", body)).AssertProblem(status, type, reason);
        Assert.Equal((0, 0), await _server.CountAsync());
        Assert.Equal(0, _server.Database.ContentHolds.Count);
    }

    private Task<Answer> PostAsync(string commands, params byte[][] contents) =>
        _server.DbAsync("POST", "/bulk_docs", AttachmentRequests.Multipart(commands, contents));

    private Task<Answer> BatchAsync(params string[] commands) =>
        _server.DbAsync("POST", "/bulk_docs", $$"""{"Commands":[{{string.Join(',', commands)}}]}""");

    private Task<Answer> PostRawAsync(string contentType, string body)
    {
        var content = new ByteArrayContent(Encoding.UTF8.GetBytes(body));
        content.Headers.TryAddWithoutValidation("Content-Type", contentType);
        return _server.DbAsync("POST", "/bulk_docs", content);
    }

    /// <summary>Gives its bytes in small pieces.</summary>
    private sealed class PiecewiseStream(byte[] bytes, int piece) : MemoryStream(bytes)
    {
        public override int Read(Span<byte> buffer) => base.Read(buffer[..Math.Min(buffer.Length, piece)]);

        public override int Read(byte[] buffer, int offset, int count) => base.Read(buffer, offset, Math.Min(count, piece));

        public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
            base.ReadAsync(buffer, offset, Math.Min(count, piece), cancellationToken);

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
            base.ReadAsync(buffer[..Math.Min(buffer.Length, piece)], cancellationToken);
    }
}
