using System.Buffers;
using System.Diagnostics;
using System.Text;
using Jackdaw.Documents.Batches;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Tests.Parsing;
using Jackdaw.Json;
using Jackdaw.Server.Tests.Documents.Json;
using Jackdaw.Server.Tests.Documents.Storage;
using Jackdaw.TestKit;

namespace Jackdaw.Documents.Tests.Batches;

public sealed class BulkInsertReaderTests
{
    private const string Body =
        "[{\"Id\":\"users/b1\",\"Type\":\"PUT\","
        + "\"Document\":{\"name\":\"A\\\"}]\\\\\",\"n\":[[{}]],\"@metadata\":{\"@collection\":\"Users\"}}},"
        + "{\"Type\":\"HeartBeat\"}, {\"Document\":{\"x\":\"tab\there\"},\"Type\":\"PUT\",\"Id\":\"raw\tid\"} ,"
        + "{\"Id\":null,\"Type\":\"PUT\","
        + "\"Document\":{\"long\":\"0123456789012345678901234567890123456789{[0123456789012345678901234567890\"}}]";

    private static readonly string[] s_expected =
    [
        "users/b1 = {\"name\":\"A\\\"}]\\\\\",\"n\":[[{}]],\"@metadata\":{\"@collection\":\"Users\"}}",
        "raw\tid = {\"x\":\"tab\\there\",\"@metadata\":{}}",
        " = {\"long\":\"0123456789012345678901234567890123456789{[0123456789012345678901234567890\","
            + "\"@metadata\":{}}",
    ];

    [Fact]
    public void Read_WholeBody_GivesItsCommands()
    {
        var input = new ReadOnlySequence<byte>(Encoding.UTF8.GetBytes(Body));
        Assert.Equal(s_expected, ReadAll([input], out long commandsRead));
        Assert.Equal(4, commandsRead);
    }

    [Fact]
    public void Read_SplitAnywhere_GivesTheSame()
    {
        byte[] body = Encoding.UTF8.GetBytes(Body);
        for (int split = 0; split <= body.Length; split++)
        {
            Assert.Equal(s_expected, ReadAll([new(body, 0, split), new(body, split, body.Length - split)], out _));
            Assert.Equal(s_expected, ReadAll([Sequences.Split(body, split)], out _));
            int second = (split + body.Length) / 2;
            Assert.Equal(s_expected, ReadAll([Sequences.Split(body, split, second)], out _));
        }
    }

    [Fact]
    public void Read_ByteByByte_GivesTheSame()
    {
        byte[] body = Encoding.UTF8.GetBytes(Body);
        Assert.Equal(s_expected, ReadAll(Bytes(body), out _));
    }

    [Fact]
    public void Read_RandomDocumentsInRandomPieces_MatchTheDocumentParser()
    {
        using var documents = new DocumentParser(StandardExtensions.All);
        int first = FuzzSeed.First;
        for (int seed = first; seed < first + FuzzSeed.Rounds(300); seed++)
        {
            var random = new Random(seed);
            var json = new RandomJson(random);
            List<byte[]> sent = JsonOracle.Accepted(json, count: 10);
            string[] expected = [.. sent.Select((document, index)
                => $"{index} = {Encoding.UTF8.GetString(documents.Parse(document).Bytes.Span)}")];
            byte[] body = Encoding.UTF8.GetBytes($"[{string.Join(',', sent.Select((document, index)
                => $$"""{"Id":"{{index}}","Type":"PUT","Document":{{Encoding.UTF8.GetString(document)}}}"""))}]");
            string[] actual = ReadAll(Pieces(body, random), out _);
            Assert.True(expected.SequenceEqual(actual), $"seed {seed}");
        }
    }

    [Fact]
    public void Read_ClosingBracket_EndsWithoutTheEndOfTheStream()
    {
        using var reader = new BulkInsertReader(Commands.Kinds.OfBulkInsert);
        using var batch = new ParsedBatch();
        var input = new ReadOnlySequence<byte>("[]rest"u8.ToArray());
        Assert.Equal(BulkInsertProgress.Ended, reader.Read(ref input, batch));
        Assert.Equal("rest", Encoding.UTF8.GetString(input));
        Assert.Equal(BulkInsertProgress.Ended, reader.Read(ref input, batch));
        reader.ExpectEnded();
    }

    [Fact]
    public void Read_Command_LeavesWhatFollowsAndKeepsEarlierCommands()
    {
        using var reader = new BulkInsertReader(Commands.Kinds.OfBulkInsert);
        using var batch = new ParsedBatch();
        var input = new ReadOnlySequence<byte>(Encoding.UTF8.GetBytes(Body));
        Assert.Equal(BulkInsertProgress.Command, reader.Read(ref input, batch));
        Assert.StartsWith(",{\"Type\":\"HeartBeat\"}", Encoding.UTF8.GetString(input), StringComparison.Ordinal);
        Assert.Equal(BulkInsertProgress.Command, reader.Read(ref input, batch));
        Assert.Equal(2, batch.Count);
        Assert.Equal("users/b1", Encoding.UTF8.GetString(batch[0].Id.Span));
        batch.Clear();
        Assert.Equal(BulkInsertProgress.Command, reader.Read(ref input, batch));
        Assert.Equal(1, batch.Count);
        Assert.Equal(BulkInsertProgress.Ended, reader.Read(ref input, batch));
    }

    [Theory]
    [InlineData("")]
    [InlineData(" ")]
    [InlineData("[")]
    [InlineData("[{\"Id\":\"a\"")]
    [InlineData("[{\"Id\":\"a\",\"Type\":\"PUT\",\"Document\":{}}")]
    [InlineData("[{\"Id\":\"a\",\"Type\":\"PUT\",\"Document\":{}},")]
    public void ExpectEnded_BeforeTheBracket_Refuses(string body)
    {
        using var reader = new BulkInsertReader(Commands.Kinds.OfBulkInsert);
        using var batch = new ParsedBatch();
        var input = new ReadOnlySequence<byte>(Encoding.UTF8.GetBytes(body));
        while (reader.Read(ref input, batch) == BulkInsertProgress.Command)
        {
        }
        Assert.True(input.IsEmpty);
        Assert.Equal(DocumentFormatError.UnexpectedEnd,
            Assert.Throws<DocumentFormatException>(reader.ExpectEnded).Error);
    }

    [Theory]
    [InlineData("{", DocumentFormatError.Syntax, "'['")]
    [InlineData("\uFEFF[", DocumentFormatError.ByteOrderMark, "byte order mark")]
    [InlineData("[1]", DocumentFormatError.Syntax, "'{' or ']'")]
    [InlineData("[,", DocumentFormatError.Syntax, "'{' or ']'")]
    [InlineData("[{\"Type\":\"HeartBeat\"},]", DocumentFormatError.Syntax, "after 1 commands")]
    [InlineData("[{\"Type\":\"HeartBeat\"}{", DocumentFormatError.Syntax, "',' or ']'")]
    [InlineData("[{\"Type\":\"HeartBeat\"},{]}", DocumentFormatError.Syntax, "Command 1")]
    [InlineData("[{\"Id\":\"a\",\"Type\":\"PUT\",\"Document\":{]}}", DocumentFormatError.Syntax, "path 'Document'")]
    [InlineData("[{\"Id\":\"a\",\"Type\":\"PUT\",\"Document\":[]}", DocumentFormatError.NotAnObject, "Command 0")]
    [InlineData("[{\"Id\":\"a\",\"Type\":\"PUT\"}", DocumentFormatError.InvalidRequest, "Document is missing")]
    [InlineData("[{\"Id\":\"a\",\"Type\":\"PUT\",\"Document\":{\"a\":1,\"a\":2}}", DocumentFormatError.DuplicateName,
        "'a'")]
    [InlineData("[{\"Id\":\"a\",\"Type\":\"DELETE\"}", DocumentFormatError.InvalidRequest,
        "not a command of a bulk insert")]
    [InlineData("[{\"Id\":\"a\",\"Type\":\"Counters\",\"Counters\":{}}", DocumentFormatError.InvalidRequest,
        "Counters have no Operations")]
    [InlineData("[{\"Id\":\"a\",\"Type\":\"TimeSeriesBulkInsert\",\"TimeSeries\":{}}",
        DocumentFormatError.NotSupportedYet, "TimeSeriesBulkInsert")]
    [InlineData("[{\"Id\":\"a\",\"Type\":\"AttachmentPUT\",\"Name\":\"f\"}{\"[,{", DocumentFormatError.InvalidRequest, "ContentLength")]
    public void Read_BadBody_IsRefusedHoweverItArrives(string text, DocumentFormatError error, string message)
    {
        byte[] body = Encoding.UTF8.GetBytes(text);
        DocumentFormatException whole = Refusal([new ReadOnlySequence<byte>(body)]);
        DocumentFormatException bytewise = Refusal(Bytes(body));
        Assert.Equal(error, whole.Error);
        Assert.Contains(message, whole.Message, StringComparison.Ordinal);
        Assert.Equal(whole.Message, bytewise.Message);
    }

    [Fact]
    public void Read_BadCommandLate_SaysWhereInTheStream()
    {
        byte[] body = "[{\"Type\":\"HeartBeat\"}, {\"Type\":7}]"u8.ToArray();
        DocumentFormatException refusal = Refusal([new ReadOnlySequence<byte>(body)]);
        Assert.Equal(31, refusal.Location.Offset);
        Assert.Contains("Command 1 of the bulk insert", refusal.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Read_AfterRefusal_CannotGoOn()
    {
        using var reader = new BulkInsertReader(Commands.Kinds.OfBulkInsert);
        using var batch = new ParsedBatch();
        var input = new ReadOnlySequence<byte>("{"u8.ToArray());
        Assert.Throws<DocumentFormatException>(() => reader.Read(ref input, batch));
        Assert.Throws<InvalidOperationException>(() => reader.Read(ref input, batch));
    }

    [Fact]
    public void Read_CommandWithoutEnd_IsBounded()
    {
        using var reader = new BulkInsertReader(Commands.Kinds.OfBulkInsert);
        using var batch = new ParsedBatch();
        byte[] piece = new byte[4 * 1024 * 1024];
        piece.AsSpan().Fill((byte)'x');
        var input = new ReadOnlySequence<byte>("[{\"Id\":\""u8.ToArray());
        Assert.Equal(BulkInsertProgress.NeedsMore, reader.Read(ref input, batch));
        DocumentFormatException refusal = Assert.Throws<DocumentFormatException>(() =>
        {
            for (int count = 0; count < 20; count++)
            {
                input = new ReadOnlySequence<byte>(piece);
                reader.Read(ref input, batch);
            }
        });
        Assert.Equal(DocumentFormatError.TooLarge, refusal.Error);
    }

    [Fact]
    public void Read_OneMegabyteByteByByte_IsLinear()
    {
        byte[] body = [.. "[{\"Id\":\"a\",\"Type\":\"PUT\",\"Document\":{\"t\":\""u8,
            .. Encoding.ASCII.GetBytes(new string('x', 1024 * 1024)), .. "\"}}]"u8];
        long start = Stopwatch.GetTimestamp();
        ReadAll(Bytes(body), out _);
        // A rescan from the command's start would look at 500 GB; far more than this bound even on a fast machine.
        Assert.True(Stopwatch.GetElapsedTime(start) < TimeSpan.FromSeconds(60));
    }

    [Fact]
    public void Read_UsualCommands_AllocateNothing()
    {
        using var batch = new ParsedBatch();
        using var reader = new BulkInsertReader(Commands.Kinds.OfBulkInsert);
        string document = Encoding.UTF8.GetString(SampleDocuments.Compact(1000));
        string command = $$"""{"Id":"orders/1","Type":"PUT","Document":{{document}}}""";
        byte[] body = Encoding.UTF8.GetBytes($"[{string.Join(',', Enumerable.Repeat(command, 20))}]");
        var input = new ReadOnlySequence<byte>(body);
        long before = 0;
        int read = 0;
        for (int round = 0; round < 20; round++)
        {
            before = round == 10 ? GC.GetAllocatedBytesForCurrentThread() : before;
            read += reader.Read(ref input, batch) == BulkInsertProgress.Command ? batch.Count : 0;
            batch.Clear();
        }
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.Equal(20, read);
    }

    private static string[] ReadAll(IEnumerable<ReadOnlySequence<byte>> pieces, out long commandsRead)
    {
        using var reader = new BulkInsertReader(Commands.Kinds.OfBulkInsert);
        using var batch = new ParsedBatch();
        BulkInsertProgress progress = BulkInsertProgress.NeedsMore;
        foreach (ReadOnlySequence<byte> piece in pieces)
        {
            ReadOnlySequence<byte> input = piece;
            do
            {
                progress = reader.Read(ref input, batch);
            }
            while (progress == BulkInsertProgress.Command);
            Assert.True(input.IsEmpty);
        }
        Assert.Equal(BulkInsertProgress.Ended, progress);
        commandsRead = reader.CommandsRead;
        return [.. Enumerable.Range(0, batch.Count).Select(index =>
            $"{Text(batch[index].Id)} = {Text(((PutCommand)batch[index]).Document.Bytes)}")];
    }

    private static string Text(ReadOnlyMemory<byte> bytes) => Encoding.UTF8.GetString(bytes.Span);

    private static DocumentFormatException Refusal(IEnumerable<ReadOnlySequence<byte>> pieces)
        => Assert.Throws<DocumentFormatException>(() => ReadAll(pieces, out _));

    private static IEnumerable<ReadOnlySequence<byte>> Bytes(byte[] body)
        => body.Select((_, index) => new ReadOnlySequence<byte>(body, index, 1));

    private static IEnumerable<ReadOnlySequence<byte>> Pieces(byte[] body, Random random)
    {
        for (int start = 0; start < body.Length;)
        {
            int length = Math.Min(random.Next(1, random.Next(4) == 0 ? 500 : 40), body.Length - start);
            yield return new ReadOnlySequence<byte>(body, start, length);
            start += length;
        }
    }
}
