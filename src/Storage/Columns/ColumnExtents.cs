using System.Numerics;

namespace Jackdaw.Storage.Columns;

/// <summary>The extents of a column: runs of neighbouring pages, which grow with it. All is arithmetic.</summary>
/// <remarks>Extents have 1, 1, 2, 4, 8, 16 and 32 pages, then 64 each: a small column stays small, and a large one has long runs.</remarks>
internal static class ColumnExtents
{
    /// <summary>Pages of the largest extents. Longer runs would gain nothing when they are read, and are hard to find in used space.</summary>
    private const int PagesMax = 64;

    private const int GrowingExtents = 7;

    /// <summary>The extent of a page.</summary>
    public static long OfPage(long page) =>
        page == 0 ? 0 : page < PagesMax ? BitOperations.Log2((ulong)page) + 1 : GrowingExtents - 1 + (page / PagesMax);

    /// <summary>The first page of an extent.</summary>
    public static long FirstPage(long extent) =>
        extent == 0 ? 0 : extent < GrowingExtents ? 1L << (int)(extent - 1) : (extent - GrowingExtents + 1) * PagesMax;

    /// <summary>Pages of an extent.</summary>
    public static int PagesOf(long extent) => (int)(FirstPage(extent + 1) - FirstPage(extent));

    /// <summary>Extents of a column with this number of pages.</summary>
    public static long Count(long pages) => pages == 0 ? 0 : OfPage(pages - 1) + 1;
}
