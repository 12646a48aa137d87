using System.Text;
using Jackdaw.Server.Http.Handlers.Identities;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Queries;

namespace Jackdaw.Server.Tests.Http.Queries;

public sealed class QueryParametersTests
{
    [Fact]
    public void GetAll_SloppyText_KeepsOrderAndDecodes()
    {
        var query = new QueryParameters("?&id=users%2F1&ID=b+c&&word&x==y&id=&from=2024-01-01T00:00:00.0Z&id=%zz%4&");

        Assert.Equal(["users/1", "b c", "", "%zz%4"], query.GetAll("id"));
        Assert.True(query.Has("word"));
        Assert.Equal("", query.GetText("word"));
        Assert.Equal("=y", query.GetText("X"));
        Assert.Equal("2024-01-01T00:00:00.0Z", query.GetText("from"));
        Assert.Null(query.GetText("none"));
    }

    [Fact]
    public void GetFlag_ReadsBareWordsAndRefusesOthers()
    {
        var query = new QueryParameters("?a&b=&c=TRUE&d=false&e=1");

        Assert.True(query.GetFlag("a") && query.GetFlag("b") && query.GetFlag("c"));
        Assert.False(query.GetFlag("d") || query.GetFlag("none"));
        Assert.Throws<RequestRefusedException>(() => query.GetFlag("e"));
    }

    [Theory]
    [InlineData("abc", "abc")]
    [InlineData("%C3%a4+%2B%25", "ä +%")]
    [InlineData("ü%", "ü%")]
    [InlineData("%4", "%4")]
    [InlineData("%zz1", "%zz1")]
    public void Decode_AnyText_GivesItsBytes(string text, string expected)
    {
        byte[] bytes = new byte[PercentDecoder.DecodedBytesMax(text.Length)];

        Assert.Equal(expected, Encoding.UTF8.GetString(bytes, 0, PercentDecoder.Decode(text, bytes)));
    }

    [Theory]
    [InlineData(0, null, 32)]
    [InlineData(100, null, 100)]
    [InlineData(32, 1, 64)]
    [InlineData(32, 45, 32)]
    [InlineData(200, 90, 100)]
    [InlineData(40, 3600, 32)]
    [InlineData(2_000_000_000, 1, 1_048_576)]
    [InlineData(long.MaxValue, 45, 1_048_576)]
    public void NextSize_FollowsHowFastTheLastRangeWasUsed(long last, int? secondsAgo, long expected)
    {
        DateTimeOffset now = new(2025, 1, 1, 0, 0, 0, TimeSpan.Zero);
        DateTimeOffset? at = secondsAgo is { } seconds ? now.AddSeconds(-seconds) : null;

        Assert.Equal(expected, HiLoHandlers.NextSize(last, at, now));
    }
}
