using Jackdaw.Repository.Tests.Rules;

namespace Jackdaw.Repository.Tests;

public sealed class NoticeTests
{
    [Fact]
    public void Packages_OfTheSolution_StandInTheNotices() =>
        Assert.Empty(NoticeRules.Missing(Read("Directory.Packages.props"), Read(NoticeRules.Notices)));

    [Theory]
    [InlineData("| A | 1.0 | MIT |", 0)]
    [InlineData("| A | 1.0 | MIT |\n| B | 2.0 | MIT |", 0)]
    [InlineData("| B | 1.0 | MIT |", 1)]
    [InlineData("| A | 1.1 | MIT |", 1)]
    [InlineData("| A | 1.0 |  |", 1)]
    public void Missing_NameVersionOrLicence_IsFound(string notices, int missing)
    {
        const string packages = "<Project><ItemGroup><PackageVersion Include=\"A\" Version=\"1.0\" /></ItemGroup></Project>";
        string[] found = [.. NoticeRules.Missing(packages, notices)];
        Assert.Equal(missing, found.Length);
        Assert.All(found, line => Assert.Contains("| A | 1.0 |", line, StringComparison.Ordinal));
    }

    private static string Read(string file) => File.ReadAllText(Path.Combine(RepositoryFiles.Root, file));
}
