namespace Jackdaw.Pal.Native;

/// <summary>A growing run of bytes in chunks outside of the garbage collector's heap; their memory goes back to the system at once.
/// One thread at a time.</summary>
/// <remarks>For what may become large and may turn out to be wanted by nobody: nothing is copied to grow, and nothing is left behind
/// for a collection.</remarks>
public sealed unsafe class ChunkedMemory : IDisposable
{
    /// <summary>Bytes of a chunk: a mapping of its own costs microseconds, filling it a hundred times that.</summary>
    public const int ChunkBytes = 1024 * 1024;

    private readonly List<nint> _chunks = [];

    /// <summary>Bytes appended.</summary>
    public long Length { get; private set; }

    /// <summary>Bytes that fit without another chunk: what it takes from the system.</summary>
    public long Capacity => (long)_chunks.Count * ChunkBytes;

    /// <exception cref="PalException">The system has no memory; what was appended before stays.</exception>
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

    /// <summary>Copies everything, and gives each chunk back as soon as it is copied: at no time both are held whole.</summary>
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
