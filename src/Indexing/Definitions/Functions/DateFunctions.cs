using System.Globalization;
using Jackdaw.Indexing.Definitions.Values;

namespace Jackdaw.Indexing.Definitions.Functions;

/// <summary>What <c>DateTime.Parse</c> and the like mean in a definition: independent of culture, time zone and
/// clock.</summary>
public static class DateFunctions
{
    public static Value Parse(Value text) => Parse(text, null);

    public static Value Parse(Value text, IFormatProvider? provider) => text.IsNull ? text
        : text.TryGetDate(out DateTime date) ? date
        : ConvertFunctions.ParseDate(text.AsText(), null, provider);

    public static Value ParseExact(Value text, Value format, IFormatProvider? provider) =>
        text.IsNull ? text : ConvertFunctions.ParseDate(text.AsText(), format.AsText(), provider);

    public static bool TryParse(Value text, out Value date)
    {
        bool parses = DateTime.TryParse(
            text.AsText(), CultureInfo.InvariantCulture,
            DateTimeStyles.AdjustToUniversal | DateTimeStyles.NoCurrentDateDefault, out DateTime parsed);
        date = parses && parsed.Date != default ? parsed : Value.Null;
        return !date.IsNull;
    }

    public static Value FromDays(Value n) => Duration(n, TimeSpan.TicksPerDay);

    public static Value FromHours(Value n) => Duration(n, TimeSpan.TicksPerHour);

    public static Value FromMinutes(Value n) => Duration(n, TimeSpan.TicksPerMinute);

    public static Value FromSeconds(Value n) => Duration(n, TimeSpan.TicksPerSecond);

    public static Value FromMilliseconds(Value n) => Duration(n, TimeSpan.TicksPerMillisecond);

    public static Value FromTicks(Value n) => Duration(n, 1);

    public static Value ParseDuration(Value text) => text.IsNull ? text : text.AsDuration();

    private static Value Duration(Value n, long ticks) =>
        n.IsNull ? n : new TimeSpan(checked((long)(n.AsDouble() * ticks)));
}
