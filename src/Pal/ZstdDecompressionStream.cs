using System.Runtime.InteropServices;
using Jackdaw.Pal.Interop;

namespace Jackdaw.Pal;

/// <summary>Decompresses another stream while it is read. One thread at a time.</summary>
internal sealed class ZstdDecompressionStream : Stream
{
    // ZSTD_DStreamInSize: one whole block of input always fits.
    private const int InputBytes = 128 * 1024 + 3;

    // 8 MB: what RFC 9659 lets a sender of "Content-Encoding: zstd" use. The library's own limit is 128 MB per request.
    private const int WindowLogMax = 23;

    private readonly Stream _source;
    private readonly bool _leaveOpen;
    private readonly ZstdContext _context = new();
    private readonly byte[] _input = new byte[InputBytes];
    private int _inputStart;
    private int _inputEnd;
    private bool _isInsideFrame;
    private bool _mayHoldOutput;

    internal ZstdDecompressionStream(Stream source, bool leaveOpen)
    {
        _source = source;
        _leaveOpen = leaveOpen;
        Check(LibZstd.ZSTD_DCtx_setParameter(_context, LibZstd.WindowLogMaxParameter, WindowLogMax));
    }

    /// <inheritdoc/>
    public override bool CanRead => true;

    /// <inheritdoc/>
    public override bool CanSeek => false;

    /// <inheritdoc/>
    public override bool CanWrite => false;

    /// <inheritdoc/>
    public override long Length => throw new NotSupportedException();

    /// <inheritdoc/>
    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count)
    {
        ValidateBufferArguments(buffer, offset, count);
        return Read(buffer.AsSpan(offset, count));
    }

    /// <inheritdoc/>
    public override int Read(Span<byte> buffer)
    {
        while (true)
        {
            if (TryProduce(buffer, out int produced))
            {
                return produced;
            }

            if (!Accept(_source.Read(_input, 0, _input.Length)))
            {
                return 0;
            }
        }
    }

    /// <inheritdoc/>
    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
    {
        ValidateBufferArguments(buffer, offset, count);
        return ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();
    }

    /// <inheritdoc/>
    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        while (true)
        {
            if (TryProduce(buffer.Span, out int produced))
            {
                return produced;
            }

            if (!Accept(await _source.ReadAsync(_input, cancellationToken).ConfigureAwait(false)))
            {
                return 0;
            }
        }
    }

    /// <inheritdoc/>
    public override void Flush()
    {
    }

    /// <inheritdoc/>
    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void SetLength(long value) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _context.Dispose();
            if (!_leaveOpen)
            {
                _source.Dispose();
            }
        }

        base.Dispose(disposing);
    }

    /// <summary>Decompresses what is at hand; false when more input is needed first.</summary>
    private bool TryProduce(Span<byte> destination, out int produced)
    {
        produced = 0;
        while (!destination.IsEmpty && (_inputStart < _inputEnd || _mayHoldOutput))
        {
            produced = Step(destination);
            if (produced > 0)
            {
                return true;
            }
        }

        return destination.IsEmpty;
    }

    private unsafe int Step(Span<byte> destination)
    {
        fixed (byte* from = _input, to = destination)
        {
            var input = new ZstdBuffer { Base = from, Size = (nuint)_inputEnd, Position = (nuint)_inputStart };
            var output = new ZstdBuffer { Base = to, Size = (nuint)destination.Length };
            nuint hint = Check(LibZstd.ZSTD_decompressStream(_context, &output, &input));
            _inputStart = (int)input.Position;
            _isInsideFrame = hint != 0;
            // A full destination may have left decompressed bytes inside the context.
            _mayHoldOutput = output.Position == output.Size && hint != 0;
            return (int)output.Position;
        }
    }

    /// <summary>Takes over new input; false at the regular end.</summary>
    private bool Accept(int bytes)
    {
        if (bytes == 0 && _isInsideFrame)
        {
            throw new InvalidDataException("The zstd stream ends inside a frame.");
        }

        _inputStart = 0;
        _inputEnd = bytes;
        return bytes > 0;
    }

    private static unsafe nuint Check(nuint code)
    {
        if (LibZstd.ZSTD_isError(code) == 0)
        {
            return code;
        }

        string text = Marshal.PtrToStringUTF8((nint)LibZstd.ZSTD_getErrorName(code)) ?? "unknown error";
        throw new InvalidDataException($"The bytes are not a valid zstd stream: {text}.");
    }
}
