using System.Text.RegularExpressions;

namespace Jackdaw.Repository.Tests.Rules;

/// <summary>How densely a part of the product checks itself.</summary>
public static partial class AssertionRules
{
    /// <summary>Assertions per 1,000 lines of the C# files in a folder, those in comments and strings not
    /// counted.</summary>
    public static double PerThousandLines(IEnumerable<SourceFile> files, string folder)
    {
        SourceFile[] sources = [.. files.Where(f => f.IsCSharp && f.IsUnder(folder))];
        int lines = sources.Sum(f => f.LineCount);
        return lines == 0 ? 0 : 1000.0 * sources.Sum(f => Assertion().Count(f.Code)) / lines;
    }

    [GeneratedRegex(@"\bDebug\s*\.\s*(Assert|Fail)\s*\(|\bInvariant\s*\.\s*Check\s*\(")]
    private static partial Regex Assertion();
}
