using System.IO.Compression;
using Jackdaw.Security.Keys;

namespace Jackdaw.Server.Verbs.Certificates;

/// <summary>Writes the files of a new certificate, which only the user of this process may read.</summary>
internal static class CertificateFiles
{
    private const string AuthorityName = "ca.pem";

    /// <summary>Unpacks the answer of a server into a folder, and says where the files are. A file that exists is not replaced, except ca.pem.</summary>
    public static void Unpack(byte[] zip, string folder)
    {
        using var archive = new ZipArchive(new MemoryStream(zip), ZipArchiveMode.Read);
        var files = new Dictionary<string, byte[]>();
        foreach (ZipArchiveEntry entry in archive.Entries)
        {
            using Stream content = entry.Open();
            var bytes = new MemoryStream();
            content.CopyTo(bytes);
            files[Path.GetFileName(entry.Name)] = bytes.ToArray(); // never outside of the folder
        }

        Write(files, folder);
    }

    public static void Write(IReadOnlyDictionary<string, byte[]> files, string folder)
    {
        Directory.CreateDirectory(folder);
        foreach ((string name, byte[] content) in files)
        {
            string path = name == AuthorityName ? Path.Combine(folder, name) : FindFree(folder, name);
            ProtectedFiles.WriteAll(path, content);
            Console.WriteLine(path);
        }
    }

    // The certificate is made by now: a name that is taken must not lose its key.
    private static string FindFree(string folder, string name)
    {
        string path = Path.Combine(folder, name);
        for (int i = 2; File.Exists(path); i++)
        {
            path = Path.Combine(folder, $"{Path.GetFileNameWithoutExtension(name)}-{i}{Path.GetExtension(name)}");
        }

        return path;
    }
}
