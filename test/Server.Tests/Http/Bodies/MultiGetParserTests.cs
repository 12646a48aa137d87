using System.Buffers;
using System.Text;
using Jackdaw.Json;
using Jackdaw.Server.Http.Bodies;

namespace Jackdaw.Server.Tests.Http.Bodies;

public sealed class MultiGetParserTests
{
    [Fact]
    public void Parse_WhatClientsSend_GivesTheRequests()
    {
        IReadOnlyList<MultiGetRequest> requests = MultiGet("""
            {"Requests":[{"Url":"/databases/db1/docs","Query":"?&id=users%2Fp","Method":"GET",
               "Headers":{"If-None-Match":"A:1-x","Sharded":true,"X":null},"Content":null},
             {"url":"/databases/db1/queries","query":"?queryHash=1","method":"post","Headers":{},
               "Content":"{\"Query\":\"from \u0055\"}"},
             {"Url":"/databases/db1/queries","Method":"POST","Headers":null,"Content":{ "Query" : "q" },"Other":[1]},
             {"Url":"/x"}]}
            """);
        Assert.Equal(4, requests.Count);
        Assert.Equal("/databases/db1/docs", requests[0].Url);
        Assert.Equal("?&id=users%2Fp", requests[0].Query);
        Assert.Equal("GET", requests[0].Method);
        Assert.Equal("A:1-x", requests[0].Headers["if-none-match"]);
        Assert.Single(requests[0].Headers);
        Assert.True(requests[0].Content.IsEmpty);
        Assert.Equal("POST", requests[1].Method);
        Assert.Equal("""{"Query":"from U"}""", Encoding.UTF8.GetString(requests[1].Content.Span));
        Assert.Equal("""{"Query":"q"}""", Encoding.UTF8.GetString(requests[2].Content.Span));
        Assert.Equal("", requests[2].Query);
        Assert.Equal("GET", requests[3].Method);
    }

    [Theory]
    [InlineData("{}", "no Requests")]
    [InlineData("{\"Requests\":null}", "must be an array")]
    [InlineData("{\"Requests\":[1]}", "must be an object")]
    [InlineData("{\"Requests\":[{}]}", "no Url")]
    [InlineData("{\"Requests\":[{\"Url\":1}]}", "Url must be a string")]
    [InlineData("{\"Requests\":[{\"Url\":\"a\",\"URL\":\"b\"}]}", "twice")]
    [InlineData("{\"Requests\":[{\"Url\":\"a\",\"Headers\":[]}]}", "Headers must be an object")]
    [InlineData("{\"Requests\":[],\"requests\":[]}", "twice")]
    [InlineData("{\"Requests\":[]}{", "end of the text")]
    [InlineData("{\"Requests\":[{\"Url\":\"\\uD800\"}]}", "surrogate")]
    [InlineData("", "ends")]
    public void Parse_BadBody_IsRefused(string body, string message)
        => Assert.Contains(message, Assert.Throws<DocumentFormatException>(() => MultiGet(body)).Message,
            StringComparison.Ordinal);

    [Fact]
    public void Parse_TooManyRequests_IsRefused()
    {
        string Body(int count)
            => $"{{\"Requests\":[{string.Join(',', Enumerable.Repeat("{\"Url\":\"/a\"}", count))}]}}";
        Assert.Equal(MultiGetParser.RequestsMax, MultiGet(Body(MultiGetParser.RequestsMax)).Count);
        string tooMany = Body(MultiGetParser.RequestsMax + 1);
        DocumentFormatException refusal = Assert.Throws<DocumentFormatException>(() => MultiGet(tooMany));
        Assert.Equal(DocumentFormatError.TooLarge, refusal.Error);
    }

    [Fact]
    public void Parse_BodyOverTheLimit_IsRefusedBeforeItIsCopied()
    {
        var body = new ReadOnlySequence<byte>(new byte[MultiGetParser.BodyBytesMax + 1]);
        Assert.Equal(DocumentFormatError.TooLarge,
            Assert.Throws<DocumentFormatException>(() => MultiGetParser.Parse(body)).Error);
    }

    private static IReadOnlyList<MultiGetRequest> MultiGet(string body)
        => MultiGetParser.Parse(new ReadOnlySequence<byte>(Encoding.UTF8.GetBytes(body)));
}
