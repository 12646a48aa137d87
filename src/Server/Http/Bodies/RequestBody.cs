using Jackdaw.Pal.Native;
using Jackdaw.Server.Http.Limits;
using Jackdaw.Storage;

namespace Jackdaw.Server.Http.Bodies;

/// <summary>A request's complete body, decompressed, in one pooled array. Dispose returns it.</summary>
/// <remarks>A large body holds a place of the admission limit. The place accounts for all memory that the body needs, so it is held until the request no longer
/// needs the parsed form of the body. The bytes themselves can be returned earlier.</remarks>
internal sealed class RequestBody : IDisposable
{
    private byte[] _bytes;
    private int _length;
    private LargeBodyAdmission? _place;

    internal RequestBody(int capacity) => _bytes = ByteArrays.Rent(Math.Max(capacity, 1));

    public ReadOnlyMemory<byte> Memory => _bytes.AsMemory(0, _length);

    public ReadOnlySpan<byte> Span => _bytes.AsSpan(0, _length);

    public void Dispose()
    {
        ReturnBytes();
        LeavePlace();
    }

    /// <summary>Whether the body holds a place among the large bodies.</summary>
    public bool HasPlace => _place is not null;

    /// <summary>Returns its place early, because its parsed form is counted elsewhere.</summary>
    public void LeavePlace()
    {
        _place?.Leave();
        _place = null;
    }

    /// <summary>Returns the bytes early, after they were parsed.</summary>
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

    /// <summary>Whether the body counts as large and has no place yet.</summary>
    internal bool NeedsPlace => _place is null && _length > HttpLimits.LargeBodyBytes;

    internal async ValueTask EnterAsync(LargeBodyAdmission places, CancellationToken cancellationToken)
    {
        await places.EnterAsync(cancellationToken).ConfigureAwait(false);
        _place = places;
    }

    /// <summary>Room for at least one more byte.</summary>
    internal Memory<byte> Free()
    {
        if (_length == _bytes.Length)
        {
            Grow(checked(_bytes.Length * 2));
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

    /// <summary>Appends the gathered bytes and empties the source; the body then has an array of exactly its
    /// size.</summary>
    internal void Append(ChunkedMemory gathered)
    {
        int length = _length + (int)gathered.Length;
        Grow(length);
        gathered.MoveTo(_bytes.AsSpan(_length));
        _length = length;
    }

    internal int Advance(int count) => _length += count;

    private void Grow(int capacity)
    {
        byte[] larger = ByteArrays.Rent(capacity);
        _bytes.AsSpan(0, _length).CopyTo(larger);
        ByteArrays.Return(_bytes);
        _bytes = larger;
    }
}
