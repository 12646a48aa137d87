using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;

namespace Jackdaw.Studio.Pack;

/// <summary>The places of the page that are filled when the site is packed.</summary>
public static partial class PagePlaces
{
    /// <summary>Stands for the path of all other files.</summary>
    public const string Base = "{{base}}";

    /// <summary>Fills the page.</summary>
    /// <param name="path">Of all other files; ends with a slash.</param>
    /// <exception cref="SiteException">A module is missing.</exception>
    public static string Fill(Site site, string path)
    {
        var graph = new ModuleGraph(site, ImportMap.Read(site));
        graph.Check();
        string page = Preload().Replace(site.PageTemplate, match =>
        {
            IEnumerable<string> links = graph.Load(match.Groups["modules"].Value.Split(' ', StringSplitOptions.RemoveEmptyEntries))
                .Select(module => $"""<link rel="modulepreload" href="{Base}{module}">""");
            return string.Join("\n  ", links);
        });
        return page.Replace(Base, path, StringComparison.Ordinal);
    }

    /// <summary>The hashes of the scripts that stand in the page itself, for its Content-Security-Policy.</summary>
    public static IEnumerable<string> HashesOfScripts(string page) => InlineScript().Matches(page)
        .Select(script => $"'sha256-{Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(script.Groups["text"].Value)))}'");

    [GeneratedRegex("<!-- preload: (?<modules>[^>]*?) -->")]
    private static partial Regex Preload();

    [GeneratedRegex("<script(?![^>]*\\bsrc=)[^>]*>(?<text>.*?)</script>", RegexOptions.Singleline)]
    private static partial Regex InlineScript();
}
