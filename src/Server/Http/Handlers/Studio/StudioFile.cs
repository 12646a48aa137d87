using System.IO.Compression;

namespace Jackdaw.Server.Http.Handlers.Studio;

/// <summary>A file of the Studio, compressed twice when the server was built. Read when it is first asked for, then kept.</summary>
/// <param name="path">Relative to the site, with slashes.</param>
internal sealed class StudioFile(string path)
{
    private readonly Lazy<byte[]> _brotli = new(() => StudioResources.Read(path + ".br"));
    private readonly Lazy<byte[]> _gzip = new(() => StudioResources.Read(path + ".gz"));

    public string ContentType { get; } = Path.GetExtension(path) switch
    {
        ".js" or ".mjs" => "text/javascript; charset=utf-8",
        ".css" => "text/css; charset=utf-8",
        ".html" => "text/html; charset=utf-8",
        ".json" => "application/json; charset=utf-8",
        ".svg" => "image/svg+xml",
        var other => throw new InvalidOperationException($"Files of the Studio have no '{other}'."),
    };

    /// <summary>The bytes in a form that the client understands, and the name of that form; null when it is not compressed.</summary>
    public (byte[] Bytes, string? Encoding) In(ContentCodings accepted) => accepted switch
    {
        _ when accepted.HasFlag(ContentCodings.Brotli) => (_brotli.Value, "br"),
        _ when accepted.HasFlag(ContentCodings.Gzip) => (_gzip.Value, "gzip"),
        _ => (Expand(_gzip.Value), null),
    };

    private static byte[] Expand(byte[] compressed)
    {
        using var gzip = new GZipStream(new MemoryStream(compressed), CompressionMode.Decompress);
        using var plain = new MemoryStream();
        gzip.CopyTo(plain);
        return plain.ToArray();
    }
}
