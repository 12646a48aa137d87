using System.Text.RegularExpressions;

namespace Jackdaw.Repository.Tests.Rules;

/// <summary>What no committed text may hold, whatever its language.</summary>
public static partial class TextRules
{
    public static IEnumerable<Finding> TabsAndCarriageReturns(SourceFile file)
    {
        if (file.Text.Contains('\r'))
        {
            yield return new Finding(file.Path, file.Text.AsSpan(0, file.Text.IndexOf('\r')).Count('\n') + 1,
                "lines end with LF alone");
        }

        int tab = file.Text.IndexOf('\t');
        if (tab >= 0)
        {
            yield return new Finding(file.Path, file.Text.AsSpan(0, tab).Count('\n') + 1,
                "indent with spaces, write \\t in strings");
        }

        if (file.Text.Length > 0 && !file.Text.EndsWith('\n'))
        {
            yield return new Finding(file.Path, file.LineCount, "the last line needs its newline");
        }
    }

    /// <summary>The project stands alone: a path of one machine or the address of one package feed means nothing to
    /// the next reader.</summary>
    public static IEnumerable<Finding> MachineNames(SourceFile file) =>
        Matches(file, file.Text, MachinePath(), "a path of one machine")
        .Concat(Matches(file, file.Text, FeedAddress(), "the address of a package feed: whoever builds has its own"))
        .Concat(file.Path.EndsWith("package-lock.json", StringComparison.Ordinal)
            ? Matches(file, file.Text, LockedAddress(),
                "a lock file without addresses: npm install with omit-lockfile-registry-resolved")
            : []);

    /// <summary>Notes to oneself. In C# words count in comments only, and the exception in code only; elsewhere
    /// anywhere.</summary>
    public static IEnumerable<Finding> LeftoverMarkers(SourceFile file)
    {
        const string advice = "a leftover: do it, or describe it where work is planned";
        if (file.IsCSharp)
        {
            return Matches(file, file.Comments, Marker(), advice).Concat(Matches(file, file.Code, Unwritten(), advice));
        }

        return Path.GetExtension(file.Path) is ".md" or ".json" ? [] : Matches(file, file.Text, Marker(), advice);
    }

    internal static IEnumerable<Finding> Matches(SourceFile file, string part, Regex pattern, string message) =>
        pattern.Matches(part).Select(m => new Finding(file.Path, part.AsSpan(0, m.Index).Count('\n') + 1,
            $"`{m.Value.Trim()}`: {message}"));

    [GeneratedRegex(@"(?<![\w.$})\]*/-])/(work|root|home)/(?!\s)")]
    private static partial Regex MachinePath();

    [GeneratedRegex(@"https?://[\w.-]*(registry|nuget|npmjs|pypi|debian\.org|goproxy|crates\.io)[\w.-]*")]
    private static partial Regex FeedAddress();

    [GeneratedRegex("\"resolved\"\\s*:\\s*\"http[^\"]*")]
    private static partial Regex LockedAddress();

    [GeneratedRegex(@"\b(TODO|FIXME|HACK|XXX)\b")]
    private static partial Regex Marker();

    [GeneratedRegex(@"\bNotImplementedException\b")]
    private static partial Regex Unwritten();
}
