using System.Text.RegularExpressions;
using Jackdaw.Search.Patterns;
using Jackdaw.Search.Queries;

namespace Jackdaw.Search.Tests.Patterns;

/// <summary>Patterns with stars and question marks against regular expressions that mean the same, and the bounds of regular expressions.</summary>
public sealed class WildcardPatternTests
{
    private const string Emoji = "\ud83d\ude00";

    private static readonly string[] s_parts = ["a", "b", "ab", Emoji, "*", "?", "**", "ü", "."];

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void IsMatch_RandomPatterns_IsWhatARegularExpressionFinds(bool hasSingle)
    {
        const int seed = 11;
        var random = new Random(seed);
        int matches = 0;
        for (int i = 0; i < 20_000; i++)
        {
            string pattern = Random(random, s_parts.Length);
            string text = Random(random, s_parts.Length);
            var wildcard = new WildcardPattern(pattern, hasSingle);
            bool expected = Regex.IsMatch(text, Expression(pattern, hasSingle), RegexOptions.Singleline);
            Assert.True(expected == wildcard.IsMatch(text), $"seed {seed}: '{text}' by '{pattern}'");
            Assert.True(!expected || text.StartsWith(wildcard.Prefix, StringComparison.Ordinal), $"seed {seed}: '{text}' begins with '{wildcard.Prefix}'");
            matches += expected ? 1 : 0;
        }

        Assert.InRange(matches, 1000, 19_000);
    }

    [Fact]
    public void IsMatch_ManyStarsOnALongText_EndsSoon()
    {
        var pattern = new WildcardPattern(string.Concat(Enumerable.Repeat("*a", 200)) + "b");
        Assert.False(pattern.IsMatch(new string('a', 20_000)));
    }

    [Fact]
    public void RegexMatcher_ExpressionThatIsTooLong_SaysTheLimit()
    {
        Assert.True(new RegexMatcher(new string('a', 4096)).IsMatch(new string('a', 4096)));
        string message = Assert.Throws<InvalidSearchException>(() => new RegexMatcher(new string('a', 4097))).Message;
        Assert.Contains("at most 4096 characters, and this one has 4097", message, StringComparison.Ordinal);
    }

    [Fact]
    public void RegexMatcher_TextThatIsNoExpression_IsRefused()
    {
        string message = Assert.Throws<InvalidSearchException>(() => new RegexMatcher("(a")).Message;
        Assert.Contains("'(a' is not a regular expression", message, StringComparison.Ordinal);
    }

    [Fact]
    public void RegexMatcher_ExpressionThatBacktracksForEver_IsEndedByItsLimit()
    {
        var matcher = new RegexMatcher(@"^(a+)+\1c$");
        string message = Assert.Throws<InvalidSearchException>(() => matcher.IsMatch(new string('a', 200) + "b")).Message;
        Assert.Contains("needs backtracking", message, StringComparison.Ordinal);
    }

    private static string Random(Random random, int parts) => string.Concat(Enumerable.Range(0, random.Next(6)).Select(_ => s_parts[random.Next(parts)]));

    private static string Expression(string pattern, bool hasSingle) => "^" + string.Concat(pattern.Select(c =>
        c == '*' ? ".*" : c == '?' && hasSingle ? "(?:[\ud800-\udbff][\udc00-\udfff]|[^\ud800-\udfff])" : Regex.Escape(c.ToString()))) + "\\z";
}
