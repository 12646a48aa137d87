using System.Text.Json;

namespace Jackdaw.Server.Http.Handlers.Studio;

/// <summary>The files of the Studio: one page, and all others below a path that contains the hash of the whole set. Immutable.</summary>
internal sealed class StudioSite
{
    /// <summary>Where the page is.</summary>
    public const string Root = "/studio";

    private const string PageName = "index.html";

    private readonly Dictionary<string, StudioFile> _files;

    private StudioSite(string hash, string page, string scripts, IEnumerable<string> files)
    {
        Tag = $"\"{page}\"";
        Policy = $"default-src 'self'; script-src 'self' {scripts}; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; "
            + "frame-ancestors 'none'";
        _files = files.ToDictionary(file => $"{Root}/{hash}/{file}", file => new StudioFile(file), StringComparer.Ordinal);
    }

    /// <summary>The page, which browsers revalidate.</summary>
    public StudioFile Page { get; } = new(PageName);

    /// <summary>The ETag of the page.</summary>
    public string Tag { get; }

    /// <summary>The Content-Security-Policy of the page: its own files, its own server, and the scripts in the page by their hashes.</summary>
    public string Policy { get; }

    /// <summary>The paths of all files besides the page.</summary>
    public IEnumerable<string> Paths => _files.Keys;

    /// <summary>Reads the list of files.</summary>
    public static StudioSite Load()
    {
        using JsonDocument list = JsonDocument.Parse(StudioResources.Read("site.json"));
        JsonElement root = list.RootElement;
        return new StudioSite(
            root.GetProperty("Hash").GetString()!,
            root.GetProperty("PageHash").GetString()!,
            root.GetProperty("Scripts").GetString()!,
            root.GetProperty("Files").EnumerateArray().Select(file => file.GetString()!));
    }

    /// <summary>Finds a file by the path of a request; null when this build has no such file.</summary>
    public StudioFile? Find(string path) => _files.GetValueOrDefault(path);
}
