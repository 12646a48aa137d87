namespace Jackdaw.TestServer.Tests;

/// <summary>What the pages show is what runs here.</summary>
public sealed class PageTests
{
    [Fact]
    public void Page_Example_IsTheOneThatRuns() =>
        Assert.Equal(File.ReadAllText(PathOf("test/TestServer.Tests/ExampleTests.cs")).Trim(), CodeOf("docs/test-server.md"));

    [Fact]
    public void ReadmeOfThePackage_Example_IsPartOfTheOneThatRuns()
    {
        string[] running = File.ReadAllLines(PathOf("test/TestServer.Tests/ExampleTests.cs"));
        string[] shown = [.. CodeOf("src/TestServer/README.md").Split('\n').Select(line => line.Trim()).Where(line => line.Length > 0)];
        Assert.NotEmpty(shown);
        Assert.All(shown, line => Assert.Contains(running, other => other.Trim() == line));
    }

    private static string CodeOf(string page)
    {
        string text = File.ReadAllText(PathOf(page));
        int begin = text.IndexOf("```csharp\n", StringComparison.Ordinal) + "```csharp\n".Length;
        return text[begin..text.IndexOf("```", begin, StringComparison.Ordinal)].Trim();
    }

    private static string PathOf(string file) => Path.Combine(RepositoryFolder.Path, file);
}
