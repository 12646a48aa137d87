using System.Runtime.InteropServices;

namespace Jackdaw.Search.Segments.Storing;

/// <summary>The beginning of a column: a number for each entry of a set, whose rows lie in another part. The set follows.</summary>
[StructLayout(LayoutKind.Explicit, Size = SizeOf)]
internal struct ColumnHead
{
    public const int SizeOf = 40;

    /// <summary>The rows of each chunk but the last.</summary>
    public const int ChunkRows = 1 << ChunkShift;

    public const int ChunkShift = 16;

    /// <summary>The bytes of a row: 0, 1, 2, 4 or 8. Without bytes each number is the least one.</summary>
    [FieldOffset(0)]
    public int Width;

    /// <summary>1 when an entry has several values: the column has the first.</summary>
    [FieldOffset(4)]
    public int HasSeveral;

    /// <summary>The least number. Rows are differences from it.</summary>
    [FieldOffset(8)]
    public long Least;

    [FieldOffset(16)]
    public long Greatest;

    /// <summary>The sum of the numbers, for norms; 0 for others.</summary>
    [FieldOffset(24)]
    public long Sum;

    [FieldOffset(32)]
    public int Rows;

    /// <summary>Of numbers, the values in their order; 0 for other columns.</summary>
    [FieldOffset(36)]
    public int Values;
}
