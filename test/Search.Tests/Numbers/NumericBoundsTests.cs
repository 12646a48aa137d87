using System.Numerics;
using Jackdaw.Search.Numbers;
using Jackdaw.Search.Queries;

namespace Jackdaw.Search.Tests.Numbers;

/// <summary>Ranges of numbers against comparisons without rounding.</summary>
public sealed class NumericBoundsTests
{
    private const double TwoTo63 = 9223372036854775808.0;

    private static readonly long[] s_longs =
        [long.MinValue, long.MinValue + 1, -(1L << 53) - 1, -3, -1, 0, 1, 2, 1L << 53, (1L << 53) + 1, long.MaxValue - 1, long.MaxValue];

    private static readonly double[] s_doubles =
    [
        double.NegativeInfinity, -1e300, -TwoTo63, Math.BitDecrement(-TwoTo63), -2.5, -0.0, double.Epsilon, 0.5, 1, 1.5, 9007199254740993e0, TwoTo63,
        Math.BitDecrement(TwoTo63), Math.BitIncrement(TwoTo63), 1e300, double.PositiveInfinity,
    ];

    private static IEnumerable<SearchValue> Values => s_longs.Select(value => (SearchValue)new LongValue(value, ""))
        .Concat(s_doubles.Select(value => new DoubleValue(value, "")));

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void From_EveryPairOfEnds_HasTheNumbersBetweenThem(bool isIncluded)
    {
        foreach (SearchValue? low in Values.Append(null))
        {
            foreach (SearchValue? high in Values.Append(null))
            {
                NumericBounds bounds = NumericBounds.From("N", low, isIncluded, high, isIncluded);
                foreach (SearchValue value in Values)
                {
                    bool isBetween = (low is null || IsOrdered(Compare(low, value), isIncluded))
                        && (high is null || IsOrdered(Compare(value, high), isIncluded));
                    Assert.True(Has(bounds, value, low, high, isIncluded) == isBetween, $"{value} between {low} and {high}, included: {isIncluded}");
                }
            }
        }
    }

    [Fact]
    public void From_TextAsAnEnd_NamesTheField()
    {
        Assert.Contains("'N'", Assert.Throws<InvalidSearchException>(() => NumericBounds.From("N", new TextValue("1"), true, null, true)).Message,
            StringComparison.Ordinal);
        Assert.Contains("'N'", Assert.Throws<InvalidSearchException>(() => NumericBounds.From("N", null, true, new NullValue(), true)).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void IsWhole_EveryNumber_IsTrueForThoseOfALong()
    {
        foreach (double value in s_doubles.Append(double.NaN))
        {
            bool expected = double.IsInteger(value) && new BigInteger(value) >= long.MinValue && new BigInteger(value) <= long.MaxValue;
            Assert.Equal(expected, WholeNumbers.IsWhole(value, out long whole));
            Assert.Equal(expected ? value : 0, whole);
        }
    }

    [Fact]
    public void SortedDates_RandomTicks_HaveTheOrderOfTheirTexts()
    {
        const int seed = 5;
        var random = new Random(seed);
        long[] ticks = [.. Enumerable.Range(0, 200).Select(_ => random.NextInt64(DateTime.MaxValue.Ticks)), 0, 1, DateTime.MaxValue.Ticks];
        Assert.Equal(ticks.Order(), ticks.OrderBy(SortedDates.ToText, StringComparer.Ordinal));
        Assert.Equal("2024-03-01T00:00:00.0000001Z", SortedDates.ToText(new DateTime(2024, 3, 1).Ticks + 1));
    }

    // As an engine uses the bounds: a number is a long if one holds it exactly, and a double otherwise.
    private static bool Has(NumericBounds bounds, SearchValue value, SearchValue? low, SearchValue? high, bool isIncluded)
    {
        double number = value is DoubleValue one ? one.Value : 0;
        long whole = value is LongValue other ? other.Value : 0;
        return value is LongValue || WholeNumbers.IsWhole(number, out whole)
            ? whole >= bounds.LowLong && whole <= bounds.HighLong
            : (low is null || IsOrdered(bounds.LowDouble.CompareTo(number), isIncluded))
                && (high is null || IsOrdered(number.CompareTo(bounds.HighDouble), isIncluded));
    }

    private static bool IsOrdered(int order, bool orEqual) => order < 0 || (order == 0 && orEqual);

    private static int Compare(SearchValue a, SearchValue b) => (a, b) switch
    {
        (LongValue x, LongValue y) => x.Value.CompareTo(y.Value),
        (DoubleValue x, DoubleValue y) => x.Value == y.Value ? 0 : x.Value.CompareTo(y.Value),
        (DoubleValue x, LongValue y) => double.IsInfinity(x.Value) ? Math.Sign(x.Value)
            : new BigInteger(x.Value).CompareTo(y.Value) is var order && order != 0 ? order : (x.Value - Math.Truncate(x.Value)).CompareTo(0),
        _ => -Compare(b, a),
    };
}
