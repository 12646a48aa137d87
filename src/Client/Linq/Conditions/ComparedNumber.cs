using System.Globalization;
using System.Numerics;

namespace Jackdaw.Client.Linq.Conditions;

/// <summary>Refuses numbers that the server cannot tell from others: its indexes have whole numbers of 64 bits, and doubles.</summary>
internal static class ComparedNumber
{
    /// <summary>The value itself.</summary>
    /// <exception cref="NotSupportedException">The server would find other numbers, too.</exception>
    public static object Check(object value)
    {
        bool isExact = value switch
        {
            decimal number => IsDouble(number),
            ulong number => number <= long.MaxValue,
            Int128 number => number >= long.MinValue && number <= long.MaxValue,
            UInt128 number => number <= (ulong)long.MaxValue,
            BigInteger number => number >= long.MinValue && number <= long.MaxValue,
            double number => double.IsFinite(number),
            float number => float.IsFinite(number),
            Half number => Half.IsFinite(number),
            _ => true,
        };
        return isExact ? value : throw new NotSupportedException(
            $"The server compares whole numbers of 64 bits and doubles, and {Convert.ToString(value, CultureInfo.InvariantCulture)} is neither.");
    }

    private static bool IsDouble(decimal number) => decimal.Truncate(number) == number && number >= long.MinValue && number <= long.MaxValue
        ? true
        : decimal.TryParse(((double)number).ToString("R", CultureInfo.InvariantCulture), NumberStyles.Float, CultureInfo.InvariantCulture, out decimal same)
            && same == number;
}
