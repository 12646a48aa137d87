using System.Text;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents.Tests.Identity;

public sealed class ChangeVectorTests
{
    private static ReadOnlySpan<byte> DatabaseId => "F9I6Egqwm0Kz+K0oFVIR9Q"u8;

    [Theory]
    [InlineData(0, "A:0-F9I6Egqwm0Kz+K0oFVIR9Q")]
    [InlineData(123, "A:123-F9I6Egqwm0Kz+K0oFVIR9Q")]
    [InlineData(long.MaxValue, "A:9223372036854775807-F9I6Egqwm0Kz+K0oFVIR9Q")]
    public void Format_Etag_GivesNodeEtagAndDatabase(long etag, string expected)
    {
        byte[] text = new byte[ChangeVector.BytesMax];
        int length = ChangeVector.Format(etag, "A"u8, DatabaseId, text);
        Assert.Equal(expected, Encoding.ASCII.GetString(text, 0, length));
        Assert.True(ChangeVector.TryReadEtag(text.AsSpan(0, length), "A"u8, DatabaseId, out long read));
        Assert.Equal(etag, read);
    }

    [Fact]
    public void FormatDatabaseId_Guid_IsBase64WithoutPadding()
    {
        var guid = new Guid("0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0");
        byte[] text = new byte[ChangeVector.DatabaseIdBytes];
        ChangeVector.FormatDatabaseId(guid, text);
        Assert.Equal(Convert.ToBase64String(guid.ToByteArray()).TrimEnd('='), Encoding.ASCII.GetString(text));
    }

    [Theory]
    [InlineData("B:7-xxxxxxxxxxxxxxxxxxxxxx, A:12-F9I6Egqwm0Kz+K0oFVIR9Q", true, 12)]
    [InlineData("A:12-F9I6Egqwm0Kz+K0oFVIR9Q, TRXN:9-xxxxxxxxxxxxxxxxxxxxxx", true, 12)]
    [InlineData("A:12-xxxxxxxxxxxxxxxxxxxxxx", false, 0)]
    [InlineData("A:-1-F9I6Egqwm0Kz+K0oFVIR9Q", false, 0)]
    [InlineData("A:x-F9I6Egqwm0Kz+K0oFVIR9Q", false, 0)]
    [InlineData("A:99999999999999999999-F9I6Egqwm0Kz+K0oFVIR9Q", false, 0)]
    [InlineData("F9I6Egqwm0Kz+K0oFVIR9Q", false, 0)]
    [InlineData("", false, 0)]
    public void TryReadEtag_SeveralEntries_FindsOurs(string text, bool expected, long etag)
    {
        Assert.Equal(expected, ChangeVector.TryReadEtag(Encoding.ASCII.GetBytes(text), "A"u8, DatabaseId, out long read));
        Assert.Equal(etag, read);
    }

    [Theory]
    [InlineData("\"A:1-x\"", "A:1-x")]
    [InlineData("A:1-x", "A:1-x")]
    [InlineData(" \"A:1-x\" ", "A:1-x")]
    [InlineData("W/\"A:1-x\"", "A:1-x")]
    [InlineData("\"\"", "")]
    [InlineData("\"", "\"")]
    [InlineData("", "")]
    [InlineData("\"404 Response\"", "404 Response")]
    [InlineData("404 Response", "404 Response")]
    public void Unquote_Header_TakesOnePairOfQuotes(string header, string expected)
    {
        Assert.Equal(expected, VersionTag.Unquote(header).ToString());
        Assert.True(VersionTag.Matches(header, Encoding.ASCII.GetBytes(expected)));
        Assert.False(VersionTag.Matches(header, "A:2-x"u8));
    }

    [Fact]
    public void Quote_Value_IsInDoubleQuotes()
    {
        byte[] header = new byte[7];
        Assert.Equal(7, VersionTag.Quote("A:1-x"u8, header));
        Assert.Equal("\"A:1-x\"", Encoding.ASCII.GetString(header));
        Assert.Equal("\"A:1-x\"", VersionTag.Quote("A:1-x"u8));
    }
}
