using System.Diagnostics;
using System.Numerics;

namespace Jackdaw.Storage.Paging;

/// <summary>One bit per page: set when its checksum was verified, or when this process wrote the page. Any thread, without
/// a lock.</summary>
public sealed class VerifiedPages
{
    /// <summary>Pages of a block, whose bits are one number: 512 KB of data file.</summary>
    public const int BlockPages = 64;

    /// <summary>Pages per chunk: 1 GB of data file per 16 KB of bits.</summary>
    private const int ChunkPages = 128 * 1024;

    /// <summary>Chunks per group: as many as groups.</summary>
    private const int GroupChunks = 256;

    private readonly long[]?[]?[] _groups = new long[PageNumber.Limit / ChunkPages / GroupChunks][][];

    /// <summary>True when the page is known to be good.</summary>
    public bool Contains(PageNumber number) => (BlockOf(number) & (1L << (int)(number.Value % BlockPages))) != 0;

    /// <summary>How many pages of the block around a page are known to be good.</summary>
    public int CountInBlock(PageNumber number) => BitOperations.PopCount((ulong)BlockOf(number));

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

    /// <summary>The bits of a block of pages, 0 where none was noted.</summary>
    private long BlockOf(PageNumber number)
    {
        Debug.Assert(number.Value is >= 0 and < PageNumber.Limit);
        long chunk = number.Value / ChunkPages;
        return Volatile.Read(ref _groups[chunk / GroupChunks]) is { } group && Volatile.Read(ref group[chunk % GroupChunks]) is { } bits
            ? Volatile.Read(ref bits[number.Value % ChunkPages / BlockPages])
            : 0;
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
