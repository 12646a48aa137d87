using System.Globalization;
using Jackdaw.Indexing.Definitions.Values;

namespace Jackdaw.Indexing.Definitions.Functions;

/// <summary>What <c>Convert</c> means in a map or reduce, and casts to a type parameter.</summary>
public static class ConvertFunctions
{
    public static int ToInt32(Value value) => checked((int)Rounded(value));

    public static long ToInt64(Value value) => Rounded(value);

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

    internal static T As<T>(Value value)
    {
        Type wanted = Nullable.GetUnderlyingType(typeof(T)) ?? typeof(T);
        if (wanted == typeof(Value) || wanted == typeof(object))
        {
            return (T)(object)value;
        }

        if (value.IsNull)
        {
            return default!;
        }

        object result = wanted == typeof(string) ? value.AsText()
            : wanted == typeof(int) ? (int)value
            : wanted == typeof(long) ? value.AsLong()
            : wanted == typeof(double) ? value.AsDouble()
            : wanted == typeof(float) ? (float)value
            : wanted == typeof(decimal) ? value.AsDecimal()
            : wanted == typeof(bool) ? value.AsCondition()
            : wanted == typeof(DateTime) ? value.AsDate()
            : wanted == typeof(DateTimeOffset) ? (DateTimeOffset)value
            : wanted == typeof(DateOnly) ? (DateOnly)value
            : wanted == typeof(TimeOnly) ? (TimeOnly)value
            : wanted == typeof(TimeSpan) ? value.AsDuration()
            : wanted == typeof(Guid) ? (object)(Guid)value
            : throw new InvalidCastException($"A value cannot be read as {wanted.Name}.");
        return (T)result;
    }

    /// <summary>True when a value is of that type, without a conversion.</summary>
    public static bool Is<T>(Value value)
    {
        Type wanted = typeof(T);
        return wanted == typeof(Value) || wanted == typeof(object)
            || (wanted == typeof(string) && value.IsText)
            || (wanted == typeof(bool) && value.Kind == ValueKind.Bool)
            || ((wanted == typeof(int) || wanted == typeof(long)) && value.Kind == ValueKind.Long)
            || ((wanted == typeof(double) || wanted == typeof(decimal)) && value.IsNumber)
            || (wanted == typeof(DateTime) && value.TryGetDate(out _));
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
