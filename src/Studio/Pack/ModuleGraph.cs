using System.Text.RegularExpressions;

namespace Jackdaw.Studio.Pack;

/// <summary>Which modules load which, as their import statements say.</summary>
public sealed partial class ModuleGraph(Site site, ImportMap map)
{
    /// <summary>The modules that load together with some: these and all that they import, directly or not, in the order in which they are first
    /// named.</summary>
    /// <exception cref="SiteException">A module imports what does not exist.</exception>
    public IReadOnlyList<string> Load(IEnumerable<string> modules)
    {
        var found = new List<string>();
        var waiting = new Queue<string>(modules);
        while (waiting.TryDequeue(out string? module))
        {
            if (found.Contains(module))
            {
                continue;
            }

            found.Add(module);
            foreach (Match import in StaticImport().Matches(site.TextOf(module, Site.Page)))
            {
                waiting.Enqueue(map.Resolve(module, import.Groups["from"].Value));
            }
        }

        return found;
    }

    /// <summary>Checks that each import of our own modules, at the start or later, names a file.</summary>
    /// <exception cref="SiteException">One does not.</exception>
    public void Check()
    {
        foreach (string module in site.Files.Keys.Where(IsOurs))
        {
            string text = site.TextOf(module, module);
            foreach (Match import in StaticImport().Matches(text).Concat(LateImport().Matches(text)))
            {
                _ = site.TextOf(map.Resolve(module, import.Groups["from"].Value), module);
            }
        }
    }

    private static bool IsOurs(string path) => path.EndsWith(".js", StringComparison.Ordinal) && !path.StartsWith("lib/", StringComparison.Ordinal);

    // Libraries come minified: there an import statement may follow another on the same line.
    [GeneratedRegex("""(?:^|[;}\n])\s*(?:import|export)\s*(?:[\w$*{}\s,]*?from\s*)?["'](?<from>[^"'\n]+)["']""")]
    private static partial Regex StaticImport();

    [GeneratedRegex("""\bimport\(\s*["'](?<from>[^"'\n]+)["']\s*\)""")]
    private static partial Regex LateImport();
}
