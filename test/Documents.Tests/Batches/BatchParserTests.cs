using System.Text;
using Jackdaw.Documents.Batches;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Tests.Parsing;
using Jackdaw.Json;
using Jackdaw.Server.Tests.Documents.Json;
using Jackdaw.Server.Tests.Documents.Storage;
using Jackdaw.TestKit;

namespace Jackdaw.Documents.Tests.Batches;

public sealed class BatchParserTests : IDisposable
{
    private readonly BatchParser _parser = new();
    private readonly ParsedBatch _batch = new();

    public void Dispose()
    {
        _parser.Dispose();
        _batch.Dispose();
    }

    [Fact]
    public void Parse_WhatASessionSends_GivesTheCommandsInOrder()
    {
        Parse("""
            {"Commands":[{"Id":"users/1-A","Document":{"name":"Ann",
               "@metadata":{"@collection":"Users","Raven-Node-Type":"User","@nested-object-types":{}}},"Type":"PUT"},
             {"Id":"Users/New1","ChangeVector":"","Document":{"a":[1]},"Type":"PUT"},
             {"Id":"users/9","ChangeVector":null,"Type":"DELETE"},
             {"Id":"users/7","ChangeVector":"A:3-x","OriginalChangeVector":"A:9-x","Type":"DELETE","Document":null}]}
            """);
        Assert.Equal(4, _batch.Count);
        AssertCommand(0, typeof(PutCommand), "users/1-A", null);
        Assert.Equal(
            """{"name":"Ann","@metadata":{"@collection":"Users","Raven-Node-Type":"User","@nested-object-types":{}}}""",
            Text(Put(0).Document.Bytes));
        Assert.Equal("Users", Text(Put(0).Document.Collection));
        Assert.Equal("users/1-a", Text(_batch[0].Key));
        AssertCommand(1, typeof(PutCommand), "Users/New1", "");
        Assert.Equal("""{"a":[1],"@metadata":{}}""", Text(Put(1).Document.Bytes));
        Assert.Equal((byte)'{', Put(1).Document.Bytes.Span[Put(1).Document.MetadataOffset]);
        AssertCommand(2, typeof(DeleteCommand), "users/9", null);
        AssertCommand(3, typeof(DeleteCommand), "users/7", "A:3-x");
    }

    [Theory]
    [InlineData("""{"TransactionMode":"SingleNode","Commands":[]}""")]
    [InlineData("""{"commands":[],"transactionmode":"singlenode"}""")]
    [InlineData("""{"Commands":[],"TransactionMode":null,"Other":[{"x":1}]}""")]
    [InlineData(""" { "C\u006fmmands" : [ ] } """)]
    public void Parse_EmptyBatch_IsAccepted(string body)
    {
        Parse(body);
        Assert.Equal(0, _batch.Count);
    }

    [Theory]
    [InlineData("""{"Type":"PUT","Id":"A","ChangeVector":"v","Document":{}}""")]
    [InlineData("""{"type":"put","id":"A","CHANGEVECTOR":"v","document":{}}""")]
    [InlineData("""{ "Document" : { }, "Other":{"Type":"X"}, "ChangeVector":"\u0076", "Id":"\u0041", "Type":"PUT" }""")]
    [InlineData("""{"ForceRevisionCreationStrategy":"None","Document":{},"Id":"A","ChangeVector":"v","Type":"PUT"}""")]
    public void Parse_MembersInAnyOrderAndCasing_GivesTheSame(string command)
    {
        Parse($$"""{"Commands":[{{command}}]}""");
        AssertCommand(0, typeof(PutCommand), "A", "v");
        Assert.Equal("""{"@metadata":{}}""", Text(Put(0).Document.Bytes));
    }

    [Theory]
    [InlineData("\"users/\"", DocumentIdKind.NumberedByServer)]
    [InlineData("\"users|\"", DocumentIdKind.Identity)]
    [InlineData("\"\"", DocumentIdKind.Generated)]
    [InlineData("null", DocumentIdKind.Generated)]
    public void Parse_IdThatTheServerCompletes_IsKnown(string id, DocumentIdKind expected)
    {
        Parse($$$"""{"Commands":[{"Id":{{{id}}},"Type":"PUT","Document":{}}]}""");
        Assert.Equal(expected, Put(0).IdKind);
        Parse("""{"Commands":[{"Type":"PUT","Document":{}}]}""");
        Assert.Equal(DocumentIdKind.Generated, Put(0).IdKind);
    }

    [Fact]
    public void Parse_TooManyCommands_IsRefused()
    {
        const string command = """{"Id":"a","Type":"DELETE"},""";
        string most = string.Concat(Enumerable.Repeat(command, ParsedBatch.CommandsMax));

        Parse($$"""{"Commands":[{{most.TrimEnd(',')}}]}""");
        Assert.Equal(ParsedBatch.CommandsMax, _batch.Count);
        DocumentFormatException refusal = Refusal($$"""{"Commands":[{{most}}{{command.TrimEnd(',')}}]}""");

        Assert.Equal(DocumentFormatError.TooLarge, refusal.Error);
        Assert.Contains("more than 500000 commands", refusal.Message, StringComparison.Ordinal);
        Assert.Equal(0, _batch.Count);
    }

    [Fact]
    public void Parse_TooManyMembers_IsRefused()
    {
        string members = string.Concat(Enumerable.Range(0, CommandParser.OtherMembersMax - 1).Select(i => $"\"m{i}\":0,"));
        Parse($$"""{"Commands":[{"Id":"a","Type":"DELETE",{{members}}"IdPrefixed":true}]}""");
        Assert.IsType<DeletePrefixCommand>(_batch[0]);

        DocumentFormatException refusal = Refusal($$"""{"Commands":[{"Id":"a","Type":"DELETE",{{members}}"x":0,"IdPrefixed":true}]}""");

        Assert.Equal(DocumentFormatError.TooLarge, refusal.Error);
        Assert.Contains("Command 0 has more than 256 members", refusal.Message, StringComparison.Ordinal);
    }

    /// <summary>The Type decides what a Document is, and may come after it.</summary>
    [Fact]
    public void Parse_DocumentOfACommandThatTakesNone_IsOnlyChecked()
    {
        Parse("""{"Commands":[{"Id":"a","Document":{"@metadata":1},"Type":"DELETE"},{"Type":"DELETE","Document":{"@metadata":1},"Id":"b"}]}""");

        AssertCommand(0, typeof(DeleteCommand), "a", null);
        AssertCommand(1, typeof(DeleteCommand), "b", null);
    }

    [Fact]
    public void Parse_OtherKindsAtTheSamePlaces_LeavesNothingOfTheFirst()
    {
        Parse("""{"Commands":[{"Id":"A","ChangeVector":"v","Type":"PUT","Document":{"x":1}},{"Id":"b","ChangeVector":"w","Type":"DELETE"}]}""");
        Parse("""{"Commands":[{"Id":"c","Type":"DELETE"},{"Id":"d","Type":"PUT","Document":{}}]}""");
        AssertCommand(0, typeof(DeleteCommand), "c", null);
        AssertCommand(1, typeof(PutCommand), "d", null);
        Parse("""{"Commands":[{"Id":"e","Type":"DELETE"},{"Type":"PUT","Document":{"y":2}}]}""");

        AssertCommand(0, typeof(DeleteCommand), "e", null);
        Assert.Equal(DocumentIdKind.Generated, Put(1).IdKind);
        Assert.Equal("""{"y":2,"@metadata":{}}""", Text(Put(1).Document.Bytes));
        _batch.Clear();
        Assert.Equal(0, _batch.Count);
    }

    [Fact]
    public void Parse_DeleteByPrefix_IsMarked()
    {
        Parse("""
            {"Commands":[{"Id":"Users/","IdPrefixed":true,"Type":"DELETE"},
             {"Id":"Users/","IdPrefixed":false,"Type":"DELETE"}]}
            """);
        Assert.IsType<DeletePrefixCommand>(_batch[0]);
        Assert.Equal("users/", Text(_batch[0].Key));
        Assert.IsType<DeleteCommand>(_batch[1]);
    }

    [Theory]
    [InlineData("TimeSeries")]
    [InlineData("TimeSeriesWithIncrements")]
    [InlineData("TimeSeriesCopy")]
    [InlineData("BatchTrackChanges")]
    public void Parse_KnownTypeWithoutSupport_NamesTypeAndCommand(string type)
    {
        DocumentFormatException refusal = Refusal(
            $$"""{"Commands":[{"Id":"a","Type":"DELETE"},{"Id":"b","Patch":{"Script":"x"},"Type":"{{type}}"}]}""");
        Assert.Equal(DocumentFormatError.NotSupportedYet, refusal.Error);
        Assert.Contains($"Command 1 has the type {type}, which this server does not support yet", refusal.Message,
            StringComparison.Ordinal);
        Assert.Contains("'Commands[1].Type'", refusal.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("", DocumentFormatError.UnexpectedEnd, "")]
    [InlineData("[]", DocumentFormatError.InvalidRequest, "must be an object")]
    [InlineData("{}", DocumentFormatError.InvalidRequest, "no Commands")]
    [InlineData("{\"Commands\":null}", DocumentFormatError.InvalidRequest, "Commands must be an array")]
    [InlineData("{\"Commands\":{}}", DocumentFormatError.InvalidRequest, "Commands must be an array")]
    [InlineData("{\"Commands\":[],\"commands\":[]}", DocumentFormatError.DuplicateName, "Commands")]
    [InlineData("{\"Commands\":[]}x", DocumentFormatError.Syntax, "end of the text")]
    [InlineData("{\"Commands\":[]", DocumentFormatError.UnexpectedEnd, "")]
    [InlineData("{\"Commands\":[", DocumentFormatError.UnexpectedEnd, "")]
    [InlineData("\uFEFF{\"Commands\":[]}", DocumentFormatError.ByteOrderMark, "byte order mark")]
    [InlineData("{\"Commands\":[],\"X\":{\"a\":1,\"a\":1}}", DocumentFormatError.DuplicateName, "'a'")]
    [InlineData("{\"Commands\":[],\"TransactionMode\":\"ClusterWide\"}", DocumentFormatError.InvalidRequest,
        "no commands")]
    [InlineData("{\"TransactionMode\":\"clusterwide\",\"Commands\":[]}", DocumentFormatError.InvalidRequest,
        "no commands")]
    [InlineData("{\"Commands\":[],\"TransactionMode\":\"Other\"}", DocumentFormatError.InvalidRequest,
        "TransactionMode")]
    [InlineData("{\"Commands\":[],\"TransactionMode\":1}", DocumentFormatError.InvalidRequest,
        "TransactionMode must be a string")]
    public void Parse_BadBody_IsRefused(string body, DocumentFormatError error, string message)
    {
        DocumentFormatException refusal = Refusal(body);
        Assert.Equal(error, refusal.Error);
        Assert.Contains(message, refusal.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("1", DocumentFormatError.InvalidRequest, "A command must be an object")]
    [InlineData("null", DocumentFormatError.InvalidRequest, "A command must be an object")]
    [InlineData("{}", DocumentFormatError.InvalidRequest, "Command 1 has no Type")]
    [InlineData("{\"Id\":\"a\",\"Type\":null}", DocumentFormatError.InvalidRequest, "no Type")]
    [InlineData("{\"Id\":\"a\",\"Type\":1}", DocumentFormatError.InvalidRequest, "Type must be a string")]
    [InlineData("{\"Id\":\"a\",\"Type\":\"SPLAT\"}", DocumentFormatError.InvalidRequest,
        "Command 1 has the type 'SPLAT'")]
    [InlineData("{\"Type\":\"HeartBeat\"}", DocumentFormatError.InvalidRequest, "HeartBeat")]
    [InlineData("{\"Id\":1,\"Type\":\"PUT\",\"Document\":{}}", DocumentFormatError.InvalidRequest,
        "Id must be a string")]
    [InlineData("{\"Id\":\"a\\u0000\",\"Type\":\"PUT\",\"Document\":{}}", DocumentFormatError.InvalidRequest, "NUL")]
    [InlineData("{\"Id\":\"a\",\"Id\":\"a\",\"Type\":\"DELETE\"}", DocumentFormatError.DuplicateName, "Id")]
    [InlineData("{\"Id\":\"a\",\"id\":\"a\",\"Type\":\"DELETE\"}", DocumentFormatError.DuplicateName, "Id")]
    [InlineData("{\"Id\":\"a\",\"Type\":\"PUT\"}", DocumentFormatError.InvalidRequest, "Document is missing")]
    [InlineData("{\"Id\":\"a\",\"Type\":\"PUT\",\"Document\":null}", DocumentFormatError.InvalidRequest,
        "Document is missing")]
    [InlineData("{\"Id\":\"a\",\"Type\":\"PUT\",\"Document\":[]}", DocumentFormatError.NotAnObject, "not an object")]
    [InlineData("{\"Id\":\"a\",\"Document\":\"x\",\"Type\":\"PUT\"}", DocumentFormatError.NotAnObject, "not an object")]
    [InlineData("{\"Id\":\"a\",\"Type\":\"PUT\",\"Document\":{\"b\":1,\"b\":2}}", DocumentFormatError.DuplicateName,
        "Commands[1].Document.b")]
    [InlineData("{\"Id\":\"a\",\"Type\":\"PUT\",\"Document\":{\"@metadata\":1}}", DocumentFormatError.InvalidMetadata,
        "@metadata")]
    [InlineData("{\"Id\":\"a\",\"Document\":{\"@metadata\":1},\"Type\":\"PUT\"}", DocumentFormatError.InvalidMetadata,
        "Commands[1].Document.@metadata")]
    [InlineData("{\"Id\":\"a\",\"Document\":{\"b\":1 2},\"Type\":\"DELETE\"}", DocumentFormatError.Syntax,
        "Commands[1].Document")]
    [InlineData("{\"Id\":\"a\",\"Type\":\"DELETE\",\"IdPrefixed\":true,\"idprefixed\":false}", DocumentFormatError.DuplicateName,
        "IdPrefixed")]
    [InlineData("{\"Id\":\"a\",\"Type\":\"DELETE\",\"ChangeVector\":1}", DocumentFormatError.InvalidRequest,
        "ChangeVector must be a string")]
    [InlineData("{\"Type\":\"DELETE\"}", DocumentFormatError.InvalidRequest, "id is empty")]
    [InlineData("{\"Id\":\"\",\"Type\":\"DELETE\",\"IdPrefixed\":true}", DocumentFormatError.InvalidRequest,
        "id is empty")]
    [InlineData("{\"Id\":\"a\",\"Type\":\"DELETE\",\"IdPrefixed\":\"yes\"}", DocumentFormatError.InvalidRequest,
        "IdPrefixed must be true or false")]
    [InlineData("{\"Id\":\"a\",\"Type\":\"PUT\",\"Document\":{},\"ForceRevisionCreationStrategy\":\"After\"}",
        DocumentFormatError.InvalidRequest, "neither None nor Before")]
    [InlineData("{\"Id\":\"a\",\"Type\":\"DELETE\",}", DocumentFormatError.Syntax, "name")]
    [InlineData("{\"Id\":\"\\uD800\",\"Type\":\"DELETE\"}", DocumentFormatError.InvalidEscape, "surrogate")]
    public void Parse_BadCommand_RefusesTheBatch(string command, DocumentFormatError error, string message)
    {
        DocumentFormatException refusal = Refusal($$"""{"Commands":[{"Id":"x","Type":"DELETE"},{{command}}]}""");
        Assert.Equal(error, refusal.Error);
        Assert.Contains(message, refusal.Message, StringComparison.Ordinal);
        Assert.Contains("Commands[1]", refusal.Message, StringComparison.Ordinal);
        Assert.Equal(0, _batch.Count);
    }

    [Theory]
    [InlineData(512, "", true)]
    [InlineData(513, "", false)]
    [InlineData(490, "/", true)]
    [InlineData(491, "/", false)]
    public void Parse_LongId_LeavesRoomForWhatTheServerAppends(int length, string end, bool isAllowed)
    {
        string id = new string('a', length) + end;
        string body = $$$"""{"Commands":[{"Id":"{{{id}}}","Type":"PUT","Document":{}}]}""";
        if (isAllowed)
        {
            Parse(body);
        }
        else
        {
            Assert.Contains("longer than 512", Refusal(body).Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Parse_ManyDocuments_MatchTheDocumentParser()
    {
        using var documents = new DocumentParser(StandardExtensions.All);
        int first = FuzzSeed.First;
        for (int seed = first; seed < first + FuzzSeed.Rounds(200); seed++)
        {
            var json = new RandomJson(new Random(seed));
            List<byte[]> sent = JsonOracle.Accepted(json, count: 20);
            IEnumerable<string> commands = sent.Select(document
                => $$"""{"Document":{{Encoding.UTF8.GetString(document)}},"Type":"PUT"}""");
            string body = $$"""{"Commands":[{{string.Join(',', commands)}}]}""";
            Parse(body);
            Assert.Equal(sent.Count, _batch.Count);
            for (int index = 0; index < sent.Count; index++)
            {
                ParsedDocument expected = documents.Parse(sent[index]);
                Assert.True(expected.Bytes.Span.SequenceEqual(Put(index).Document.Bytes.Span), $"seed {seed}");
                Assert.True(expected.Collection.Span.SequenceEqual(Put(index).Document.Collection.Span),
                    $"seed {seed}");
                Assert.Equal(expected.MetadataOffset, Put(index).Document.MetadataOffset);
            }
        }
    }

    [Fact]
    public void Parse_SameBatchAgain_AllocatesNothing()
    {
        string document = Encoding.UTF8.GetString(SampleDocuments.Compact(1000));
        string command = $$"""{"Id":"Orders/1-A","ChangeVector":"A:1-x","Document":{{document}},"Type":"PUT"}""";
        string commands = string.Join(',', Enumerable.Repeat(command, 10));
        byte[] body = Encoding.UTF8.GetBytes($$"""{"Commands":[{{commands}}]}""");
        long before = 0;
        for (int round = 0; round < 20; round++)
        {
            before = round == 10 ? GC.GetAllocatedBytesForCurrentThread() : before;
            _parser.Parse(body, _batch, Commands.Kinds.OfBatch);
        }
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.Equal(10, _batch.Count);
    }

    private void Parse(string body) => _parser.Parse(Encoding.UTF8.GetBytes(body), _batch, Commands.Kinds.OfBatch);

    private DocumentFormatException Refusal(string body) => Assert.Throws<DocumentFormatException>(() => Parse(body));

    // A change vector of null: none is demanded.
    private void AssertCommand(int index, Type kind, string id, string? changeVector)
    {
        var command = (KeyedCommand)_batch[index];
        Assert.Equal(kind, command.GetType());
        Assert.Equal(id, Text(command.Id));
        Assert.Equal(changeVector, command.HasChangeVector ? Text(command.ChangeVector) : null);
    }

    private PutCommand Put(int index) => Assert.IsType<PutCommand>(_batch[index]);

    private static string Text(ReadOnlyMemory<byte> bytes) => Encoding.UTF8.GetString(bytes.Span);
}
