using System.Text;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;

namespace Jackdaw.Documents.Tests.Identity;

/// <summary>Names of collections are one when their stored keys are, for each character that there is.</summary>
public sealed class CollectionNameComparerTests
{
    [Fact]
    public void KeyOf_EachCharacter_IsTheStoredKey()
    {
        Span<byte> key = stackalloc byte[DocumentRowBuilding.CollectionKeyBytesMax];
        Span<byte> name = stackalloc byte[8];
        for (int value = 1; value <= 0x10FFFF; value++)
        {
            if (Rune.TryCreate(value, out Rune rune))
            {
                int length = DocumentRowBuilding.MakeCollectionKey(name[..rune.EncodeToUtf8(name)], key);
                Assert.Equal(Encoding.UTF8.GetString(key[..length]), CollectionNameComparer.KeyOf(rune.ToString()));
            }
        }
    }

    [Theory]
    [InlineData("Straẞen")]
    [InlineData("\u212Aelvin")]
    [InlineData("\u212Bngström")]
    [InlineData("\u2126")]
    [InlineData("ϴ")]
    [InlineData("İstanbul")]
    [InlineData("𐐀")]
    [InlineData("Users")]
    public void AreSame_NameAndItsKey_AreOneCollection(string name)
    {
        string key = CollectionNameComparer.KeyOf(name);
        Assert.True(CollectionNameComparer.AreSame(name, key));
        Assert.Single(new HashSet<string>([name, key], CollectionNameComparer.Instance));
        Assert.False(CollectionNameComparer.AreSame(name, name + "s"));
    }
}
