using System.Globalization;

namespace Jackdaw.Json.Tests;

/// <summary>Texts that are dates, and texts that only look like one.</summary>
public sealed class IsoDateTests
{
    [Theory]
    [InlineData("2024-03-01", "2024-03-01T00:00:00.0000000")]
    [InlineData("2024-02-29T23:59", "2024-02-29T23:59:00.0000000")]
    [InlineData("2024-03-01T10:20:30Z", "2024-03-01T10:20:30.0000000")]
    [InlineData("2024-03-01T10:20:30.5", "2024-03-01T10:20:30.5000000")]
    [InlineData("2024-03-01T10:20:30.1234567Z", "2024-03-01T10:20:30.1234567")]
    [InlineData("2024-03-01T00:30:00+01:00", "2024-02-29T23:30:00.0000000")]
    [InlineData("2024-02-29T19:00-05:00", "2024-03-01T00:00:00.0000000")]
    [InlineData("0001-01-01", "0001-01-01T00:00:00.0000000")]
    [InlineData("9999-12-31T23:59:59.9999999Z", "9999-12-31T23:59:59.9999999")]
    public void TryRead_Date_GivesItsTimeInUtc(string text, string utc)
    {
        Assert.True(IsoDate.TryRead(text, out long ticks));
        Assert.Equal(utc, new DateTime(ticks).ToString("yyyy-MM-dd'T'HH:mm:ss.fffffff", CultureInfo.InvariantCulture));
    }

    [Theory]
    [InlineData("")]
    [InlineData("2024")]
    [InlineData("2024-3-1")]
    [InlineData("2023-02-29")]
    [InlineData("2024-13-01")]
    [InlineData("2024-00-01")]
    [InlineData("2024-01-00")]
    [InlineData("0000-01-01")]
    [InlineData("2024-03-01 10:20:30")]
    [InlineData("2024-03-01T")]
    [InlineData("2024-03-01T10")]
    [InlineData("2024-03-01T24:00")]
    [InlineData("2024-03-01T10:60")]
    [InlineData("2024-03-01T10:20:60")]
    [InlineData("2024-03-01T10:20:3")]
    [InlineData("2024-03-01T10:20:30.")]
    [InlineData("2024-03-01T10:20:30.12345678")]
    [InlineData("2024-03-01t10:20:30z")]
    [InlineData("2024-03-01T10:20:30+1:00")]
    [InlineData("2024-03-01T10:20:30+15:00")]
    [InlineData("2024-03-01T10:20:30+01:60")]
    [InlineData("2024-03-01T10:20:30ZZ")]
    [InlineData("0001-01-01T00:00+01:00")]
    [InlineData("9999-12-31T23:59:59-01:00")]
    [InlineData("٢٠٢٤-03-01")]
    public void TryRead_OtherText_IsNoDate(string text) => Assert.False(IsoDate.TryRead(text, out _));
}
