using System.Globalization;
using System.Text;
using Jackdaw.Indexing.Definitions.Library;
using Jackdaw.Indexing.Definitions.Values;

namespace Jackdaw.Indexing.Definitions.Functions;

/// <summary>Methods of texts, dates and durations, for values of any kind. Null gives null.</summary>
public static class ValueFunctions
{
    public static Value ToLower(this Value value) => Map(value, text => text.ToLowerInvariant());

    public static Value ToUpper(this Value value) => Map(value, text => text.ToUpperInvariant());

    public static Value ToLowerInvariant(this Value value) => ToLower(value);

    public static Value ToUpperInvariant(this Value value) => ToUpper(value);

    public static Value Trim(this Value value) => Map(value, text => text.Trim());

    public static Value Trim(this Value value, params char[] characters) => Map(value, text => text.Trim(characters));

    public static Value TrimStart(this Value value, params char[] characters) =>
        Map(value, text => text.TrimStart(characters));

    public static Value TrimEnd(this Value value, params char[] characters) =>
        Map(value, text => text.TrimEnd(characters));

    /// <summary>Like the method of a string, but it stops at the end of the text instead of throwing, because documents differ.</summary>
    public static Value Substring(this Value value, Value start) => Substring(value, start, int.MaxValue);

    /// <inheritdoc cref="Substring(Value, Value)"/>
    public static Value Substring(this Value value, Value start, Value length) => Map(value, text =>
    {
        int from = (int)Math.Clamp(start.AsLong(), 0, text.Length);
        return text.Substring(from, (int)Math.Clamp(length.AsLong(), 0, text.Length - from));
    });

    public static bool StartsWith(this Value value, Value prefix) => Test(value, prefix, (text, other) =>
        text.StartsWith(other, StringComparison.Ordinal));

    public static bool StartsWith(this Value value, Value prefix, StringComparison comparison) =>
        Test(value, prefix, (text, other) => text.StartsWith(other, comparison));

    public static bool EndsWith(this Value value, Value suffix) => Test(value, suffix, (text, other) =>
        text.EndsWith(other, StringComparison.Ordinal));

    public static bool EndsWith(this Value value, Value suffix, StringComparison comparison) =>
        Test(value, suffix, (text, other) => text.EndsWith(other, comparison));

    public static bool Contains(this Value value, Value part, StringComparison comparison) =>
        Test(value, part, (text, other) => text.Contains(other, comparison));

    public static bool Equals(this Value value, Value other, StringComparison comparison) =>
        Test(value, other, (text, second) => string.Equals(text, second, comparison));

    /// <summary>The position in a text, or of an element in a list.</summary>
    public static Value IndexOf(this Value value, Value part) => value.IsNull ? value
        : value.IsList ? Array.IndexOf(value.ToValues(), part)
        : value.AsText().IndexOf(part.AsText(), StringComparison.Ordinal);

    /// <inheritdoc cref="IndexOf"/>
    public static Value LastIndexOf(this Value value, Value part) => value.IsNull ? value
        : value.IsList ? Array.LastIndexOf(value.ToValues(), part)
        : value.AsText().LastIndexOf(part.AsText(), StringComparison.Ordinal);

    public static Value Replace(this Value value, Value old, Value replacement) =>
        Map(value, text => BoundedFunctions.ReplaceBounded(text, old.AsText(), replacement.AsText()));

    public static Value Insert(this Value value, Value position, Value part) => value.IsList ? throw Changes("List`1", "Insert")
        : Map(value, text => BoundedFunctions.InsertBounded(text, (int)position.AsLong(), part.AsText()));

    /// <summary>Of a text it is what stands before a position; of a list or an object, whether it has the element or the name.</summary>
    public static Value Remove(this Value value, Value part) => value.IsList ? Array.IndexOf(value.ToValues(), part) >= 0
        : value.IsObject ? value.HasMember(part.AsText())
        : Map(value, text => text.Remove((int)part.AsLong()));

    public static Value Remove(this Value value, Value position, Value count) =>
        Map(value, text => text.Remove((int)position.AsLong(), (int)count.AsLong()));

    public static Value PadLeft(this Value value, Value width, char character = ' ') =>
        Map(value, text => BoundedFunctions.PadLeftBounded(text, (int)width.AsLong(), character));

    public static Value PadRight(this Value value, Value width, char character = ' ') =>
        Map(value, text => BoundedFunctions.PadRightBounded(text, (int)width.AsLong(), character));

    public static Value Split(this Value value, params char[] separators) => Parts(value, t => t.Split(separators));

    public static Value Split(this Value value, char separator, StringSplitOptions options) =>
        Parts(value, text => text.Split(separator, options));

    public static Value Split(this Value value, char[] separators, StringSplitOptions options) =>
        Parts(value, text => text.Split(separators, options));

    public static Value Split(this Value value, string separator) => Parts(value, text => text.Split(separator));

    public static Value Split(this Value value, string separator, StringSplitOptions options) =>
        Parts(value, text => text.Split(separator, options));

    public static Value Split(this Value value, string[] separators, StringSplitOptions options) =>
        Parts(value, text => text.Split(separators, options));

    public static Value ToCharArray(this Value value) => value.IsNull ? value : Value.FromList(value.ToValues());

    public static string ToString(this Value value, string format) => value.ToString(format, null);

    public static Value GetValueOrDefault(this Value value) => value.IsNull ? 0 : value;

    /// <summary>The value, or the other one for null; of an object its member with this name, as a dictionary gives it.</summary>
    public static Value GetValueOrDefault(this Value value, Value other) => value.IsObject ? value.Member(other.AsText())
        : value.IsNull ? other : value;

    public static Value GetValueOrDefault(this Value value, Value name, Value other) =>
        value.HasMember(name.AsText()) ? value.Member(name.AsText()) : other;

    /// <summary>A number in a text, or the other value when there is none: 0 if none is given.</summary>
    /// <remarks>The other functions whose names begin with Parse do the same.</remarks>
    public static Value ParseInt(this Value value) => ParseInt(value, 0);

    public static Value ParseInt(this Value value, Value other) =>
        value.TryGetDecimal(out decimal number) && !value.IsNull && number is >= int.MinValue and <= int.MaxValue && number % 1 == 0 ? (int)number : other;

    public static Value ParseLong(this Value value) => ParseLong(value, 0);

    public static Value ParseLong(this Value value, Value other) =>
        value.TryGetDecimal(out decimal number) && !value.IsNull && number is >= long.MinValue and <= long.MaxValue && number % 1 == 0 ? (long)number : other;

    public static Value ParseDecimal(this Value value) => ParseDecimal(value, 0);

    public static Value ParseDecimal(this Value value, Value other) =>
        value.TryGetDecimal(out decimal number) && !value.IsNull ? number : other;

    public static Value ParseDouble(this Value value) => ParseDouble(value, 0);

    public static Value ParseDouble(this Value value, Value other) =>
        value.IsNumber ? value.AsDouble()
        : value.IsText && double.TryParse(value.AsText(), CultureInfo.InvariantCulture, out double number) ? number : other;

    public static Value AddYears(this Value value, Value n) => At(value, date => date.AddYears((int)n.AsLong()));

    public static Value AddMonths(this Value value, Value n) => At(value, date => date.AddMonths((int)n.AsLong()));

    public static Value AddDays(this Value value, Value n) => At(value, date => date.AddDays(n.AsDouble()));

    /// <summary>A later date, or a later time of day, which goes on at midnight.</summary>
    public static Value AddHours(this Value value, Value n) => IsTime(value)
        ? ((TimeOnly)value).AddHours(n.AsDouble())
        : At(value, date => date.AddHours(n.AsDouble()));

    /// <inheritdoc cref="AddHours"/>
    public static Value AddMinutes(this Value value, Value n) => IsTime(value)
        ? ((TimeOnly)value).AddMinutes(n.AsDouble())
        : At(value, date => date.AddMinutes(n.AsDouble()));

    public static Value AddSeconds(this Value value, Value n) => At(value, date => date.AddSeconds(n.AsDouble()));

    public static Value AddMilliseconds(this Value value, Value n) =>
        At(value, date => date.AddMilliseconds(n.AsDouble()));

    public static Value AddTicks(this Value value, Value n) => At(value, date => date.AddTicks(n.AsLong()));

    public static Value Add(this Value value, Value duration) => value.IsList ? throw Changes("List`1", "Add")
        : value.IsNull || duration.IsNull ? Value.Null : value + (duration.IsText ? (Value)duration.AsDuration() : duration);

    public static Value Subtract(this Value value, Value other) => value - other;

    /// <summary>Dates without a time zone count as UTC: an index must not depend on the zone of the machine.</summary>
    public static Value ToUniversalTime(this Value value) =>
        At(value, date => DateTime.SpecifyKind(date, DateTimeKind.Utc));

    public static Value ToShortDateString(this Value value) =>
        value.IsNull ? value : value.ToString("MM/dd/yyyy", null);

    public static Value Normalize(this Value value, NormalizationForm form = NormalizationForm.FormC) => Map(value, text => text.NormalizeBounded(form));

    public static Value IsNormalized(this Value value, NormalizationForm form = NormalizationForm.FormC) =>
        value.IsNull ? value : value.AsText().IsNormalizedBounded(form);

    public static bool TryGetValue(this Value value, string name, out Value found)
    {
        found = value.Member(name);
        return !found.IsMissing;
    }

    public static Value Boost(this Value value, Value factor) =>
        new(ValueKind.Boosted, new BoostedValue(value.Unboosted(), (float)factor.AsDouble()));

    public static Value Boost(this string? text, Value factor) => Boost((Value)text, factor);

    public static Value Boost<T>(this IEnumerable<T> values, Value factor) =>
        Boost(Conversion.ToValue(values), factor);

    private static bool IsTime(Value value) => value.IsText && !value.TryGetDate(out _)
        && TimeOnly.TryParse(value.AsText(), CultureInfo.InvariantCulture, out _);

    private static Value Map(Value value, Func<string, string> map) => value.IsNull ? value : map(Text(value));

    /// <summary>The text of a value; a list or an object has none.</summary>
    private static string Text(Value value) => value.IsList || value.IsObject ? throw value.CannotRead("a text") : value.AsText();

    private static InvalidOperationException Changes(string type, string member) =>
        new(RefusalTexts.Of($"System.Collections.Generic.{type}.{member}"));

    private static Value Parts(Value value, Func<string, string[]> map) =>
        value.IsNull ? value : Conversion.ToValue(map(Text(value)));

    private static Value At(Value value, Func<DateTime, DateTime> map) =>
        value.IsNull ? value : map(value.AsDate());

    private static bool Test(Value value, Value other, Func<string, string, bool> test) =>
        !value.IsNull && !other.IsNull && test(Text(value), other.AsText());
}
