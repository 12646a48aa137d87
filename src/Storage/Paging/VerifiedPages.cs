using System.Diagnostics;

namespace Jackdaw.Storage.Paging;

/// <summary>One bit per page: set when its checksum was verified, or when this process wrote the page. Any thread, without
/// a lock.</summary>
public sealed class VerifiedPages
{
    /// <summary>Pages per chunk: 1 GB of data file per 16 KB of bits.</summary>
    private const int ChunkPages = 128 * 1024;

    /// <summary>Chunks per group: as many as groups.</summary>
    private const int GroupChunks = 256;

    private readonly long[]?[]?[] _groups = new long[PageNumber.Limit / ChunkPages / GroupChunks][][];

    /// <summary>True when the page is known to be good.</summary>
    public bool Contains(PageNumber number)
    {
        Debug.Assert(number.Value is >= 0 and < PageNumber.Limit);
        long chunk = number.Value / ChunkPages;
        if (Volatile.Read(ref _groups[chunk / GroupChunks]) is not { } group || Volatile.Read(ref group[chunk % GroupChunks]) is not { } bits)
        {
            return false;
        }

        long index = number.Value % ChunkPages;
        return (Volatile.Read(ref bits[index / 64]) & (1L << (int)(index % 64))) != 0;
    }

    /// <summary>Remembers that the page is good.</summary>
    public void Add(PageNumber number)
    {
        Debug.Assert(number.Value is > 0 and < PageNumber.Limit);
        long chunk = number.Value / ChunkPages;
        long[]?[] group = GetOrAdd(ref _groups[chunk / GroupChunks], GroupChunks);
        long[] bits = GetOrAdd(ref group[chunk % GroupChunks], ChunkPages / 64);
        long index = number.Value % ChunkPages;
        long mask = 1L << (int)(index % 64);
        if ((Volatile.Read(ref bits[index / 64]) & mask) == 0)
        {
            Interlocked.Or(ref bits[index / 64], mask);
        }
    }

    private static T[] GetOrAdd<T>(ref T[]? place, int length)
    {
        if (Volatile.Read(ref place) is { } there)
        {
            return there;
        }

        var added = new T[length];
        return Interlocked.CompareExchange(ref place, added, null) ?? added;
    }
}
