using System.Text.RegularExpressions;

namespace Jackdaw.Repository.Tests.Rules;

/// <summary>How types are named, documented and laid out over files.</summary>
public static partial class TypeRules
{
    /// <summary>Types whose banned ending is a word of the field or of a framework. Each needs its reason.</summary>
    private static readonly Dictionary<string, string> s_allowedNames = [];

    /// <summary>Most lines of a file that several public types share.</summary>
    public const int SharedFileLinesMax = 200;

    /// <summary>Small public types of one idea may share a file that is named for it; a public type that is alone has a file of its name.
    /// Types inside a type don't count, nor does the same name with other type parameters.</summary>
    public static IEnumerable<Finding> OneLargeTypePerFile(SourceFile file)
    {
        if (!file.IsCSharp || !file.IsUnder("src"))
        {
            yield break;
        }

        // Partial files carry their role after the first dot: Pager.TestHooks.cs.
        string stem = Path.GetFileName(file.Path).Split('.')[0];
        string[] names = [.. file.Outline.Types.Where(t => t.IsPublic && !t.IsNested).Select(t => t.Name).Distinct()];
        if (names.Length > 1 && file.LineCount > SharedFileLinesMax)
        {
            yield return new Finding(file.Path, 0,
                $"{names.Length} public types ({string.Join(", ", names)}) in {file.LineCount} lines: one per file, or at most {SharedFileLinesMax} lines");
        }
        else if (names.Length == 1 && names[0] != stem && !file.Outline.Types.Any(t => !t.IsNested && t.Name == stem))
        {
            yield return new Finding(file.Path, 0, $"public type {names[0]} belongs to {names[0]}.cs");
        }
    }

    public static IEnumerable<Finding> BannedNames(SourceFile file) =>
        !file.IsCSharp || !file.IsUnder("src") ? [] : file.Outline.Types
            .Where(t => BannedEnding().IsMatch(t.Name) && !s_allowedNames.ContainsKey(t.Name))
            .Select(t => new Finding(file.Path, t.Line,
                $"{t.Name}: say what it does, not that it manages, helps, or holds"));

    public static IEnumerable<Finding> Undocumented(SourceFile file)
    {
        if (!file.IsCSharp || !(file.IsUnder("src/Pal") || file.IsUnder("src/Storage")))
        {
            return [];
        }

        return file.Outline.Types.Where(t => t.IsPublic && !HasDocumentation(file, t.Line))
            .Select(t => new Finding(file.Path, t.Line,
                $"public type {t.Name} needs a summary that a user can act on"));
    }

    /// <summary>Folder is namespace: src/Storage/Trees is Jackdaw.Storage.Trees, test/TestKit is
    /// Jackdaw.TestKit.</summary>
    public static IEnumerable<Finding> NamespaceOfFolder(SourceFile file)
    {
        if (!file.IsCSharp || !file.IsUnder("src")
            || NamespaceLine().Match(file.Code) is not { Success: true } declared)
        {
            return [];
        }

        string expected = "Jackdaw." + string.Join('.', file.Path.Split('/')[1..^1]);
        return declared.Groups[1].Value == expected
            ? []
            : [new Finding(file.Path, 0, $"namespace {declared.Groups[1].Value}, its folder says {expected}")];
    }

    private static bool HasDocumentation(SourceFile file, int line)
    {
        // Up from the declaration over attributes to the comment.
        int above = line - 2;
        while (above >= 0 && file.Lines[above].TrimStart().StartsWith('['))
        {
            above--;
        }

        return above >= 0 && file.Lines[above].TrimStart().StartsWith("///", StringComparison.Ordinal);
    }

    [GeneratedRegex(@"(Manager|Service|Services|Helper|Helpers|Processor|Info|Data|Util|Utils|Impl|2)$")]
    private static partial Regex BannedEnding();

    [GeneratedRegex(@"^namespace\s+([\w.]+)\s*;", RegexOptions.Multiline)]
    private static partial Regex NamespaceLine();
}
