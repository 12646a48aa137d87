using System.Numerics;
using System.Text;
using System.Text.RegularExpressions;
using Jackdaw.Search.Ordering;

namespace Jackdaw.Search.Tests.Ordering;

/// <summary>Orders of texts with numbers, of numbers, and of shuffled ids.</summary>
public sealed class NaturalOrderTests
{
    [Fact]
    public void Compare_RandomTexts_ComparesRunsOfDigitsAsNumbers()
    {
        const int seed = 21;
        var random = new Random(seed);
        string[] parts = ["a", "b", "ü", "0", "00", "1", "2", "10", "99999999999999999999999", "-", ""];
        for (int i = 0; i < 20_000; i++)
        {
            string[] texts = [.. Enumerable.Range(0, 2).Select(_ =>
                string.Concat(Enumerable.Range(0, random.Next(5)).Select(_ => parts[random.Next(parts.Length)])))];
            int order = NaturalOrder.Compare(Encoding.UTF8.GetBytes(texts[0]), Encoding.UTF8.GetBytes(texts[1]));
            Assert.True(Math.Sign(order) == Math.Sign(Expected(texts[0], texts[1])), $"seed {seed}: '{texts[0]}' and '{texts[1]}' give {order}");
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void NumberKey_EveryPair_IsOrderedExactly(bool nullsAreSmall)
    {
        const double twoTo63 = 9223372036854775808.0;
        (NumberKey Key, BigInteger? Whole, double Part)[] numbers =
        [
            (NumberKey.Of(long.MinValue), long.MinValue, 0), (NumberKey.Of(-1.5), -2, 0.5), (NumberKey.Of(-1), -1, 0), (NumberKey.Of(0.25), 0, 0.25),
            (NumberKey.Of((1L << 53) + 1), (1L << 53) + 1, 0), (NumberKey.Of((1L << 53) + 2), (1L << 53) + 2, 0), (NumberKey.OfDate(77), 77, 0),
            (NumberKey.Of(long.MaxValue), long.MaxValue, 0), (NumberKey.Of(twoTo63), new BigInteger(twoTo63), 0),
            (NumberKey.Of(1e300), new BigInteger(1e300), 0), (NumberKey.Of(-1e300), new BigInteger(-1e300), 0), (default, null, 0),
        ];
        foreach (var a in numbers)
        {
            foreach (var b in numbers)
            {
                int expected = a.Whole is null || b.Whole is null
                    ? (a.Whole is null).CompareTo(b.Whole is null) * (nullsAreSmall ? -1 : 1)
                    : (a.Whole.Value, a.Part).CompareTo((b.Whole.Value, b.Part));
                Assert.Equal(Math.Sign(expected), Math.Sign(NumberKey.Compare(a.Key, b.Key, isWhole: false, nullsAreSmall)));
            }
        }

        Assert.Equal(0, NumberKey.Compare(NumberKey.Of(1.25), NumberKey.Of(1), isWhole: true, nullsAreSmall));
        Assert.Equal(1, NumberKey.Compare(NumberKey.Of(2), NumberKey.Of(1.25), isWhole: true, nullsAreSmall));
    }

    [Fact]
    public void NumberKey_AsSortValue_SaysWhatItIs()
    {
        Assert.True(default(NumberKey).ToSortValue(null).IsNull);
        Assert.Equal("b", default(NumberKey).ToSortValue("b").Text);
        Assert.Equal(1.5, NumberKey.Of(1.5).ToSortValue("1.50").Number);
        Assert.Equal("1.50", NumberKey.Of(1.5).ToSortValue("1.50").Text);
        Assert.Equal(new DateTime(77), NumberKey.OfDate(77).ToSortValue("x").Date);
    }

    [Fact]
    public void ShuffledOrder_SeveralSeeds_ShuffleDifferently()
    {
        string[] Shuffled(int seed) => [.. Enumerable.Range(0, 50).Select(i => $"e/{i}").OrderBy(id => ShuffledOrder.Rank(Encoding.UTF8.GetBytes(id), seed))];
        Assert.Equal(Shuffled(1), Shuffled(1));
        Assert.NotEqual(Shuffled(1), Shuffled(2));
        Assert.NotEqual(Shuffled(1), Shuffled(1).Order());
    }

    // Runs of digits as numbers of fifty digits; then equal numbers by their leading zeros.
    private static int Expected(string a, string b)
    {
        static string Key(string text) => Regex.Replace(text, "[0-9]+", digits => digits.Value.TrimStart('0').PadLeft(50, '0'));
        int order = Encoding.UTF8.GetBytes(Key(a)).AsSpan().SequenceCompareTo(Encoding.UTF8.GetBytes(Key(b)));
        return order != 0 ? order
            : Regex.Matches(a, "[0-9]+").Zip(Regex.Matches(b, "[0-9]+")).Select(pair => pair.First.Length.CompareTo(pair.Second.Length))
                .FirstOrDefault(lengths => lengths != 0);
    }
}
