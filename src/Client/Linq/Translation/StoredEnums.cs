using System.Collections.Concurrent;
using System.Numerics;

namespace Jackdaw.Client.Linq.Translation;

/// <summary>What values of enums are in documents. Safe for concurrent use.</summary>
/// <param name="toParameter">A value as documents have it.</param>
internal sealed class StoredEnums(Func<object?, object?> toParameter)
{
    /// <summary>Flags of more bits have too many combinations to list.</summary>
    private const int BitsMax = 10;

    /// <summary>Above all values of enums, and within what a decimal holds.</summary>
    private const double BoundMax = 1e20;

    private readonly ConcurrentDictionary<Type, IReadOnlyList<(decimal Number, object? Stored)>?> _values = new();

    /// <summary>Whether an enum is stored as numbers, which have the order of its values.</summary>
    public bool AreNumbers(Type type) => ValuesOf(type) is { Count: > 0 } values ? values.All(value => value.Stored is not string)
        : toParameter(Enum.ToObject(type, 0)) is not string;

    /// <summary>Whether the texts of an enum have the same order as its values.</summary>
    public bool AreInOrder(Type type) => AreNumbers(type) || (!IsFlags(type) && ValuesOf(type) is { } values
        && values.Select(value => (string)value.Stored!).SequenceEqual(
            values.Select(value => (string)value.Stored!).Order(StringComparer.OrdinalIgnoreCase), StringComparer.Ordinal));

    /// <summary>The values in their order, combinations of flags included; null if there are too many.</summary>
    public IReadOnlyList<(decimal Number, object? Stored)>? ValuesOf(Type type) => _values.GetOrAdd(type, Read);

    public static decimal NumberOf(object value) => System.Convert.ToDecimal(
        value is Enum constant ? System.Convert.ChangeType(constant, Enum.GetUnderlyingType(constant.GetType())) : value);

    /// <summary>A bound for values of enums; null for NaN, and for what is not a number, which nothing is above, below or equal to.</summary>
    /// <param name="value">A number, maybe beyond the range of all enums, or an object of any type.</param>
    public static decimal? BoundOf(object value) => value switch
    {
        double bound => double.IsNaN(bound) ? null : (decimal)Math.Clamp(bound, -BoundMax, BoundMax),
        float bound => BoundOf((double)bound),
        Half bound => BoundOf((double)bound),
        Int128 bound => BoundOf((double)bound),
        UInt128 bound => BoundOf((double)bound),
        BigInteger bound => BoundOf((double)bound),
        _ => Type.GetTypeCode(value.GetType()) is >= TypeCode.SByte and <= TypeCode.Decimal ? NumberOf(value) : null,
    };

    private static bool IsFlags(Type type) => type.IsDefined(typeof(FlagsAttribute), inherit: false);

    private IReadOnlyList<(decimal Number, object? Stored)>? Read(Type type)
    {
        List<object> named = [.. Enum.GetValuesAsUnderlyingType(type).Cast<object>().Distinct()];
        if (IsFlags(type))
        {
            long[] bits = [.. named.Select(NumberOf).Where(number => number > 0 && number <= long.MaxValue).Select(number => (long)number)
                .Where(long.IsPow2)];
            if (bits.Length > BitsMax)
            {
                return null;
            }

            Type whole = Enum.GetUnderlyingType(type);
            named = [.. Enumerable.Range(0, 1 << bits.Length)
                .Select(chosen => System.Convert.ChangeType(bits.Where((_, i) => (chosen & (1 << i)) != 0).Sum(), whole))];
        }

        return [.. named.Select(number => (NumberOf(number), toParameter(Enum.ToObject(type, number)))).OrderBy(value => value.Item1)];
    }
}
