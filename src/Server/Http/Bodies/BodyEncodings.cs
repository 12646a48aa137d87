using Jackdaw.Server.Http.Problems;

namespace Jackdaw.Server.Http.Bodies;

/// <summary>The encodings that a body, or a part of one, may have.</summary>
internal static class BodyEncodings
{
    private static readonly string[] s_encodings = ["identity", "gzip", "deflate", "br", "zstd"];

    /// <summary>The decompressed bytes of a stream; yields what has arrived, without waiting for the end.</summary>
    /// <param name="encodings">The value of a Content-Encoding; empty for none.</param>
    public static Stream Decode(Stream stream, string encodings)
    {
        if (encodings.Length == 0)
        {
            return stream;
        }

        // Encodings are listed in the order they were applied: the last one is the outermost.
        string[] names = encodings.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
        if (names.Length > 2)
        {
            throw Unknown(encodings);
        }

        for (int i = names.Length - 1; i >= 0; i--)
        {
            stream = Wrap(stream, names[i]);
        }

        return stream;
    }

    private static Stream Wrap(Stream stream, string encoding) => encoding.ToLowerInvariant() switch
    {
        "identity" => stream,
        "gzip" or "x-gzip" => new InflatedBodyStream(stream, isGzip: true),
        "deflate" => new InflatedBodyStream(stream, isGzip: false),
        "br" => new BrotliBodyStream(stream),
        "zstd" => ZstdBody.Open(stream),
        _ => throw Unknown(encoding),
    };

    private static RequestRefusedException Unknown(string encoding) => new(new Problem(415, ProblemTypes.BadRequest,
        $"Content-Encoding '{encoding}' is not known; send one of {string.Join(", ", s_encodings)}.")
    {
        CloseConnection = true,
    });
}
