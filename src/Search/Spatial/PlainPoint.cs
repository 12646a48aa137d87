using System.Buffers;
using System.Globalization;

namespace Jackdaw.Search.Spatial;

/// <summary>Reads the text of a point as servers and programs write it, <c>POINT(x y)</c> or <c>POINT (x y)</c>, which most shapes are. Other spellings of a
/// point are read as any shape is.</summary>
internal static class PlainPoint
{
    private const string Name = "POINT";

    private static readonly SearchValues<char> s_digits = SearchValues.Create("0123456789+-.eE");

    /// <summary>The coordinates; false when the text is written in another way, or is not a point.</summary>
    public static bool TryRead(ReadOnlySpan<char> text, out double x, out double y)
    {
        (x, y) = (0, 0);
        if (!text.StartsWith(Name, StringComparison.Ordinal) || text[^1] != ')')
        {
            return false;
        }

        ReadOnlySpan<char> numbers = text[Name.Length..^1];
        numbers = numbers.StartsWith(" ", StringComparison.Ordinal) ? numbers[1..] : numbers;
        if (!numbers.StartsWith("(", StringComparison.Ordinal))
        {
            return false;
        }

        numbers = numbers[1..];
        int space = numbers.IndexOf(' ');
        return space > 0 && TryReadNumber(numbers[..space], out x) && TryReadNumber(numbers[(space + 1)..], out y);
    }

    // Digits with at most a sign, a point and an exponent: everything else that the base library takes for a number is left to the patterns.
    private static bool TryReadNumber(ReadOnlySpan<char> text, out double number)
    {
        number = 0;
        return !text.ContainsAnyExcept(s_digits) && text.ContainsAnyInRange('0', '9')
            && double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out number) && double.IsFinite(number);
    }
}
