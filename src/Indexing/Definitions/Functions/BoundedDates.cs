using System.Globalization;

namespace Jackdaw.Indexing.Definitions.Functions;

/// <summary>What <c>DateTime.Parse</c> and the like become in additional sources: independent of culture, time zone and
/// clock.</summary>
public static class BoundedDates
{
    public static DateTime Parse(string text) => ConvertFunctions.ParseDate(text, null, null);

    public static DateTime Parse(string text, IFormatProvider? provider) =>
        ConvertFunctions.ParseDate(text, null, provider);

    public static DateTime Parse(string text, IFormatProvider? provider, DateTimeStyles styles) =>
        DateTime.Parse(text, provider ?? CultureInfo.InvariantCulture, Styles(styles));

    public static DateTime ParseExact(string text, string format, IFormatProvider? provider) =>
        ConvertFunctions.ParseDate(text, format, provider);

    public static DateTime ParseExact(string text, string format, IFormatProvider? provider, DateTimeStyles styles) =>
        DateTime.ParseExact(text, format, provider ?? CultureInfo.InvariantCulture, Styles(styles));

    public static DateTime ParseExact(string text, string[] formats, IFormatProvider? provider, DateTimeStyles styles) =>
        DateTime.ParseExact(text, formats, provider ?? CultureInfo.InvariantCulture, Styles(styles));

    /// <summary>No style reads the time zone or the date of the machine.</summary>
    private static DateTimeStyles Styles(DateTimeStyles styles) => DateTimeStyles.NoCurrentDateDefault |
        ((styles & DateTimeStyles.RoundtripKind) != 0 ? styles : (styles & ~DateTimeStyles.AssumeLocal) | DateTimeStyles.AdjustToUniversal);

    public static bool TryParse(string? text, out DateTime date)
    {
        const DateTimeStyles styles = DateTimeStyles.AdjustToUniversal | DateTimeStyles.NoCurrentDateDefault;
        return DateTime.TryParse(text, CultureInfo.InvariantCulture, styles, out date) && date.Date != default;
    }
}
