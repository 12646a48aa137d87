using System.Buffers;
using System.IO.Pipelines;
using System.Security.Cryptography;
using Jackdaw.Json.Refusals;
using Jackdaw.Storage;

namespace Jackdaw.Documents.Answers;

/// <summary>An answer that is built completely before its first byte is sent. So its length, ETag and costs can be in the headers, a failure half-way can still
/// become an error, and no pages are held while a slow client reads.</summary>
/// <remarks>Chunks of pooled memory. One thread at a time.</remarks>
/// <param name="memory">The limit of the bytes above <see cref="AnswerLimits.LargeBytes"/>: when it is used up, or when the answer has more than
/// <see cref="AnswerLimits.BufferedBytesMax"/>, the answer is refused. Null when something else bounds the answer, so that it is never refused.</param>
internal sealed class ResponseBuffer(AnswerAdmission? memory) : IBufferWriter<byte>, IDisposable
{
    private readonly List<(byte[] Bytes, int Length)> _full = [];
    private byte[] _current = [];
    private int _used;
    private long _fullBytes;
    private long _taken;

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

    /// <summary>Overwrites bytes at the beginning that were reserved for a value which is known only at the end.</summary>
    /// <param name="offset">An offset within the first kilobytes, which are one array. The bytes have been written before.</param>
    public void Overwrite(int offset, ReadOnlySpan<byte> bytes)
    {
        (byte[] first, int length) = _full.Count > 0 ? _full[0] : (_current, _used);
        bytes.CopyTo(first.AsSpan(0, length)[offset..]);
    }

    /// <summary>Adds all bytes to a hash.</summary>
    public void AddTo(IncrementalHash hash)
    {
        foreach ((byte[] bytes, int length) in _full)
        {
            hash.AppendData(bytes, 0, length);
        }

        hash.AppendData(_current, 0, _used);
    }

    /// <summary>Copies all bytes into another buffer.</summary>
    public void AppendTo(ResponseBuffer other) => AppendTo(other, Length);

    /// <summary>Copies the first bytes into another buffer.</summary>
    public void AppendTo(ResponseBuffer other, long count)
    {
        foreach ((byte[] bytes, int length) in _full)
        {
            int part = (int)Math.Min(count, length);
            other.Append(bytes.AsSpan(0, part));
            count -= part;
        }

        other.Append(_current.AsSpan(0, (int)Math.Min(count, _used)));
    }

    /// <summary>Discards everything, because another answer will be sent.</summary>
    public void Clear() => Dispose();

    /// <summary>Gives all bytes, if they can be sent without waiting for the client.</summary>
    public bool TryGetOneStep(out ReadOnlySpan<byte> bytes)
    {
        bytes = _current.AsSpan(0, _used);
        return _full.Count == 0 && _used <= AnswerLimits.StepBytes;
    }

    /// <summary>Sends all bytes at the speed of the client.</summary>
    public async ValueTask CopyToAsync(PipeWriter writer, CancellationToken cancellationToken)
    {
        foreach ((byte[] bytes, int length) in _full)
        {
            await SendStepsAsync(writer, bytes.AsMemory(0, length), cancellationToken).ConfigureAwait(false);
        }

        await SendStepsAsync(writer, _current.AsMemory(0, _used), cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Releases the memory; the buffer is empty and may be filled again.</summary>
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

        memory?.Give(_taken);
        _full.Clear();
        _current = [];
        _used = 0;
        _fullBytes = 0;
        _taken = 0;
    }

    /// <summary>Flushes each step, including the last one: a client gets time to read the bytes of a flush, but no time for bytes that are only in the
    /// connection's memory at the end of the request.</summary>
    private static async ValueTask SendStepsAsync(
        PipeWriter writer, ReadOnlyMemory<byte> bytes, CancellationToken cancellationToken)
    {
        while (!bytes.IsEmpty)
        {
            int step = Math.Min(bytes.Length, AnswerLimits.StepBytes);
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

        int chunk = Math.Max(size, _current.Length == 0 ? 4096 : AnswerLimits.StepBytes);
        if (memory is not null && Length + chunk > AnswerLimits.LargeBytes)
        {
            Take(memory, chunk, Length + size);
        }

        if (_current.Length > 0)
        {
            _full.Add((_current, _used));
            _fullBytes += _used;
        }

        _current = ByteArrays.Rent(chunk);
        _used = 0;
    }

    private void Take(AnswerAdmission from, int chunk, long length)
    {
        if (length > AnswerLimits.BufferedBytesMax)
        {
            throw new RefusedException(RefusalKind.NotPossible,
                $"The answer is larger than {AnswerLimits.BufferedBytesMax} bytes; ask for fewer documents (pageSize) or use a stream.");
        }

        if (!from.TryTake(chunk))
        {
            throw new RefusedException(RefusalKind.Overloaded,
                $"The server holds {from.Held >> 20} MB of large answers that their clients have not read yet, and has no room for more; " +
                "try again, ask for fewer documents (pageSize) or use a stream.");
        }

        _taken += chunk;
    }
}
