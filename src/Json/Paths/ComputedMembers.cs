using System.Globalization;

namespace Jackdaw.Json.Paths;

/// <summary>Members that values have without storing them, such as <c>Tags.Count</c> and <c>OrderedAt.Year</c>. Queries, automatic indexes and
/// definitions compute them here, so that a member has the same value everywhere.</summary>
/// <remarks>What a document stores wins: nobody asks here for a member that an object of the document has.</remarks>
internal static class ComputedMembers
{
    /// <summary>How dates are written that are computed.</summary>
    public const string DateFormat = "yyyy-MM-dd'T'HH:mm:ss.fffffffK";

    /// <summary>Longest text that is a date, in characters.</summary>
    private const int DateLengthMax = 40;

    private static readonly HashSet<string> s_names = new(StringComparer.Ordinal)
    {
        "Count", "Length", "Keys", "Values", "$Keys", "$Values",
        "Year", "Month", "Day", "Hour", "Minute", "Second", "Millisecond", "Microsecond", "Nanosecond", "Date", "Ticks", "DayOfWeek", "DayOfYear",
        "DayNumber", "TimeOfDay",
        "Days", "Hours", "Minutes", "Seconds", "Milliseconds", "Microseconds", "Nanoseconds",
        "TotalDays", "TotalHours", "TotalMinutes", "TotalSeconds", "TotalMilliseconds", "TotalMicroseconds", "TotalNanoseconds",
    };

    /// <summary>All names that some value computes.</summary>
    public static IReadOnlyCollection<string> Names => s_names;

    /// <summary>Whether some value computes a member of this name.</summary>
    public static bool IsKnown(string name) => s_names.Contains(name);

    /// <summary>Whether a member is the number of elements, members or characters.</summary>
    public static bool IsCount(string name) => name is "Count" or "Length";

    /// <summary>Whether a member is the list of all names of an object. Clients write <c>$Keys</c> where they have a dictionary.</summary>
    public static bool AreKeys(string name) => name is "Keys" or "$Keys";

    /// <summary>Whether a member is the list of all values of an object.</summary>
    public static bool AreValues(string name) => name is "Values" or "$Values";

    /// <summary>A member of a text: its length, or a part of the date, the time or the duration that it is.</summary>
    public static ComputedMember OfText(string text, string name) =>
        name == "Length" ? ComputedMember.Of(text.Length)
        : TryReadDate(text, out DateTime date) ? OfDate(date, name)
        : TimeSpan.TryParse(text, CultureInfo.InvariantCulture, out TimeSpan duration) ? OfDuration(duration, name)
        : default;

    public static ComputedMember OfDate(DateTime date, string name) => name switch
    {
        "Year" => ComputedMember.Of(date.Year),
        "Month" => ComputedMember.Of(date.Month),
        "Day" => ComputedMember.Of(date.Day),
        "Date" => ComputedMember.Of(date.Date),
        "Ticks" => ComputedMember.Of(date.Ticks),
        "DayOfWeek" => ComputedMember.Of(date.DayOfWeek.ToString()),
        "DayOfYear" => ComputedMember.Of(date.DayOfYear),
        "DayNumber" => ComputedMember.Of(DateOnly.FromDateTime(date).DayNumber),
        "TimeOfDay" => ComputedMember.Of(date.TimeOfDay),
        _ => OfTime(date.TimeOfDay, name),
    };

    /// <summary>A member of a duration. One that is shorter than a day is also a time of day.</summary>
    public static ComputedMember OfDuration(TimeSpan duration, string name) => name switch
    {
        "Days" => ComputedMember.Of(duration.Days),
        "Hours" => ComputedMember.Of(duration.Hours),
        "Minutes" => ComputedMember.Of(duration.Minutes),
        "Seconds" => ComputedMember.Of(duration.Seconds),
        "Milliseconds" => ComputedMember.Of(duration.Milliseconds),
        "Microseconds" => ComputedMember.Of(duration.Microseconds),
        "Nanoseconds" => ComputedMember.Of(duration.Nanoseconds),
        "TotalDays" => ComputedMember.Of(duration.TotalDays),
        "TotalHours" => ComputedMember.Of(duration.TotalHours),
        "TotalMinutes" => ComputedMember.Of(duration.TotalMinutes),
        "TotalSeconds" => ComputedMember.Of(duration.TotalSeconds),
        "TotalMilliseconds" => ComputedMember.Of(duration.TotalMilliseconds),
        "TotalMicroseconds" => ComputedMember.Of(duration.TotalMicroseconds),
        "TotalNanoseconds" => ComputedMember.Of(duration.TotalNanoseconds),
        "Ticks" => ComputedMember.Of(duration.Ticks),
        _ => duration >= TimeSpan.Zero && duration < TimeSpan.FromDays(1) ? OfTime(duration, name) : default,
    };

    /// <summary>Reads a text of a document as a date: yyyy-MM-dd with or without a time.</summary>
    /// <remarks>A time with an offset becomes UTC. A time without one is not changed: an index must not depend on the time zone of the
    /// machine.</remarks>
    public static bool TryReadDate(ReadOnlySpan<char> text, out DateTime date)
    {
        date = default;
        return text.Length is >= 10 and <= DateLengthMax && text[4] == '-' && text[7] == '-' && char.IsAsciiDigit(text[0])
            && DateTime.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AdjustToUniversal, out date);
    }

    private static ComputedMember OfTime(TimeSpan time, string name) => name switch
    {
        "Hour" => ComputedMember.Of(time.Hours),
        "Minute" => ComputedMember.Of(time.Minutes),
        "Second" => ComputedMember.Of(time.Seconds),
        "Millisecond" => ComputedMember.Of(time.Milliseconds),
        "Microsecond" => ComputedMember.Of(time.Microseconds),
        "Nanosecond" => ComputedMember.Of(time.Nanoseconds),
        _ => default,
    };
}

/// <summary>What a computed member is.</summary>
internal enum ComputedKind : byte
{
    /// <summary>The value has no such member.</summary>
    None,
    Whole,
    Number,
    Text,
    Date,
    Duration,
}

/// <summary>The value of a computed member.</summary>
/// <param name="Bits">A whole number, the bits of a double, the binary form of a date, or the ticks of a duration.</param>
/// <param name="Text">Null for everything but a text.</param>
internal readonly record struct ComputedMember(ComputedKind Kind, long Bits, string? Text)
{
    public static ComputedMember Of(long value) => new(ComputedKind.Whole, value, null);

    public static ComputedMember Of(double value) => new(ComputedKind.Number, BitConverter.DoubleToInt64Bits(value), null);

    public static ComputedMember Of(string value) => new(ComputedKind.Text, 0, value);

    public static ComputedMember Of(DateTime value) => new(ComputedKind.Date, value.ToBinary(), null);

    public static ComputedMember Of(TimeSpan value) => new(ComputedKind.Duration, value.Ticks, null);
}
