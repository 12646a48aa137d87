using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace Jackdaw.Repository.Tests.Rules;

/// <summary>Each package and version of the solution stands in the notices with a licence.</summary>
public static partial class NoticeRules
{
    public const string Notices = "THIRD-PARTY-NOTICES.md";

    /// <summary>The lines that are missing. A line without a package is none of them: it may come before its package.</summary>
    public static IEnumerable<string> Missing(string packages, string notices)
    {
        HashSet<(string, string)> listed =
            [.. Row().Matches(notices).Select(row => (row.Groups["name"].Value, row.Groups["version"].Value))];
        return XDocument.Parse(packages).Descendants("PackageVersion")
            .Select(package => (Name: package.Attribute("Include")!.Value, Version: package.Attribute("Version")!.Value))
            .Where(package => !listed.Contains(package))
            .Select(package => $"{Notices} lacks the line: | {package.Name} | {package.Version} | (its licence) |");
    }

    [GeneratedRegex(@"^\| (?<name>[^|\s]+) \| (?<version>[0-9][^|\s]*) \| [^|\s][^|\n]* \|$", RegexOptions.Multiline)]
    private static partial Regex Row();
}
