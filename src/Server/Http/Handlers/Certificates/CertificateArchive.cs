using System.IO.Compression;
using System.Text;
using Jackdaw.Security.Keys;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Certificates;

/// <summary>The zip file with a new certificate, its key, and what a client trusts.</summary>
internal static class CertificateArchive
{
    private const int NameLengthMax = 64;

    /// <summary>Sends the files of a certificate.</summary>
    public static async ValueTask SendAsync(RequestContext context, ClientKey key, string name, string? password, CertificateAuthority authority)
    {
        var bytes = new MemoryStream();
        using (var zip = new ZipArchive(bytes, ZipArchiveMode.Create, leaveOpen: true))
        {
            foreach ((string file, byte[] contents) in MakeFiles(key, name, password, authority))
            {
                using Stream entry = zip.CreateEntry(file, CompressionLevel.Fastest).Open();
                entry.Write(contents);
            }
        }

        context.Response.Headers.ContentDisposition = $"attachment; filename=\"{ToFileName(name)}.zip\"";
        context.Response.Headers.CacheControl = "no-store";
        context.PrepareBody(StatusCodes.Status201Created, bytes.Length, "application/zip");
        await context.Response.Body.WriteAsync(bytes.GetBuffer().AsMemory(0, (int)bytes.Length), context.Aborted).ConfigureAwait(false);
    }

    /// <summary>The files of a certificate by their names. With a password, the PEM is left out, because it would show the key.</summary>
    public static Dictionary<string, byte[]> MakeFiles(ClientKey key, string name, string? password, CertificateAuthority authority)
    {
        string file = ToFileName(name);
        var files = new Dictionary<string, byte[]> { [$"{file}.pfx"] = key.ToPfx(password) };
        if (string.IsNullOrEmpty(password))
        {
            files[$"{file}.pem"] = Encoding.ASCII.GetBytes(key.ToPem());
        }

        files["ca.pem"] = authority.ToPem();
        return files;
    }

    // Only what every file system and every unpacking program takes.
    private static string ToFileName(string name)
    {
        string safe = string.Concat(name.Take(NameLengthMax).Select(letter => char.IsAsciiLetterOrDigit(letter) || letter is '-' or '_' or '.' ? letter : '_'));
        return safe.Trim('.') is { Length: > 0 } kept && kept != "ca" ? kept : "client";
    }
}
