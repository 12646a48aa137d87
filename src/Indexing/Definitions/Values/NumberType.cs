namespace Jackdaw.Indexing.Definitions.Values;

/// <summary>A type of numbers as the target of a value.</summary>
/// <param name="cost">Its place among the types that an integer of a document can become.</param>
/// <param name="fractionCost">Its place for other numbers; -1 for types of integers.</param>
/// <param name="min">Smallest value.</param>
/// <param name="max">Largest value.</param>
/// <param name="make">Converts a value.</param>
internal sealed class NumberType(int cost, int fractionCost, decimal min, decimal max, Func<Value, object> make)
{
    /// <summary>An integer that is written as a fraction, such as 5.0.</summary>
    private const int WholeFractionCost = 15;

    private const int ParsedCost = 20;

    private static readonly Dictionary<Type, NumberType> s_types = new()
    {
        [typeof(long)] = new(0, -1, long.MinValue, long.MaxValue, v => (long)v),
        [typeof(int)] = new(1, -1, int.MinValue, int.MaxValue, v => (int)v),
        [typeof(double)] = new(3, 0, decimal.MinValue, decimal.MaxValue, v => (double)v),
        [typeof(decimal)] = new(4, 2, decimal.MinValue, decimal.MaxValue, v => (decimal)v),
        [typeof(float)] = new(5, 4, decimal.MinValue, decimal.MaxValue, v => (float)v),
        [typeof(uint)] = new(6, -1, uint.MinValue, uint.MaxValue, v => (uint)v),
        [typeof(ulong)] = new(6, -1, ulong.MinValue, ulong.MaxValue, v => (ulong)v),
        [typeof(short)] = new(7, -1, short.MinValue, short.MaxValue, v => (short)v),
        [typeof(ushort)] = new(8, -1, ushort.MinValue, ushort.MaxValue, v => (ushort)v),
        [typeof(byte)] = new(8, -1, byte.MinValue, byte.MaxValue, v => (byte)v),
        [typeof(sbyte)] = new(8, -1, sbyte.MinValue, sbyte.MaxValue, v => (sbyte)v),
        [typeof(nint)] = new(9, -1, long.MinValue, long.MaxValue, v => (nint)v),
        [typeof(nuint)] = new(9, -1, ulong.MinValue, ulong.MaxValue, v => (nuint)v),
        [typeof(Int128)] = new(10, -1, decimal.MinValue, decimal.MaxValue, v => (Int128)(decimal)v),
        [typeof(UInt128)] = new(10, -1, 0, decimal.MaxValue, v => (UInt128)(decimal)v),
        [typeof(Half)] = new(11, 6, -65504, 65504, v => (Half)(double)v),
    };

    public static NumberType? Of(Type type) => s_types.GetValueOrDefault(type);

    public object Make(Value value) => make(value);

    public int Cost(Value value)
    {
        bool isParsed = value.IsText;
        if (!value.IsNumber && !isParsed)
        {
            return BaseType.Impossible;
        }

        if (!value.TryGetDecimal(out decimal exact))
        {
            return isParsed ? BaseType.Impossible : fractionCost;
        }

        bool isWhole = value.Kind == ValueKind.Long || (exact % 1 == 0 && fractionCost < 0);
        int own = value.Kind == ValueKind.Long ? cost
            : fractionCost < 0 ? WholeFractionCost + cost
            : value.Kind == ValueKind.Decimal ? Math.Abs(fractionCost - 2)
            : fractionCost;
        return (!isWhole && fractionCost < 0) || exact < min || exact > max ? BaseType.Impossible : own + (isParsed ? ParsedCost : 0);
    }
}
