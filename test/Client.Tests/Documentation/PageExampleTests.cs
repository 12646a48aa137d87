using System.Globalization;
using Jackdaw.Client.Tests.Harness;
using Jackdaw.TestServer;

namespace Jackdaw.Client.Tests.Documentation;

/// <summary>What the pages show of the client compiles without a warning, runs, and gives what its comments state.</summary>
/// <remarks>Each block runs alone, with a server of its own. It sees the usings and classes of its page's first block, <c>store</c>, and <c>session</c>;
/// the page's block <c>csharp setup</c> has run before it. Chapters of the guide use the first block and the setup of the guide.
/// <c>csharp compile-only</c> is not run. What a comment may state: <see cref="StatedValues"/>.</remarks>
public sealed class PageExampleTests
{
    private const string Guide = "docs/client.md";

    private static readonly string[] s_pages =
    [
        "README.md", Guide, .. Chapters, "docs/changes.md", "docs/client-packages.md", "src/Client/README.md", "src/Client.AspNetCore/README.md",
    ];

    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(2);

    private static IEnumerable<string> Chapters => Directory.GetFiles(Path.Combine(RepositoryFolder.Path, "docs", "client"), "*.md")
        .Select(file => "docs/client/" + Path.GetFileName(file)).Order(StringComparer.Ordinal);

    public static TheoryData<string, int> Blocks
    {
        get
        {
            var all = new TheoryData<string, int>();
            foreach (CodeBlock block in s_pages.SelectMany(CodeBlock.Of).Where(block => block.Mark != CodeBlock.WholeProgram))
            {
                all.Add(block.Page, block.Line);
            }

            return all;
        }
    }

    [Theory]
    [MemberData(nameof(Blocks))]
    public async Task Example_OfAPage_GivesWhatItStates(string page, int line)
    {
        IReadOnlyList<string> differences = await RunAsync(BlocksSeenBy(page), CodeBlock.Of(page).Single(one => one.Line == line));
        Assert.True(differences.Count == 0, string.Join(Environment.NewLine, differences));
    }

    [Theory]
    [InlineData("README.md", 2)]
    [InlineData(Guide, 4)]
    [InlineData("docs/changes.md", 1)]
    [InlineData("docs/client-packages.md", 2)]
    [InlineData("src/Client/README.md", 1)]
    [InlineData("src/Client.AspNetCore/README.md", 1)]
    public void Page_HasExamples(string page, int least) => Assert.InRange(CodeBlock.Of(page).Count, least, 500);

    [Theory]
    [InlineData("int sum = 1 + 1; // => 2", null)]
    [InlineData("int sum = 1 + 1;\n// => 3", "line 3 states '3' and gives '2'")]
    [InlineData("int sum = 1 + 1; // => 3", "states '3' and gives '2'")]
    [InlineData("Math.Max(2, 3); // => 3", null)]
    [InlineData("Console.WriteLine(new[] { 1, 2 }); // => [1, 3]", "gives '[1, 2]'")]
    [InlineData("for (int i = 0; i < 3; i++)\n{\n    Console.WriteLine(i); // => 0, 1, 2\n}", null)]
    [InlineData("if (args.Length > 0)\n{\n    Console.WriteLine(1); // => 1\n}", "it was not reached")]
    [InlineData("await session.LoadAsync<object>(\"x\", token: new(true)); // => throws OperationCanceledException", null)]
    [InlineData("int.Parse(\"x\"); // => throws FormatException: The input string 'x' ...", null)]
    [InlineData("int.Parse(\"1\"); // => throws FormatException", "gives 'throws nothing'")]
    public async Task Comment_BehindALine_IsCompared(string code, string? difference)
    {
        IReadOnlyList<string> found = await RunAsync(BlockWith(code), BlockWith(code)[0]);
        Assert.Equal(difference is null, found.Count == 0);
        Assert.All(found, one => Assert.Contains(difference!, one, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("int sum = Missing;", "page:3: CS0103")]
    [InlineData("string text = null;", "CS8600")]
    [InlineData("await Task.FromException(new TimeoutException(\"late\"));", "late")]
    [InlineData("// => 2\nint one = 1;", "page:3: '// => 2' stands behind nothing")]
    [InlineData("for (;;) { break; } // => 2", "page:3: ")]
    public async Task Block_ThatIsWrong_FailsWithItsLine(string code, string said)
    {
        Exception failure = await Assert.ThrowsAnyAsync<Exception>(() => RunAsync(BlockWith(code), BlockWith(code)[0]));
        Assert.Contains(said, failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Guide_ListsItsChapters_OfAtMost300Lines()
    {
        string guide = File.ReadAllText(Path.Combine(RepositoryFolder.Path, Guide));
        Assert.InRange(Chapters.Sum(chapter => CodeBlock.Of(chapter).Count), 50, 500);
        Assert.All(Chapters, chapter =>
        {
            Assert.Contains($"]({chapter["docs/".Length..]})", guide, StringComparison.Ordinal);
            Assert.InRange(File.ReadAllLines(Path.Combine(RepositoryFolder.Path, chapter)).Length, 5, 300);
        });
    }

    private static IReadOnlyList<CodeBlock> BlockWith(string code) => CodeBlock.Of("page", $"text\n```csharp\n{code}\n```\n");

    // A chapter begins with the classes and the setup of the guide.
    private static IReadOnlyList<CodeBlock> BlocksSeenBy(string page)
    {
        IReadOnlyList<CodeBlock> own = CodeBlock.Of(page);
        if (!Chapters.Contains(page))
        {
            return own;
        }

        IReadOnlyList<CodeBlock> guide = CodeBlock.Of(Guide);
        return [guide[0], .. guide.Where(block => block.Mark == CodeBlock.Setup), .. own];
    }

    /// <summary>Compiles and runs a block.</summary>
    /// <returns>Where it gives something else than it states.</returns>
    private static async Task<IReadOnlyList<string>> RunAsync(IReadOnlyList<CodeBlock> page, CodeBlock block)
    {
        Assert.Contains(block.Mark, (string[])["", CodeBlock.Setup, CodeBlock.CompileOnly]);
        var code = new ExampleCode(block, page);
        (Func<ExampleRun, Task> setup, Func<ExampleRun, Task> example) = code.Compile();
        if (block.Mark == CodeBlock.CompileOnly)
        {
            return [];
        }

        CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
        await using JackdawTestServer server = await JackdawTestServer.StartAsync();
        await using (ExampleRun before = await ExampleRun.BeginAsync(server))
        {
            await setup(before).WaitAsync(s_patience);
        }

        await using ExampleRun run = await ExampleRun.BeginAsync(server);
        await example(run).WaitAsync(s_patience);
        return run.Differences(code.Expected);
    }
}
