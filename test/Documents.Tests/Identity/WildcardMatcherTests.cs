using System.Text;
using System.Text.RegularExpressions;
using Jackdaw.Documents.Identity;
using Jackdaw.TestKit;

namespace Jackdaw.Documents.Tests.Identity;

public sealed class WildcardMatcherTests
{
    [Theory]
    [InlineData("1*", "1-a", true)]
    [InlineData("1*", "2-a", false)]
    [InlineData("*", "", true)]
    [InlineData("*", "anything", true)]
    [InlineData("?", "", false)]
    [InlineData("?", "a", true)]
    [InlineData("?", "ab", false)]
    [InlineData("?", "é", true)]
    [InlineData("a?c", "a😀c", true)]
    [InlineData("??", "é", false)]
    [InlineData("a*b*c", "axxbyybzzc", true)]
    [InlineData("a*b*c", "axxbyybzz", false)]
    [InlineData("1|2*|3", "25", true)]
    [InlineData("1|2*|3", "3", true)]
    [InlineData("1|2*|3", "33", false)]
    [InlineData("ABC*", "abcd", true)]
    [InlineData("É*", "éa", true)]
    [InlineData("a||b", "b", true)]
    [InlineData("a||b", "", false)]
    [InlineData("a.c", "abc", false)]
    public void Matches_Pattern_DecidesOnTheWholeText(string patterns, string text, bool expected)
        => Assert.Equal(expected, new WildcardMatcher(patterns).Matches(Encoding.UTF8.GetBytes(text)));

    [Theory]
    [InlineData(null, true)]
    [InlineData("", true)]
    [InlineData("|", true)]
    [InlineData("a", false)]
    public void IsEmpty_NoPattern_IsTrue(string? patterns, bool expected)
        => Assert.Equal(expected, new WildcardMatcher(patterns).IsEmpty);

    [Fact]
    public void Matches_ManyStars_EndsSoon()
    {
        string pattern = string.Concat(Enumerable.Repeat("a*", 500)) + "b";
        Assert.False(new WildcardMatcher(pattern).Matches(Encoding.UTF8.GetBytes(new string('a', 512))));
    }

    [Fact]
    public void Matches_RandomPatterns_AgreesWithRegularExpressions()
    {
        int first = FuzzSeed.First;
        for (int seed = first; seed < first + FuzzSeed.Rounds(3_000); seed++)
        {
            var random = new Random(seed);
            string pattern = RandomText(random, "ab*?é", 8);
            string text = RandomText(random, "abé", 10);
            string body = Regex.Escape(pattern)
                .Replace(@"\*", ".*", StringComparison.Ordinal)
                .Replace(@"\?", ".", StringComparison.Ordinal);
            string regex = $"^{body}$";
            bool expected = pattern.Length > 0 && Regex.IsMatch(text, regex);
            bool actual = new WildcardMatcher(pattern).Matches(Encoding.UTF8.GetBytes(text));
            Assert.True(expected == actual, $"seed {seed}: '{pattern}' on '{text}' should be {expected}");
        }
    }

    private static string RandomText(Random random, string alphabet, int lengthMax)
        => string.Concat(Enumerable.Range(0, random.Next(lengthMax))
            .Select(_ => alphabet[random.Next(alphabet.Length)]));
}
