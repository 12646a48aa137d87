using ZstdSharp;
using ZstdSharp.Unsafe;

namespace Jackdaw.Server.Http.Bodies;

/// <summary>Request bodies with <c>Content-Encoding: zstd</c>.</summary>
internal static class ZstdBody
{
    /// <summary>8 MB: the most that RFC 9659 allows a sender of this encoding. The library's own limit is 128 MB per
    /// request.</summary>
    private const int WindowLogMax = 23;

    /// <summary>Opens a stream that decompresses what it reads, one or more frames, and yields what has arrived without
    /// waiting for more. The caller disposes it; the source is disposed with it. One thread at a time.</summary>
    public static Stream Open(Stream source)
    {
        var stream = new DecompressionStream(source, checkEndOfStream: true, leaveOpen: false);
        stream.SetParameter(ZSTD_dParameter.ZSTD_d_windowLogMax, WindowLogMax);
        return stream;
    }

    /// <summary>Whether a failed read of such a stream means that the bytes are malformed, end inside a frame, or need
    /// a larger window than a decoder must support.</summary>
    public static bool IsFaultOfSender(Exception failure) => failure is ZstdException or EndOfStreamException;
}
