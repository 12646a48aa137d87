using System.Globalization;
using Jint;
using Jint.Native;

namespace Jackdaw.Scripting;

/// <summary>Helpers of scripts that compute a text or a number from values alone.</summary>
internal static class ScriptFormats
{
    /// <summary>Characters of a format: a longer one is a mistake or an attack.</summary>
    private const int FormatLengthMax = 64;

    /// <summary>Mean radius of the Earth (IUGG). Kilometers.</summary>
    private const double EarthRadiusKm = 6371.0088;

    private const double KilometersPerMile = 1.609344;

    /// <summary><c>toStringWithFormat(value, format, culture)</c> formats a number, a date or a text with a date by a .NET format. The culture may
    /// be the second or the last argument, and is always the invariant one.</summary>
    public static string Format(Engine engine, JsValue[] args)
    {
        string? format = null;
        for (int i = 1; i < args.Length; i++)
        {
            string text = args.Text(i, engine, "toStringWithFormat()");
            format = IsCulture(text) ? format : text;
        }

        if (format is { Length: > FormatLengthMax } || (format is not null && IsHuge(format)))
        {
            throw ScriptValues.Fault(engine, $"The format of toStringWithFormat() has more than {FormatLengthMax} " +
                "characters, or asks for more than 99 digits.");
        }

        try
        {
            return Format(engine, args.At(0), format);
        }
        catch (FormatException)
        {
            throw ScriptValues.Fault(engine, $"'{format}' is not a format that toStringWithFormat() knows.");
        }
    }

    /// <summary><c>convertJsTimeToTimeSpanString(ms)</c>: milliseconds as <c>[d.]hh:mm:ss[.fffffff]</c>.</summary>
    public static string TimeSpan(Engine engine, JsValue[] args)
    {
        double ms = args.Number(0, engine, "convertJsTimeToTimeSpanString()");
        bool fits = Math.Abs(ms) <= System.TimeSpan.MaxValue.TotalMilliseconds / 2;
        return fits
            ? new System.TimeSpan((long)(ms * System.TimeSpan.TicksPerMillisecond)).ToString("c", CultureInfo.InvariantCulture)
            : throw ScriptValues.Fault(engine, "convertJsTimeToTimeSpanString() takes milliseconds of a time span.");
    }

    /// <summary><c>spatial.distance(lat1, lng1, lat2, lng2, units)</c>: along the surface of a sphere.</summary>
    public static double Distance(Engine engine, JsValue[] args)
    {
        const string use = "spatial.distance()";
        double lat1 = Radians(args.Number(0, engine, use));
        double lng1 = Radians(args.Number(1, engine, use));
        double lat2 = Radians(args.Number(2, engine, use));
        double lng2 = Radians(args.Number(3, engine, use));
        double a = Math.Pow(Math.Sin((lat2 - lat1) / 2), 2)
            + (Math.Cos(lat1) * Math.Cos(lat2) * Math.Pow(Math.Sin((lng2 - lng1) / 2), 2));
        double km = 2 * EarthRadiusKm * Math.Asin(Math.Min(1, Math.Sqrt(a)));
        string units = args.At(4).IsNothing() ? "kilometers" : args.Text(4, engine, use).ToLowerInvariant();
        return units switch
        {
            "kilometers" => km,
            "miles" => km / KilometersPerMile,
            _ => throw ScriptValues.Fault(engine, "The units of spatial.distance() are 'kilometers' or 'miles'."),
        };
    }

    private static string Format(Engine engine, JsValue value, string? format) => value switch
    {
        JsNumber number => number.AsNumber() is var d && format is ['d' or 'D' or 'x' or 'X', ..]
            ? ((long)d).ToString(format, CultureInfo.InvariantCulture)
            : number.AsNumber().ToString(format, CultureInfo.InvariantCulture),
        JsDate date when ScriptValues.ToDateTime(date) is { } time => time.ToString(format, CultureInfo.InvariantCulture),
        JsString text when format is not null && ScriptValues.ToDateTime(text.ToString()) is { } time =>
            time.ToString(format, CultureInfo.InvariantCulture),
        JsString text => text.ToString(),
        JsBoolean flag => flag.AsBoolean() ? "True" : "False",
        _ => throw ScriptValues.Fault(engine, "toStringWithFormat() takes a number, a text, a date, true or false."),
    };

    private static double Radians(double degrees) => degrees * Math.PI / 180;

    // Matches 'en' and 'en-US', but no format: formats of one letter are shorter, and dates have other letters.
    private static bool IsCulture(string text) => text.Length == 0
        || (text.Length == 5 && text[2] == '-' && text.All(letter => char.IsAsciiLetter(letter) || letter == '-')
            && char.IsAsciiLetterLower(text[0]) && char.IsAsciiLetterUpper(text[3]));

    // A standard format with three digits: each digit of it is written.
    private static bool IsHuge(string format) =>
        format.Length > 3 && char.IsAsciiLetter(format[0]) && format.AsSpan(1).IndexOfAnyExceptInRange('0', '9') < 0;
}
