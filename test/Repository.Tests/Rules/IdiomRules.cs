using System.Text.RegularExpressions;

namespace Jackdaw.Repository.Tests.Rules;

/// <summary>A turn of phrase that a newcomer reads twice.</summary>
/// <param name="Name">How the list of the counts names it.</param>
/// <param name="Pattern">What is counted.</param>
/// <param name="Advice">How the same is said plainly.</param>
public sealed record Idiom(string Name, Regex Pattern, string Advice);

/// <summary>Counts the turns of phrase that keep coming back in comments, messages and pages. Each has a committed count, which may only
/// fall.</summary>
public static partial class IdiomRules
{
    public static IReadOnlyList<Idiom> All { get; } =
    [
        new("is no", IsNo(), "\"is not a\"; \"there is no\" is fine"),
        new("is none", IsNone(), "say what it is not; \"there is none\" is fine"),
        new("of now", OfNow(), "\"current\", \"at that time\""),
        new("so many", SoMany(), "\"this number of\", \"as many\""),
        new("the while", TheWhile(), "\"the time\""),
        new("is told", IsTold(), "\"is notified\", or say who tells it"),
        new("behind it", BehindIt(), "\"after it\", unless it is a place"),
        new("whatever", Whatever(), "\"no matter what\", \"any\""),
        new("meanwhile", Meanwhile(), "\"while ...\", and say what happens in that time"),
        new("of which", OfWhich(), "\"whose\", or a sentence of its own"),
        new("who asks", WhoAsks(), "\"the caller\", \"the reader\""),
        new("as above", AsAbove(), "what it is: a summary is read alone"),
    ];

    /// <summary>The texts that people read: sources of the product, pages and notes. Decisions and results are records, which stay as they were
    /// written.</summary>
    public static bool IsRead(SourceFile file) =>
        (file.IsCSharp && file.IsUnder("src")) || file.Path is "README.md" or "AGENTS.md"
        || (file.IsUnder("docs") && !file.IsUnder("docs/decisions") && file.Path.EndsWith(".md", StringComparison.Ordinal));

    /// <summary>Where an idiom is, with line breaks read as spaces.</summary>
    public static IEnumerable<Finding> Find(Idiom idiom, SourceFile file) =>
        from match in idiom.Pattern.Matches(LineBreak().Replace(file.Text, m => m.Value.Replace('\n', ' ').Replace('/', ' ')))
        let line = file.Text.AsSpan(0, match.Index).Count('\n') + 1
        select new Finding(file.Path, line, $"`{match.Value}`: write {idiom.Advice}");

    /// <returns>What is wrong with the committed counts: one line for each idiom that has become more or less frequent.</returns>
    public static IEnumerable<string> Compare(IReadOnlyCollection<SourceFile> files, IReadOnlyDictionary<string, int> counts)
    {
        foreach (Idiom idiom in All)
        {
            Finding[] found = [.. files.Where(IsRead).SelectMany(file => Find(idiom, file))];
            int allowed = counts.GetValueOrDefault(idiom.Name);
            if (found.Length < allowed)
            {
                yield return $"\"{idiom.Name}\" is used {found.Length} times, {allowed} are allowed: lower it to {found.Length}";
            }
            else if (found.Length > allowed)
            {
                yield return $"\"{idiom.Name}\" is used {found.Length} times, {allowed} are allowed. It is in:\n  {string.Join("\n  ", found.AsEnumerable())}";
            }
        }
    }

    [GeneratedRegex(@"\n\s*(///?)?\s*")]
    private static partial Regex LineBreak();

    [GeneratedRegex(@"(?<!\b[Tt]here )\b(is|are|was|were) +no (?!more|longer|less\b|fewer|doubt|such)", RegexOptions.IgnoreCase)]
    private static partial Regex IsNo();

    [GeneratedRegex(@"(?<!\bthere )\b(is|are|was|were) +none\b", RegexOptions.IgnoreCase)]
    private static partial Regex IsNone();

    [GeneratedRegex(@"\bof +(now|then)\b", RegexOptions.IgnoreCase)]
    private static partial Regex OfNow();

    [GeneratedRegex(@"\bso +many\b", RegexOptions.IgnoreCase)]
    private static partial Regex SoMany();

    [GeneratedRegex(@"\bthe +while\b", RegexOptions.IgnoreCase)]
    private static partial Regex TheWhile();

    [GeneratedRegex(@"\b(is|are|was|were|be|been|being) +told\b", RegexOptions.IgnoreCase)]
    private static partial Regex IsTold();

    [GeneratedRegex(@"\bbehind +(it|them)\b", RegexOptions.IgnoreCase)]
    private static partial Regex BehindIt();

    [GeneratedRegex(@"\bwhatever\b", RegexOptions.IgnoreCase)]
    private static partial Regex Whatever();

    [GeneratedRegex(@"\bmeanwhile\b", RegexOptions.IgnoreCase)]
    private static partial Regex Meanwhile();

    [GeneratedRegex(@"\bof +which\b", RegexOptions.IgnoreCase)]
    private static partial Regex OfWhich();

    [GeneratedRegex(@"(?<=[.;:,] +|\band +)who +(asks|reads|writes|waits|calls|sends|shows|does|has|is)\b", RegexOptions.IgnoreCase)]
    private static partial Regex WhoAsks();

    [GeneratedRegex(@"<summary>(As above|Likewise|Ditto|The same,|The same (of|for|with|but|when)\b)", RegexOptions.IgnoreCase)]
    private static partial Regex AsAbove();
}
