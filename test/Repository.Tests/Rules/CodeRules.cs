using System.Text.RegularExpressions;

namespace Jackdaw.Repository.Tests.Rules;

/// <summary>Calls and words that product code does without, each with what takes their place.</summary>
public static partial class CodeRules
{
    private static readonly (Regex Pattern, string[] Folders, string Instead)[] s_banned =
    [
        (WallClock(), ["src"], "time comes from TimeProvider, so that tests can turn the clock"),
        (Sleeping(), ["src", "test"], "wait on a signal, a fake clock or a condition with a deadline"),
        (Randomness(), ["src"],
            "randomness comes from an injected, seeded generator, so that a failed run can be repeated"),
        (PoolWork(), ["src/Storage"], "the engine has few named threads of its own and never borrows one"),
        (ConsoleCall(), ["src/Storage", "src/Pal"], "a library has no console: throw, or report to the caller"),
        (UserExpression(), ["src/Search.Lucene", "src/Indexing", "src/Queries", "src/Scripting", "src/Documents", "src/Server"],
            "regular expressions of users come from UserRegex, which gives them an end"),
        (LockThis(), ["src", "test"], "lock a private System.Threading.Lock"),
        (Region(), ["src", "test"], "a file that needs regions needs splitting"),
    ];

    public static IEnumerable<Finding> BannedCalls(SourceFile file) => !file.IsCSharp ? [] : s_banned
        .Where(rule => rule.Folders.Any(file.IsUnder))
        .SelectMany(rule => TextRules.Matches(file, rule.Pattern == Region() ? file.Text : file.Code, rule.Pattern,
            rule.Instead));

    /// <summary>A test that lets time pass is slow on a quick machine and fails on a busy one. Where nothing else can be done, the line says
    /// why.</summary>
    public static IEnumerable<Finding> WaitsWithoutReason(SourceFile file)
    {
        if (!file.IsCSharp || !file.IsUnder("test"))
        {
            return [];
        }

        string[] comments = file.Comments.Split('\n');
        return TextRules.Matches(file, file.Code, Waiting(),
            "wait by Eventually of TestKit, on a signal or a clock of the test; or say on the same line why time has to pass")
            .Where(finding => string.IsNullOrWhiteSpace(comments[finding.Line - 1].Trim().TrimStart('/')));
    }

    /// <summary>Calls into C stand in one project, where handles, statuses and sizes are checked.</summary>
    public static IEnumerable<Finding> NativeCalls(SourceFile file) =>
        !file.IsCSharp || !file.IsUnder("src") || file.IsUnder("src/Pal")
            ? []
            : TextRules.Matches(file, file.Code, NativeImport(), "calls into C only in src/Pal");

    /// <param name="file">The file to look at.</param>
    /// <param name="allowedFolders">Folders below src that may use pointers, as AGENTS.md lists them.</param>
    public static IEnumerable<Finding> UnsafeCode(SourceFile file, IReadOnlyCollection<string> allowedFolders) =>
        !file.IsCSharp || !file.IsUnder("src") || allowedFolders.Any(folder => file.IsUnder("src/" + folder))
            ? []
            : TextRules.Matches(file, file.Code, UnsafeWord(),
                "pointers only in the folders that AGENTS.md lists; elsewhere Span<byte>");

    /// <summary>Reads the list of folders from the line of AGENTS.md that starts with "`unsafe` only in": one place to
    /// change it.</summary>
    public static IReadOnlyCollection<string> UnsafeFolders(string agentsText)
    {
        Match line = UnsafeLine().Match(agentsText);
        return line.Success ? [.. line.Groups[1].Value.TrimEnd('.').Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries)] : [];
    }

    [GeneratedRegex(@"\bDateTime(Offset)?\s*\.\s*(Now|UtcNow|Today)\b")]
    private static partial Regex WallClock();

    [GeneratedRegex(@"\bThread\s*\.\s*Sleep\b")]
    private static partial Regex Sleeping();

    [GeneratedRegex(@"\bTask\s*\.\s*Delay\b|\bSpinWait\b")]
    private static partial Regex Waiting();

    [GeneratedRegex(@"\bnew\s+Random\s*\(\s*\)|\bRandom\s+\w+\s*=\s*new\s*\(\s*\)|\bRandom\s*\.\s*Shared\b")]
    private static partial Regex Randomness();

    [GeneratedRegex(@"\bTask\s*\.\s*Run\b|\bTask\s*\.\s*Factory\b")]
    private static partial Regex PoolWork();

    [GeneratedRegex(@"\bConsole\s*\.\s*\w+")]
    private static partial Regex ConsoleCall();

    [GeneratedRegex(@"\bnew\s+Regex\s*\(|\bRegex\s*\.\s*(IsMatch|Match|Matches|Replace|Split|Count)\s*\(")]
    private static partial Regex UserExpression();

    [GeneratedRegex(@"\block\s*\(\s*this\s*\)")]
    private static partial Regex LockThis();

    [GeneratedRegex(@"^\s*#region\b", RegexOptions.Multiline)]
    private static partial Regex Region();

    [GeneratedRegex(@"\b(DllImport|LibraryImport)\b")]
    private static partial Regex NativeImport();

    [GeneratedRegex(@"\bunsafe\b")]
    private static partial Regex UnsafeWord();

    [GeneratedRegex(@"`unsafe` only in ([^\n]*(?:\n {2}[^\n]*)*)")]
    private static partial Regex UnsafeLine();
}
