using System.Text.RegularExpressions;
using Jackdaw.Client.Tests.Harness;

namespace Jackdaw.Client.Tests.Documentation;

/// <summary>A piece of C# that a page shows.</summary>
/// <param name="Page">Its path in the repository.</param>
/// <param name="Line">Of its first line of code in the page; the first is 1.</param>
/// <param name="Mark">What stands behind <c>csharp</c>; empty: an example that runs.</param>
/// <param name="Text">Lines, each with its end.</param>
internal sealed partial record CodeBlock(string Page, int Line, string Mark, string Text)
{
    /// <summary>It is compiled and does not run.</summary>
    public const string CompileOnly = "compile-only";

    /// <summary>It runs before each other example of its page.</summary>
    public const string Setup = "setup";

    /// <summary>It is a whole program, which test/Packages/run.sh builds and runs.</summary>
    public const string WholeProgram = "Program.cs";

    /// <summary>The C# of a page, in its order.</summary>
    public static IReadOnlyList<CodeBlock> Of(string page) => Of(page, File.ReadAllText(Path.Combine(RepositoryFolder.Path, page)));

    /// <summary>The C# of the text of a page, in its order.</summary>
    public static IReadOnlyList<CodeBlock> Of(string page, string text) =>
    [
        .. Fence().Matches(text.ReplaceLineEndings("\n"))
            .Select(match => new CodeBlock(page, LineAt(text, match.Groups[2].Index), match.Groups[1].Value.Trim(), match.Groups[2].Value)),
    ];

    private static int LineAt(string text, int index) => text.ReplaceLineEndings("\n").AsSpan(0, index).Count('\n') + 1;

    [GeneratedRegex("^```csharp([^\n]*)\n(.*?)^```", RegexOptions.Singleline | RegexOptions.Multiline)]
    private static partial Regex Fence();
}
