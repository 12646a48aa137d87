using System.Buffers;
using System.IO.Compression;
using Jackdaw.Server.Http.Limits;

namespace Jackdaw.Server.Http.Bodies;

/// <summary>Decompresses a body while it is read, as the framework's stream does, but with a separate exception for
/// invalid bytes: <see cref="InvalidDataException"/>, for bytes that are not brotli and for a body that ends too early.
/// One thread at a time.</summary>
internal sealed class BrotliBodyStream(Stream source) : Stream
{
    private readonly byte[] _input = ArrayPool<byte>.Shared.Rent(HttpLimits.StepBytes);
    private BrotliDecoder _decoder;
    private int _start;
    private int _end;
    private bool _isDone;
    private bool _isDisposed;

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
        while (!_isDone && !buffer.IsEmpty)
        {
            OperationStatus status = _decoder.Decompress(_input.AsSpan(_start, _end - _start), buffer.Span, out int consumed, out int written);
            _start += consumed;
            _isDone = status == OperationStatus.Done;
            if (status == OperationStatus.InvalidData)
            {
                throw new InvalidDataException("the bytes are not a valid brotli stream.");
            }

            if (written > 0)
            {
                return written;
            }

            if (status == OperationStatus.NeedMoreData)
            {
                await FillAsync(cancellationToken).ConfigureAwait(false);
            }
        }

        return 0;
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    // Bodies are only read asynchronously.
    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        if (disposing && !_isDisposed)
        {
            _isDisposed = true;
            _decoder.Dispose();
            ArrayPool<byte>.Shared.Return(_input);
            source.Dispose();
        }

        base.Dispose(disposing);
    }

    private async ValueTask FillAsync(CancellationToken cancellationToken)
    {
        // The decoder keeps its input: when it asks for more, everything was consumed.
        _start = 0;
        _end = await source.ReadAsync(_input, cancellationToken).ConfigureAwait(false);
        if (_end == 0)
        {
            throw new InvalidDataException("the brotli stream ends too early.");
        }
    }
}
