using System.Security.Cryptography;
using System.Text;
using Jackdaw.Scripting.Texts;

namespace Jackdaw.Scripting.Tests.Texts;

/// <summary>Normalisation, order and case of texts, compared with what ICU gives. test/EndToEnd/unicode-vectors.js prints what is expected here.</summary>
public sealed class UnicodeTextTests
{
    private static readonly (int Low, int High)[] s_ranges =
    [
        (0x41, 0x7a), (0x300, 0x36f), (0x300, 0x36f), (0xc0, 0x17f), (0x900, 0xdff), (0x1100, 0x11ff), (0xac00, 0xd7a3), (0x1e00, 0x1fff),
        (0x2000, 0x33ff), (0xf900, 0xfdff), (0x1d15e, 0x1d1c0), (0x591, 0x6ed),
    ];

    private static readonly string[] s_sorted =
    [
        "", " ", "_", "-", ",", "!", "?", ".", "(", "@", "#", "+", "=", "~", "$", "€", "1", "½", "10", "2",
        "²", "a", "A", "å", "Å", "ä", "Ä", "a b", "a-b", "aa", "ab", "ad", "ae", "æ", "af", "b", "co", "cö",
        "co-op", "coop", "d", "đ", "ð", "e", "E", "é", "É", "ea", "Ea", "éa", "f", "fi", "ﬁ", "fj", "i", "I",
        "İ", "ı", "j", "l", "ł", "m", "n", "ñ", "nz", "o", "ø", "œ", "p", "sr", "ss", "ß", "st", "t", "z",
        "ź", "ż", "zz", "þ", "α", "Α", "ά", "β", "ω", "д", "е", "Е", "ё", "Ё", "ж", "אא", "אב", "عب", "ก",
        "ข", "가", "한", "あ", "ア", "い", "中", "文", "日本"
    ];

    [Theory]
    [InlineData(NormalizationForm.FormC, "4782f3ca2b4ff031fccaa09a2f020a0f6e1f7976e35585b5f0833486e8da34a7")]
    [InlineData(NormalizationForm.FormD, "edab2f74c2f65b88442297998c5900caf767d94b5ca8ff90a5977e6701ba93c0")]
    [InlineData(NormalizationForm.FormKC, "b52fc2078eef4c35cfafc837a1ca98579aee355dc9a4c4b3aef0567632cdcb4d")]
    [InlineData(NormalizationForm.FormKD, "7b415678db79fc742d89fcd067fb21e84a7032577e5ea38e288d507511d08941")]
    public void Normalize_EveryCharacterAndRandomTexts_GivesWhatIcuGives(NormalizationForm form, string hash)
    {
        using var sha = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        foreach (string text in EveryCharacter().Concat(RandomTexts()))
        {
            string normal = UnicodeNormalization.Normalize(text, form);
            Assert.Equal(normal, UnicodeNormalization.Normalize(normal, form));
            sha.AppendData(Encoding.Unicode.GetBytes(normal));
        }

        Assert.Equal(hash, Convert.ToHexStringLower(sha.GetHashAndReset()));
    }

    [Theory]
    [InlineData("Café", NormalizationForm.FormD, "Cafe\u0301")]
    [InlineData("Cafe\u0301", NormalizationForm.FormC, "Café")]
    [InlineData("ﬁ", NormalizationForm.FormKC, "fi")]
    [InlineData("\ud800a\u0301\udc00", NormalizationForm.FormC, "\ud800á\udc00")] // halves of surrogates stay
    [InlineData("", NormalizationForm.FormD, "")]
    public void Normalize_Text_GivesItsForm(string text, NormalizationForm form, string normal) =>
        Assert.Equal(normal, UnicodeNormalization.Normalize(text, form));

    [Fact]
    public void LengthOf_TheLongestDecomposition_IsKnownBefore() =>
        Assert.Equal(18_000, UnicodeNormalization.LengthOf(new string('\uFDFA', 1000), NormalizationForm.FormKD));

    [Fact]
    public void Normalize_VeryManyMarks_IsQuick()
    {
        string marks = string.Concat(Enumerable.Repeat("\u0301\u0323", 100_000));
        Assert.Equal(200_000, UnicodeNormalization.Normalize(marks, NormalizationForm.FormD).Length);
    }

    [Fact]
    public void Compare_Words_GivesTheOrderOfIcu()
    {
        string[] sorted = [.. s_sorted.Reverse().Order(Comparer<string>.Create((a, b) => TextOrder.Compare(a, b)))];
        Assert.Equal(string.Join('|', s_sorted), string.Join('|', sorted));
    }

    [Theory]
    [InlineData("é", "e\u0301")]
    [InlineData("Å", "\u212B")]
    [InlineData("a", "a\u0000")]
    public void Compare_EqualCharacters_AreEqual(string first, string second) => Assert.Equal(0, TextOrder.Compare(first, second));

    private static IEnumerable<string> EveryCharacter() =>
        Enumerable.Range(0, 0x110000).Where(point => point is < 0xd800 or > 0xdfff).Select(char.ConvertFromUtf32);

    private static IEnumerable<string> RandomTexts()
    {
        uint state = 12345;
        for (int i = 0; i < 20_000; i++)
        {
            var text = new StringBuilder();
            for (int length = 1 + Next(12); length > 0; length--)
            {
                (int low, int high) = s_ranges[Next(s_ranges.Length)];
                text.Append(char.ConvertFromUtf32(low + Next(high - low + 1)));
            }

            yield return text.ToString();
        }

        int Next(int bound)
        {
            state = (state * 1103515245) + 12345;
            return (int)((state >> 8) % bound);
        }
    }
}
