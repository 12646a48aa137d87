using System.Globalization;

namespace Jackdaw.Queries.Planning.Conditions;

/// <summary>Times that a query names relative to now: <c>-7d</c>, <c>+1y6mo</c>, <c>90m</c>.</summary>
internal static class MomentText
{
    /// <summary>The most digits of a number: ten thousand years of seconds have twelve.</summary>
    private const int DigitsMax = 12;

    // A text has its units in this order, from the largest to the smallest.
    private static readonly string[] s_units = ["y", "mo", "d", "h", "m", "s"];

    /// <summary>A time as it stands in documents.</summary>
    public static string Of(DateTime utc) => utc.ToString("yyyy-MM-dd'T'HH:mm:ss.fffffff'Z'", CultureInfo.InvariantCulture);

    /// <summary>Moves a time and rounds it down to the smallest unit of the text.</summary>
    /// <returns>False when the text is not a relative time, or leads out of the years 1 to 9999.</returns>
    public static bool TryMove(DateTime utc, ReadOnlySpan<char> offset, out DateTime moved)
    {
        moved = utc;
        int sign = offset is ['-', ..] ? -1 : 1;
        ReadOnlySpan<char> rest = offset is ['-' or '+', ..] ? offset[1..] : offset;
        int smallest = -1;
        while (!rest.IsEmpty)
        {
            int digits = rest.IndexOfAnyExceptInRange('0', '9');
            int letters = digits is > 0 and <= DigitsMax ? rest[digits..].IndexOfAnyInRange('0', '9') : 0;
            letters = letters < 0 ? rest.Length - digits : letters;
            int unit = letters > 0 ? Array.IndexOf(s_units, rest.Slice(digits, letters).ToString()) : -1;
            if (unit <= smallest || !TryAdd(ref moved, unit, sign * long.Parse(rest[..digits], CultureInfo.InvariantCulture)))
            {
                return false;
            }

            smallest = unit;
            rest = rest[(digits + letters)..];
        }

        moved = smallest < 0 ? moved : Floor(moved, smallest);
        return smallest >= 0;
    }

    private static bool TryAdd(ref DateTime time, int unit, long number)
    {
        const int monthsMax = 9999 * 12;
        if (unit < 2)
        {
            long months = Math.Clamp(number, -monthsMax, monthsMax) * (unit == 0 ? 12 : 1);
            long month = ((time.Year - 1) * 12L) + time.Month - 1 + months;
            bool isWithin = month is >= 0 and < monthsMax;
            time = isWithin ? time.AddMonths((int)months) : time;
            return isWithin;
        }

        Int128 ticks = time.Ticks + ((Int128)number * TicksOf(unit));
        bool isTime = ticks >= DateTime.MinValue.Ticks && ticks <= DateTime.MaxValue.Ticks;
        time = isTime ? new DateTime((long)ticks, DateTimeKind.Utc) : time;
        return isTime;
    }

    private static DateTime Floor(DateTime time, int unit) => unit switch
    {
        0 => new DateTime(time.Year, 1, 1, 0, 0, 0, DateTimeKind.Utc),
        1 => new DateTime(time.Year, time.Month, 1, 0, 0, 0, DateTimeKind.Utc),
        _ => new DateTime(time.Ticks - (time.Ticks % TicksOf(unit)), DateTimeKind.Utc),
    };

    private static long TicksOf(int unit) => unit switch
    {
        2 => TimeSpan.TicksPerDay,
        3 => TimeSpan.TicksPerHour,
        4 => TimeSpan.TicksPerMinute,
        _ => TimeSpan.TicksPerSecond,
    };
}
