using System.Text.Json;
using System.Text.RegularExpressions;

namespace Jackdaw.Studio.Pack;

/// <summary>The import map of the page: names of libraries to files of the site.</summary>
public sealed partial class ImportMap
{
    private readonly Dictionary<string, string> _files;

    private ImportMap(Dictionary<string, string> files) => _files = files;

    /// <summary>The files that names stand for.</summary>
    public IEnumerable<string> Files => _files.Values;

    /// <summary>Reads the map out of the page.</summary>
    /// <exception cref="SiteException">The page has no such map, or it names a file that does not exist.</exception>
    public static ImportMap Read(Site site)
    {
        Match script = Script().Match(site.PageTemplate);
        if (!script.Success)
        {
            throw new SiteException(Site.Page, """it has no <script type="importmap">""");
        }

        using JsonDocument map = JsonDocument.Parse(script.Groups["text"].Value);
        var files = new Dictionary<string, string>();
        foreach (JsonProperty entry in map.RootElement.GetProperty("imports").EnumerateObject())
        {
            string file = entry.Value.GetString()!.Replace(PagePlaces.Base, "", StringComparison.Ordinal);
            _ = site.TextOf(file, Site.Page);
            files.Add(entry.Name, file);
        }

        return new ImportMap(files);
    }

    /// <summary>Finds the file that a module means.</summary>
    /// <param name="specifier">As it stands in the module: a relative path, or a name of the map.</param>
    /// <exception cref="SiteException">Browsers could not find it.</exception>
    public string Resolve(string module, string specifier)
    {
        if (specifier.StartsWith('.'))
        {
            return new Uri(new Uri($"site:///{module}"), specifier).AbsolutePath[1..];
        }

        return _files.TryGetValue(specifier, out string? file)
            ? file
            : throw new SiteException(module, $"it imports '{specifier}', which the import map lacks");
    }

    [GeneratedRegex("""<script type="importmap">(?<text>.*?)</script>""", RegexOptions.Singleline)]
    private static partial Regex Script();
}
