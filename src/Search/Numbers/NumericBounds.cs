using Jackdaw.Search.Queries;

namespace Jackdaw.Search.Numbers;

/// <summary>A range of numbers, with bounds for whole numbers and for others. Both are exact, even where a double cannot hold a long.</summary>
/// <param name="LowLong">The lowest whole number in the range; above <paramref name="HighLong"/> when there is none.</param>
/// <param name="HighLong">The highest whole number.</param>
/// <param name="LowDouble">The lower end for numbers that are not whole; the caller knows whether it is included.</param>
/// <param name="HighDouble">The upper end.</param>
public readonly record struct NumericBounds(long LowLong, long HighLong, double LowDouble, double HighDouble)
{
    /// <summary>The largest double below 2^63.</summary>
    private const double LargestBelow = 9223372036854774784.0;

    /// <summary>The bounds of a range.</summary>
    /// <param name="field">The name of the field, for messages.</param>
    /// <param name="low">Null: the range has no lower end.</param>
    /// <param name="high">Null: the range has no upper end.</param>
    /// <exception cref="InvalidSearchException">An end is not a number.</exception>
    public static NumericBounds From(string field, SearchValue? low, bool includesLow, SearchValue? high, bool includesHigh)
    {
        (long lowLong, double lowDouble, bool lowFits) = low switch
        {
            null => (long.MinValue, double.NegativeInfinity, true),
            LongValue number => Lowest(number.Value, includesLow),
            DoubleValue number => Lowest(number.Value, includesLow),
            _ => throw NoNumber(field, low),
        };
        (long highLong, double highDouble, bool highFits) = high switch
        {
            null => (long.MaxValue, double.PositiveInfinity, true),
            LongValue number => Highest(number.Value, includesHigh),
            DoubleValue number => Highest(number.Value, includesHigh),
            _ => throw NoNumber(field, high),
        };
        return lowFits && highFits
            ? new NumericBounds(lowLong, highLong, lowDouble, highDouble)
            : new NumericBounds(1, 0, lowDouble, highDouble);
    }

    private static (long Long, double Double, bool Fits) Lowest(long value, bool isIncluded) =>
        isIncluded ? (value, ToDouble(value), true) : (value + 1, ToDouble(value), value != long.MaxValue);

    private static (long Long, double Double, bool Fits) Highest(long value, bool isIncluded) =>
        isIncluded ? (value, ToDouble(value), true) : (value - 1, ToDouble(value), value != long.MinValue);

    // A rounded bound does not matter for numbers that are not whole: near a long beyond 2^53 there are none. But 2^63 is not a long.
    private static double ToDouble(long value) => value >= LargestBelow ? LargestBelow : value;

    private static (long Long, double Double, bool Fits) Lowest(double value, bool isIncluded) =>
        WholeNumbers.IsWhole(Math.Ceiling(value), out long whole)
            ? Lowest(whole, isIncluded || whole != value) with { Double = value }
            : (long.MinValue, value, value < 0);

    private static (long Long, double Double, bool Fits) Highest(double value, bool isIncluded) =>
        WholeNumbers.IsWhole(Math.Floor(value), out long whole)
            ? Highest(whole, isIncluded || whole != value) with { Double = value }
            : (long.MaxValue, value, value > 0);

    private static InvalidSearchException NoNumber(string field, SearchValue value) =>
        new($"A range of numbers in '{field}' ends at '{value.GetType().Name}': give numbers, or compare as text.");
}
