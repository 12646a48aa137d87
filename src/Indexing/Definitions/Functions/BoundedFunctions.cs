using System.Globalization;
using System.Text;
using Jackdaw.Indexing.Definitions.Values;
using Jackdaw.Scripting.Texts;

namespace Jackdaw.Indexing.Definitions.Functions;

/// <summary>Replacements for calls of the base library that make a large text from small arguments. They check the
/// <see cref="ExecutionBudget"/> before the text is made. The compiler calls them instead of the originals.</summary>
public static class BoundedFunctions
{
    public static string PadLeftBounded(this string text, int width, char character = ' ') =>
        text.PadLeft(Room(width), character);

    public static string PadRightBounded(this string text, int width, char character = ' ') =>
        text.PadRight(Room(width), character);

    /// <summary>A text of one character, instead of <c>new string('x', n)</c>.</summary>
    public static string RepeatBounded(char character, int count) => new(character, Room(count));

    /// <summary>A text of characters, instead of <c>new string(characters)</c>.</summary>
    public static string RepeatBounded(char[] characters) => new(characters, 0, Room(characters.Length));

    /// <inheritdoc cref="RepeatBounded(char[])"/>
    public static string RepeatBounded(char[] characters, int start, int length) => new(characters, start, Room(length));

    /// <summary>The same on every machine: .NET would need ICU for it, and leave the text as it is without.</summary>
    public static string NormalizeBounded(this string text, NormalizationForm form = NormalizationForm.FormC)
    {
        ExecutionBudget.Charge(1 + (text.Length / 16));
        Room(UnicodeNormalization.LengthOf(text, form));
        return UnicodeNormalization.Normalize(text, form);
    }

    public static bool IsNormalizedBounded(this string text, NormalizationForm form = NormalizationForm.FormC) => NormalizeBounded(text, form) == text;

    public static string InsertBounded(this string text, int position, string part)
    {
        Room((long)text.Length + part.Length);
        return text.Insert(position, part);
    }

    public static string ReplaceBounded(this string text, string old, string? replacement)
    {
        ExecutionBudget.Charge(1 + (text.Length / 64));
        int growth = (replacement?.Length ?? 0) - old.Length;
        if (growth > 0 && old.Length > 0)
        {
            long times = text.AsSpan().Count(old);
            Room(text.Length + (times * growth));
        }

        return text.Replace(old, replacement, StringComparison.Ordinal);
    }

    public static string ReplaceBounded(this string text, char old, char replacement) =>
        text.Replace(old, replacement);

    /// <summary>Bounded as if every place could match.</summary>
    public static string ReplaceBounded(this string text, string old, string? replacement, StringComparison comparison)
    {
        CheckReplacement(text, old, replacement);
        return text.Replace(old, replacement, comparison);
    }

    /// <inheritdoc cref="ReplaceBounded(string, string, string, StringComparison)"/>
    public static string ReplaceBounded(this string text, string old, string? replacement, bool ignoreCase, CultureInfo? culture)
    {
        CheckReplacement(text, old, replacement);
        return text.Replace(old, replacement, ignoreCase, culture ?? CultureInfo.InvariantCulture);
    }

    public static string FormatBounded(IFormatProvider? provider, string format, params object?[] arguments) =>
        FormatBounded(format, arguments);

    public static string FormatBounded(string format, params object?[] arguments)
    {
        foreach (object? argument in arguments)
        {
            Room((argument as string)?.Length ?? 0);
        }

        return string.Format(CultureInfo.InvariantCulture, CheckedLong(format), arguments);
    }

    /// <summary><c>x.ToString("N2")</c> of a number, date or duration.</summary>
    public static string ToStringBounded<T>(this T value, string? format, IFormatProvider? provider = null)
        where T : IFormattable =>
        value.ToString(format is null ? null : Value.Checked(format), provider ?? CultureInfo.InvariantCulture);

    public static string ToStringBounded<T>(this T? value, string? format) where T : struct, IFormattable =>
        value is { } number ? ToStringBounded(number, format) : "";

    public static string ToStringBounded<T>(this T value, IFormatProvider provider) where T : IFormattable =>
        value.ToString(null, provider);

    /// <summary><c>ToString()</c> of an object of unknown type.</summary>
    public static string TextBounded(this object? value) => ExecutionBudget.Operand(value)?.ToString() ?? "";

    public static string JoinBounded<T>(string? separator, IEnumerable<T> parts)
    {
        var result = new StringBuilder();
        bool isFirst = true;
        foreach (T part in parts)
        {
            ExecutionBudget.Step();
            string text = Conversion.ToValue(part).ToString();
            Room((long)result.Length + text.Length + (separator?.Length ?? 0));
            result.Append(isFirst ? null : separator).Append(text);
            isFirst = false;
        }

        return result.ToString();
    }

    public static string JoinBounded(char separator, IEnumerable<string> parts) =>
        JoinBounded(separator.ToString(), parts);

    public static string JoinBounded(string? separator, params object?[] parts) =>
        JoinBounded<object?>(separator, parts);

    public static string JoinBounded(string? separator, params string?[] parts) => JoinBounded<string?>(separator, parts);

    public static string JoinBounded(char separator, params string?[] parts) => JoinBounded<string?>(separator.ToString(), parts);

    public static string JoinBounded(char separator, params object?[] parts) => JoinBounded<object?>(separator.ToString(), parts);

    public static string JoinBounded(string? separator, string?[] parts, int start, int count) => JoinBounded(separator, parts.Skip(start).Take(count));

    public static string JoinBounded(char separator, string?[] parts, int start, int count) =>
        JoinBounded(separator.ToString(), parts.Skip(start).Take(count));

    public static string ConcatBounded<T>(IEnumerable<T> parts) => JoinBounded("", parts);

    public static string ConcatBounded(params object?[] parts) => JoinBounded("", parts);

    public static StringBuilder AppendBounded(this StringBuilder builder, char character, int count) =>
        builder.Append(character, Room(builder.Length + (long)count) - builder.Length);

    public static StringBuilder AppendBounded(this StringBuilder builder, string? text)
    {
        Room(builder.Length + (long)(text?.Length ?? 0));
        return builder.Append(text);
    }

    public static StringBuilder AppendBounded(this StringBuilder builder, StringBuilder? text)
    {
        Room(builder.Length + (long)(text?.Length ?? 0));
        return builder.Append(text);
    }

    public static StringBuilder AppendLineBounded(this StringBuilder builder, string? text) =>
        AppendBounded(builder, text).AppendLine();

    public static StringBuilder InsertBounded(this StringBuilder builder, int position, string? text)
    {
        Room(builder.Length + (long)(text?.Length ?? 0));
        return builder.Insert(position, text);
    }

    public static StringBuilder InsertBounded(this StringBuilder builder, int position, string? text, int count)
    {
        Room(builder.Length + ((text?.Length ?? 0) * (long)count));
        return builder.Insert(position, text, count);
    }

    public static StringBuilder ReplaceBounded(this StringBuilder builder, string old, string? replacement)
    {
        string text = ReplaceBounded(builder.ToString(), old, replacement);
        return builder.Clear().Append(text);
    }

    public static StringBuilder AppendFormatBounded(
        this StringBuilder builder, string format, params object?[] arguments) =>
        AppendBounded(builder, FormatBounded(format, arguments));

    public static StringBuilder AppendJoinBounded<T>(
        this StringBuilder builder, string? separator, IEnumerable<T> parts) =>
        AppendBounded(builder, JoinBounded(separator, parts));

    private static void CheckReplacement(string text, string old, string? replacement)
    {
        ExecutionBudget.Charge(1 + (text.Length / 64));
        int growth = (replacement?.Length ?? 0) - old.Length;
        Room(text.Length + (Math.Max(growth, 0) * (long)(text.Length / Math.Max(old.Length, 1))));
    }

    private static string CheckedLong(string format) => Value.HasLongPrecision(format)
        ? throw new FormatException("The format asks for a width or a precision of more than 999.")
        : format;

    /// <summary>Checks whether a text with this number of characters may be made.</summary>
    private static int Room(long characters)
    {
        if (characters > 1024)
        {
            ExecutionBudget.Reserve(2 * characters);
        }

        return checked((int)characters);
    }
}
