using System.IO.Hashing;

namespace Jackdaw.Search.Ordering;

/// <summary>Shuffles entries by a hash of their ids. The same seed gives the same order, wherever the entries lie.</summary>
public static class ShuffledOrder
{
    /// <summary>The number by which an entry is ordered.</summary>
    /// <param name="id">UTF-8.</param>
    public static ulong Rank(ReadOnlySpan<byte> id, int seed) => XxHash3.HashToUInt64(id, seed);
}
