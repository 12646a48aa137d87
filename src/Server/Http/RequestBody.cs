using Jackdaw.Storage;

namespace Jackdaw.Server.Http;

/// <summary>A request's body, whole, decompressed, in one pooled array. Dispose gives it back.</summary>
/// <remarks>A large body has a place, of which there are few: it stands for all the memory that the body causes, so it is kept
/// until the request is done with what was made of it. The bytes themselves can go back earlier.</remarks>
internal sealed class RequestBody : IDisposable
{
    private byte[] _bytes;
    private int _length;
    private LargeBodies? _place;

    internal RequestBody(int capacity) => _bytes = ByteArrays.Rent(Math.Max(capacity, 1));

    public ReadOnlyMemory<byte> Memory => _bytes.AsMemory(0, _length);

    public ReadOnlySpan<byte> Span => _bytes.AsSpan(0, _length);

    public void Dispose()
    {
        ReturnBytes();
        _place?.Leave();
        _place = null;
    }

    /// <summary>Gives the bytes back before the rest: they were parsed into something else.</summary>
    public void ReturnBytes()
    {
        byte[] bytes = _bytes;
        _bytes = [];
        _length = 0;
        if (bytes.Length > 0)
        {
            ByteArrays.Return(bytes);
        }
    }

    /// <summary>Whether it counts as large and has no place yet.</summary>
    internal bool NeedsPlace => _place is null && _length > HttpLimits.LargeBodyBytes;

    internal async ValueTask EnterAsync(LargeBodies places, CancellationToken cancellationToken)
    {
        await places.EnterAsync(cancellationToken).ConfigureAwait(false);
        _place = places;
    }

    /// <summary>Room for at least one more byte.</summary>
    internal Memory<byte> Free()
    {
        if (_length == _bytes.Length)
        {
            byte[] larger = ByteArrays.Rent(checked(_bytes.Length * 2));
            _bytes.AsSpan(0, _length).CopyTo(larger);
            ByteArrays.Return(_bytes);
            _bytes = larger;
        }

        return _bytes.AsMemory(_length);
    }

    internal void Append(ReadOnlySpan<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            Span<byte> free = Free().Span;
            int count = Math.Min(free.Length, bytes.Length);
            bytes[..count].CopyTo(free);
            Advance(count);
            bytes = bytes[count..];
        }
    }

    internal int Advance(int count) => _length += count;
}
