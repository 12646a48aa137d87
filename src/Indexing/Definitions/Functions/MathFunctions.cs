using Jackdaw.Indexing.Definitions.Values;

namespace Jackdaw.Indexing.Definitions.Functions;

/// <summary>What <c>Math</c> means in a map or reduce: null gives null, decimals stay decimals.</summary>
public static class MathFunctions
{
    public const double PI = Math.PI;
    public const double E = Math.E;

    public static Value Abs(Value value) => value.IsNull ? value : value < 0 ? -value : value;

    public static Value Round(Value value) => Map(value, Math.Round, Math.Round);

    public static Value Round(Value value, Value digits) => Map(
        value, d => Math.Round(d, (int)digits.AsLong()), m => Math.Round(m, (int)digits.AsLong()));

    public static Value Round(Value value, MidpointRounding mode) =>
        Map(value, d => Math.Round(d, mode), m => Math.Round(m, mode));

    public static Value Round(Value value, Value digits, MidpointRounding mode) => Map(
        value, d => Math.Round(d, (int)digits.AsLong(), mode), m => Math.Round(m, (int)digits.AsLong(), mode));

    public static Value Floor(Value value) => Map(value, Math.Floor, Math.Floor);

    public static Value Ceiling(Value value) => Map(value, Math.Ceiling, Math.Ceiling);

    public static Value Truncate(Value value) => Map(value, Math.Truncate, Math.Truncate);

    public static Value Sign(Value value) => value.IsNull ? value : value < 0 ? -1 : value > 0 ? 1 : 0;

    public static Value Max(Value left, Value right) => left.IsNull || right.IsNull ? Value.Null
        : left > right ? left : right;

    public static Value Min(Value left, Value right) => left.IsNull || right.IsNull ? Value.Null
        : left < right ? left : right;

    public static Value Pow(Value value, Value exponent) =>
        value.IsNull || exponent.IsNull ? Value.Null : Math.Pow(value.AsDouble(), exponent.AsDouble());

    public static Value Sqrt(Value value) => Map(value, Math.Sqrt);

    public static Value Exp(Value value) => Map(value, Math.Exp);

    public static Value Log(Value value) => Map(value, Math.Log);

    public static Value Log10(Value value) => Map(value, Math.Log10);

    public static Value Sin(Value value) => Map(value, Math.Sin);

    public static Value Cos(Value value) => Map(value, Math.Cos);

    public static Value Tan(Value value) => Map(value, Math.Tan);

    public static Value Atan2(Value y, Value x) =>
        y.IsNull || x.IsNull ? Value.Null : Math.Atan2(y.AsDouble(), x.AsDouble());

    private static Value Map(Value value, Func<double, double> map) => value.IsNull ? value : map(value.AsDouble());

    private static Value Map(Value value, Func<double, double> map, Func<decimal, decimal> exact) =>
        value.IsNull || value.Kind == ValueKind.Long ? value
        : value.Kind == ValueKind.Decimal ? exact(value.AsDecimal())
        : map(value.AsDouble());
}
