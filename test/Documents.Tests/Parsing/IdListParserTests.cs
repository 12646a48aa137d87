using System.Buffers;
using System.Text;
using Jackdaw.Documents.Parsing;
using Jackdaw.Json;

namespace Jackdaw.Documents.Tests.Parsing;

public sealed class IdListParserTests
{
    [Fact]
    public void Parse_Ids_KeepTheirOrder()
    {
        string[] expected = ["users/1", "", "é\"", "", "users/1"];
        Assert.Equal(expected, Ids("""{"Ids":["users/1",null,"\u00e9\"","","users/1"]}"""));
        Assert.Empty(Ids(""" { "other" : {} , "ids" : [ ] } """));
    }

    [Theory]
    [InlineData("{}", "no Ids")]
    [InlineData("[]", "must be an object")]
    [InlineData("{\"Ids\":\"a\"}", "Ids must be an array")]
    [InlineData("{\"Ids\":[1]}", "An id must be a string")]
    [InlineData("{\"Ids\":[\"a\"]", "ends")]
    [InlineData("{\"Ids\":[],\"ids\":[]}", "twice")]
    public void Parse_BadBody_IsRefused(string body, string message)
        => Assert.Contains(message, Assert.Throws<DocumentFormatException>(() => Ids(body)).Message,
            StringComparison.Ordinal);

    [Fact]
    public void Parse_BodyOverTheLimit_IsRefusedBeforeItIsCopied()
    {
        var body = new ReadOnlySequence<byte>(new byte[IdListParser.BodyBytesMax + 1]);
        Assert.Equal(DocumentFormatError.TooLarge,
            Assert.Throws<DocumentFormatException>(() => IdListParser.Parse(body)).Error);
    }

    private static IReadOnlyList<string> Ids(string body)
        => IdListParser.Parse(new ReadOnlySequence<byte>(Encoding.UTF8.GetBytes(body)));
}
