namespace Jackdaw.Pal.Native;

/// <summary>A growing run of bytes in chunks outside the managed heap, whose memory is returned to the system at once. It is used by one thread at
/// a time.</summary>
/// <remarks>It is meant for data that may become large and is then thrown away: growing copies nothing and leaves no garbage.</remarks>
public sealed unsafe class ChunkedMemory : IDisposable
{
    /// <summary>Bytes of a chunk: mapping it costs microseconds, filling it a hundred times that.</summary>
    public const int ChunkBytes = 1024 * 1024;

    private readonly List<nint> _chunks = [];

    /// <summary>Bytes appended.</summary>
    public long Length { get; private set; }

    /// <summary>Bytes that fit without another chunk, which is the memory taken from the system.</summary>
    public long Capacity => (long)_chunks.Count * ChunkBytes;

    /// <exception cref="PalException">The system has no memory. What was appended before stays.</exception>
    public void Append(ReadOnlySpan<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            if (Length == Capacity)
            {
                _chunks.Add((nint)PalMemory.Allocate(ChunkBytes));
            }

            int used = (int)(Length % ChunkBytes);
            int count = Math.Min(ChunkBytes - used, bytes.Length);
            bytes[..count].CopyTo(new Span<byte>((byte*)_chunks[^1] + used, count));
            Length += count;
            bytes = bytes[count..];
        }
    }

    /// <summary>Copies everything, and frees each chunk as soon as it is copied: the bytes are never held
    /// twice.</summary>
    /// <param name="destination">At least <see cref="Length"/> bytes.</param>
    public void MoveTo(Span<byte> destination)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(destination.Length, Length, nameof(destination));
        for (int i = 0; i < _chunks.Count; i++)
        {
            int count = (int)Math.Min(ChunkBytes, Length);
            new Span<byte>((byte*)_chunks[i], count).CopyTo(destination);
            destination = destination[count..];
            Length -= count;
            Free(i);
        }

        _chunks.Clear();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        for (int i = 0; i < _chunks.Count; i++)
        {
            Free(i);
        }

        _chunks.Clear();
        Length = 0;
    }

    private void Free(int index)
    {
        PalMemory.Free((byte*)_chunks[index], ChunkBytes);
        _chunks[index] = 0;
    }
}
