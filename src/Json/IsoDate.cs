namespace Jackdaw.Json;

/// <summary>Reads dates as JSON contains them. A text that is a date here is compared by its time, both in indexes and in filters.</summary>
internal static class IsoDate
{
    private const int DayLength = 10; // yyyy-MM-dd
    private const int MinuteLength = 16; // yyyy-MM-ddTHH:mm
    private const int SecondLength = 19; // yyyy-MM-ddTHH:mm:ss
    private const int ZoneLength = 6; // +hh:mm
    private const int FractionDigitsMax = 7;

    /// <summary>Largest distance from UTC, as in <see cref="DateTimeOffset"/>.</summary>
    private const int ZoneMinutesMax = 14 * 60;

    /// <summary>Reads a date, or a date with a time to the minute, the second or a fraction of it. The time may be followed by Z or an offset;
    /// without either it is UTC. The letters are upper case, and there are no spaces around digits.</summary>
    /// <param name="ticks">UTC.</param>
    public static bool TryRead(ReadOnlySpan<char> text, out long ticks)
    {
        ticks = 0;
        if (text.Length < DayLength || text[4] != '-' || text[7] != '-'
            || !TryNumber(text[..4], out int year) || !TryNumber(text[5..7], out int month) || !TryNumber(text[8..10], out int day)
            || year == 0 || month is 0 or > 12 || day == 0 || day > DateTime.DaysInMonth(year, month))
        {
            return false;
        }

        ticks = new DateTime(year, month, day).Ticks;
        return text.Length == DayLength || TryTime(text, ref ticks);
    }

    private static bool TryTime(ReadOnlySpan<char> text, ref long ticks)
    {
        if (text.Length < MinuteLength || text[DayLength] != 'T' || text[13] != ':'
            || !TryNumber(text[11..13], out int hour) || !TryNumber(text[14..16], out int minute) || hour > 23 || minute > 59)
        {
            return false;
        }

        ticks += (hour * TimeSpan.TicksPerHour) + (minute * TimeSpan.TicksPerMinute);
        ReadOnlySpan<char> rest = text[MinuteLength..];
        if (rest.Length > 0 && rest[0] == ':')
        {
            if (text.Length < SecondLength || !TryNumber(text[17..19], out int second) || second > 59)
            {
                return false;
            }

            ticks += second * TimeSpan.TicksPerSecond;
            rest = text[SecondLength..];
            if (rest.Length > 0 && rest[0] == '.' && !TryFraction(ref rest, ref ticks))
            {
                return false;
            }
        }

        return TryZone(rest, ref ticks);
    }

    private static bool TryFraction(ref ReadOnlySpan<char> rest, ref long ticks)
    {
        int end = 1;
        long unit = TimeSpan.TicksPerSecond;
        for (; end < rest.Length && char.IsAsciiDigit(rest[end]); end++)
        {
            unit /= 10;
            ticks += (rest[end] - '0') * unit;
        }

        int digits = end - 1;
        rest = rest[end..];
        return digits is > 0 and <= FractionDigitsMax;
    }

    private static bool TryZone(ReadOnlySpan<char> zone, ref long ticks)
    {
        if (zone.IsEmpty || zone is "Z")
        {
            return true;
        }

        if (zone.Length != ZoneLength || zone[0] is not ('+' or '-') || zone[3] != ':'
            || !TryNumber(zone[1..3], out int hours) || !TryNumber(zone[4..6], out int minutes)
            || minutes > 59 || (hours * 60) + minutes > ZoneMinutesMax)
        {
            return false;
        }

        long distance = ((hours * 60) + minutes) * TimeSpan.TicksPerMinute;
        ticks -= zone[0] == '+' ? distance : -distance;
        return ticks >= 0 && ticks <= DateTime.MaxValue.Ticks;
    }

    private static bool TryNumber(ReadOnlySpan<char> digits, out int number)
    {
        number = 0;
        foreach (char digit in digits)
        {
            if (!char.IsAsciiDigit(digit))
            {
                return false;
            }

            number = (number * 10) + (digit - '0');
        }

        return true;
    }
}
