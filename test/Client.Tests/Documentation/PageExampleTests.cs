using System.Globalization;
using Jackdaw.TestServer;

namespace Jackdaw.Client.Tests.Documentation;

/// <summary>What the pages show of the client compiles without a warning, runs, and gives what its comments state.</summary>
/// <remarks>Each block runs alone, with a server of its own. It sees the usings and classes of its page's first block, <c>store</c>, and <c>session</c>;
/// the page's block <c>csharp setup</c> has run before it. <c>csharp compile-only</c> is not run. What a comment may state:
/// <see cref="StatedValues"/>.</remarks>
public sealed class PageExampleTests
{
    private static readonly string[] s_pages =
    [
        "README.md", "docs/client.md", "docs/changes.md", "docs/client-packages.md", "src/Client/README.md", "src/Client.AspNetCore/README.md",
    ];

    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(2);

    public static TheoryData<string, int> Blocks
    {
        get
        {
            var all = new TheoryData<string, int>();
            foreach (CodeBlock block in s_pages.SelectMany(CodeBlock.Of))
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
        IReadOnlyList<string> differences = await RunAsync(CodeBlock.Of(page), line);
        Assert.True(differences.Count == 0, string.Join(Environment.NewLine, differences));
    }

    [Theory]
    [InlineData("README.md", 2)]
    [InlineData("docs/client.md", 60)]
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
        IReadOnlyList<string> found = await RunAsync(CodeBlock.Of("page", $"text\n```csharp\n{code}\n```\n"), 3);
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
        Exception failure = await Assert.ThrowsAnyAsync<Exception>(() => RunAsync(CodeBlock.Of("page", $"text\n```csharp\n{code}\n```\n"), 3));
        Assert.Contains(said, failure.Message, StringComparison.Ordinal);
    }

    /// <summary>Compiles and runs a block.</summary>
    /// <returns>Where it gives something else than it states.</returns>
    private static async Task<IReadOnlyList<string>> RunAsync(IReadOnlyList<CodeBlock> page, int line)
    {
        CodeBlock block = page.Single(one => one.Line == line);
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
