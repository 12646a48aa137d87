using System.IO.Compression;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;

namespace Jackdaw.Studio.Pack;

/// <summary>The site as the server carries it: each file twice, compressed with Brotli and with gzip, and a list.</summary>
/// <remarks>The list is <c>site.json</c>: <c>{"Hash":..., "PageHash":..., "Scripts":"'sha256-...'", "Files":["main.js", ...]}</c>. A file is <c>PATH.br</c> and
/// <c>PATH.gz</c>.</remarks>
public static class PackedSite
{
    /// <summary>Where the server serves the page; the other files are below, under the hash.</summary>
    public const string Root = "/studio/";

    /// <summary>Writes the resources, and removes those of an earlier run.</summary>
    /// <exception cref="SiteException">A file cannot be served as it is.</exception>
    public static void Write(Site site, string folder)
    {
        string page = PagePlaces.Fill(site, $"{Root}{site.Hash}/");
        if (Directory.Exists(folder))
        {
            Directory.Delete(folder, recursive: true);
        }

        Parallel.ForEach(site.Files.Append(new(Site.Page, Encoding.UTF8.GetBytes(page))), file => Compress(Path.Combine(folder, file.Key), file.Value));

        // The list comes last: the build takes a folder with a newer list as complete.
        File.WriteAllText(Path.Combine(folder, "site.json"), JsonSerializer.Serialize(new
        {
            site.Hash,
            PageHash = Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(page)))[..site.Hash.Length],
            Scripts = string.Join(' ', PagePlaces.HashesOfScripts(page)),
            Files = site.Files.Keys,
        }));
    }

    private static void Compress(string file, byte[] content)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(file)!);
        using (var brotli = new BrotliStream(File.Create(file + ".br"), CompressionLevel.SmallestSize))
        {
            brotli.Write(content);
        }

        using var gzip = new GZipStream(File.Create(file + ".gz"), CompressionLevel.SmallestSize);
        gzip.Write(content);
    }
}
