using System.Buffers;
using Jackdaw.Client.Exceptions;

namespace Jackdaw.Client.Requests;

/// <summary>Reads the lines of a stream, one at a time, into one buffer, which grows only for a long line.</summary>
internal sealed class LineReader(Stream stream) : IDisposable
{
    private const int BufferBytes = 64 * 1024;

    /// <summary>Largest line: it contains at most one document.</summary>
    private const int LineBytesMax = 256 << 20;

    private byte[] _buffer = ArrayPool<byte>.Shared.Rent(BufferBytes);
    private int _start; // start of the bytes that were not returned yet
    private int _end;
    private bool _isEnded;

    /// <summary>The line without its end. It is valid until the next one is read.</summary>
    public ReadOnlyMemory<byte> Current { get; private set; }

    /// <summary>Reads the next line.</summary>
    /// <returns>False if there is none.</returns>
    /// <exception cref="BadResponseException">The line is too long, or the stream was cut.</exception>
    public async ValueTask<bool> MoveNextAsync(bool isAsync, CancellationToken token)
    {
        int searched = _start;
        while (true)
        {
            int length = _buffer.AsSpan(searched, _end - searched).IndexOf((byte)'\n');
            if (length >= 0)
            {
                Take(searched + length, next: searched + length + 1);
                return true;
            }

            if (_isEnded)
            {
                bool isLast = _end > _start;
                Take(_end, next: _end);
                return isLast;
            }

            MakeRoom();
            searched = _end;
            int read = await FillAsync(isAsync, token).ConfigureAwait(false);
            _end += read;
            _isEnded = read == 0;
        }
    }

    public void Dispose()
    {
        ArrayPool<byte>.Shared.Return(_buffer);
        _buffer = [];
    }

    private void Take(int end, int next)
    {
        Current = _buffer.AsMemory(_start, end - _start);
        _start = next;
    }

    private void MakeRoom()
    {
        if (_start > 0)
        {
            _buffer.AsSpan(_start, _end - _start).CopyTo(_buffer);
            (_start, _end) = (0, _end - _start);
        }

        if (_end == _buffer.Length)
        {
            Grow();
        }
    }

    private void Grow()
    {
        if (_buffer.Length >= LineBytesMax)
        {
            throw new BadResponseException($"A line of the stream has more than {LineBytesMax} bytes.");
        }

        byte[] larger = ArrayPool<byte>.Shared.Rent(_buffer.Length * 2);
        _buffer.AsSpan(0, _end).CopyTo(larger);
        ArrayPool<byte>.Shared.Return(_buffer);
        _buffer = larger;
    }

    private async ValueTask<int> FillAsync(bool isAsync, CancellationToken token)
    {
        try
        {
            return isAsync ? await stream.ReadAsync(_buffer.AsMemory(_end), token).ConfigureAwait(false) : stream.Read(_buffer.AsSpan(_end));
        }
        catch (Exception cut) when (cut is HttpRequestException or IOException or InvalidDataException && !token.IsCancellationRequested)
        {
            throw new BadResponseException($"The stream could not be read to its end. {cut.Message}", cut);
        }
    }
}
