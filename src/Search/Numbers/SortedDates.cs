using System.Globalization;

namespace Jackdaw.Search.Numbers;

/// <summary>Writes dates as texts. The order of these texts is that of the dates, in whichever form these were written.</summary>
public static class SortedDates
{
    /// <summary>The text of a date.</summary>
    /// <param name="ticks">UTC ticks.</param>
    public static string ToText(long ticks) =>
        new DateTime(ticks, DateTimeKind.Utc).ToString("yyyy-MM-dd'T'HH:mm:ss.fffffff'Z'", CultureInfo.InvariantCulture);
}
