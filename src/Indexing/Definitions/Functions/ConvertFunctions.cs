using System.Globalization;
using Jackdaw.Indexing.Definitions.Values;

namespace Jackdaw.Indexing.Definitions.Functions;

/// <summary>What <c>Convert</c> means in a map or reduce, and casts to a type parameter.</summary>
public static class ConvertFunctions
{
    public static int ToInt32(Value value) => checked((int)Rounded(value));

    public static long ToInt64(Value value) => Rounded(value);

    public static int ToInt32(char character) => character;

    public static long ToInt64(char character) => character;

    public static double ToDouble(Value value) => value.AsDouble();

    public static decimal ToDecimal(Value value) => value.AsDecimal();

    public static string ToString(Value value) => value.ToString();

    public static bool ToBoolean(Value value) => value.IsNumber ? value.AsDouble() != 0 : value.AsCondition();

    public static DateTime ToDateTime(Value value) => value.AsDate();

    /// <summary>Rounds, where a cast cuts off the fraction.</summary>
    private static long Rounded(Value value) =>
        value.Kind is ValueKind.Long or ValueKind.Bool ? value.AsLong() : (long)Math.Round(value.AsDecimal());

    /// <summary>Replaces the test in <c>a ?? b</c>. Returns the value, and whether it is not null.</summary>
    public static bool HasValue(Value value, out Value result)
    {
        result = value;
        return !value.IsNull;
    }

    /// <inheritdoc cref="HasValue(Value, out Value)"/>
    public static bool HasValue<T>(T? value, out T? result) where T : class
    {
        result = value;
        return value is not null;
    }

    /// <inheritdoc cref="HasValue(Value, out Value)"/>
    public static bool HasValue<T>(T? value, out T result) where T : struct
    {
        result = value.GetValueOrDefault();
        return value.HasValue;
    }

    /// <summary>The input of a switch. Returns the value, and always true.</summary>
    public static bool Keep(Value value, out Value result)
    {
        result = value;
        return true;
    }

    /// <summary>Replaces <c>value as T</c>.</summary>
    public static Value TryAs<T>(Value value) => Is<T>(value) ? value : Value.Null;

    /// <summary>A value as a type of the base library, as a cast makes it.</summary>
    public static T To<T>(Value value) => As<T>(value);

    /// <inheritdoc cref="To{T}(Value)"/>
    public static T To<T>(IEnumerable<Value> values) => As<T>(Conversion.ToValue(values));

    internal static T As<T>(Value value) => typeof(T) == typeof(object) ? (T)(object)value
        : (T)BaseType.Of(typeof(T)).Make(value)!;

    /// <summary>True when a value is of that type, without a conversion.</summary>
    public static bool Is<T>(Value value)
    {
        Type wanted = Nullable.GetUnderlyingType(typeof(T)) ?? typeof(T);
        return wanted == typeof(Value) || wanted == typeof(object) ? !value.IsNull || wanted == typeof(Value)
            : wanted == typeof(string) ? value.IsText
            : wanted == typeof(int) || wanted == typeof(long) ? value.Kind == ValueKind.Long
            : wanted == typeof(double) || wanted == typeof(decimal) ? value.IsNumber
            : !value.IsNull && BaseType.Of(wanted).Cost(value) is >= 0 and < BaseType.ParsedCost;
    }

    /// <inheritdoc cref="Is{T}(Value)"/>
    public static bool Is<T>(Value value, out T result)
    {
        bool isOfType = Is<T>(value);
        result = isOfType ? As<T>(value) : default!;
        return isOfType;
    }

    /// <summary>A text as a date. A time alone is refused, because it would get the current date.</summary>
    internal static DateTime ParseDate(string text, string? format, IFormatProvider? provider)
    {
        provider ??= CultureInfo.InvariantCulture;
        const DateTimeStyles styles = DateTimeStyles.AdjustToUniversal | DateTimeStyles.NoCurrentDateDefault;
        DateTime date = format is null
            ? DateTime.Parse(text, provider, styles)
            : DateTime.ParseExact(text, format, provider, styles);
        return date.Date == default && format is null
            ? throw new FormatException($"'{text}' is a time without a date.")
            : date;
    }
}
