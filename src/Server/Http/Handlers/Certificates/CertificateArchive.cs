using System.IO.Compression;
using System.Text;
using Jackdaw.Security.Callers;
using Jackdaw.Security.Keys;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Certificates;

/// <summary>The zip file with a new certificate, its key, and what a client trusts; or the PFX alone, which browsers import.</summary>
internal static class CertificateArchive
{
    private const int NameLengthMax = 64;

    /// <summary>The parameter that chooses between the two.</summary>
    public static Input Format { get; } = Input.OneOf("format", "An archive with all files, or the PFX alone.", "zip", "pfx").Or("zip");

    /// <summary>Whether a request asks for the PFX alone.</summary>
    /// <exception cref="RequestRefusedException">It asks for a form that there is not.</exception>
    public static bool IsPfxAlone(RequestContext context) => context.Query.GetText(Format.Name) switch
    {
        null or "" or "zip" => false,
        "pfx" => true,
        var other => throw new RequestRefusedException(Problem.Argument($"The query parameter 'format' is '{RefusalWords.Shorten(other)}'; give zip or pfx.")),
    };

    /// <summary>Sends the files of a certificate.</summary>
    public static ValueTask SendAsync(RequestContext context, ClientKey key, string name, string? password, CertificateAuthority authority) =>
        IsPfxAlone(context)
            ? SendAsync(context, $"{ToFileName(name)}.pfx", MediaTypes.Pfx, key.ToPfx(password))
            : SendAsync(context, $"{ToFileName(name)}.zip", MediaTypes.Zip, Pack(MakeFiles(key, name, password, authority)));

    private static byte[] Pack(Dictionary<string, byte[]> files)
    {
        var bytes = new MemoryStream();
        using (var zip = new ZipArchive(bytes, ZipArchiveMode.Create, leaveOpen: true))
        {
            foreach ((string file, byte[] contents) in files)
            {
                using Stream entry = zip.CreateEntry(file, CompressionLevel.Fastest).Open();
                entry.Write(contents);
            }
        }

        return bytes.ToArray();
    }

    private static async ValueTask SendAsync(RequestContext context, string fileName, string type, byte[] contents)
    {
        context.Response.Headers.ContentDisposition = $"attachment; filename=\"{fileName}\"";
        context.Response.Headers.CacheControl = "no-store";
        context.PrepareBody(StatusCodes.Status201Created, contents.Length, type);
        await context.Response.Body.WriteAsync(contents, context.Aborted).ConfigureAwait(false);
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
