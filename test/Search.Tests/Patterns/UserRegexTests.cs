using System.Text.RegularExpressions;
using Jackdaw.Search.Patterns;

namespace Jackdaw.Search.Tests.Patterns;

public sealed class UserRegexTests
{
    [Theory]
    [InlineData("^(a+)+$", false)]
    [InlineData("(?i)caf[eé]|\\bx\\d{2,5}", false)]
    [InlineData("(a{100}){50}", false)]
    [InlineData("(a)\\1", true)]
    [InlineData("a(?=b)", true)]
    [InlineData("(?<!a)b", true)]
    [InlineData("(?>a+)b", true)]
    [InlineData("((a{1000}){1000}){1000}", true)] // too many states
    public void Make_Pattern_BacktracksOnlyWhereItMust(string pattern, bool backtracks)
    {
        Regex regex = UserRegex.Make(pattern, RegexOptions.Compiled, Regex.InfiniteMatchTimeout);
        Assert.Equal(backtracks, UserRegex.Backtracks(regex));
        Assert.Equal(backtracks, regex.MatchTimeout != Regex.InfiniteMatchTimeout);
    }

    [Theory]
    [InlineData(RegexOptions.RightToLeft)]
    [InlineData(RegexOptions.ECMAScript)]
    [InlineData(RegexOptions.NonBacktracking)]
    public void Make_OptionsThatExcludeOneAnother_AreUsedWherePossible(RegexOptions options) =>
        Assert.Matches(UserRegex.Make("a+", options, TimeSpan.FromSeconds(1)), "caat");

    [Fact]
    public void Match_PatternThatWouldBacktrackForEver_NeedsNoLimit() =>
        Assert.DoesNotMatch(UserRegex.Make("^(a+)+$", RegexOptions.None, Regex.InfiniteMatchTimeout), new string('a', 100_000) + "!");

    [Fact]
    public void Match_PatternThatNeedsBacktracking_SaysWhyItHasALimit()
    {
        Regex regex = UserRegex.Make("^(a+)+(?=b)", RegexOptions.None, Regex.InfiniteMatchTimeout);
        Assert.Throws<RegexMatchTimeoutException>(() => regex.IsMatch(new string('a', 40)));
        Assert.Contains("needs backtracking", UserRegex.HasALimit(regex), StringComparison.Ordinal);
    }
}
