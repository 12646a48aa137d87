using System.Security.Cryptography;
using System.Text;

namespace Jackdaw.Studio.Pack;

/// <summary>The files that browsers load, as they lie in the sources. Immutable.</summary>
public sealed class Site
{
    /// <summary>The page, which is not below the hashed path.</summary>
    public const string Page = "index.html";

    /// <summary>Hexadecimal digits of the hash in the path: enough that no two builds ever share a path.</summary>
    private const int HashDigits = 16;

    private static readonly string[] s_folders = ["core", "parts", "views", "lib"];

    private static readonly string[] s_rootFiles = ["main.js", "studio.css", "icon.svg"];

    private static readonly string[] s_extensions = [".js", ".mjs", ".css", ".svg", ".json"];

    private Site(string page, SortedDictionary<string, byte[]> files)
    {
        PageTemplate = page;
        Files = files;
        Hash = HashOf([new(Page, Encoding.UTF8.GetBytes(page)), .. files]);
    }

    /// <summary>The text of the page, with its places still to be filled.</summary>
    public string PageTemplate { get; }

    /// <summary>Path relative to the site, with slashes, and content.</summary>
    public IReadOnlyDictionary<string, byte[]> Files { get; }

    /// <summary>Depends on the path and content of every file, and on the page.</summary>
    public string Hash { get; }

    /// <summary>Reads the site.</summary>
    /// <exception cref="SiteException">A file is missing.</exception>
    public static Site Read(string folder)
    {
        var files = new SortedDictionary<string, byte[]>(StringComparer.Ordinal);
        foreach (string name in s_rootFiles)
        {
            files.Add(name, ReadFile(folder, name));
        }

        foreach (string below in s_folders.Select(name => Path.Combine(folder, name)).Where(Directory.Exists))
        {
            foreach (string file in Directory.EnumerateFiles(below, "*", SearchOption.AllDirectories))
            {
                if (s_extensions.Contains(Path.GetExtension(file)))
                {
                    string path = Path.GetRelativePath(folder, file).Replace('\\', '/');
                    files.Add(path, ReadFile(folder, path));
                }
            }
        }

        return new Site(Encoding.UTF8.GetString(ReadFile(folder, Page)), files);
    }

    /// <summary>The text of a module.</summary>
    /// <exception cref="SiteException">The site lacks the file.</exception>
    public string TextOf(string path, string user) => Files.TryGetValue(path, out byte[]? content)
        ? Encoding.UTF8.GetString(content)
        : throw new SiteException(user, $"it uses {path}, which does not exist");

    private static byte[] ReadFile(string folder, string path)
    {
        string file = Path.Combine(folder, path);
        return File.Exists(file) ? File.ReadAllBytes(file) : throw new SiteException(path, "the file is missing");
    }

    private static string HashOf(IEnumerable<KeyValuePair<string, byte[]>> files)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        foreach ((string path, byte[] content) in files)
        {
            hash.AppendData(Encoding.UTF8.GetBytes($"{path}\n{content.Length}\n"));
            hash.AppendData(content);
        }

        return Convert.ToHexStringLower(hash.GetHashAndReset())[..HashDigits];
    }
}
