namespace Jackdaw.Storage.Paging;

/// <summary>One bit per page: set only by a real check of its checksum or by our own write of it. Any thread.</summary>
public sealed class VerifiedPages
{
    /// <summary>Pages per chunk: 1 GB of data file per 16 KB of bits.</summary>
    private const int ChunkPages = 128 * 1024;

    private readonly Lock _growLock = new(); // guards replacing _chunks
    private long[]?[] _chunks = new long[8][];

    /// <summary>True when the page is known to be good.</summary>
    public bool Contains(PageNumber number)
    {
        long[]?[] chunks = Volatile.Read(ref _chunks);
        long chunk = number.Value / ChunkPages;
        if (chunk >= chunks.Length || chunks[chunk] is not { } bits)
        {
            return false;
        }

        long index = number.Value % ChunkPages;
        return (Volatile.Read(ref bits[index / 64]) & (1L << (int)(index % 64))) != 0;
    }

    /// <summary>Remembers that the page is good.</summary>
    public void Add(PageNumber number)
    {
        long[] bits = GetChunk(number.Value / ChunkPages);
        long index = number.Value % ChunkPages;
        long mask = 1L << (int)(index % 64);
        if ((Volatile.Read(ref bits[index / 64]) & mask) == 0)
        {
            Interlocked.Or(ref bits[index / 64], mask);
        }
    }

    private long[] GetChunk(long chunk)
    {
        long[]?[] chunks = Volatile.Read(ref _chunks);
        if (chunk < chunks.Length && Volatile.Read(ref chunks[chunk]) is { } bits)
        {
            return bits;
        }

        lock (_growLock)
        {
            if (chunk >= _chunks.Length)
            {
                long[]?[] larger = _chunks;
                Array.Resize(ref larger, (int)Math.Max(chunk + 1, _chunks.Length * 2L));
                Volatile.Write(ref _chunks, larger);
            }

            return _chunks[chunk] ??= new long[ChunkPages / 64];
        }
    }
}
