using System.Buffers;
using System.IO.Pipelines;
using Jackdaw.Storage;

namespace Jackdaw.Server.Http;

/// <summary>An answer that is built whole before its first byte is sent: its length, ETag and costs stand in the
/// headers, a failure half-way can still become an error, and no pages are held while a slow client reads.</summary>
/// <remarks>Chunks of pooled memory. One thread at a time.</remarks>
/// <param name="bytesMax">An answer that becomes longer is refused.</param>
internal sealed class ResponseBuffer(long bytesMax = HttpLimits.BufferedAnswerBytesMax) : IBufferWriter<byte>, IDisposable
{
    private readonly List<(byte[] Bytes, int Length)> _full = [];
    private byte[] _current = [];
    private int _used;
    private long _fullBytes;

    public long Length => _fullBytes + _used;

    public void Advance(int count) => _used += count;

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        Reserve(sizeHint);
        return _current.AsMemory(_used);
    }

    public Span<byte> GetSpan(int sizeHint = 0)
    {
        Reserve(sizeHint);
        return _current.AsSpan(_used);
    }

    public void Append(ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(GetSpan(bytes.Length));
        Advance(bytes.Length);
    }

    /// <summary>Copies everything into another buffer.</summary>
    public void AppendTo(ResponseBuffer other)
    {
        foreach ((byte[] bytes, int length) in _full)
        {
            other.Append(bytes.AsSpan(0, length));
        }

        other.Append(_current.AsSpan(0, _used));
    }

    /// <summary>Forgets everything: something else will be answered.</summary>
    public void Clear() => Dispose();

    /// <summary>Everything, when it can be sent without waiting for the client.</summary>
    public bool TryGetOneStep(out ReadOnlySpan<byte> bytes)
    {
        bytes = _current.AsSpan(0, _used);
        return _full.Count == 0 && _used <= HttpLimits.StepBytes;
    }

    /// <summary>Sends everything, at the pace of the client.</summary>
    public async ValueTask CopyToAsync(PipeWriter writer, CancellationToken cancellationToken)
    {
        foreach ((byte[] bytes, int length) in _full)
        {
            await SendStepsAsync(writer, bytes.AsMemory(0, length), cancellationToken).ConfigureAwait(false);
        }

        await SendStepsAsync(writer, _current.AsMemory(0, _used), cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Gives the memory back; the buffer is empty and may be filled again.</summary>
    public void Dispose()
    {
        foreach ((byte[] bytes, _) in _full)
        {
            ByteArrays.Return(bytes);
        }

        if (_current.Length > 0)
        {
            ByteArrays.Return(_current);
        }

        _full.Clear();
        _current = [];
        _used = 0;
        _fullBytes = 0;
    }

    /// <summary>Each step is flushed, the last one too: a client gets time for the bytes of a flush, and for what only stands in
    /// the connection's memory at the end of the request it would get none.</summary>
    private static async ValueTask SendStepsAsync(
        PipeWriter writer, ReadOnlyMemory<byte> bytes, CancellationToken cancellationToken)
    {
        while (!bytes.IsEmpty)
        {
            int step = Math.Min(bytes.Length, HttpLimits.StepBytes);
            await writer.WriteAsync(bytes[..step], cancellationToken).ConfigureAwait(false);
            bytes = bytes[step..];
        }
    }

    private void Reserve(int size)
    {
        if (_current.Length - _used >= Math.Max(size, 1))
        {
            return;
        }

        if (Length + size > bytesMax)
        {
            throw new RequestRefusedException(new Problem(500, ProblemTypes.InvalidOperation,
                $"The answer is larger than {bytesMax} bytes; ask for fewer documents (pageSize) or use a stream."));
        }

        if (_current.Length > 0)
        {
            _full.Add((_current, _used));
            _fullBytes += _used;
        }

        _current = ByteArrays.Rent(Math.Max(size, _full.Count == 0 ? 4096 : HttpLimits.StepBytes));
        _used = 0;
    }
}
