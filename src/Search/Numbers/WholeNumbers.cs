namespace Jackdaw.Search.Numbers;

/// <summary>Tells the numbers that a long holds from all others. Each number is indexed once, as a long or as a double, so that comparisons are
/// exact.</summary>
public static class WholeNumbers
{
    /// <summary>Whether a long holds a number exactly.</summary>
    /// <param name="whole">The number; 0 when a long does not hold it.</param>
    public static bool IsWhole(double value, out long whole)
    {
        // 2^63 itself is a double and not a long.
        bool fits = value >= long.MinValue && value < 9223372036854775808.0 && Math.Floor(value) == value;
        whole = fits ? (long)value : 0;
        return fits;
    }
}
