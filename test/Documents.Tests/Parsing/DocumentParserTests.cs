using System.Buffers;
using System.Text;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Parsing;
using Jackdaw.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Documents.Tests.Parsing;

public sealed class DocumentParserTests : IDisposable
{
    private const string EmptyMetadata = """
        "@metadata":{}
        """;

    private readonly DocumentParser _parser = new(StandardExtensions.All);

    public void Dispose() => _parser.Dispose();

    [Theory]
    [InlineData("{}", "{" + EmptyMetadata + "}")]
    [InlineData(" \r\n\t{ \n} \t", "{" + EmptyMetadata + "}")]
    [InlineData("""{"a":1}""", """{"a":1,""" + EmptyMetadata + "}")]
    [InlineData("""{ "a" : [ 1 , { "b" : [ ] , "c" : { } } ] , "d" : "x y" }""",
        """{"a":[1,{"b":[],"c":{}}],"d":"x y",""" + EmptyMetadata + "}")]
    [InlineData("""{"n":[0,-0,1.0,1.50,-1e5,1E+05,2e-3,12345678901234567890123456789.000]}""",
        """{"n":[0,-0,1.0,1.50,-1e5,1E+05,2e-3,12345678901234567890123456789.000],""" + EmptyMetadata + "}")]
    [InlineData("""{"\u0061\/":"\u00e9\/\"\\\b\f\n\r\t\uD83D\uDE00é😀"}""",
        """{"\u0061\/":"\u00e9\/\"\\\b\f\n\r\t\uD83D\uDE00é😀",""" + EmptyMetadata + "}")]
    [InlineData("""{"a":true,"b":false,"c":null,"":0}""",
        """{"a":true,"b":false,"c":null,"":0,""" + EmptyMetadata + "}")]
    [InlineData("""{"a\u0000b":1,"a":2}""", """{"a\u0000b":1,"a":2,""" + EmptyMetadata + "}")]
    [InlineData("""{"@metadata":null}""", "{" + EmptyMetadata + "}")]
    [InlineData("""{"a":1,"@metadata":null}""", """{"a":1,""" + EmptyMetadata + "}")]
    [InlineData("""{"@metadata":null,"a":1}""", """{"a":1,""" + EmptyMetadata + "}")]
    [InlineData("""{"a":1, "@metadata" : null , "b":2}""", """{"a":1,"b":2,""" + EmptyMetadata + "}")]
    [InlineData("""{"@metadata":{}}""", "{" + EmptyMetadata + "}")]
    [InlineData("""{"@metadata":{},"a":1}""", """{"a":1,""" + EmptyMetadata + "}")]
    [InlineData("""{"@metadata":{"@collection":null}}""", "{" + EmptyMetadata + "}")]
    [InlineData("""{"@metadata":{"@collection":"@empty"}}""", "{" + EmptyMetadata + "}")]
    [InlineData("""{"@metadata":{"@collection":"@Empty"}}""", "{" + EmptyMetadata + "}")]
    [InlineData("""{"@metadata":{"@collection":"\u0040em\u0070ty"},"a":1}""", """{"a":1,""" + EmptyMetadata + "}")]
    [InlineData("""{"@metadata":{"x":1}}""", """{"@metadata":{"x":1}}""")]
    [InlineData("""{"@metadata":{"x":{}},"a":1}""", """{"a":1,"@metadata":{"x":{}}}""")]
    [InlineData("""{"@metadata":{"@collection":"@empty","x":1}}""", """{"@metadata":{"x":1}}""")]
    [InlineData("""{"@metadata":{"x":1, "@collection":"@empty" , "y":2},"a":1}""", """{"a":1,"@metadata":{"x":1,"y":2}}""")]
    [InlineData("""{"@metadata":{"x":1,"@collection":null}}""", """{"@metadata":{"x":1}}""")]
    public void Parse_WellFormed_GivesCanonicalForm(string json, string expected)
    {
        ParsedDocument document = Parse(json);
        Assert.Equal(expected, Text(document.Bytes));
        Assert.Equal("@empty", Text(document.Collection));
    }

    [Theory]
    [InlineData("""{"a":1,"@metadata":{"@collection":"Users"}}""", """{"a":1,"@metadata":{"@collection":"Users"}}""")]
    [InlineData("""{"@metadata":{"@collection":"Users"},"a":1}""", """{"a":1,"@metadata":{"@collection":"Users"}}""")]
    [InlineData("""{"b":2,"@metadata":{"@collection":"Users"},"a":1}""",
        """{"b":2,"a":1,"@metadata":{"@collection":"Users"}}""")]
    [InlineData("""{ "b" : 2 , "@metadata" : { "x" : 1 , "@collection" : "Users" } , "a" : { } }""",
        """{"b":2,"a":{},"@metadata":{"x":1,"@collection":"Users"}}""")]
    [InlineData("""{"\u0040metadata":{"\u0040collection":"Users"},"a":1}""",
        """{"a":1,"@metadata":{"@collection":"Users"}}""")]
    [InlineData("""{"a":1,"\u0040\u006d\u0065\u0074\u0061\u0064\u0061\u0074\u0061" :{"@collection" :"Users"}}""",
        """{"a":1,"@metadata":{"@collection":"Users"}}""")]
    [InlineData("""{"a":{"@metadata":{"@id":"kept"}},"@metadata":{"@collection":"Users","x":{"@id":1}}}""",
        """{"a":{"@metadata":{"@id":"kept"}},"@metadata":{"@collection":"Users","x":{"@id":1}}}""")]
    [InlineData("""{"@metadata":{"@collection":"Users","Raven-Node-Type":null,"x":"2","@nested-object-types":{}}}""",
        """{"@metadata":{"@collection":"Users","Raven-Node-Type":null,"x":"2","@nested-object-types":{}}}""")]
    public void Parse_Metadata_MovesToTheEnd(string json, string expected)
    {
        ParsedDocument document = Parse(json);
        Assert.Equal(expected, Text(document.Bytes));
        Assert.Equal("Users", Text(document.Collection));
        Assert.StartsWith("\"@metadata\":{", Text(document.Bytes)[(document.MetadataOffset - 12)..],
            StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("@id")]
    [InlineData("@change-vector")]
    [InlineData("@last-modified")]
    [InlineData("@flags")]
    [InlineData("@index-score")]
    [InlineData("@spatial")]
    [InlineData("@projection")]
    [InlineData("@attachments")]
    [InlineData("@counters")]
    [InlineData("@timeseries")]
    public void Parse_ReservedMetadataMember_IsLeftOut(string name)
    {
        const string expected = """{"@metadata":{"@collection":"Users","x":1}}""";
        string escaped = $"\\u0040{name[1..]}";
        foreach (string spelling in new[] { name, escaped })
        {
            string member = $"\"{spelling}\" : [ {{\"a\":1}}, \"b\" ]";
            Assert.Equal(expected, Canonical($$$"""{"@metadata":{{{{member}}},"@collection":"Users","x":1}}"""));
            Assert.Equal(expected, Canonical($$$"""{"@metadata":{"@collection":"Users",{{{member}}},"x":1}}"""));
            Assert.Equal(expected, Canonical($$$"""{"@metadata":{"@collection":"Users","x":1 , {{{member}}} } }"""));
            Assert.Equal("{" + EmptyMetadata + "}", Canonical($$$"""{"@metadata":{{{{member}}}}}"""));
        }
    }

    [Fact]
    public void Parse_CollectionWithEscapes_IsUnescaped()
    {
        ParsedDocument document = Parse("""{"@metadata":{"@collection":"\u0055s\"\u00e9rs"},"a":1}""");
        Assert.Equal("Us\"érs", Text(document.Collection));
        Assert.Equal("""{"a":1,"@metadata":{"@collection":"\u0055s\"\u00e9rs"}}""", Text(document.Bytes));
    }

    [Fact]
    public void Parse_RawControlCharacters_BecomeEscapes()
    {
        Assert.Equal(
            """{"a\tb":"x\ny\u0000z\u001f\r\b\f","@metadata":{"@collection":"U\ts"}}""",
            Canonical("{\"a\tb\":\"x\ny\0z\u001f\r\b\f\",\"@metadata\":{\"@collection\":\"U\ts\"}}"));
        Assert.Equal("U\ts", Text(Parse("{\"@metadata\":{\"@collection\":\"U\ts\"}}").Collection));
    }

    [Fact]
    public void Parse_NumberOfTenThousandDigits_KeepsItsText()
    {
        string number = $"-{new string('7', 10_000)}.{new string('3', 10_000)}e+{new string('1', 100)}";
        Assert.Equal($"{{\"n\":{number},{EmptyMetadata}}}", Canonical($"{{\"n\":{number}}}"));
    }

    [Theory]
    [InlineData("", DocumentFormatError.UnexpectedEnd)]
    [InlineData("  ", DocumentFormatError.UnexpectedEnd)]
    [InlineData("[]", DocumentFormatError.NotAnObject)]
    [InlineData("null", DocumentFormatError.NotAnObject)]
    [InlineData("\"a\"", DocumentFormatError.NotAnObject)]
    [InlineData("1", DocumentFormatError.NotAnObject)]
    [InlineData("\uFEFF{}", DocumentFormatError.ByteOrderMark)]
    [InlineData("{", DocumentFormatError.UnexpectedEnd)]
    [InlineData("{\"a", DocumentFormatError.UnexpectedEnd)]
    [InlineData("{\"a\"", DocumentFormatError.UnexpectedEnd)]
    [InlineData("{\"a\":", DocumentFormatError.UnexpectedEnd)]
    [InlineData("{\"a\":1", DocumentFormatError.UnexpectedEnd)]
    [InlineData("{\"a\":1,", DocumentFormatError.UnexpectedEnd)]
    [InlineData("{\"a\":[1", DocumentFormatError.UnexpectedEnd)]
    [InlineData("{\"a\":\"x", DocumentFormatError.UnexpectedEnd)]
    [InlineData("{\"a\":\"x\\", DocumentFormatError.UnexpectedEnd)]
    [InlineData("{\"@metadata\":{", DocumentFormatError.UnexpectedEnd)]
    [InlineData("{\"@metadata\":{}", DocumentFormatError.UnexpectedEnd)]
    [InlineData("{\"a\":tru}", DocumentFormatError.Syntax)]
    [InlineData("{\"a\":True}", DocumentFormatError.Syntax)]
    [InlineData("{\"a\":NaN}", DocumentFormatError.Syntax)]
    [InlineData("{\"a\":01}", DocumentFormatError.Syntax)]
    [InlineData("{\"a\":+1}", DocumentFormatError.Syntax)]
    [InlineData("{\"a\":.5}", DocumentFormatError.Syntax)]
    [InlineData("{\"a\":1.}", DocumentFormatError.Syntax)]
    [InlineData("{\"a\":1e}", DocumentFormatError.Syntax)]
    [InlineData("{\"a\":-}", DocumentFormatError.Syntax)]
    [InlineData("{\"a\":truefalse}", DocumentFormatError.Syntax)]
    [InlineData("{\"a\":1 2}", DocumentFormatError.Syntax)]
    [InlineData("{\"a\":[1 2]}", DocumentFormatError.Syntax)]
    [InlineData("{\"a\":[1,]}", DocumentFormatError.Syntax)]
    [InlineData("{\"a\":[1}", DocumentFormatError.Syntax)]
    [InlineData("{\"a\":1]", DocumentFormatError.Syntax)]
    [InlineData("{\"a\":1,}", DocumentFormatError.Syntax)]
    [InlineData("{,\"a\":1}", DocumentFormatError.Syntax)]
    [InlineData("{\"a\":1,,\"b\":1}", DocumentFormatError.Syntax)]
    [InlineData("{\"a\" 1}", DocumentFormatError.Syntax)]
    [InlineData("{a:1}", DocumentFormatError.Syntax)]
    [InlineData("{'a':1}", DocumentFormatError.Syntax)]
    [InlineData("{\"a\":1}x", DocumentFormatError.Syntax)]
    [InlineData("{\"a\":1}{}", DocumentFormatError.Syntax)]
    [InlineData("{}\0", DocumentFormatError.Syntax)]
    [InlineData("{\"a\":1/**/}", DocumentFormatError.Syntax)]
    [InlineData("{\"a\":1\u00A0}", DocumentFormatError.Syntax)]
    [InlineData("{\"a\":1\u000b}", DocumentFormatError.Syntax)]
    [InlineData("{\"@metadata\":{},}", DocumentFormatError.Syntax)]
    [InlineData("{\"@metadata\":null,}", DocumentFormatError.Syntax)]
    [InlineData("{\"@metadata\":{} \"a\":1}", DocumentFormatError.Syntax)]
    [InlineData("{\"@metadata\":{\"a\":1,}}", DocumentFormatError.Syntax)]
    [InlineData("{\"@metadata\":nul}", DocumentFormatError.Syntax)]
    [InlineData("{\"a\":\"\\x\"}", DocumentFormatError.InvalidEscape)]
    [InlineData("{\"a\":\"\\u12G4\"}", DocumentFormatError.InvalidEscape)]
    [InlineData("{\"a\":\"\\\n\"}", DocumentFormatError.InvalidEscape)]
    [InlineData("{\"a\":\"\\uD800\"}", DocumentFormatError.InvalidEscape)]
    [InlineData("{\"a\":\"\\uDC00\"}", DocumentFormatError.InvalidEscape)]
    [InlineData("{\"a\":\"\\uD800x\"}", DocumentFormatError.InvalidEscape)]
    [InlineData("{\"a\":\"\\uD800\\n\"}", DocumentFormatError.InvalidEscape)]
    [InlineData("{\"a\":\"\\uD800\\uD800\"}", DocumentFormatError.InvalidEscape)]
    [InlineData("{\"\\uDC00\\uD800\":1}", DocumentFormatError.InvalidEscape)]
    [InlineData("{\"a\":1,\"a\":1}", DocumentFormatError.DuplicateName)]
    [InlineData("{\"a\":1,\"\\u0061\":1}", DocumentFormatError.DuplicateName)]
    [InlineData("{\"\\u0061\":1,\"a\":1}", DocumentFormatError.DuplicateName)]
    [InlineData("{\"\\u00e9\":1,\"é\":1}", DocumentFormatError.DuplicateName)]
    [InlineData("{\"a\\tb\":1,\"a\tb\":1}", DocumentFormatError.DuplicateName)]
    [InlineData("{\"\\u0000\":1,\"\\u0000\":1}", DocumentFormatError.DuplicateName)]
    [InlineData("{\"x\":[{\"b\":{\"c\":1,\"c\":2}}]}", DocumentFormatError.DuplicateName)]
    [InlineData("{\"@metadata\":null,\"@metadata\":{}}", DocumentFormatError.DuplicateName)]
    [InlineData("{\"@metadata\":{},\"\\u0040metadata\":{}}", DocumentFormatError.DuplicateName)]
    [InlineData("{\"@metadata\":{\"x\":1,\"x\":1}}", DocumentFormatError.DuplicateName)]
    [InlineData("{\"@metadata\":{\"@id\":1,\"@id\":1}}", DocumentFormatError.DuplicateName)]
    [InlineData("{\"@metadata\":{\"@collection\":null,\"@collection\":\"a\"}}", DocumentFormatError.DuplicateName)]
    [InlineData("{\"@metadata\":{\"@id\":{\"x\":1,\"x\":1}}}", DocumentFormatError.DuplicateName)]
    [InlineData("{\"@metadata\":1}", DocumentFormatError.InvalidMetadata)]
    [InlineData("{\"@metadata\":\"a\"}", DocumentFormatError.InvalidMetadata)]
    [InlineData("{\"@metadata\":[]}", DocumentFormatError.InvalidMetadata)]
    [InlineData("{\"@metadata\":false}", DocumentFormatError.InvalidMetadata)]
    [InlineData("{\"@metadata\":{\"@collection\":1}}", DocumentFormatError.InvalidMetadata)]
    [InlineData("{\"@metadata\":{\"@collection\":[\"a\"]}}", DocumentFormatError.InvalidMetadata)]
    [InlineData("{\"@metadata\":{\"@collection\":\"\"}}", DocumentFormatError.InvalidMetadata)]
    public void Parse_Malformed_IsRefused(string json, DocumentFormatError expected)
    {
        DocumentFormatException refusal = Refusal(Encoding.UTF8.GetBytes(json));
        Assert.Equal(expected, refusal.Error);
    }

    [Theory]
    [InlineData("80")]
    [InlineData("C0AF")]
    [InlineData("C3")]
    [InlineData("E282")]
    [InlineData("EDA080")]
    [InlineData("F4908080")]
    [InlineData("FF")]
    public void Parse_InvalidUtf8_IsRefusedWhereItIs(string hex)
    {
        foreach (string before in new[] { "", "abcdé", new string('x', 31), new string('x', 100) })
        {
            byte[] prefix = Encoding.UTF8.GetBytes($"{{\"a\":\"{before}");
            byte[] value = [.. prefix, .. Convert.FromHexString(hex), .. "\"}"u8];
            byte[] padded = [.. value, .. Encoding.UTF8.GetBytes(new string(' ', 64))];
            DocumentFormatException refusal = Refusal(padded);
            Assert.Equal(DocumentFormatError.InvalidUtf8, refusal.Error);
            Assert.Equal(prefix.Length, refusal.Location.Offset);
            byte[] name = [.. "{\""u8, .. Convert.FromHexString(hex), .. "\":1}"u8];
            Assert.Equal(DocumentFormatError.InvalidUtf8, Refusal(name).Error);
        }
    }

    [Fact]
    public void Parse_Refused_SaysWhereAndWhat()
    {
        DocumentFormatException refusal = Refusal(
            "{\n  \"lines\": [ {\"a\":1}, {\"b\": {\"c\": tru } } ] }"u8.ToArray());
        Assert.Equal(new JsonLocation(Offset: 36, Line: 2, Column: 35, Path: "lines[1].b.c"), refusal.Location);
        Assert.Contains("byte 36, line 2, column 35, path 'lines[1].b.c'", refusal.Message, StringComparison.Ordinal);
        Assert.Contains("Found 't' where a value", refusal.Message, StringComparison.Ordinal);

        refusal = Refusal("""{"":"a","b":[[],{"":tru}]}"""u8.ToArray());
        Assert.Equal("b[1].", refusal.Location.Path);

        refusal = Refusal("""{"x":{"name":1,"name":2}}"""u8.ToArray());
        Assert.Contains("The name 'name' occurs twice in one object, first at byte 6", refusal.Message,
            StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(256, true)]
    [InlineData(257, false)]
    public void Parse_Depth_IsLimited(int depth, bool isAllowed)
    {
        int inner = depth - 1;
        string arrays = $"{{\"a\":{new string('[', inner)}{new string(']', inner)}}}";
        string objects = string.Concat(Enumerable.Repeat("{\"a\":", depth - 1)) + "{}" + new string('}', depth - 1);
        string metadata = $"{{\"@metadata\":{{\"a\":{new string('[', inner - 1)}{new string(']', inner - 1)}}}}}";
        string reserved = $"{{\"@metadata\":{{\"@id\":{new string('[', inner - 1)}{new string(']', inner - 1)}}}}}";
        foreach (string json in new[] { arrays, objects, metadata, reserved })
        {
            if (isAllowed)
            {
                Parse(json);
            }
            else
            {
                Assert.Equal(DocumentFormatError.TooDeep, Refusal(Encoding.UTF8.GetBytes(json)).Error);
            }
        }
    }

    [Fact]
    public void Parse_OneHundredThousandLevels_IsRefusedWithoutExhaustingTheStack()
    {
        string json = "{\"a\":" + new string('[', 100_000);
        Assert.Equal(DocumentFormatError.TooDeep, Refusal(Encoding.UTF8.GetBytes(json)).Error);
    }

    [Fact]
    public void Parse_Size_IsLimited()
    {
        byte[] json = new byte[DocumentLimits.DocumentBytesMax];
        json.AsSpan().Fill((byte)'x');
        "{\"a\":\""u8.CopyTo(json);
        "\"}"u8.CopyTo(json.AsSpan(json.Length - 2));
        Assert.Equal(DocumentFormatError.TooLarge, Refusal(json).Error);

        ReadOnlySpan<byte> tail = "\",\"@metadata\":{\"@collection\":\"U\"}}"u8;
        tail.CopyTo(json.AsSpan(json.Length - tail.Length));
        Assert.Equal(json.Length, _parser.Parse(json).Bytes.Length);

        byte[] larger = [.. json[..10], (byte)'x', .. json[10..]];
        Assert.Equal(DocumentFormatError.TooLarge, Refusal(larger).Error);
    }

    [Fact]
    public void Parse_LongCollection_IsLimitedAfterUnescaping()
    {
        string longest = new('c', DocumentParser.CollectionBytesMax);
        Assert.Equal(longest, Text(Parse($"{{\"@metadata\":{{\"@collection\":\"{longest}\"}}}}").Collection));
        string escaped = string.Concat(Enumerable.Repeat("\\u0063", DocumentParser.CollectionBytesMax));
        Assert.Equal(longest, Text(Parse($"{{\"@metadata\":{{\"@collection\":\"{escaped}\"}}}}").Collection));
        foreach (string tooLong in new[] { longest + "c", escaped + "c", escaped + "\\u0063", new('c', 100_000) })
        {
            byte[] json = Encoding.UTF8.GetBytes($"{{\"@metadata\":{{\"@collection\":\"{tooLong}\"}}}}");
            Assert.Equal(DocumentFormatError.InvalidMetadata, Refusal(json).Error);
        }
    }

    [Fact]
    public void Parse_ManyNames_FindsTheDuplicateAtAnyPlace()
    {
        foreach (int count in new[] { 2, 31, 32, 33, 34, 64, 65, 500 })
        {
            string[] members = [.. Enumerable.Range(0, count)
                .Select(index => $"\"name{index}\":{{\"name{index}\":{index}}}")];
            Parse($"{{{string.Join(',', members)}}}");
            foreach (int repeated in new[] { 0, count / 2, count - 1 })
            {
                string json = $"{{{string.Join(',', members)},\"\\u006eame{repeated}\":1}}";
                Assert.Equal(DocumentFormatError.DuplicateName, Refusal(Encoding.UTF8.GetBytes(json)).Error);
            }
        }
    }

    [Fact]
    public void Parse_LargeObjectsWithinLargeObjects_KeepTheirNamesApart()
    {
        string Member(int index, int level) => $"\"n{index}\":{(index is 0 or 39 ? Nest(level - 1) : "1")}";
        string Nest(int level) => level == 0
            ? "0"
            : $"{{{string.Join(',', Enumerable.Range(0, 40).Select(index => Member(index, level)))}}}";
        string json = Nest(5);
        Assert.Equal(json[..^1] + "," + EmptyMetadata + "}", Canonical(json));
        Assert.Equal(DocumentFormatError.DuplicateName,
            Refusal(Encoding.UTF8.GetBytes(json[..^1] + ",\"n20\":1}")).Error);
        Parse(json);
    }

    [Fact]
    public void Parse_SeveralSegments_GivesTheSame()
    {
        byte[] json = """{ "@metadata" : {"@collection":"Users"}, "a" : [1, 2] }"""u8.ToArray();
        string expected = Text(_parser.Parse(json).Bytes);
        for (int split = 0; split <= json.Length; split++)
        {
            ReadOnlySequence<byte> sequence = Sequences.Split(json, split);
            Assert.Equal(expected, Text(_parser.Parse(sequence).Bytes));
        }
    }

    [Fact]
    public void Parse_UsualDocuments_AllocatesNothing()
    {
        byte[][] documents = [SampleDocuments.Compact(1000), SampleDocuments.Indented(1000),
            SampleDocuments.MetadataFirst(1000)];
        long before = 0;
        for (int round = 0; round < 20; round++)
        {
            before = round == 10 ? GC.GetAllocatedBytesForCurrentThread() : before;
            foreach (byte[] document in documents)
            {
                _parser.Parse(document);
            }
        }
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    private ParsedDocument Parse(string json) => _parser.Parse(Encoding.UTF8.GetBytes(json));

    private string Canonical(string json) => Text(Parse(json).Bytes);

    private DocumentFormatException Refusal(byte[] json)
        => Assert.Throws<DocumentFormatException>(() => _parser.Parse(json));

    private static string Text(ReadOnlyMemory<byte> bytes) => Encoding.UTF8.GetString(bytes.Span);
}
