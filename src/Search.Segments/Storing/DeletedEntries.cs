using System.Numerics;

namespace Jackdaw.Search.Segments.Storing;

/// <summary>The form of the bitmaps of deleted entries: a bit for each entry, then the sum of a number of each entry whose bit is set, which tells whether
/// they are the entries that were deleted.</summary>
internal static unsafe class DeletedEntries
{
    /// <summary>The entries of one bitmap. It is one page, so that a change journals only the difference.</summary>
    public const int PerPage = 64_000;

    /// <summary>The words of a bitmap.</summary>
    public const int PageWords = PerPage / 64;

    /// <summary>The bytes of a bitmap with its sum.</summary>
    public const int PageBytes = (PerPage / 8) + sizeof(ulong);

    private const ulong Factor = 0x9E3779B97F4A7C15;

    /// <summary>The bitmaps of a segment.</summary>
    public static int PagesOf(int entries) => (entries + PerPage - 1) / PerPage;

    /// <summary>Marks an entry.</summary>
    /// <param name="bit">The entry less the first one of the bitmap.</param>
    /// <returns>False when it was deleted before.</returns>
    public static bool Add(byte* page, int bit)
    {
        byte mask = (byte)(1 << (bit & 7));
        if ((page[bit >> 3] & mask) != 0)
        {
            return false;
        }

        page[bit >> 3] |= mask;
        ((ulong*)page)[PageWords] += NumberOf(bit);
        return true;
    }

    /// <summary>Whether a bitmap has the entries that were added.</summary>
    public static bool IsWhole(byte* page)
    {
        ulong sum = 0;
        for (int word = 0; word < PageWords; word++)
        {
            for (ulong left = ((ulong*)page)[word]; left != 0; left &= left - 1)
            {
                sum += NumberOf((word << 6) + BitOperations.TrailingZeroCount(left));
            }
        }

        return sum == ((ulong*)page)[PageWords];
    }

    // The products of the numbers from 1 on look like random ones.
    private static ulong NumberOf(int bit)
    {
        ulong number = (ulong)(bit + 1) * Factor;
        return (number ^ (number >> 29)) * Factor;
    }
}
