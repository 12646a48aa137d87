using System.IO.Compression;

namespace Jackdaw.Server.Http.Bodies;

/// <summary>Decompresses a body with <c>Content-Encoding: gzip</c> or <c>deflate</c>. One thread at a time.</summary>
/// <remarks>By the standard, deflate has the wrapping of zlib, but many programs send it without. The first byte tells which of the two it is.</remarks>
internal sealed class InflatedBodyStream(Stream source, bool isGzip) : Stream
{
    /// <summary>Of the first byte of zlib, the lower four bits are the method, which is always 8. A bare stream that begins with these bits would
    /// have a stored block whose padding is not empty, which no program writes.</summary>
    private const int ZlibMethod = 8;

    private Stream? _inflated = isGzip ? new GZipStream(source, CompressionMode.Decompress) : null;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        _inflated ??= await OpenAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            return await _inflated.ReadAsync(buffer, cancellationToken).ConfigureAwait(false);
        }
        catch (InvalidDataException fault)
        {
            throw new InvalidDataException($"the bytes are not a valid {(isGzip ? "gzip" : "deflate")} stream, or it ends too early.", fault);
        }
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override void Flush() => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        _inflated?.Dispose();
        source.Dispose();
        base.Dispose(disposing);
    }

    private async ValueTask<Stream> OpenAsync(CancellationToken cancellationToken)
    {
        byte[] first = new byte[1];
        int read = await source.ReadAsync(first, cancellationToken).ConfigureAwait(false);
        var whole = new FirstThenRest(first.AsMemory(0, read), source);
        return read == 0 || (first[0] & 0xF) == ZlibMethod
            ? new ZLibStream(whole, CompressionMode.Decompress)
            : new DeflateStream(whole, CompressionMode.Decompress);
    }

    /// <summary>Bytes that were read already, then the rest of their stream.</summary>
    private sealed class FirstThenRest(ReadOnlyMemory<byte> first, Stream rest) : Stream
    {
        private ReadOnlyMemory<byte> _first = first;

        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => false;

        public override long Length => throw new NotSupportedException();

        public override long Position
        {
            get => throw new NotSupportedException();
            set => throw new NotSupportedException();
        }

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            if (_first.IsEmpty)
            {
                return rest.ReadAsync(buffer, cancellationToken);
            }

            int length = Math.Min(_first.Length, buffer.Length);
            _first[..length].CopyTo(buffer);
            _first = _first[length..];
            return ValueTask.FromResult(length);
        }

        public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
            ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

        public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public override void Flush() => throw new NotSupportedException();

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
    }
}
