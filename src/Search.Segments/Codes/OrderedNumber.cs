namespace Jackdaw.Search.Segments.Codes;

/// <summary>Doubles as whole numbers with the same order.</summary>
internal static class OrderedNumber
{
    /// <summary>The whole number of a double. NaN has none.</summary>
    public static long Of(double value) => Flip(BitConverter.DoubleToInt64Bits(value));

    /// <summary>Whether a long holds a number exactly. Each number is indexed once, as a long or as a double, so that comparisons are exact.</summary>
    public static bool IsWhole(double value, out long whole)
    {
        // 2^63 itself is a double and not a long.
        bool fits = value >= long.MinValue && value < 9223372036854775808.0 && Math.Floor(value) == value;
        whole = fits ? (long)value : 0;
        return fits;
    }

    public static double ToDouble(long ordered) => BitConverter.Int64BitsToDouble(Flip(ordered));

    // The bits of negative doubles grow with their distance from zero.
    private static long Flip(long bits) => bits ^ ((bits >> 63) & long.MaxValue);
}
