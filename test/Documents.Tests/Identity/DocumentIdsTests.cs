using System.Text;
using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents.Tests.Identity;

public sealed class DocumentIdsTests
{
    [Theory]
    [InlineData("users/1-A", "users/1-a")]
    [InlineData("USERS/ÄÖÜ-É", "users/äöü-é")]
    [InlineData("ΣΑΣ/Ж", "σασ/ж")]
    [InlineData("\u212A", "k")]
    [InlineData("Ⱥ", "ⱥ")]
    [InlineData("日本😀𐐀", "日本😀𐐨")]
    [InlineData("a|b c\t", "a|b c\t")]
    public void TryMakeKey_AnyCasing_IsLowerCaseInvariant(string id, string expected)
    {
        byte[] key = new byte[DocumentIds.KeyBytesMax];
        Assert.Equal(DocumentIdFault.None, DocumentIds.TryMakeKey(Encoding.UTF8.GetBytes(id), key, out int length));
        Assert.Equal(expected, Encoding.UTF8.GetString(key, 0, length));
        Assert.Equal(DocumentIdFault.None, DocumentIds.TryMakeKey(id.AsSpan(), key, out length));
        Assert.Equal(expected, Encoding.UTF8.GetString(key, 0, length));
    }

    [Fact]
    public void TryMakeKey_Length_CountsWhatWasSent()
    {
        AssertFault(DocumentIdFault.None, new string('A', 512));
        AssertFault(DocumentIdFault.TooLong, new string('A', 513));
        AssertFault(DocumentIdFault.None, new string('\u212A', 170)); // 3 bytes each, one as 'k'.
        AssertFault(DocumentIdFault.TooLong, new string('\u212A', 171));
        AssertFault(DocumentIdFault.None, new string('Ⱥ', 256)); // 2 bytes each, 3 as 'ⱥ'.
        AssertFault(DocumentIdFault.TooLong, new string('Ⱥ', 257));
        AssertFault(DocumentIdFault.None, new string('é', 256));
        AssertFault(DocumentIdFault.TooLong, new string('é', 257));
        AssertFault(DocumentIdFault.TooLong, new string('a', 100_000));
    }

    [Fact]
    public void TryMakeKey_AnyCharacter_GrowsByNoMoreThanAKeyHasRoomFor()
    {
        byte[] key = new byte[DocumentIds.KeyBytesMax];
        Span<byte> one = stackalloc byte[4];
        for (int value = 1; value <= 0x10FFFF; value++)
        {
            if (Rune.TryCreate(value, out Rune rune))
            {
                int sent = rune.EncodeToUtf8(one);
                Assert.Equal(DocumentIdFault.None, DocumentIds.TryMakeKey(one[..sent], key, out int length));
                Assert.True(length * DocumentIds.IdBytesMax <= sent * DocumentIds.KeyBytesMax, $"U+{value:X4} grows from {sent} to {length} bytes.");
            }
        }
    }

    [Fact]
    public void TryMakeKey_NotAnId_SaysWhy()
    {
        AssertFault(DocumentIdFault.Empty, "");
        AssertFault(DocumentIdFault.HoldsNul, "a\0b");
        AssertFault(DocumentIdFault.HoldsNul, "é\0");
        byte[] key = new byte[DocumentIds.KeyBytesMax];
        Assert.Equal(DocumentIdFault.NotUnicode, DocumentIds.TryMakeKey([(byte)'a', 0xFF], key, out int length));
        Assert.Equal(0, length);
        Assert.Equal(DocumentIdFault.NotUnicode, DocumentIds.TryMakeKey("a\uD800".AsSpan(), key, out _));
        foreach (DocumentIdFault fault in Enum.GetValues<DocumentIdFault>().Skip(1))
        {
            Assert.Contains("document id", DocumentIds.Describe(fault), StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("", DocumentIdKind.Generated)]
    [InlineData("users/", DocumentIdKind.NumberedByServer)]
    [InlineData("/", DocumentIdKind.NumberedByServer)]
    [InlineData("users|", DocumentIdKind.Identity)]
    [InlineData("users/1", DocumentIdKind.Complete)]
    [InlineData("a|b", DocumentIdKind.Complete)]
    public void KindOf_LastCharacter_Decides(string id, DocumentIdKind expected)
        => Assert.Equal(expected, DocumentIds.KindOf(Encoding.UTF8.GetBytes(id)));

    [Fact]
    public void AppendNumber_Prefix_GetsNineteenDigitsAndTheNode()
    {
        byte[] id = new byte[64];
        int length = DocumentIds.AppendNumber("users/"u8, 42, "A"u8, id);
        Assert.Equal("users/0000000000000000042-A", Encoding.ASCII.GetString(id, 0, length));
        Assert.Equal("users/".Length + DocumentIds.NumberSuffixBytes, length);
        Assert.Equal(length, DocumentIds.AppendNumber("users/"u8, long.MaxValue, "A"u8, id));
    }

    private static void AssertFault(DocumentIdFault expected, string id)
    {
        byte[] key = new byte[DocumentIds.KeyBytesMax];
        Assert.Equal(expected, DocumentIds.TryMakeKey(Encoding.UTF8.GetBytes(id), key, out _));
        Assert.Equal(expected, DocumentIds.TryMakeKey(id.AsSpan(), key, out _));
    }
}
