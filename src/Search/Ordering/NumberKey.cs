using Jackdaw.Search.Queries;

namespace Jackdaw.Search.Ordering;

/// <summary>The first number of an entry, as a long and as a double. The default is that of an entry without a number.</summary>
/// <param name="IsDate">The long is the ticks of a date.</param>
/// <param name="IsBeyond">The number is a double of 2^63 or more, and so larger than the largest long, whose nearest double is 2^63.</param>
public readonly record struct NumberKey(bool Exists, long Long, double Double, bool IsBeyond = false, bool IsDate = false)
{
    /// <summary>A whole number.</summary>
    public static NumberKey Of(long value) => new(true, value, value);

    /// <summary>A date.</summary>
    /// <param name="ticks">UTC ticks.</param>
    public static NumberKey OfDate(long ticks) => new(true, ticks, ticks, IsDate: true);

    /// <summary>A number that is not whole, or that a long cannot hold.</summary>
    public static NumberKey Of(double value)
    {
        bool isBeyond = value >= long.MaxValue;
        return new NumberKey(true, isBeyond ? long.MaxValue : value <= long.MinValue ? long.MinValue : (long)value, value, isBeyond);
    }

    /// <summary>Compares the numbers of two entries: two longs exactly, all others as doubles.</summary>
    /// <param name="isWhole">Whether only the whole parts count.</param>
    /// <param name="nullsAreSmall">Whether an entry without a number is like the smallest number; otherwise it is like the largest one.</param>
    public static int Compare(in NumberKey a, in NumberKey b, bool isWhole, bool nullsAreSmall)
    {
        if (!a.Exists || !b.Exists)
        {
            int order = a.Exists.CompareTo(b.Exists);
            return nullsAreSmall ? order : -order;
        }

        return !isWhole && a.Double != b.Double ? a.Double.CompareTo(b.Double)
            : a.Long != b.Long || isWhole ? a.Long.CompareTo(b.Long)
            : a.IsBeyond.CompareTo(b.IsBeyond);
    }

    /// <summary>The value as the code of a user's sorter compares it.</summary>
    /// <param name="text">The first text of the entry; null when it has none.</param>
    public SortValue ToSortValue(string? text) => !Exists ? text is null ? SortValue.Null : SortValue.OfText(text)
        : IsDate ? SortValue.OfDate(Long)
        : SortValue.OfNumber(Double, text);
}
