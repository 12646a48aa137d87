using System.Diagnostics;
using System.Runtime.CompilerServices;
using Jackdaw.Storage;

namespace Jackdaw.Json;

/// <summary>A growing run of bytes in an array of the shared pool.</summary>
/// <remarks>Not thread-safe. Spans and memories of it are valid until the next append, clear or dispose.</remarks>
internal sealed class PooledBuffer : IDisposable
{
    /// <summary>First array. Bytes; holds the usual document without growing, and the pool has many of that
    /// size.</summary>
    private const int FirstBytes = 4096;

    /// <summary>Largest array that is kept between uses. Bytes. If it were larger, one large request would pin its memory in an idle
    /// parser.</summary>
    private const int CachedBytesMax = 64 * 1024;

    private byte[] _bytes = [];

    /// <summary>Bytes appended so far.</summary>
    public int Length { get; private set; }

    /// <summary>What was appended so far.</summary>
    public ReadOnlySpan<byte> Written => _bytes.AsSpan(0, Length);

    /// <summary>A part of what was appended; valid until the next append, clear or dispose.</summary>
    public ReadOnlyMemory<byte> Slice(int start, int length)
    {
        Debug.Assert(start >= 0 && length >= 0 && start + length <= Length);
        return _bytes.AsMemory(start, length);
    }

    public void Append(ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(Reserve(bytes.Length));
        Length += bytes.Length;
    }

    public void Append(byte value)
    {
        Reserve(1)[0] = value;
        Length++;
    }

    /// <summary>Provides space for <paramref name="length"/> more bytes; <see cref="Advance"/> says how many were written.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Span<byte> Reserve(int length)
    {
        if (length > _bytes.Length - Length)
        {
            Grow(length);
        }
        return _bytes.AsSpan(Length, length);
    }

    public void Advance(int length)
    {
        Debug.Assert(length >= 0 && length <= _bytes.Length - Length);
        Length += length;
    }

    /// <summary>Forgets what was appended after the first <paramref name="length"/> bytes.</summary>
    public void Truncate(int length)
    {
        Debug.Assert(length >= 0 && length <= Length);
        Length = length;
    }

    /// <summary>Moves the part [<paramref name="start"/>, <paramref name="end"/>) to the end.</summary>
    public void MoveToEnd(int start, int end)
    {
        Debug.Assert(start >= 0 && start <= end && end <= Length);
        byte[] moved = ByteArrays.Rent(end - start);
        Span<byte> part = moved.AsSpan(0, end - start);
        _bytes.AsSpan(start, part.Length).CopyTo(part);
        _bytes.AsSpan(end, Length - end).CopyTo(_bytes.AsSpan(start));
        part.CopyTo(_bytes.AsSpan(Length - part.Length));
        ByteArrays.Return(moved);
    }

    /// <summary>Clears everything, and returns a large array to the pool.</summary>
    public void Clear()
    {
        Length = 0;
        if (_bytes.Length > CachedBytesMax)
        {
            Dispose();
        }
    }

    /// <summary>Returns the array to the pool. The buffer can be reused.</summary>
    public void Dispose()
    {
        Length = 0;
        if (_bytes.Length > 0)
        {
            ByteArrays.Return(_bytes);
            _bytes = [];
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Grow(int length)
    {
        long needed = (long)Length + length;
        if (needed > Array.MaxLength)
        {
            throw new InvalidOperationException($"A buffer of {needed} bytes is more than one array can hold.");
        }
        int size = (int)Math.Min(Math.Max(Math.Max(needed, 2L * _bytes.Length), FirstBytes), Array.MaxLength);
        byte[] larger = ByteArrays.Rent(size);
        Written.CopyTo(larger);
        if (_bytes.Length > 0)
        {
            ByteArrays.Return(_bytes);
        }
        _bytes = larger;
    }
}

/// <summary>The place of an unescaped string in a buffer. Null and empty are different.</summary>
internal readonly record struct TextExtent(int Start, int Length)
{
    public static TextExtent Null => new(-1, 0);

    public bool IsNull => Start < 0;

    public ReadOnlyMemory<byte> In(PooledBuffer buffer) => IsNull ? default : buffer.Slice(Start, Length);

    public ReadOnlySpan<byte> SpanIn(PooledBuffer buffer) => IsNull ? default : buffer.Written.Slice(Start, Length);
}
